// SPDX-License-Identifier: MIT
#pragma once

#include <span>  // array versions

namespace pomlux {

// Standard normal functions, and the two others that the estimators evaluate in bulk.
//
// Arguments may be any double, infinities included; NaN passes through. A scalar function gives the
// bits of its array version, on any number of threads; between instruction-set levels (isa.hpp) the
// last bits may differ. The relative errors below are asserted on every level; results in the
// subnormal range are within one unit of 5e-324.

inline constexpr double kNormalPdfRelativeError = 5e-16;
inline constexpr double kNormalCdfRelativeError = 1e-15;
inline constexpr double kLogNormalCdfRelativeError = 1e-15;
inline constexpr double kNormalReverseHazardRelativeError = 1e-15;
inline constexpr double kNormalQuantileRelativeError = 1e-15;
inline constexpr double kVaporSigmoidRelativeError = 1e-15;
inline constexpr double kExponentialRelativeError = 5e-16;

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
/// z with log Phi(z) = log_u for log_u in [-inf, 0], also where exp(log_u) is 0 or 1 to rounding;
/// NaN above 0. Error below kNormalQuantileOfLogError max(1, |z|).
[[nodiscard]] double normal_quantile_of_log(double log_u);
inline constexpr double kNormalQuantileOfLogError = 4e-15;

// Over arrays, out[i] = f(x[i]). `out` may be `x` itself, otherwise they must not overlap. Long
// arrays are split over the threads of the caller's arena. @throws InvalidArgument if sizes differ.

void normal_pdf(std::span<const double> x, std::span<double> out);
void log_normal_pdf(std::span<const double> x, std::span<double> out);
void normal_cdf(std::span<const double> x, std::span<double> out);
void log_normal_cdf(std::span<const double> x, std::span<double> out);
void normal_reverse_hazard(std::span<const double> x, std::span<double> out);
void normal_quantile(std::span<const double> u, std::span<double> out);
/// Phi(x) and its derivative phi(x) for little more than the price of one of them.
void normal_cdf_and_pdf(std::span<const double> x, std::span<double> cdf, std::span<double> pdf);

/// v(c) = exp(-w), w = (sqrt(c^2 + 4) - c)^2 / 8, VAPOR's counterpart of Phi; 0 below -38.6.
void vapor_sigmoid(std::span<const double> c, std::span<double> out);
/// 1 - v(c) without cancellation on the right.
void vapor_sigmoid_complement(std::span<const double> c, std::span<double> out);
/// log v(c) = -w.
void log_vapor_sigmoid(std::span<const double> c, std::span<double> out);
/// v(c) and its derivative v(c) 2 w / sqrt(c^2 + 4).
void vapor_sigmoid_and_slope(std::span<const double> c,
                             std::span<double> value,
                             std::span<double> slope);

/// Sums over arms with c = ((mean - base) - offset) / stddev, every stddev >= 1e-290.
struct ArmSums {
  double value = 0.0;  ///< sum of f(c)
  double slope = 0.0;  ///< sum of f'(c) / stddev
};
/// f = Phi, or f = v. Writes f(c) to `out` unless that is empty. On the calling thread; the order
/// of the additions depends on the number of arms alone. @throws InvalidArgument if sizes differ.
[[nodiscard]] ArmSums sum_normal_cdf(std::span<const double> mean,
                                     std::span<const double> stddev,
                                     double base,
                                     double offset,
                                     std::span<double> out);
[[nodiscard]] ArmSums sum_vapor_sigmoid(std::span<const double> mean,
                                        std::span<const double> stddev,
                                        double base,
                                        double offset,
                                        std::span<double> out);

/// The sum of -p log p over p >= 0, 0 log 0 = 0; NaN if an entry is negative, infinite or NaN. On
/// the calling thread; the order of the additions depends on the number of entries alone. A term
/// has the relative error kEntropyTermRelativeError, and at least 2e-305 absolutely.
[[nodiscard]] double sum_entropy(std::span<const double> p);
inline constexpr double kEntropyTermRelativeError = 1e-15;

/// exp(x).
void exponential(std::span<const double> x, std::span<double> out);

}  // namespace pomlux
