// SPDX-License-Identifier: MIT
#pragma once
// Private to estimators: the integral of local_hazard over the level of the maximum.

#include <pomlux/estimators/local_hazard_arms.hpp>
#include <span>  // choices

namespace pomlux {

struct HazardPanelOptions {
  /// Expected number of arms above the first level.
  double tail = 1e-7;
  /// The integral ends where P(max F <= f) is below.
  double least_probability = 1e-4;
  int max_panels = 200;
  /// Panel width at most, in standard deviations of the narrowest arm it meets.
  double width = 5.0;
  /// Pieces of the axis on which eight levels tell what neighbours do to an arm: width at most, in
  /// standard deviations of the narrowest of them.
  double piece_width = 5.0;
  /// Fall of log P(max F <= f) within a panel at most, as predicted.
  double drop = 8.0;
};

struct HazardSolution {
  Vector probabilities;  ///< [n], not normalised
  double mass = 0.0;     ///< their sum
  double rest = 1.0;     ///< P(max F <= f) at the end: what a certain arm there has
  int panels = 0;
  double propagated_share = 0.0;
  bool is_complete = false;  ///< ended before the limit of panels
};

/// p_x = int G r_x over panels of eight Gauss-Legendre nodes from the top down, log G being the
/// integral of the interpolated sum of the r_x.
/// @param mean [n], in place of arms.mean; @param propagates [n]: whether an arm's neighbours are
/// propagated. @param floor the integral ends there at the latest; -inf for none.
[[nodiscard]] HazardSolution integrate_hazard(const HazardArms& arms,
                                              const Vector& mean,
                                              const std::vector<bool>& propagates,
                                              double floor,
                                              const HazardPanelOptions& options);

}  // namespace pomlux
