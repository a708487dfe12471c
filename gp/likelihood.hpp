// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/gp/kernel.hpp>

namespace pomlux {

/// Log marginal likelihood of observations under a GP, natural logarithm, with the -n/2 log 2 pi
/// term, and its gradient.
struct Likelihood {
  double value = 0.0;
  Vector kernel_gradient;  ///< [p] with respect to the logs of Kernel::parameters
  double mean_gradient = 0.0;
  double log_noise_gradient = 0.0;  ///< for a common factor on all noise standard deviations
  Vector log_noise_gradient_each;   ///< [n] one per observation
  double jitter = 0.0;
};

/// @param x [n, d], y [n], noise_stddev [n] >= 0.  Cost: n³ flop for value and all gradients
/// together (one inverse).
/// @throws InvalidArgument if sizes differ or the matrix is not finite; indefinite matrices get
/// jitter, reported.
[[nodiscard]] Likelihood log_marginal_likelihood(const Kernel& kernel,
                                                 double mean,
                                                 const VectorRef& noise_stddev,
                                                 const PointsRef& x,
                                                 const VectorRef& y);

}  // namespace pomlux
