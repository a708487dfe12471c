// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>     // std::ldexp
#include <optional>  // where nothing is extreme
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

/// The same belief with room in double: mean' = (mean - shift) 2^exponent, stddev' = stddev
/// 2^exponent. An arm that is out of the running, by 1000 standard deviations of its own and
/// of a better one, is moved to where it still gets nothing.
struct RescaledMarginals {
  Vector mean;
  Vector stddev;
  double shift = 0.0;
  int exponent = 0;
  /// In the units and from the origin of the original.
  [[nodiscard]] double location(double value) const {
    // Halves where the length alone may overflow.
    const int half = exponent < -1000 ? 1 : 0;
    return std::ldexp(std::ldexp(shift, -half) + std::ldexp(value, -exponent - half), half);
  }
  [[nodiscard]] double length(double value) const { return std::ldexp(value, -exponent); }
};

/// Absent unless sums, squares or quotients of the values may leave the range of double, or arms
/// count as certain that are not. Estimators then work on this instead, which changes no
/// probability; nothing about it is extreme. `keeps_origin`: shift = 0.
/// @throws InvalidArgument where the arms that matter span more than 290 decades, and arms that
/// double cannot tell from certain ones tie for the best.
[[nodiscard]] std::optional<RescaledMarginals> rescale_extremes(const VectorRef& mean,
                                                                const VectorRef& stddev,
                                                                const MarginalSummary& summary,
                                                                bool keeps_origin = false);

/// p_x = 1 for one arm; if every arm is certain, an equal share for each arm that has the highest
/// mean.
[[nodiscard]] bool is_trivial(const MarginalSummary& summary);
[[nodiscard]] Vector trivial_probabilities(const VectorRef& mean, const MarginalSummary& summary);

}  // namespace pomlux
