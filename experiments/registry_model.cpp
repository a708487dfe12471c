// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

ParameterRange to_parameter_range(const Json& bounds) {
  if (bounds.is_null()) return {};
  return {bounds.at(0).get<double>(), bounds.at(1).get<double>()};
}

std::optional<LogNormalPrior> to_prior(const Json& prior) {
  if (prior.is_null()) return std::nullopt;
  return LogNormalPrior{prior.at(0).get<double>(), prior.at(1).get<double>()};
}

FitOptions to_fit_options(const Json& fit) {
  FitOptions options;
  options.parameters.clear();
  if (fit.at("method") != "none") {
    options.parameters = fit.at("parameters").get<std::vector<std::string>>();
  }
  if (fit.at("method") == "adam") options.method = FitMethod::kAdam;
  options.restarts = fit.at("restarts").get<int>();
  options.warm_start = fit.at("warm_start").get<bool>();
  if (!fit.at("max_iterations").is_null()) {
    options.max_iterations = fit.at("max_iterations").get<int>();
  }
  options.learning_rate = fit.at("learning_rate").get<double>();
  const Json& bounds = fit.at("bounds");
  options.length_scale = to_parameter_range(bounds.at("length_scale"));
  options.amplitude = to_parameter_range(bounds.at("amplitude"));
  options.noise_stddev = to_parameter_range(bounds.at("noise_stddev"));
  const Json& priors = fit.at("priors");
  options.length_scale_prior = to_prior(priors.at("length_scale"));
  options.amplitude_prior = to_prior(priors.at("amplitude"));
  options.noise_stddev_prior = to_prior(priors.at("noise_stddev"));
  if (priors.at("others") == "from_data") options.default_priors = DefaultPriors::kFromData;
  return options;
}

bool has_ard(const Json& kernel) {
  if (kernel.at("type") == "additive") return true;
  if (!kernel.contains("terms")) return kernel.at("ard").get<bool>();
  const Json& terms = kernel.at("terms");
  return std::any_of(terms.begin(), terms.end(), has_ard);
}

}  // namespace

bool scales_inputs(const Json& model_section) {
  const Json& given = model_section.at("scale_inputs");
  if (!given.is_null()) return given.get<bool>();
  const Json& fit = model_section.at("fit");
  const Json& fitted = fit.at("parameters");
  return fit.at("method") != "none" &&
         std::find(fitted.begin(), fitted.end(), "length_scale") != fitted.end();
}

std::unique_ptr<GaussianProcess> make_model(const Json& section, const Domain& domain) {
  const Json& kernel = section.at("kernel");
  GaussianProcessOptions options;
  options.mean = section.at("mean").get<double>();
  options.noise_stddev = section.at("noise_stddev").get<double>();
  options.standardizes = section.at("standardize").get<bool>();
  options.memory_limit = section.at("memory_limit").get<double>();
  options.fit = to_fit_options(section.at("fit"));
  options.fit.ties_length_scales = !has_ard(kernel);
  const Vector scales =
      scales_inputs(section) ? relative_extents(domain) : Vector::Ones(domain.dimension());
  return std::make_unique<GaussianProcess>(
      domain.dimension(), make_kernel(kernel, scales), std::move(options));
}

}  // namespace pomlux
