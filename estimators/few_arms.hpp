// SPDX-License-Identifier: MIT
#pragma once
// Private to estimators.

#include <pomlux/core/types.hpp>

namespace pomlux {

inline constexpr Index kExactArms = 3;

struct FewArms {
  Vector probabilities;  ///< [n], sum to 1
  double error = 0.0;    ///< estimated total variation
};

/// Probability of maximality of one to kExactArms arms by the distribution function of a bivariate
/// normal: p_x = P(F_x > F_y, F_x > F_z), by Owen's T. Error: 1e-14 and what rounding of the
/// covariance, `rounding` times the variances, makes of it. A difference whose variance is below
/// that counts as certain; its ties are shared.
/// @param mean [n]. @param covariance [n, n]
[[nodiscard]] FewArms solve_few_arms(const Vector& mean, const Matrix& covariance, double rounding);

}  // namespace pomlux
