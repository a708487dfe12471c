// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/pom_estimator.hpp>

namespace pomlux {

/// How the joint law of an arm's neighbours is approximated.
enum class HazardMoments {
  kAuto,         ///< kPropagation for arms with a neighbour beyond strong_correlation
  kSequential,   ///< moments of one truncated neighbour after the other ("ADF")
  kPropagation,  ///< expectation propagation
};

struct LocalHazardOptions {
  /// Neighbours of an arm, those with the largest absolute correlation. In 0..64; with 0 the arms
  /// count as independent.
  Index neighbours = 16;
  HazardMoments moments = HazardMoments::kAuto;
  /// In (0, 1].
  double strong_correlation = 0.85;
  /// Arms that can be shown to hold less than this together are left out and get 0. In (0, 0.1].
  double prune_mass = 1e-4;
  /// Quadrature panels of eight levels. At least 1.
  int max_panels = 200;
};
void validate(const LocalHazardOptions& options);

/// Probability of maximality of correlated arms by local reverse hazards. With
///
///   r_x(f) = phi_x(f) P(F_z <= f for all z != x | F_x = f) / P(F_z <= f for all z),
///   G(f) = P(max F <= f) = exp(-int_f^inf sum_x r_x),   p_x = int G(f) r_x(f) df
///
/// exactly. The approximation is to see, in r_x, the arms N(x) with the largest correlation only:
///
///   r_x(f) = phi((f - mean_x) / stddev_x) / (stddev_x Phi((f - mean_x) / stddev_x))
///            P(F_N <= f | F_x = f) / P(F_N <= f | F_x <= f),
///
/// with these two from matched moments (HazardMoments). Without correlation that is the
/// independence assumption exactly.
///
/// Neighbours come from all arms where there are few or no coordinates, else from the arms nearest
/// by coordinates, whose axes are scaled by how fast the correlation falls along them. Equal arms
/// (mean to 1e-9 stddev, correlation beyond 1 - 1e-6) share their probability equally; stddev_x = 0
/// is the limit stddev_x -> 0+.
///
/// Deterministic. Cost: O(n m^3) with m neighbours, O(n^2) covariances more without coordinates;
/// memory 2 m^2 + 80 bytes per arm that is not left out, never n x n.
class LocalHazard final : public PomEstimator {
 public:
  explicit LocalHazard(LocalHazardOptions options = {});
  [[nodiscard]] const LocalHazardOptions& options() const { return options_; }

 private:
  Pom do_estimate(const GaussianVector& f, Rng& rng) const override;
  LocalHazardOptions options_;
};

struct LocalHazardResult {
  Pom pom;
  Index active_arms = 0;  ///< neither left out nor equal to another
  int panels = 0;         ///< of eight levels
  /// Sum of the probabilities before they are normalised: 1 but for quadrature and what lies below
  /// the last panel.
  double mass = 1.0;
  double propagated_share = 0.0;  ///< of the evaluations of an arm at a panel
};

/// The same as a plain function.
[[nodiscard]] LocalHazardResult local_hazard(const GaussianVector& f,
                                             Rng& rng,
                                             const LocalHazardOptions& options = {});

}  // namespace pomlux
