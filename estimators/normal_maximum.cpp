// SPDX-License-Identifier: MIT
#include <cmath>  // std::exp
#include <pomlux/core/errors.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/estimators/normal_maximum.hpp>

namespace pomlux {
namespace {

constexpr double kNegligibleLog = -40.0;
constexpr double kMostNormals = 1e280;

double log_density(double n, double z) {
  return std::log(n) + log_normal_pdf(z) + (n - 1.0) * log_normal_cdf(z);
}

}  // namespace

double normal_maximum_density(double n, double z) { return std::exp(log_density(n, z)); }

NormalMaximum normal_maximum(double n, int nodes) {
  if (!(n >= 1.0 && n <= kMostNormals)) {
    fail("normal_maximum", "n is " + format_number(n) + "; it must lie in [1, 1e280]");
  }
  NormalMaximum result;
  result.lowest = normal_quantile_of_log(kNegligibleLog / n);
  result.highest = -normal_quantile(std::exp(kNegligibleLog) / n);
  const double step = (result.highest - result.lowest) / (nodes - 1);
  const auto node = [&](int i) { return result.lowest + i * step; };
  double mass = 0.0, sum = 0.0;
  for (int i = 0; i < nodes; ++i) {
    const double weight = normal_maximum_density(n, node(i));
    mass += weight;
    sum += weight * node(i);
  }
  result.mean = sum / mass;
  double squares = 0.0;
  for (int i = 0; i < nodes; ++i) {
    const double deviation = node(i) - result.mean;
    squares += normal_maximum_density(n, node(i)) * deviation * deviation;
  }
  result.stddev = std::sqrt(squares / mass);
  return result;
}

}  // namespace pomlux
