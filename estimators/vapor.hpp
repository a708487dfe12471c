// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/pom_estimator.hpp>
#include <pomlux/estimators/root_method.hpp>

namespace pomlux {

struct VaporOptions {
  /// Stop when no entry can be further from its limit than this. In (0, 1); below rounding: the
  /// best attainable, reported as Status::kRoundingLimited.
  double epsilon = 1e-10;
  /// If > 0, epsilon is 1 / (alpha n) instead, as in the paper's experiments.
  double alpha = 0.0;
  RootMethod root = RootMethod::kNewton;
  /// Passes over the arms. At least 1.
  int max_iterations = 200;
};
void validate(const VaporOptions& options);

/// Probability of maximality by entropy-regularised optimism, fast variant (F-VAPOR): the maximiser
/// over the simplex of
///
///   V(p) = sum_x p_x (mean_x + sqrt(2 log(1 / p_x)) stddev_x),
///   v_x = v((mean_x - nu) / stddev_x),   v(c) = exp(-(sqrt(c^2 + 4) - c)^2 / 8),
///
/// nu such that sum_x v_x = 1 (Pom::kappa). n = 1 gives {1}. stddev_x = 0 is the limit stddev_x ->
/// 0+. Correlation is ignored by design: there is no model_error. Cost: O(n) per pass, O(n) memory.
/// Source: Menet et al., LITE, AISTATS 2025, "Fast VAPOR".
class Vapor final : public PomEstimator {
 public:
  explicit Vapor(VaporOptions options = {});

 private:
  Pom do_estimate(const GaussianVector& f, Rng& rng) const override;
  VaporOptions options_;
};

/// The same as a plain function. @param mean, stddev [n], finite, stddev >= 0. @throws
/// InvalidArgument otherwise.
[[nodiscard]] Pom vapor(const VectorRef& mean,
                        const VectorRef& stddev,
                        const VaporOptions& options = {});

}  // namespace pomlux
