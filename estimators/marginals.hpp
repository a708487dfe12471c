// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/types.hpp>

namespace pomlux {

/// Arms per parallel chunk and per block of a pass: fixed, so that sums have the same bits on any
/// number of threads. A few blocks of doubles fit into the first-level cache.
inline constexpr Index kArmChunk = 1 << 14;
inline constexpr Index kArmBlock = 512;

/// Arms with a stddev below this count as certain, as with stddev = 0: offsets between doubles
/// cannot resolve them.
inline constexpr double kCertainStddev = 1e-290;
[[nodiscard]] constexpr bool is_certain(double stddev) { return stddev < kCertainStddev; }

/// What the searches need to know of n arms, from one pass.
struct MarginalSummary {
  Index uncertain = 0;  ///< number of arms that are not certain; the next six are about them
  double lowest_mean = 0.0;
  double highest_mean = 0.0;
  double second_mean = 0.0;  ///< second highest mean; lowest_mean if there is one arm only
  double smallest_stddev = 0.0;
  double largest_stddev = 0.0;
  Index leader = -1;             ///< first uncertain arm with the highest mean
  Index certain = 0;             ///< number of certain arms
  double best_certain = 0.0;     ///< highest mean among them; -inf if there are none
  Index best_certain_count = 0;  ///< how many of them have it
};

/// Requires checked input (require_marginals).
[[nodiscard]] MarginalSummary summarise(const VectorRef& mean, const VectorRef& stddev);

/// 1, or a power of two that brings the largest magnitude near 1 where sums, squares or quotients
/// of the values may leave the range of double. Estimators then work on values times this factor,
/// which changes no probability.
[[nodiscard]] double safe_scale(const MarginalSummary& summary);

/// p_x = 1 for one arm; if every arm is certain, an equal share for each arm that has the highest
/// mean.
[[nodiscard]] bool is_trivial(const MarginalSummary& summary);
[[nodiscard]] Vector trivial_probabilities(const VectorRef& mean, const MarginalSummary& summary);

}  // namespace pomlux
