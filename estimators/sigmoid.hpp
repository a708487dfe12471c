// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/normal.hpp>
#include <pomlux/core/types.hpp>
#include <span>  // blocks of values

namespace pomlux {

/// The increasing functions F: R -> (0, 1) of the threshold estimators, q_x = F((mean_x - kappa) /
/// stddev_x).
enum class Sigmoid {
  kNormalCdf,  ///< Phi(c), F-LITE
  kVapor,      ///< v(c) = exp(-(sqrt(c^2 + 4) - c)^2 / 8), F-VAPOR
};

/// Arguments are clamped to [kLowestArgument, kHighestArgument]: F underflows to 0 below, and is 1
/// to rounding above.
inline constexpr double kLowestArgument = -1000.0;
inline constexpr double kHighestArgument = 1e10;

/// F(c), 1 - F(c) without cancellation, dF/dc.
[[nodiscard]] double sigmoid_value(Sigmoid f, double c);
[[nodiscard]] double sigmoid_complement(Sigmoid f, double c);
[[nodiscard]] double sigmoid_slope(Sigmoid f, double c);
/// F^-1(1 / n) for n >= 2: where n equal arms sum to 1.
[[nodiscard]] double sigmoid_quantile_of_one_in(Sigmoid f, Index n);

/// Over a block of arguments already clamped: value[i] = F(c[i]).
void sigmoid_values(Sigmoid f, std::span<const double> c, std::span<double> value);
/// Over a block of arms, see sum_normal_cdf: no argument need be clamped.
[[nodiscard]] ArmSums sigmoid_sums(Sigmoid f,
                                   std::span<const double> mean,
                                   std::span<const double> stddev,
                                   double base,
                                   double offset,
                                   std::span<double> out);

}  // namespace pomlux
