// SPDX-License-Identifier: MIT
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/estimators/a_lite.hpp>
#include <pomlux/estimators/a_lite_stages.hpp>
#include <pomlux/estimators/threshold.hpp>

namespace pomlux {
namespace {

ALiteResult solve(const VectorRef& mean, const VectorRef& stddev, const ALiteOptions& options) {
  const MarginalSummary summary = summarise(mean, stddev);
  if (const auto rescaled = rescale_extremes(mean, stddev, summary)) {
    ALiteResult result = solve(rescaled->mean, rescaled->stddev, options);
    result.m = rescaled->location(result.m);
    result.s = rescaled->length(result.s);
    return result;
  }
  if (is_trivial(summary)) {
    ALiteResult result;
    result.pom.probabilities = trivial_probabilities(mean, summary);
    result.pom.numerical_error = 0.0;
    result.pom.status = Status::kConverged;
    result.m = summary.uncertain == 1 ? summary.highest_mean : summary.best_certain;
    result.s = summary.uncertain == 1 ? summary.largest_stddev : 0.0;
    return result;
  }
  const double epsilon = effective_epsilon(options.epsilon, options.alpha, mean.size());
  const auto stages = options.root == RootMethod::kNewton ? newton_a_lite : bisect_a_lite;
  ALiteResult result =
      stages(mean, stddev, summary, epsilon, options.variant, options.max_iterations);
  result.sum_raw = result.pom.probabilities.sum();
  result.pom.probabilities /= result.sum_raw;
  return result;
}

}  // namespace

void validate(const ALiteOptions& options) {
  validate_root_options("a_lite", options.epsilon, options.alpha, options.max_iterations);
  if (options.max_iterations < 2) {
    fail("a_lite", "max_iterations is " + format_number(options.max_iterations) + "; must be >= 2");
  }
}

ALite::ALite(ALiteOptions options) : options_(options) { validate(options_); }

Pom ALite::do_estimate(const GaussianVector& f, Rng&) const {
  return solve(f.mean(), f.stddev(), options_).pom;
}

ALiteResult a_lite_with_match(const VectorRef& mean,
                              const VectorRef& stddev,
                              const ALiteOptions& options) {
  validate(options);
  require_marginals("a_lite", mean, stddev);
  return solve(mean, stddev, options);
}

Pom a_lite(const VectorRef& mean, const VectorRef& stddev, const ALiteOptions& options) {
  return a_lite_with_match(mean, stddev, options).pom;
}

}  // namespace pomlux
