// SPDX-License-Identifier: MIT
#include <algorithm>  // std::count
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/fit_space.hpp>
#include <pomlux/gp/options.hpp>

namespace pomlux {
namespace {

void validate_range(const std::string& name, const ParameterRange& range) {
  if (range.lower >= 0.0 && range.lower <= range.upper && range.upper > 0.0 &&
      range.lower <= kLargestHyperparameter && range.upper >= kSmallestHyperparameter) {
    return;
  }
  fail("FitOptions",
       name + " is [" + format_number(range.lower) + ", " + format_number(range.upper) +
           "]; it must be 0 <= lower <= upper, upper > 0, and meet [" +
           format_number(kSmallestHyperparameter) + ", " + format_number(kLargestHyperparameter) +
           "]");
}

void validate_prior(const std::string& name, const std::optional<LogNormalPrior>& prior) {
  if (!prior) return;
  require_in_range("FitOptions", name + ".median", prior->median, kSmallestHyperparameter);
  require_in_range("FitOptions", name + ".log_stddev", prior->log_stddev, kSmallestHyperparameter);
}

bool is_open(const ParameterRange& range) { return range.lower == 0.0 && range.upper == kInfinity; }

/// What the method would leave unused.
void require_for_method(const FitOptions& options) {
  if (options.method == FitMethod::kLbfgs) {
    if (options.learning_rate == FitOptions{}.learning_rate) return;
    fail("FitOptions",
         "learning_rate is " + format_number(options.learning_rate) +
             "; L-BFGS has none, so it must be " + format_number(FitOptions{}.learning_rate));
  }
  const auto refuse = [](bool is_used, const std::string& name) {
    if (is_used) fail("FitOptions", name + " is given; Adam does not use it");
  };
  refuse(options.restarts != 0, "restarts = " + format_number(options.restarts));
  refuse(!is_open(options.length_scale), "a range of length_scale");
  refuse(!is_open(options.amplitude), "a range of amplitude");
  refuse(!is_open(options.noise_stddev), "a range of noise_stddev");
  refuse(options.length_scale_prior.has_value(), "length_scale_prior");
  refuse(options.amplitude_prior.has_value(), "amplitude_prior");
  refuse(options.noise_stddev_prior.has_value(), "noise_stddev_prior");
  refuse(options.default_priors != DefaultPriors::kNone, "default_priors");
}

}  // namespace

void validate(const FitOptions& options) {
  for (const std::string& name : options.parameters) {
    if (std::count(options.parameters.begin(), options.parameters.end(), name) > 1) {
      fail("FitOptions", "parameters names \"" + name + "\" more than once");
    }
  }
  if (options.restarts < 0) {
    fail("FitOptions", "restarts is " + format_number(options.restarts) + "; it must be >= 0");
  }
  if (options.iteration_limit() < 1) {
    fail("FitOptions",
         "max_iterations is " + format_number(options.iteration_limit()) + "; it must be >= 1");
  }
  if (options.method == FitMethod::kAdam) {
    validate(AdamOptions{options.learning_rate, options.iteration_limit()});
  }
  validate_range("length_scale", options.length_scale);
  validate_range("amplitude", options.amplitude);
  validate_range("noise_stddev", options.noise_stddev);
  validate_prior("length_scale_prior", options.length_scale_prior);
  validate_prior("amplitude_prior", options.amplitude_prior);
  validate_prior("noise_stddev_prior", options.noise_stddev_prior);
  require_for_method(options);
}

void validate(const GaussianProcessOptions& options) {
  require_in_range("GaussianProcessOptions", "mean", options.mean, -kLargestHyperparameter);
  require_in_range("GaussianProcessOptions", "noise_stddev", options.noise_stddev, 0.0);
  if (!(options.memory_limit > 0.0)) {
    fail("GaussianProcessOptions",
         "memory_limit is " + format_number(options.memory_limit) + "; it must be > 0 bytes");
  }
  validate(options.fit);
  const std::vector<std::string>& fitted = options.fit.parameters;
  if (options.fit.method == FitMethod::kAdam && options.noise_stddev == 0.0 &&
      std::find(fitted.begin(), fitted.end(), "noise_stddev") != fitted.end()) {
    fail("GaussianProcessOptions",
         "noise_stddev is 0; Adam, which moves its logarithm, must start from a value > 0, or "
         "noise_stddev must not be among the parameters of the fit");
  }
}

void require_in_range(std::string_view where, std::string_view name, double value, double lower) {
  if (value >= lower && value <= kLargestHyperparameter) return;
  fail(where,
       std::string(name) + " is " + format_number(value) + "; it must lie in [" +
           format_number(lower) + ", " + format_number(kLargestHyperparameter) + "]");
}

std::string join_names(const Kernel& kernel) {
  std::string result;
  for (const std::string& name : kernel.parameter_names()) result += name + ", ";
  return result + "mean, noise_stddev";
}

void require_known_parameters(const FitOptions& options, const Kernel& kernel) {
  std::vector<std::string> known = kernel.parameter_names();
  known.emplace_back("mean");
  known.emplace_back("noise_stddev");
  for (const std::string& name : options.parameters) {
    const bool is_known =
        std::any_of(known.begin(), known.end(), [&](const std::string& parameter) {
          return is_named(parameter, name);
        });
    if (!is_known) {
      fail("FitOptions",
           "parameters names \"" + name + "\", which is not fitted; known: " + join_names(kernel));
    }
  }
}

}  // namespace pomlux
