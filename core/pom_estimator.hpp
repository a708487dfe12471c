// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/pom.hpp>
#include <pomlux/core/rng.hpp>

namespace pomlux {

/// Seam: from a Gaussian vector to its probability of maximality. Takes any Gaussian vector, never
/// a GP.
class PomEstimator {
 public:
  virtual ~PomEstimator() = default;

  /// Runs the estimator and checks that the answer is a distribution. Deterministic estimators
  /// leave `rng` untouched.
  /// @throws InvalidArgument if `f` lacks what the estimator needs (a covariance).
  [[nodiscard]] Pom estimate(const GaussianVector& f, Rng& rng) const;

 private:
  virtual Pom do_estimate(const GaussianVector& f,
                          Rng& rng) const = 0;  // may assume finite mean, stddev >= 0, n >= 1
};

}  // namespace pomlux
