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

/// For each arm the first one that it equals: a mean the same to 1e-9 standard deviations, a stddev
/// the same to 1e-6 of it and a correlation beyond 1 - 1e-6.
[[nodiscard]] std::vector<Index> find_equal_arms(const HazardArms& arms);

}  // namespace pomlux
