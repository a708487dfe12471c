// SPDX-License-Identifier: MIT
#pragma once
// Private to estimators: averages of local_hazard's solutions, over common factors for one.

#include <cmath>  // std::abs
#include <pomlux/estimators/local_hazard.hpp>
#include <pomlux/estimators/local_hazard_panels.hpp>
#include <span>  // positions

namespace pomlux {

/// Solutions of the same arms, each normalised, added with weights.
struct HazardAverage {
  Vector probabilities{};  ///< [n], with `certain` they sum to the weights
  double certain = 0.0;    ///< of the best certain arms together
  double mass = 0.0;       ///< before each was normalised
  double missing = 0.0;    ///< below the last panel
  int panels = 0;
  double propagated_share = 0.0;
  bool is_complete = true;

  /// @param positions [solution's arms] of them here, ascending; empty for all.
  /// @param has_certain whether what lies below the last panel is that of certain arms.
  void add(const HazardSolution& solution,
           double weight,
           bool has_certain,
           std::span<const Index> positions = {});
  void add(const HazardAverage& other, double weight);
  /// Between the probabilities of both, the certain arms being one.
  [[nodiscard]] double total_variation(const HazardAverage& other) const;
  /// How far the probabilities were from a distribution before they were normalised.
  [[nodiscard]] double mass_error() const { return std::abs(1.0 - missing - mass); }
};

/// Over common factors.
struct FactorAverage {
  HazardAverage average;
  /// Total variation between the first half of the nodes and the second.
  double roughness = 1.0;
  Index nodes = 0;
};

/// Mean over u ~ N(0, I) of integrate_hazard(arms, arms.mean + shifts u) at kOneFactorNodes
/// midpoints for one factor, or four times as many without neighbours; else at points of a Sobol
/// sequence, kFewestNodes of them and, without neighbours, twice as many until a quarter of the
/// roughness is at most `tolerance`, but kMostNodes at most. Arms without neighbours are left out
/// of nodes where those left out have less than 1e-4 together. @param shifts [n, r], r in
/// 1..kMostFactors. Deterministic.
[[nodiscard]] FactorAverage average_over_factors(const HazardArms& arms,
                                                 const Matrix& shifts,
                                                 const std::vector<bool>& propagates,
                                                 double floor,
                                                 int max_panels,
                                                 double tolerance);
inline constexpr Index kOneFactorNodes = 32;
inline constexpr Index kFewestNodes = 256;
inline constexpr Index kMostNodes = 2048;

}  // namespace pomlux
