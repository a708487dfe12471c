// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>  // std::size_t
#include <cstdint>  // neighbours

// Private to estimators: the inner loops of local_hazard, compiled once per instruction-set level
// (core/isa.hpp). This header and local_hazard_kernels.inc include nothing that holds inline
// functions; see core/normal_kernels.hpp.

namespace pomlux {
enum class Isa : int;
}

namespace pomlux::detail {

/// Levels of the maximum handled at once, one per vector lane.
inline constexpr std::size_t kHazardLevels = 8;
/// Neighbours of an arm at most.
inline constexpr std::size_t kMostNeighbours = 64;

/// An arm and the neighbours that its competitors are seen through, all in their own standard
/// units: neighbour i is at most f where its standardised value is at most
/// (f - mean[neighbours[i]]) inverse_stddev[neighbours[i]].
struct HazardArm {
  const double* mean;            ///< of all arms
  const double* inverse_stddev;  ///< of all arms
  std::size_t arm;
  const std::int32_t* neighbours;  ///< [m], nearest first
  const float* correlation;        ///< [m] with the arm
  const float* pairs;              ///< [m (m - 1) / 2]: of neighbours j > i at j (j - 1) / 2 + i
  std::size_t m;                   ///< at most kMostNeighbours
};

/// log_ratio[l] = A - B, A = log P(neighbours <= levels[l] | arm = levels[l]) and B the same given
/// arm <= levels[l]. `scratch` holds hazard_scratch(m) doubles.
using LogRatioFunction = void (*)(const HazardArm& arm,
                                  const double* levels,
                                  double* scratch,
                                  double* log_ratio);

/// A log ratio between lower and upper levels, by Chebyshev polynomials:
/// sum_k coefficients[k] T_k((level - centre) inverse_half), and beyond the ends what it is there.
struct RatioSeries {
  double centre = 0.0;
  double inverse_half = 0.0;
  double coefficients[kHazardLevels] = {};
};

/// hazard[l] = phi(a) / (stddev Phi(a)) exp(min(ratio, 5)), a = (levels[l] - mean) inverse_stddev.
using HazardFunction = void (*)(double mean,
                                double inverse_stddev,
                                const RatioSeries& ratio,
                                const double* levels,
                                double* hazard);

struct HazardKernels {
  HazardFunction hazard;
  /// Truncated moments matched one neighbour after the other.
  LogRatioFunction sequential;
  /// Expectation propagation: two sweeps over arm and neighbours for B, two more for A, each with
  /// the third cumulants of pairs.
  LogRatioFunction propagation;
};

[[nodiscard]] constexpr std::size_t hazard_scratch(std::size_t m) {
  return kHazardLevels * (m + 2) * (m + 8);
}

extern const HazardKernels kHazardKernelsBaseline;
extern const HazardKernels kHazardKernelsV3;  ///< x86-64-v3: AVX2 and FMA
extern const HazardKernels kHazardKernelsV4;  ///< x86-64-v4: AVX-512

/// The table of a level. @throws InvalidArgument if the level is not available.
[[nodiscard]] const HazardKernels& hazard_kernels(Isa level);

}  // namespace pomlux::detail
