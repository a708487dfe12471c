// SPDX-License-Identifier: MIT
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/estimators/threshold.hpp>
#include <pomlux/estimators/vapor.hpp>

namespace pomlux {
namespace {

Pom solve(const VectorRef& mean, const VectorRef& stddev, const VaporOptions& options) {
  const ThresholdOptions threshold{
      .epsilon = effective_epsilon(options.epsilon, options.alpha, mean.size()),
      .root = options.root,
      .max_iterations = options.max_iterations};
  return solve_threshold(mean, stddev, Sigmoid::kVapor, threshold).pom;
}

}  // namespace

void validate(const VaporOptions& options) {
  validate_root_options("vapor", options.epsilon, options.alpha, options.max_iterations);
}

Vapor::Vapor(VaporOptions options) : options_(options) { validate(options_); }

Pom Vapor::do_estimate(const GaussianVector& f, Rng&) const {
  return solve(f.mean(), f.stddev(), options_);
}

Pom vapor(const VectorRef& mean, const VectorRef& stddev, const VaporOptions& options) {
  validate(options);
  require_marginals("vapor", mean, stddev);
  return solve(mean, stddev, options);
}

}  // namespace pomlux
