// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <array>      // block buffers
#include <cmath>      // std::exp
#include <limits>     // infinities
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/memory.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/est.hpp>
#include <pomlux/estimators/expected_max.hpp>
#include <pomlux/estimators/threshold.hpp>

namespace pomlux {
namespace {

constexpr double kLargestArgument = 1e150;
/// Of kappa~ and of logarithms, relative.
constexpr double kOffsetRounding = 16.0 * kEpsilon;
/// An accuracy of kappa~ that its sums can still reach.
constexpr double kFinest = 64.0 * kEpsilon;

/// log r_x = log Phi(c) - log Phi(-c), c = (mean_x - kappa~) / stddev_x.
Vector log_odds(const VectorRef& mean, const VectorRef& stddev, const ExpectedMax& kappa) {
  Vector result(mean.size());
  parallel_for(mean.size(), kArmChunk, [&](Index begin, Index end) {
    std::array<double, kArmBlock> c, upper;
    for (Index first = begin; first < end; first += kArmBlock) {
      const Index count = std::min(kArmBlock, end - first);
      const auto size = static_cast<std::size_t>(count);
      for (Index j = 0; j < count; ++j) {
        const double distance = (mean(first + j) - kappa.base) - kappa.offset;
        const double sigma = stddev(first + j);
        const double argument = is_certain(sigma) ? distance * kLargestArgument : distance / sigma;
        c[static_cast<std::size_t>(j)] = std::clamp(argument, -kLargestArgument, kLargestArgument);
      }
      log_normal_cdf(std::span(c).first(size), {result.data() + first, size});
      for (std::size_t j = 0; j < size; ++j) c[j] = -c[j];
      log_normal_cdf(std::span(c).first(size), std::span(upper).first(size));
      for (Index j = 0; j < count; ++j) result(first + j) -= upper[static_cast<std::size_t>(j)];
    }
  });
  return result;
}

bool is_certain_unbeaten(const MarginalSummary& summary, const ExpectedMax& kappa) {
  const double distance = (kappa.base - summary.best_certain) + kappa.offset;
  return distance <= 4.0 * kEpsilon * summary.smallest_stddev;
}

/// A certain arm has r = 0 below kappa~. Where kappa~ equals its mean to rounding no other arm
/// overtakes it: ties at the top then share r = 1 each, as the single arm of n = 1.
void settle_certain(const VectorRef& mean,
                    const VectorRef& stddev,
                    const MarginalSummary& summary,
                    bool is_unbeaten,
                    Vector& log_r) {
  if (summary.certain == 0) return;
  for (Index i = 0; i < log_r.size(); ++i) {
    if (!is_certain(stddev(i))) continue;
    log_r(i) = is_unbeaten && mean(i) == summary.best_certain ? 0.0 : -kInfinity;
  }
}

/// exp(log_r) normalised, into p. Returns the largest entry of log_r.
double normalise(const Vector& log_r, Vector& p) {
  const double largest = log_r.maxCoeff();
  parallel_for(log_r.size(), kArmChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) p(i) = std::exp(log_r(i) - largest);
  });
  p /= p.sum();
  return largest;
}

/// The estimate at kappa~; its numerical error is how far an entry moves as kappa~ moves by what it
/// is off by, and rounding.
EstResult estimate_at(const VectorRef& mean,
                      const VectorRef& stddev,
                      const MarginalSummary& summary,
                      const ExpectedMax& kappa) {
  const bool is_unbeaten = is_certain_unbeaten(summary, kappa);
  EstResult result;
  Pom& pom = result.pom;
  pom.probabilities = make_large_vector(mean.size());
  const auto fill = [&](double shift, Vector& log_r, Vector& p) {
    ExpectedMax shifted = kappa;
    shifted.offset += shift;
    log_r = log_odds(mean, stddev, shifted);
    settle_certain(mean, stddev, summary, is_unbeaten, log_r);
    return normalise(log_r, p);
  };
  const double largest = fill(0.0, result.log_lower_bound, pom.probabilities);
  double change = 0.0;
  const double uncertainty = std::max(kappa.error, kOffsetRounding) * kappa.spread;
  for (const double shift : {-uncertainty, uncertainty}) {
    Vector log_r, p = make_large_vector(mean.size());
    fill(shift, log_r, p);
    change = std::max(change, (p - pom.probabilities).cwiseAbs().maxCoeff());
  }
  // Rounding of log r moves mass between the largest entry and the rest.
  const double rounding = kOffsetRounding * (1.0 + std::abs(largest));
  const double rest = 1.0 - pom.probabilities.maxCoeff();
  pom.numerical_error =
      std::min(1.0, change + kOffsetRounding + (rounding < 1.0 ? 2.0 * rest * rounding : 1.0));
  return result;
}

EstResult trivial_result(const VectorRef& mean, const MarginalSummary& summary) {
  EstResult result;
  result.pom.probabilities = trivial_probabilities(mean, summary);
  result.pom.numerical_error = 0.0;
  result.pom.status = Status::kConverged;
  result.pom.kappa = summary.uncertain == 1 ? summary.highest_mean : summary.best_certain;
  result.log_lower_bound = result.pom.probabilities.array().log() - std::log(2.0);
  return result;
}

/// kappa~. Its positive part is the expected maximum of the arms and a certain 0.
ExpectedMax threshold_of(const VectorRef& mean,
                         const VectorRef& stddev,
                         const MarginalSummary& summary,
                         double epsilon,
                         const EstOptions& options) {
  if (!options.positive_part) {
    return expected_max(mean, stddev, summary, epsilon, options.max_nodes);
  }
  const Index n = mean.size();
  Vector all_means = Vector::Zero(n + 1);
  Vector all_stddevs = Vector::Zero(n + 1);
  all_means.head(n) = mean;
  all_stddevs.head(n) = stddev;
  return expected_max(
      all_means, all_stddevs, summarise(all_means, all_stddevs), epsilon, options.max_nodes);
}

EstResult solve(const VectorRef& mean, const VectorRef& stddev, const EstOptions& options) {
  const MarginalSummary summary = summarise(mean, stddev);
  if (const auto rescaled = rescale_extremes(mean, stddev, summary, options.positive_part)) {
    EstResult result = solve(rescaled->mean, rescaled->stddev, options);
    result.pom.kappa = rescaled->location(*result.pom.kappa);
    return result;
  }
  if (is_trivial(summary)) {
    EstResult result = trivial_result(mean, summary);
    if (options.positive_part && summary.uncertain == 0) {
      result.pom.kappa = std::max(summary.best_certain, 0.0);
    } else if (options.positive_part) {
      const ExpectedMax kappa = threshold_of(mean, stddev, summary, options.epsilon, options);
      result.pom.kappa = kappa.base + kappa.offset;
    }
    return result;
  }
  const double epsilon = effective_epsilon(options.epsilon, options.alpha, mean.size());
  ExpectedMax kappa;
  EstResult result;
  int passes = 0;
  // An arm far narrower than the maximum needs a kappa~ more accurate than itself.
  for (double target = epsilon;;) {
    kappa = threshold_of(mean, stddev, summary, target, options);
    result = estimate_at(mean, stddev, summary, kappa);
    passes += kappa.passes;
    const double excess = *result.pom.numerical_error / epsilon;
    if (!(excess > 1.0) || kappa.status != Status::kConverged || target <= kFinest) break;
    target = std::max(0.5 * target / excess, kFinest);
  }
  Pom& pom = result.pom;
  result.log_lower_bound.array() += kappa.log_cdf;
  pom.kappa = kappa.base + kappa.offset;
  pom.iterations = passes + 4;
  pom.status = kappa.status == Status::kIterationLimit ? Status::kIterationLimit
               : *pom.numerical_error <= epsilon       ? Status::kConverged
                                                       : Status::kRoundingLimited;
  return result;
}

}  // namespace

void validate(const EstOptions& options) {
  validate_root_options("est", options.epsilon, options.alpha, 1);
  if (options.max_nodes < 64) {
    fail("est", "max_nodes is " + format_number(options.max_nodes) + "; must be >= 64");
  }
}

Est::Est(EstOptions options) : options_(options) { validate(options_); }

Pom Est::do_estimate(const GaussianVector& f, Rng&) const {
  return solve(f.mean(), f.stddev(), options_).pom;
}

EstResult est_with_bound(const VectorRef& mean,
                         const VectorRef& stddev,
                         const EstOptions& options) {
  validate(options);
  require_marginals("est", mean, stddev);
  return solve(mean, stddev, options);
}

Pom est(const VectorRef& mean, const VectorRef& stddev, const EstOptions& options) {
  return est_with_bound(mean, stddev, options).pom;
}

}  // namespace pomlux
