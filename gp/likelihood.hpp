// SPDX-License-Identifier: MIT
#pragma once

#include <memory>  // workspace
#include <pomlux/gp/kernel.hpp>

namespace pomlux {

/// Log marginal likelihood of observations under a GP, natural logarithm, with the -n/2 log 2 pi
/// term, and its gradient.
///
///   -1/2 (y - m)ᵀ (K + N)⁻¹ (y - m) - 1/2 log det(K + N) - n/2 log 2 pi,   N = diag(noise²)
struct Likelihood {
  double value = 0.0;      ///< finite, or -inf where the quadratic term overflows
  Vector kernel_gradient;  ///< [p] with respect to the logs of Kernel::parameters
  double mean = 0.0;       ///< m: as given, or the maximising one
  double mean_gradient = 0.0;
  double log_noise_gradient = 0.0;  ///< for a common factor on all noise standard deviations
  Vector log_noise_gradient_each;   ///< [n] one per observation
  double jitter = 0.0;              ///< added to the diagonal, see CholeskyFactor
};

/// Buffers of evaluations, results included: with one that is kept, an evaluation after the first
/// for as many points allocates nothing, unless the matrix needs jitter. For one thread at a time.
class LikelihoodWorkspace {
 public:
  LikelihoodWorkspace();
  ~LikelihoodWorkspace();
  LikelihoodWorkspace(LikelihoodWorkspace&&) noexcept;
  LikelihoodWorkspace& operator=(LikelihoodWorkspace&&) noexcept;

 private:
  friend class LikelihoodEvaluation;
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

/// @param x [n, d], n >= 0, y [n], noise_stddev [n] >= 0.
/// Cost: n³ flop for value and all gradients together (one factor, one inverse).
/// @throws InvalidArgument if sizes differ, an entry is not finite or the matrix is not finite;
/// indefinite matrices get jitter, reported. Source: Rasmussen and Williams, 2006, eq. 5.8, 5.9.
/// With a workspace, the result lies in it until its next evaluation.
[[nodiscard]] const Likelihood& log_marginal_likelihood(const Kernel& kernel,
                                                        double mean,
                                                        const VectorRef& noise_stddev,
                                                        const PointsRef& x,
                                                        const VectorRef& y,
                                                        LikelihoodWorkspace& workspace);
[[nodiscard]] Likelihood log_marginal_likelihood(const Kernel& kernel,
                                                 double mean,
                                                 const VectorRef& noise_stddev,
                                                 const PointsRef& x,
                                                 const VectorRef& y);

/// The same at the mean that maximises it, m = 1ᵀ(K + N)⁻¹y / 1ᵀ(K + N)⁻¹1. The other gradients are
/// then those of the profile, as the derivative with respect to the mean vanishes. n >= 1.
[[nodiscard]] const Likelihood& profile_log_marginal_likelihood(const Kernel& kernel,
                                                                const VectorRef& noise_stddev,
                                                                const PointsRef& x,
                                                                const VectorRef& y,
                                                                LikelihoodWorkspace& workspace);
[[nodiscard]] Likelihood profile_log_marginal_likelihood(const Kernel& kernel,
                                                         const VectorRef& noise_stddev,
                                                         const PointsRef& x,
                                                         const VectorRef& y);

}  // namespace pomlux
