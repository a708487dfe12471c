// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: the loops behind the kernels that are a profile of a scaled distance.

#include <algorithm>  // std::clamp
#include <pomlux/core/covariance_kernels.hpp>
#include <pomlux/gp/kernel.hpp>

namespace pomlux {

/// Distances beyond this count as equally far: every kernel is below 1e-300 of its variance or 0
/// there, and polynomial times exponential cannot become inf times 0.
inline constexpr double kFar = 1e6;

/// At the active instruction-set level.
[[nodiscard]] const detail::CovarianceKernels& active_covariance();

/// The scaled distance s that the profile of a kernel is a function of: r² of KernelType's comment,
/// or the scaled L1 distance for kExponentialL1.
[[nodiscard]] detail::CovarianceKernels::Distance distance_of(KernelType type);
/// Of a kernel with a distance s: write gives its values, and slope = -2 dk/ds (L1: -dk/ds) unless
/// null, so that dk / d log length_scale_k = slope * term_k; add those of one coordinate. At the
/// kink of kMatern12 the product of the infinite slope and the zero term is 0, and so is the slope
/// here.
[[nodiscard]] const detail::CovarianceKernels::Profile& profile_of(KernelType type);
/// d k / d x_k for n points y: slope(i) factor times what the term's derivative adds, the step
/// (y_ik - x) inverse_scale or, with the absolute distance, its sign. @param y [n] coordinates k.
template <typename Out>
void write_input_slopes(bool is_absolute,
                        const double* y,
                        double x,
                        double inverse_scale,
                        const VectorRef& slope,
                        double factor,
                        Out&& out) {
  if (is_absolute) {
    for (Index i = 0; i < slope.size(); ++i) {
      out(i) = slope(i) * (y[i] > x ? 1.0 : y[i] < x ? -1.0 : 0.0) * factor;
    }
    return;
  }
  for (Index i = 0; i < slope.size(); ++i) {
    out(i) = slope(i) * std::clamp((y[i] - x) * inverse_scale, -kFar, kFar) * factor;
  }
}

}  // namespace pomlux
