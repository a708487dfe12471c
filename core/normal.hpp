// SPDX-License-Identifier: MIT
#pragma once

#include <span>  // array versions

namespace pomlux {

/// Standard normal functions: relative errors asserted against tests/oracles/special.json.
/// Scalars pass NaN through. Arguments may be any double, infinities included.
inline constexpr double kNormalCdfRelativeError = 1e-15;
inline constexpr double kLogNormalCdfRelativeError = 1e-15;
inline constexpr double kNormalReverseHazardRelativeError = 1e-15;
inline constexpr double kNormalQuantileRelativeError = 1e-15;

/// phi(x) = exp(-x^2 / 2) / sqrt(2 pi).
[[nodiscard]] double normal_pdf(double x);
/// log phi(x), finite down to |x| = 1e154.
[[nodiscard]] double log_normal_pdf(double x);
/// Phi(x) = P[N(0, 1) <= x], correct in relative terms down to the underflow near x = -38.5.
[[nodiscard]] double normal_cdf(double x);
/// log Phi(x), correct in relative terms everywhere: neither log(0) on the left nor log(1 - eps) on
/// the right.
[[nodiscard]] double log_normal_cdf(double x);
/// phi(x) / Phi(x), the reverse hazard rate; about -x on the left, phi(x) on the right.
[[nodiscard]] double normal_reverse_hazard(double x);
/// Phi^-1(u) for u in [0, 1] (-inf at 0, +inf at 1). NaN outside.
[[nodiscard]] double normal_quantile(double u);

/// The same over arrays, out[i] = f(x[i]); `out` may be `x` itself. @throws InvalidArgument if the
/// sizes differ.
void normal_cdf(std::span<const double> x, std::span<double> out);
void log_normal_cdf(std::span<const double> x, std::span<double> out);
void normal_reverse_hazard(std::span<const double> x, std::span<double> out);
void normal_quantile(std::span<const double> u, std::span<double> out);

}  // namespace pomlux
