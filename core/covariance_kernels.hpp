// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>  // std::size_t

// Private to the libraries: the loops behind stationary covariance functions, compiled once per
// instruction-set level. Includes nothing that holds inline functions; see normal_kernels.hpp.

namespace pomlux {
enum class Isa : int;
}

namespace pomlux::detail {

/// n points x, column-major [n, d] with stride `ld`, and what coordinates are measured in: the term
/// of coordinate c between x_i and y is ((x_ic - y_c) inverse_scale[c])^2, or its absolute value.
struct ScaledPoints {
  const double* x;
  std::size_t ld;
  std::size_t n;
  std::size_t d;
  const double* inverse_scale;
};

/// A result depends on its own arguments alone, not on n or the position.
struct CovarianceKernels {
  /// out[j stride + i] = min(sum of the terms between x_i and y_j, limit), added in order, for j <
  /// m; y row-major [m, d].
  using Distance = void (*)(const ScaledPoints& points,
                            const double* y,
                            std::size_t m,
                            double limit,
                            double* out,
                            std::size_t stride);
  Distance squared_distance;
  Distance absolute_distance;

  struct Profile {
    /// k[i] = variance times profile at s[i] >= 0, at most variance; slope[i] = -2 dk/ds (absolute
    /// distance: -dk/ds), 0 where it is infinite. k may be s; null slope: not wanted.
    void (*write)(const double* s, std::size_t n, double variance, double* k, double* slope);
    /// out[i] += the profile at min(s, limit), s = ((x[i] - y) inverse_scale)² or, with the
    /// absolute distance, its root; i < n. For kernels that are sums over the coordinates.
    void (*add)(
        const double* x, std::size_t n, double y, double inverse_scale, double limit, double* out);
  };
  // With r = sqrt(s):
  Profile squared_exponential;  ///< exp(-s / 2)
  Profile exponential;          ///< exp(-s)
  Profile matern12;             ///< exp(-r)
  Profile matern32;             ///< (1 + sqrt3 r) exp(-sqrt3 r)
  Profile matern52;             ///< (1 + sqrt5 r + 5 s / 3) exp(-sqrt5 r)

  /// sums[c] += sum_i weights[i] min(term of coordinate c between x_i and y, limit), y [d].
  using TermSums = void (*)(const ScaledPoints& points,
                            const double* y,
                            double limit,
                            const double* weights,
                            double* sums);
  TermSums squared_sums;
  TermSums absolute_sums;
};

extern const CovarianceKernels kCovarianceKernelsBaseline;
extern const CovarianceKernels kCovarianceKernelsV3;  ///< x86-64-v3: AVX2 and FMA
extern const CovarianceKernels kCovarianceKernelsV4;  ///< x86-64-v4: AVX-512

/// The table of a level. @throws InvalidArgument if the level is not available.
[[nodiscard]] const CovarianceKernels& covariance_kernels(Isa level);

}  // namespace pomlux::detail
