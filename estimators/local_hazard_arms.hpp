// SPDX-License-Identifier: MIT
#pragma once
// Private to estimators: the arms of local_hazard and what each sees of its neighbours.

#include <cstdint>  // neighbours
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/estimators/local_hazard_kernels.hpp>
#include <vector>  // neighbours

namespace pomlux {

/// Some arms of a Gaussian vector, all with a stddev that is not 0, each with its neighbours.
struct HazardArms {
  std::vector<Index> arms;  ///< [n] in the vector, ascending
  Vector mean;              ///< [n] minus the same number for all
  Vector stddev;            ///< [n]
  Vector inverse_stddev;    ///< [n]

  Index most = 0;                   ///< neighbours m
  std::vector<std::int32_t> count;  ///< [n] of them
  std::vector<std::int32_t>
      neighbours;                  ///< [n, m] positions in `arms`, largest |correlation| first
  std::vector<float> correlation;  ///< [n, m] with the neighbours
  std::vector<float> pairs;        ///< [n, m (m - 1) / 2] between them, see HazardArm
  /// [n] |correlation| above which every arm is a neighbour or as good as one, where neighbours are
  /// spread, else kNoReach.
  std::vector<float> reach;

  [[nodiscard]] Index size() const { return mean.size(); }
  /// With other means, [n].
  [[nodiscard]] detail::HazardArm view(Index i, const double* means) const;
  /// Largest |correlation| of arm i with a neighbour, 0 without one.
  [[nodiscard]] double strongest(Index i) const;
};

/// Which arms are neighbours.
struct NeighbourChoice {
  Index most = 0;      ///< of an arm
  double least = 0.0;  ///< absolute correlation at least
  /// An arm with a neighbour beyond this correlation lies in a smooth field, where each neighbour
  /// tells little more than the one before. Its neighbours are spread, unless there is room for
  /// all.
  double spread_beyond = kInfinity;
  /// Of spread ones: the distance sqrt(1 - correlation^2) of each to those taken before is at least
  /// this times its distance to the arm.
  double spread = 0.6;
};

/// Fills the neighbours of `found.arms`, of which everything else is filled: of each arm the others
/// with the largest absolute correlation; where they are spread, those of its kPoolPerNeighbour
/// `most` nearest with at least kLeastSpread, from the nearest on, that are far enough from every
/// one taken. Fewer than `most` where no more are left. Those not taken are as good as the ones
/// near them, down to `reach`.
///
/// Compares all pairs up to kCompareAll arms, through one block of the covariance, and beyond that
/// through columns unless there are coordinates. With those it looks among the arms near a group of
/// kGroup arms by correlation_scales: blocks of at most kGroup + 8 most arms. @param f has a
/// covariance.
void find_neighbours(const GaussianVector& f, const NeighbourChoice& choice, HazardArms& found);

inline constexpr float kNoReach = 2.0F;
inline constexpr double kLeastSpread = 0.1;
inline constexpr Index kPoolPerNeighbour = 8;
inline constexpr Index kCompareAll = 512;
inline constexpr Index kGroup = 32;

}  // namespace pomlux
