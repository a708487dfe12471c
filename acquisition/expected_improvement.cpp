// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // log, exp, isfinite
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/normal.hpp>
#include <string_view>  // names of rules

namespace pomlux {
namespace {

// EI = stddev h(z), h(z) = phi(z) + z Phi(z). The two terms of h cancel on the left, where
//   log h(z) = log phi(z) + log(1 - t R(t)),  t = -z,  R(t) = Phi(-t) / phi(t) (Mills' ratio).
// 1 - t R(t) loses t² eps in relative terms, which the logarithm turns into an absolute error while
// log phi(z) grows as t²/2; from kSeriesFrom on the asymptotic series is exact to rounding.
constexpr double kDirectAbove = -1.0;
constexpr double kSeriesFrom = 100.0;

/// log h(z) for z <= kDirectAbove.
double log_standard_improvement(double z) {
  const double t = -z;
  if (t < kSeriesFrom) return log_normal_pdf(z) + std::log1p(-t / normal_reverse_hazard(z));
  // 1 - t R(t) = 1/t² - 3/t⁴ + 15/t⁶ - 105/t⁸ + 945/t¹⁰ - ...
  const double u = 1.0 / t / t;
  return log_normal_pdf(z) - 2.0 * std::log(t) +
         std::log1p(-u * (3.0 - u * (15.0 - u * (105.0 - u * 945.0))));
}

/// Checked by require_incumbent.
double incumbent_of(const AcquisitionContext& context,
                    IncumbentRule rule,
                    std::optional<double> given) {
  if (given) return *given;
  return rule == IncumbentRule::kBestObserved && context.best_observed ? *context.best_observed
                                                                       : context.best_mean;
}

void require_incumbent(std::string_view where, IncumbentRule rule, std::optional<double> given) {
  if (rule == IncumbentRule::kGiven && !given) {
    fail(where, "the given incumbent is missing; must be a finite number");
  }
  if (rule != IncumbentRule::kGiven && given) {
    fail(where,
         "an incumbent of " + format_number(*given) +
             " is given; allowed with IncumbentRule::kGiven alone");
  }
  if (given && !std::isfinite(*given)) {
    fail(where, "the given incumbent is " + format_number(*given) + "; must be finite");
  }
}

Vector score_each(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  double best,
                  double (*score)(double mean, double stddev, double best)) {
  const VectorView mean = context.posterior.mean(), stddev = context.posterior.stddev();
  Vector scores(static_cast<Index>(subset.size()));
  for (Index i = 0; i < scores.size(); ++i) {
    const Index candidate = subset[static_cast<std::size_t>(i)];
    scores(i) = score(mean(candidate), stddev(candidate), best);
  }
  return scores;
}

}  // namespace

double expected_improvement(double mean, double stddev, double best) {
  const double gain = mean - best;
  if (stddev == 0.0) return std::max(gain, 0.0);
  const double z = gain / stddev;
  if (z > kDirectAbove) return gain * normal_cdf(z) + stddev * normal_pdf(z);
  return stddev * std::exp(log_standard_improvement(z));
}

double log_expected_improvement(double mean, double stddev, double best) {
  const double gain = mean - best;
  if (stddev == 0.0) return gain > 0.0 ? std::log(gain) : -kInfinity;
  const double z = gain / stddev;
  if (z > kDirectAbove) return std::log(expected_improvement(mean, stddev, best));
  return std::log(stddev) + log_standard_improvement(z);
}

double probability_of_improvement(double mean, double stddev, double best) {
  const double gain = mean - best;
  if (stddev == 0.0) return gain > 0.0 ? 1.0 : gain < 0.0 ? 0.0 : 0.5;
  return normal_cdf(gain / stddev);
}

double log_probability_of_improvement(double mean, double stddev, double best) {
  if (stddev == 0.0) return std::log(probability_of_improvement(mean, stddev, best));
  return log_normal_cdf((mean - best) / stddev);
}

ExpectedImprovement::ExpectedImprovement(IncumbentRule incumbent,
                                         std::optional<double> given,
                                         ImprovementScale scale)
    : incumbent_(incumbent), given_(given), scale_(scale) {
  require_incumbent("ei", incumbent_, given_);
}

Vector ExpectedImprovement::do_score(const AcquisitionContext& context,
                                     std::span<const Index> subset,
                                     Rng& /*rng*/) const {
  const bool is_log = scale_ == ImprovementScale::kLog;
  return score_each(context,
                    subset,
                    incumbent_of(context, incumbent_, given_),
                    is_log ? log_expected_improvement : expected_improvement);
}

/// d EI / d mean = Phi(z), d EI / d stddev = phi(z).
std::optional<ScoreSlope> ExpectedImprovement::slope(const AcquisitionContext& context,
                                                     double mean,
                                                     double stddev) const {
  const double best = incumbent_of(context, incumbent_, given_);
  const double z = (mean - best) / stddev;
  if (scale_ == ImprovementScale::kValue) {
    const double value = expected_improvement(mean, stddev, best);
    if (stddev == 0.0) return ScoreSlope{value, kNaN, kNaN};
    return ScoreSlope{value, normal_cdf(z), normal_pdf(z)};
  }
  const double score = log_expected_improvement(mean, stddev, best);
  if (stddev == 0.0) return ScoreSlope{score, kNaN, kNaN};
  return ScoreSlope{
      score, std::exp(log_normal_cdf(z) - score), std::exp(log_normal_pdf(z) - score)};
}

ProbabilityOfImprovement::ProbabilityOfImprovement(IncumbentRule incumbent,
                                                   std::optional<double> given)
    : incumbent_(incumbent), given_(given) {
  require_incumbent("pi", incumbent_, given_);
}

/// d log Phi(z) = phi(z) / Phi(z) dz.
std::optional<ScoreSlope> ProbabilityOfImprovement::slope(const AcquisitionContext& context,
                                                          double mean,
                                                          double stddev) const {
  const double best = incumbent_of(context, incumbent_, given_);
  const double score = log_probability_of_improvement(mean, stddev, best);
  if (stddev == 0.0) return ScoreSlope{score, kNaN, kNaN};
  const double z = (mean - best) / stddev;
  const double by_z = std::exp(log_normal_pdf(z) - score);
  return ScoreSlope{score, by_z / stddev, -z * by_z / stddev};
}

Vector ProbabilityOfImprovement::do_score(const AcquisitionContext& context,
                                          std::span<const Index> subset,
                                          Rng& /*rng*/) const {
  return score_each(
      context, subset, incumbent_of(context, incumbent_, given_), log_probability_of_improvement);
}

}  // namespace pomlux
