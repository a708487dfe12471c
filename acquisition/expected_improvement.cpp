// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/expected_improvement.hpp>

#include <algorithm>  // std::max
#include <cmath>      // log, exp
#include <limits>     // infinities

#include <pomlux/core/errors.hpp>
#include <pomlux/core/normal.hpp>

namespace pomlux {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kHalfLog2Pi = 0.91893853320467274178;

/// Left of this the sum phi(z) + z Phi(z) cancels (to a tenth of its terms at -1.5, to 1/z² further out) and Mills' ratio takes over.
constexpr double kTailBelow = -1.0;

/// Complementary Mills ratio integral: G(t) = 1 - t R(t), R(t) = Phi(-t) / phi(t), by the continued fraction
/// R(t) = 1 / (t + 1 / (t + 2 / (t + 3 / ...))), so that 1 - t R = 1 / (1 + t (t + 2 / (t + 3 / ...))): no subtraction.
double improvement_over_density(double t) {
  // Terms needed for full precision fall as t grows: about 250 / t² + 20.
  const int terms = static_cast<int>(350.0 / (t * t)) + 25;
  double tail = t;
  for (int k = terms; k >= 2; --k) tail = t + k / tail;
  return 1.0 / (1.0 + t * tail);
}

/// log(phi(z) + z Phi(z)).
double log_standard_improvement(double z) {
  if (z > kTailBelow) return std::log(normal_pdf(z) + z * normal_cdf(z));
  return -0.5 * z * z - kHalfLog2Pi + std::log(improvement_over_density(-z));
}

double incumbent_of(const AcquisitionContext& context, IncumbentRule rule) {
  return rule == IncumbentRule::kBestObserved && context.best_observed ? *context.best_observed
                                                                       : context.best_mean;
}

template <typename Score>
Vector score_each(const AcquisitionContext& context, std::span<const Index> subset, double best, Score score) {
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
  if (!(stddev > 0.0)) return std::max(gain, 0.0);
  const double z = gain / stddev;
  if (z > kTailBelow) return std::max(gain * normal_cdf(z) + stddev * normal_pdf(z), 0.0);
  return stddev * normal_pdf(z) * improvement_over_density(-z);
}

double log_expected_improvement(double mean, double stddev, double best) {
  const double gain = mean - best;
  if (!(stddev > 0.0)) return gain > 0.0 ? std::log(gain) : -kInfinity;
  const double z = gain / stddev;
  if (z > 1e8) return std::log(gain);  // phi(z) and 1 - Phi(z) are 0; also guards an infinite z
  return std::log(stddev) + log_standard_improvement(z);
}

double probability_of_improvement(double mean, double stddev, double best) {
  const double gain = mean - best;
  if (!(stddev > 0.0)) return gain > 0.0 ? 1.0 : gain < 0.0 ? 0.0 : 0.5;
  return normal_cdf(gain / stddev);
}

ExpectedImprovement::ExpectedImprovement(IncumbentRule incumbent) : incumbent_(incumbent) {}

Vector ExpectedImprovement::do_score(const AcquisitionContext& context,
                                     std::span<const Index> subset,
                                     Rng& /*rng*/) const {
  return score_each(context, subset, incumbent_of(context, incumbent_), log_expected_improvement);
}

ProbabilityOfImprovement::ProbabilityOfImprovement(IncumbentRule incumbent) : incumbent_(incumbent) {}

Vector ProbabilityOfImprovement::do_score(const AcquisitionContext& context,
                                          std::span<const Index> subset,
                                          Rng& /*rng*/) const {
  const auto log_improvement = [](double mean, double stddev, double best) {
    return stddev > 0.0 ? log_normal_cdf((mean - best) / stddev)
                        : std::log(probability_of_improvement(mean, stddev, best));
  };
  return score_each(context, subset, incumbent_of(context, incumbent_), log_improvement);
}

}  // namespace pomlux
