// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/pom_estimator.hpp>

namespace pomlux {

struct EstOptions {
  /// Accuracy of kappa~ in units of the spread of the maximum, and of every entry, which depends on
  /// kappa~ in units of its own stddev. In (0, 1); below rounding: the best attainable, reported as
  /// Status::kRoundingLimited.
  double epsilon = 1e-10;
  /// If > 0, epsilon is 1 / (alpha n) instead, as in the paper's experiments.
  double alpha = 0.0;
  /// Nodes of the quadrature for kappa~ at most; Status::kIterationLimit there. At least 64.
  int max_nodes = 1 << 20;
  /// kappa~ = E[max(max F, 0)] instead, as the public code of the paper integrates from 0 alone:
  /// the estimate depends on where 0 is, and certain arms below 0 get nothing. A copy of the input.
  bool positive_part = false;
};
void validate(const EstOptions& options);

struct EstResult {
  Pom pom;  ///< normalised; kappa is kappa~
  /// [n] log of the lower bound r_x prod_z P[F_z <= kappa~] on the probability under independence;
  /// -inf where it vanishes.
  Vector log_lower_bound;
};

/// EST: with kappa~ = E[max F] under independence,
///
///   p_x >= r_x prod_z P[F_z <= kappa~],   r_x = P[F_x >= kappa~] / (1 - P[F_x >= kappa~]);
///
/// the estimate is r_x normalised to sum 1. n = 1 gives {1}, with bound log(1/2). stddev_x = 0 is
/// the limit stddev_x -> 0+: r_x = 0 where mean_x < kappa~; an arm that no other can overtake in
/// double precision has mean_x = kappa~ and takes all. Correlation is ignored by design: there is
/// no model_error. numerical_error is how far an entry moves with kappa~ by what that is off by.
/// Cost: two passes over the arms per node; O(n) memory.
/// Source: Wang, Zhou and Jegelka, AISTATS 2016; Menet et al., LITE, AISTATS 2025, section 4.
class Est final : public PomEstimator {
 public:
  explicit Est(EstOptions options = {});

 private:
  Pom do_estimate(const GaussianVector& f, Rng& rng) const override;
  EstOptions options_;
};

/// The same as plain functions. @param mean, stddev [n], finite, stddev >= 0. @throws
/// InvalidArgument otherwise.
[[nodiscard]] EstResult est_with_bound(const VectorRef& mean,
                                       const VectorRef& stddev,
                                       const EstOptions& options = {});
[[nodiscard]] Pom est(const VectorRef& mean,
                      const VectorRef& stddev,
                      const EstOptions& options = {});

}  // namespace pomlux
