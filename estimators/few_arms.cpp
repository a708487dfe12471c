// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp
#include <boost/math/special_functions/owens_t.hpp>
#include <cmath>    // std::sqrt
#include <numbers>  // pi
#include <pomlux/core/normal.hpp>
#include <pomlux/estimators/few_arms.hpp>

namespace pomlux {
namespace {

/// T(h, (k - correlation h) / (h rest)) with rest = sqrt(1 - correlation^2), also where h = 0.
double owens_part(double h, double k, double correlation, double rest) {
  using Plain = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const double slope = (k - correlation * h) / rest;
  if (h == 0.0) return std::copysign(0.25, slope);
  return boost::math::owens_t(h, slope / h, Plain());
}

/// P(X <= h, Y <= k) of a bivariate standard normal.
double bivariate_cdf(double h, double k, double correlation) {
  const double rest = std::sqrt((1.0 - correlation) * (1.0 + correlation));
  if (h == 0.0 && k == 0.0) return 0.25 + std::asin(correlation) / (2.0 * std::numbers::pi);
  if (!(rest > 0.0)) {
    return correlation > 0.0 ? normal_cdf(std::min(h, k))
                             : std::max(0.0, normal_cdf(h) - normal_cdf(-k));
  }
  const bool is_apart = h * k < 0.0 || (h * k == 0.0 && h + k < 0.0);
  const double value = 0.5 * (normal_cdf(h) + normal_cdf(k)) - owens_part(h, k, correlation, rest) -
                       owens_part(k, h, correlation, rest) - (is_apart ? 0.5 : 0.0);
  return std::clamp(value, 0.0, 1.0);
}

/// By how much an arm is ahead of another.
struct Lead {
  double mean;
  double variance;
  bool is_certain;

  [[nodiscard]] double standardised() const { return mean / std::sqrt(variance); }
  [[nodiscard]] double if_certain() const { return mean > 0.0 ? 1.0 : mean < 0.0 ? 0.0 : 0.5; }
};

}  // namespace

FewArms solve_few_arms(const Vector& mean, const Matrix& covariance, double rounding) {
  const Index n = mean.size();
  FewArms result{Vector::Ones(n), 1e-14};
  const auto lead = [&](Index x, Index y) {
    const double both = covariance(x, x) + covariance(y, y);
    const double variance = both - 2.0 * covariance(x, y), least = rounding * both;
    const bool is_certain = !(variance > least);
    // A relative error of the variance moves a probability by a quarter of it at most.
    if (!is_certain) result.error = std::max(result.error, least / variance);
    return Lead{mean(x) - mean(y), variance, is_certain};
  };
  for (Index x = 0; x < n && n > 1; ++x) {
    const Index y = (x + 1) % n;
    const Lead first = lead(x, y);
    double& p = result.probabilities(x);
    p = first.is_certain ? first.if_certain() : normal_cdf(first.standardised());
    if (n == 2) continue;
    const Index z = (x + 2) % n;
    const Lead second = lead(x, z);
    if (first.is_certain || second.is_certain) {
      p *= second.is_certain ? second.if_certain() : normal_cdf(second.standardised());
      continue;
    }
    const double shared = covariance(x, x) - covariance(x, y) - covariance(x, z) + covariance(y, z);
    const double correlation = shared / std::sqrt(first.variance) / std::sqrt(second.variance);
    p = bivariate_cdf(
        first.standardised(), second.standardised(), std::clamp(correlation, -1.0, 1.0));
  }
  result.probabilities /= result.probabilities.sum();
  result.error = std::min(result.error, 1.0);
  return result;
}

}  // namespace pomlux
