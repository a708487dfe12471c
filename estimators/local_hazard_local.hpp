// SPDX-License-Identifier: MIT
#pragma once
// Private to estimators: the regime kLocal of local_hazard and what it says of its error.

#include <cstdint>  // samples
#include <optional>
#include <pomlux/estimators/local_hazard.hpp>
#include <pomlux/estimators/local_hazard_arms.hpp>
#include <pomlux/estimators/local_hazard_nodes.hpp>

namespace pomlux {

/// Of the arms that are left, by one regime.
struct HazardEstimate : HazardAverage {
  HazardRegime regime = HazardRegime::kLocal;
  Index factors = 0;
  double unseen = 0.0;
  double blurred = 0.0;  ///< of the probabilities, where factors leave less than the least rest
  double error = 0.0;
  std::optional<std::uint64_t> samples{};
  bool is_independence = false;
};

/// For find_neighbours: sequential moments want the nearest neighbours.
[[nodiscard]] double spread_beyond(const LocalHazardOptions& options);
[[nodiscard]] std::vector<bool> propagated_arms(const HazardArms& arms,
                                                const LocalHazardOptions& options);

inline constexpr double kFew = 0.1;       // probability of arms that may be ignored
inline constexpr double kOfUnseen = 0.4;  // error per unseen correlation
[[nodiscard]] double error_of_unseen(double unseen, double share = kOfUnseen);

class LocalRegime {
 public:
  /// @param weights [n] of the arms, by F-LITE. @param floor as of integrate_hazard: finite if
  /// there is a certain arm.
  LocalRegime(const GaussianVector& f,
              const HazardArms& arms,
              const Vector& weights,
              double floor,
              const LocalHazardOptions& options)
      : f_(f), arms_(arms), weights_(weights), floor_(floor), options_(options) {}

  [[nodiscard]] HazardEstimate estimate() const { return estimate(arms_); }

  /// Raises the error to what is seen from the result itself, and returns that: what the
  /// probabilities miss of a distribution and, where correlations are near 1, as those of smooth
  /// fields are, the total variation that half the neighbours or, in part, other moments make.
  double check(HazardEstimate& best) const;

  /// With twice as many neighbours, which may be nearer each other.
  /// @param least_error what its error is at least.
  [[nodiscard]] HazardEstimate refined(double least_error) const;

  /// Without neighbours. @param local its error is at least the distance to it.
  [[nodiscard]] HazardEstimate independently(const HazardEstimate& local) const;

 private:
  /// All arms where all others are their neighbours: with nothing unseen, the moments are the
  /// error.
  [[nodiscard]] std::vector<bool> propagated(const HazardArms& arms) const;
  [[nodiscard]] HazardEstimate solve(const HazardArms& arms,
                                     const std::vector<bool>& propagates) const;
  [[nodiscard]] HazardEstimate estimate(const HazardArms& arms) const;

  const GaussianVector& f_;
  const HazardArms& arms_;
  const Vector& weights_;
  double floor_;
  const LocalHazardOptions& options_;
};

}  // namespace pomlux
