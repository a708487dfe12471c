// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>  // enums
#include <pomlux/core/pom_estimator.hpp>

namespace pomlux {

/// How the joint law of an arm's neighbours is approximated.
enum class HazardMoments : std::uint8_t {
  kAuto,        ///< kPropagation for arms with a neighbour beyond strong_correlation
  kSequential,  ///< moments of one truncated neighbour after the other ("ADF")
  /// Expectation propagation, two sweeps, corrected by the third cumulants of pairs; neighbours are
  /// spread by distance for arms with one beyond strong_correlation.
  kPropagation,
};

/// How far correlation is followed.
enum class HazardRegime : std::uint8_t {
  /// kLocal; where more than 0.03 of the correlation is unseen, or neighbours tell most of the
  /// arms, kFactors if factors leave less than 0.01 unseen, or if its model error is smaller and
  /// it agrees with kLocal to twice the error of that; and kSampling, if it is allowed, where the
  /// model error is still above max_error. kLocal then has, up to 512 arms and for moments kAuto,
  /// twice the neighbours, but 64 at most, where half of them change it by a total variation of
  /// 0.02
  /// to 0.1, or most moments are sequential and 0.0025 to 0.03 of the correlation is unseen.
  kAuto,
  kLocal,     ///< among neighbours alone
  kFactors,   ///< given common factors, which are integrated over
  kSampling,  ///< not at all: joint samples
};

inline constexpr Index kMostSampled = 4096;  ///< arms of kSampling
inline constexpr Index kMostFactors = 8;

struct LocalHazardOptions {
  /// Neighbours of an arm at most, those with the largest absolute correlation or some of them;
  /// twice as many where kAuto doubts the answer. In 0..64; with 0 the arms count as independent,
  /// given the factors in kFactors.
  Index neighbours = 16;
  HazardMoments moments = HazardMoments::kAuto;
  HazardRegime regime = HazardRegime::kAuto;
  /// Common factors at most, in 1..kMostFactors. Fewer where the covariance has fewer.
  Index factors = kMostFactors;
  /// Whether kAuto may draw joint samples, (sum_x sqrt(p_x) / 0.05)^2 of them but at least 4000 and
  /// at most 200000. They use one draw of the generator.
  bool allow_sampling = false;
  /// In (0, 1].
  double strong_correlation = 0.85;
  /// Arms that can be shown to hold less than this together are left out and get 0. In (0, 0.1].
  double prune_mass = 1e-4;
  /// Pom::model_error beyond which the status is Status::kInaccurate. > 0.
  double max_error = 0.03;
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
/// An arm with a correlation beyond strong_correlation lies in a smooth field, where each neighbour
/// tells little more than the one before: with propagation it takes, from the nearest on, only arms
/// whose distance sqrt(1 - correlation^2) to those taken is at least 0.6 of that to itself, or 0.5
/// where kAuto takes twice as many.
///
/// Neighbours come from all arms where there are few or no coordinates, else from the arms nearest
/// by coordinates, whose axes are scaled by how fast the correlation falls along them. Equal arms
/// (mean to 1e-9 stddev, a difference without variance but for rounding) share their probability
/// equally; stddev_x = 0 is the limit stddev_x -> 0+.
///
/// Correlation that does not decay is invisible to neighbours. kFactors takes r common factors u
/// out, F = W u + rest, and averages the estimate of mean + W u over u, at midpoints for one and a
/// Sobol sequence for more: with the rest independent or, for one factor, with neighbours in it if
/// that has the smaller error. kSampling is ts_mc of the arms that are not left out.
///
/// Up to three arms that may win kAuto and moments kAuto solve by the bivariate normal, exactly.
/// Where all other arms are neighbours of each, none are spread and all moments are propagated.
///
/// model_error is an indicator, no bound: 0.001 + 0.007 of the probability of arms beyond
/// strong_correlation + max(0.1 sqrt(u), 0.4 u), u = unseen_correlation, which counts in full
/// without neighbours. For kFactors 0.003, or 0.001 with one and no neighbours, + 0.004
/// propagated_share + 0.4 u in units of the rest, with neighbours max(0.1 sqrt(u), 0.4 u), + a
/// quarter of the total variation between one half of the nodes and the other + 0.015 of the arms
/// that factors determine, and the total variation that twice the rest of every second of these
/// makes, + 0.03 beyond 400 arms if some is unseen. For both a quarter of the probability of arms
/// whose covariance is singular to 4e-6, which the moments cannot resolve, and never less than |1 -
/// mass|; where arms correlated beyond 0.95 hold a tenth of the probability, for kLocal, no less
/// than the total variation that half the neighbours make or a quarter of what sequential moments
/// make. Where these are above 0.35, kAuto takes independence and says so. Twice the model_error is
/// meant to cover the total variation to the true probabilities.
///
/// Deterministic but for kSampling. Cost: O(n m^3) with m neighbours, O(n^2) covariances more
/// without coordinates; memory 2 m^2 + 6 m + 190 bytes per arm that is not left out, and 8 m^2 more
/// where kAuto takes twice the neighbours, at four to seven times the time. Only kSampling forms n
/// x n, of at most kMostSampled arms.
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
  HazardRegime regime = HazardRegime::kLocal;  ///< what was used
  Index factors = 0;
  Index active_arms = 0;  ///< neither left out nor equal to another
  int panels = 0;         ///< of eight levels
  /// Sum of the probabilities before they are normalised: 1 but for quadrature and what lies below
  /// the last panel.
  double mass = 1.0;
  /// Whether kAuto did not trust the local answer and took independence.
  bool is_independence = false;
  double propagated_share = 0.0;  ///< of the evaluations of an arm at a panel
  /// sum_x w_x sum_z w_z |correlation of x and z| over z that are no neighbours of x, nor so near
  /// to spread ones that they stand for z, w the probabilities by F-LITE: what the neighbourhoods
  /// do not see, where the maximum may be.
  double unseen_correlation = 0.0;
};

/// The same as a plain function.
[[nodiscard]] LocalHazardResult local_hazard(const GaussianVector& f,
                                             Rng& rng,
                                             const LocalHazardOptions& options = {});

}  // namespace pomlux
