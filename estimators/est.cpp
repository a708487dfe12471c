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

/// A certain arm has r = 0 below kappa~. Where kappa~ equals its mean to rounding no other arm
/// overtakes it: ties at the top then share r = 1 each, as the single arm of n = 1.
void settle_certain(const VectorRef& mean,
                    const VectorRef& stddev,
                    const MarginalSummary& summary,
                    const ExpectedMax& kappa,
                    Vector& log_r) {
  if (summary.certain == 0) return;
  const double distance = (kappa.base - summary.best_certain) + kappa.offset;
  const bool is_unbeaten =
      distance <= 4.0 * std::numeric_limits<double>::epsilon() * summary.smallest_stddev;
  for (Index i = 0; i < log_r.size(); ++i) {
    if (!is_certain(stddev(i))) continue;
    log_r(i) = is_unbeaten && mean(i) == summary.best_certain ? 0.0 : -kInfinity;
  }
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
  if (const double scale = safe_scale(summary); scale != 1.0) {
    const Vector scaled_mean = scale * mean;
    const Vector scaled_stddev = scale * stddev;
    EstResult result = solve(scaled_mean, scaled_stddev, options);
    *result.pom.kappa /= scale;
    return result;
  }
  const double epsilon = effective_epsilon(options.epsilon, options.alpha, mean.size());
  const ExpectedMax kappa = threshold_of(mean, stddev, summary, epsilon, options);
  EstResult result;
  result.log_lower_bound = log_odds(mean, stddev, kappa);
  settle_certain(mean, stddev, summary, kappa, result.log_lower_bound);
  Pom& pom = result.pom;
  const double largest = result.log_lower_bound.maxCoeff();
  pom.probabilities = make_large_vector(mean.size());
  parallel_for(mean.size(), kArmChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      pom.probabilities(i) = std::exp(result.log_lower_bound(i) - largest);
    }
  });
  pom.probabilities /= pom.probabilities.sum();
  result.log_lower_bound.array() += kappa.log_cdf;
  pom.kappa = kappa.base + kappa.offset;
  pom.iterations = kappa.passes + 2;
  // Every log r moves with kappa~ by at most (|c| + 1) / stddev: bounded by the narrowest arm.
  pom.numerical_error = std::min(1.0,
                                 (kappa.error + 16.0 * std::numeric_limits<double>::epsilon()) *
                                     kappa.spread / summary.smallest_stddev);
  pom.status = kappa.status;
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
