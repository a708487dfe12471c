// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>  // seeds
#include <pomlux/core/gaussian_vector.hpp>

namespace pomlux {

/// What random Gaussian vectors are drawn from: of every arm, independently of all others,
///
///   mean ~ U[mean_lower, mean_upper),   stddev ~ U[stddev_lower, stddev_upper)
///
/// Bounds are finite and a finite distance apart, each lower one at most its upper one,
/// stddev_lower >= 0.
struct SyntheticRanges {
  double mean_lower = 0.0;
  double mean_upper = 0.0;
  double stddev_lower = 0.0;
  double stddev_upper = 0.0;
};

/// Throws InvalidArgument naming the bounds that break the above.
void validate(const SyntheticRanges& ranges);

/// A vector of n independent arms: all means, then all standard deviations, of the stream (seed,
/// "synthetic", n). A pure function of its arguments; two sizes of one seed share nothing.
/// @throws InvalidArgument for n < 1 and as validate.   Cost: O(n).
[[nodiscard]] IndependentGaussian draw_synthetic(const SyntheticRanges& ranges,
                                                 Index n,
                                                 std::uint64_t seed);

}  // namespace pomlux
