// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // incumbents that do not exist yet
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>
#include <span>  // subsets

namespace pomlux {

/// What a rule may look at. All values are in the direction of maximisation.
struct AcquisitionContext {
  const GaussianVector& posterior;      ///< noise-free function over the candidates
  std::optional<double> best_observed;  ///< largest observation so far; none before the first
  double best_mean = 0.0;               ///< largest posterior mean over the candidates
  double noise_stddev = 0.0;            ///< of an observation, as the model has it
  Index step = 1;                       ///< acquisition steps from 1: t of the paper's beta_t
};

/// Score of a point, and its derivatives with respect to the belief there.
struct ScoreSlope {
  double score = 0.0;
  double by_mean = 0.0;
  double by_stddev = 0.0;
};

/// Seam: how much each candidate is worth asking for. Larger is better; the optimiser takes the
/// largest score and the lowest index on ties.
class Acquisition {
 public:
  virtual ~Acquisition() = default;

  /// Scores of the candidates `subset` (all of them if empty), in its order. Scores may be -inf,
  /// never NaN. Rules that draw take their numbers from `rng`; the others leave it untouched.
  [[nodiscard]] Vector score(const AcquisitionContext& context,
                             std::span<const Index> subset,
                             Rng& rng) const;
  [[nodiscard]] Vector score(const AcquisitionContext& context, Rng& rng) const {
    return score(context, {}, rng);
  }

  /// Does this rule look at the belief as if pending evaluations had come back with their posterior
  /// means? Rules whose batches are independent draws, or the best of one ranking, say no and see
  /// the belief as it is.
  [[nodiscard]] virtual bool conditions_on_pending() const { return true; }

  /// For rules that score a point by mean and standard deviation there alone: the same score at any
  /// point, a candidate or not, and its slope, along which a point of a box is polished. The score
  /// may be -inf, the slope then NaN. Other rules have none.
  [[nodiscard]] virtual std::optional<ScoreSlope> slope(const AcquisitionContext& /*context*/,
                                                        double /*mean*/,
                                                        double /*stddev*/) const {
    return std::nullopt;
  }

 private:
  virtual Vector do_score(const AcquisitionContext& context,
                          std::span<const Index> subset,
                          Rng& rng) const = 0;  // `subset` is never empty here
};

}  // namespace pomlux
