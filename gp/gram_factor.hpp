// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: the Cholesky factor of the observations' covariance.

#include <pomlux/core/linalg.hpp>
#include <pomlux/gp/kernel.hpp>

namespace pomlux {

/// L Lᵀ = k(D, D) + diag(noise²) + jitter I. It depends on the observations and their order alone:
/// rebuilding gives the same bits as growing row by row (see PackedTriangle), and a resumed run is
/// the same run.
///
/// A pivot that is not positive beyond rounding starts the factor anew with jitter: kFirstJitter
/// (of CholeskyFactor) times the mean diagonal up to there, then ten times the last one.
class GramFactor {
 public:
  /// Grows by the last row of x [t + 1, d] and noise_stddev [t + 1]. Returns false if the jitter
  /// rose, so that earlier rows changed. @throws InvalidArgument, leaving the factor as it was, if
  /// the kernel's values are not finite or the largest jitter does not help.
  bool append(const Kernel& kernel, const PointsRef& x, const VectorRef& noise_stddev);
  /// For all rows. Same exceptions.
  void rebuild(const Kernel& kernel, const PointsRef& x, const VectorRef& noise_stddev);

  [[nodiscard]] const CholeskyFactor& cholesky() const { return factor_; }
  [[nodiscard]] double jitter() const { return jitter_; }

 private:
  [[nodiscard]] double raised_jitter(const Kernel& kernel,
                                     const PointsRef& x,
                                     const VectorRef& noise_stddev) const;
  void factorise(const Kernel& kernel, const PointsRef& x, const VectorRef& noise_stddev);

  CholeskyFactor factor_;
  double jitter_ = 0.0;
};

/// Appends k(x_0 .. x_{t-1}, point) and k(point, point) + extra to the factor of x [t, d].
[[nodiscard]] bool append_point(CholeskyFactor& factor,
                                const Kernel& kernel,
                                const PointsRef& x,
                                const PointRef& point,
                                double extra);

}  // namespace pomlux
