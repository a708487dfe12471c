// SPDX-License-Identifier: MIT
#include <pomlux/core/normal.hpp>

#include <cmath>    // erfc, exp, log
#include <cstddef>  // std::size_t
#include <limits>   // infinities, NaN

#include <pomlux/core/errors.hpp>

namespace pomlux {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kInvSqrt2Pi = 0.39894228040143267794;
constexpr double kHalfLog2Pi = 0.91893853320467274178;
constexpr double kTwoOverSqrtPi = 1.1283791670955125739;
constexpr double kInvSqrt2High = 0.70710678118654752440;       // 1 / sqrt 2 = high + low
constexpr double kInvSqrt2Low = -4.8336466567264567e-17;
/// Left of this, Mills' ratio comes from its asymptotic series: the smallest of its terms is below 1e-21 there.
constexpr double kAsymptoticBelow = -10.0;

/// erfc(|x| / sqrt 2) for the exact quotient: rounding the argument alone would cost x² / 2 ulp, so its error is put back to first order.
double erfc_over_sqrt2(double x) {
  if (x == kInfinity) return 0.0;
  const double t = x * kInvSqrt2High;
  const double value = std::erfc(t);
  const double error = std::fma(x, kInvSqrt2High, -t) + x * kInvSqrt2Low;
  if (t < 1.0 || value == 0.0) return value - error * kTwoOverSqrtPi * std::exp(-t * t);
  const double slope = t < 25.0 ? kTwoOverSqrtPi * std::exp(-t * t) / value  // -(log erfc)'
                                : t + std::sqrt(t * t + 2.0);
  return value * (1.0 - error * slope);
}

/// -x Phi(x) / phi(x) for x <= kAsymptoticBelow: 1 - 1/x² + 3/x⁴ - 15/x⁶ ...
double scaled_mills_ratio(double x) {
  const double inverse_square = 1.0 / (x * x);
  double term = 1.0, sum = 1.0;
  for (int k = 1; k <= 24; ++k) {
    term *= -(2.0 * k - 1.0) * inverse_square;
    sum += term;
    if (std::abs(term) < 1e-18) break;
  }
  return sum;
}

double polynomial(const double (&coefficients)[8], double x) {
  double sum = coefficients[7];
  for (int k = 6; k >= 0; --k) sum = sum * x + coefficients[k];
  return sum;
}

/// Phi^-1 on (0, 1/2], algorithm AS 241 (PPND16) of Wichura, 1988.
double quantile_lower_half(double u) {
  static constexpr double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                                  1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                  4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                  3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr double b[8] = {1.0,
                                  4.2313330701600911252e+1,
                                  6.8718700749205790830e+2,
                                  5.3941960214247511077e+3,
                                  2.1213794301586595867e+4,
                                  3.9307895800092710610e+4,
                                  2.8729085735721942674e+4,
                                  5.2264952788528545610e+3};
  static constexpr double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                  5.76949722146069140550e0,  3.64784832476320460504e0,
                                  1.27045825245236838258e0,  2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double d[8] = {1.0,
                                  2.05319162663775882187e0,
                                  1.67638483018380384940e0,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
  static constexpr double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                  1.78482653991729133580e0,  2.96560571828504891230e-1,
                                  2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                  2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double f[8] = {1.0,
                                  5.99832206555887937690e-1,
                                  1.36929880922735805310e-1,
                                  1.48753612908506148525e-2,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};
  const double q = u - 0.5;
  if (q >= -0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-std::log(u));
  return r <= 5.0 ? -polynomial(c, r - 1.6) / polynomial(d, r - 1.6)
                  : -polynomial(e, r - 5.0) / polynomial(f, r - 5.0);
}

template <typename Function>
void apply(const char* name, Function f, std::span<const double> x, std::span<double> out) {
  require_same_size(name, "x", static_cast<Index>(x.size()), "out", static_cast<Index>(out.size()));
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = f(x[i]);
}

}  // namespace

double normal_pdf(double x) {
  if (std::abs(x) > 40.0) return 0.0;  // below the smallest subnormal
  const double square = x * x;
  const double error = std::fma(x, x, -square);
  return kInvSqrt2Pi * std::exp(-0.5 * square) * (1.0 - 0.5 * error);
}

double log_normal_pdf(double x) { return -0.5 * x * x - kHalfLog2Pi; }

double normal_cdf(double x) {
  return x <= 0.0 ? 0.5 * erfc_over_sqrt2(-x) : 1.0 - 0.5 * erfc_over_sqrt2(x);
}

double log_normal_cdf(double x) {
  if (x > 0.0) return std::log1p(-0.5 * erfc_over_sqrt2(x));
  if (x >= kAsymptoticBelow || std::isnan(x)) return std::log(normal_cdf(x));
  if (x == -kInfinity) return -kInfinity;
  return log_normal_pdf(x) - std::log(-x) + std::log(scaled_mills_ratio(x));
}

double normal_reverse_hazard(double x) {
  if (x >= kAsymptoticBelow || std::isnan(x)) return normal_pdf(x) / normal_cdf(x);
  return -x / scaled_mills_ratio(x);
}

double normal_quantile(double u) {
  if (!(u >= 0.0 && u <= 1.0)) return std::numeric_limits<double>::quiet_NaN();
  if (u == 0.0) return -kInfinity;
  if (u == 1.0) return kInfinity;
  return u <= 0.5 ? quantile_lower_half(u) : -quantile_lower_half(1.0 - u);  // 1 - u is exact
}

void normal_cdf(std::span<const double> x, std::span<double> out) {
  apply("normal_cdf", [](double value) { return normal_cdf(value); }, x, out);
}

void log_normal_cdf(std::span<const double> x, std::span<double> out) {
  apply("log_normal_cdf", [](double value) { return log_normal_cdf(value); }, x, out);
}

void normal_reverse_hazard(std::span<const double> x, std::span<double> out) {
  apply("normal_reverse_hazard", [](double value) { return normal_reverse_hazard(value); }, x, out);
}

void normal_quantile(std::span<const double> u, std::span<double> out) {
  apply("normal_quantile", [](double value) { return normal_quantile(value); }, u, out);
}

}  // namespace pomlux
