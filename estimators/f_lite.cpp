// SPDX-License-Identifier: MIT
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/threshold.hpp>

namespace pomlux {
namespace {

Pom solve(const VectorRef& mean, const VectorRef& stddev, const FLiteOptions& options) {
  const ThresholdOptions threshold{
      .epsilon = effective_epsilon(options.epsilon, options.alpha, mean.size()),
      .root = options.root,
      .max_iterations = options.max_iterations};
  return solve_threshold(mean, stddev, Sigmoid::kNormalCdf, threshold).pom;
}

}  // namespace

void validate(const FLiteOptions& options) {
  validate_root_options("f_lite", options.epsilon, options.alpha, options.max_iterations);
}

FLite::FLite(FLiteOptions options) : options_(options) { validate(options_); }

Pom FLite::do_estimate(const GaussianVector& f, Rng&) const {
  return solve(f.mean(), f.stddev(), options_);
}

Pom f_lite(const VectorRef& mean, const VectorRef& stddev, const FLiteOptions& options) {
  validate(options);
  require_marginals("f_lite", mean, stddev);
  return solve(mean, stddev, options);
}

}  // namespace pomlux
