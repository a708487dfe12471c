// SPDX-License-Identifier: MIT
#pragma once
// Private to estimators: which arms local_hazard works on.

#include <pomlux/estimators/local_hazard_arms.hpp>
#include <pomlux/estimators/marginals.hpp>

namespace pomlux {

/// A Gaussian vector in units in which nothing overflows (rescale_extremes): stddev is `scale`
/// times its.
struct HazardBelief {
  const GaussianVector& f;
  double scale;
  Vector mean;
  Vector stddev;
  MarginalSummary summary;
};
[[nodiscard]] HazardBelief make_hazard_belief(const GaussianVector& f);

/// The uncertain arms but for those that are below one of three reference arms, or below the best
/// certain one, with a probability of at least 1 - prune_mass / n. Ascending.
[[nodiscard]] std::vector<Index> prune_arms(const HazardBelief& belief,
                                            const Vector& weights,
                                            double prune_mass);

/// Without neighbours. Means are relative to `origin`, that of the arm which ends the integral,
/// where levels must be finest.
[[nodiscard]] HazardArms make_hazard_arms(const HazardBelief& belief,
                                          std::vector<Index> active,
                                          double& origin);

/// Rounding of the variance of the difference of two arms, of the sum of their variances.
[[nodiscard]] double difference_rounding(const GaussianVector& f, Index x, Index z);

/// For each arm the first one that it equals: a mean the same to 1e-9 standard deviations and a
/// difference whose variance is rounding. Arms that are only near each other are none: of a smooth
/// field on a fine grid all are, and the ends hold most of the probability.
[[nodiscard]] std::vector<Index> find_equal_arms(const GaussianVector& f, const HazardArms& arms);

}  // namespace pomlux
