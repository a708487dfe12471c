// SPDX-License-Identifier: MIT
#pragma once
// Private to estimators: which arms may be close to which.

#include <pomlux/core/gaussian_vector.hpp>
#include <span>    // indices
#include <vector>  // groups

namespace pomlux {

/// Arms near each other, and the arms near them, themselves included; ascending positions.
struct NeighbourGroup {
  std::vector<Index> members;
  std::vector<Index> candidates;
};

/// Factors for the axes of the coordinates of `arms` such that correlation falls about equally fast
/// along each: -log |correlation| with a few reference arms is regressed on squared differences, no
/// coefficient being negative. Where there is nothing to learn, 1 over the extent of the axis.
/// @param f has covariance and coordinates. O(n) time and memory. [d]
[[nodiscard]] Vector correlation_scales(const GaussianVector& f, std::span<const Index> arms);

/// Groups of at most `most_members` points, [n, d], each with its `most_candidates` nearest points,
/// distance being to the box around the group; a k-d tree.
[[nodiscard]] std::vector<NeighbourGroup> group_by_distance(const Points& points,
                                                            Index most_members,
                                                            Index most_candidates);

}  // namespace pomlux
