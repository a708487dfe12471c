// SPDX-License-Identifier: MIT
#include <cmath>  // std::exp
#include <pomlux/estimators/sigmoid.hpp>

namespace pomlux {
namespace {

/// -log v(c) = (sqrt(c^2 + 4) - c)^2 / 8 = 2 / (sqrt(c^2 + 4) + c)^2, each where it does not
/// cancel.
double vapor_exponent(double c) {
  const double root = std::sqrt(c * c + 4.0);
  if (c > 0.0) return 2.0 / ((root + c) * (root + c));
  return (root - c) * (root - c) / 8.0;
}

/// d(log v)/dc = (sqrt(c^2 + 4) - c)^2 / (4 sqrt(c^2 + 4)) = 2 exponent / sqrt(c^2 + 4).
double vapor_log_slope(double c, double exponent) {
  return 2.0 * exponent / std::sqrt(c * c + 4.0);
}

}  // namespace

double sigmoid_value(Sigmoid f, double c) {
  return f == Sigmoid::kNormalCdf ? normal_cdf(c) : std::exp(-vapor_exponent(c));
}

double sigmoid_complement(Sigmoid f, double c) {
  return f == Sigmoid::kNormalCdf ? normal_cdf(-c) : -std::expm1(-vapor_exponent(c));
}

double sigmoid_slope(Sigmoid f, double c) {
  if (f == Sigmoid::kNormalCdf) return normal_pdf(c);
  const double exponent = vapor_exponent(c);
  return std::exp(-exponent) * vapor_log_slope(c, exponent);
}

double sigmoid_quantile_of_one_in(Sigmoid f, Index n) {
  const auto count = static_cast<double>(n);
  if (f == Sigmoid::kNormalCdf) return normal_quantile(1.0 / count);
  // v(1 / r - r) = exp(-r^2 / 2), as sqrt(c^2 + 4) = r + 1 / r.
  const double r = std::sqrt(2.0 * std::log(count));
  return 1.0 / r - r;
}

void sigmoid_values(Sigmoid f, std::span<const double> c, std::span<double> value) {
  if (f == Sigmoid::kNormalCdf) return normal_cdf(c, value);
  vapor_sigmoid(c, value);
}

ArmSums sigmoid_sums(Sigmoid f,
                     std::span<const double> mean,
                     std::span<const double> stddev,
                     double base,
                     double offset,
                     std::span<double> out) {
  return f == Sigmoid::kNormalCdf ? sum_normal_cdf(mean, stddev, base, offset, out)
                                  : sum_vapor_sigmoid(mean, stddev, base, offset, out);
}

}  // namespace pomlux
