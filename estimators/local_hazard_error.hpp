// SPDX-License-Identifier: MIT
#pragma once
// Private to estimators: what local_hazard says of its error.

#include <pomlux/estimators/local_hazard_arms.hpp>

namespace pomlux {

/// sum_x w_x sum_z w_z |cov(x, z)| / (s_x s_z) over z != x that are no neighbours of x and
/// not above HazardArms::reach, s = `stddev` [f.size()]. @param weights [n] of the arms, in
/// proportion. Beyond kSampledArms arms, among so many drawn systematically in proportion to their
/// weights.
[[nodiscard]] double unseen_correlation(const GaussianVector& f,
                                        const VectorRef& stddev,
                                        const HazardArms& arms,
                                        const Vector& weights);
inline constexpr Index kSampledArms = 300;

/// Share of `probabilities` with arms that have a neighbour beyond an absolute correlation.
[[nodiscard]] double share_correlated(const HazardArms& arms,
                                      const Vector& probabilities,
                                      double correlation);
inline constexpr double kSingular = 4e-6;  ///< below 1: beyond, moments resolve nothing

inline constexpr double kTied = 0.05;

/// Share of `probabilities` with arms of whose variance their neighbours leave at most `left`; arms
/// below 0.001 or with one neighbour do not count. There moments may fail, however far apart each
/// pair is, as they must where the correlations are those of no covariance.
[[nodiscard]] double tied_share(const HazardArms& arms,
                                const Vector& probabilities,
                                double left = kTied);

}  // namespace pomlux
