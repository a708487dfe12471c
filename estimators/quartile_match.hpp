// SPDX-License-Identifier: MIT
#pragma once

#include <span>  // blocks of arms

namespace pomlux {

/// Second stage of A-LITE for a block of arms, in units of the first stage: with f = m' + s' u,
///
///   log Phi(u) - log Phi(delta + rho u) = log b,   delta = (m' - mean_x) / stddev_x >= 0,
///                                                  rho = s' / stddev_x in (0, 1],
///
/// is solved for b = 1/4 and b = 3/4, so that m_x = m' + s' (first + third) / 2 and s_x = s' (third
/// - first) / (2 Phi^-1(3/4)).
struct QuartileProblem {
  std::span<const double> delta;
  std::span<const double> one_minus_rho;  ///< 1 - rho, exact where rho is near 1
};

/// The roots for one quartile b, to rounding. -inf where delta = 0 and rho = 1: no root exists, or
/// where it is beyond -1e100.
void match_quartile(const QuartileProblem& problem, double b, std::span<double> u);

}  // namespace pomlux
