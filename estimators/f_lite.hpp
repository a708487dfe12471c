// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/pom_estimator.hpp>
#include <pomlux/estimators/root_method.hpp>

namespace pomlux {

struct FLiteOptions {
  /// Stop when no entry can move by more than this over the bracket. In (0, 1); below rounding: the
  /// best attainable, reported as Status::kRoundingLimited.
  double epsilon = 1e-10;
  /// If > 0, epsilon is 1 / (alpha n) instead, as in the paper's experiments.
  double alpha = 0.0;
  RootMethod root = RootMethod::kNewton;
  /// Passes over the arms. At least 1.
  int max_iterations = 200;
};
void validate(const FLiteOptions& options);

/// Probability of maximality, almost-linear time, fast variant (F-LITE).
///
///   q_x = Phi((mean_x - kappa) / stddev_x),   kappa such that  sum_x q_x = 1
///
/// n = 1 gives {1}. stddev_x = 0 is the limit stddev_x -> 0+. Correlation is ignored by design:
/// there is no model_error. Cost: O(n) per pass, O(n) memory. Source: Menet et al., LITE, AISTATS
/// 2025, Algorithm 1.
class FLite final : public PomEstimator {
 public:
  explicit FLite(FLiteOptions options = {});
  [[nodiscard]] const FLiteOptions& options() const { return options_; }

 private:
  Pom do_estimate(const GaussianVector& f, Rng& rng) const override;
  FLiteOptions options_;
};

/// The same as a plain function. @param mean, stddev [n], finite, stddev >= 0. @throws
/// InvalidArgument otherwise.
[[nodiscard]] Pom f_lite(const VectorRef& mean,
                         const VectorRef& stddev,
                         const FLiteOptions& options = {});

}  // namespace pomlux
