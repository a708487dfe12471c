// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // std::isfinite
#include <limits>     // machine precision
#include <pomlux/core/memory.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/safe_newton.hpp>
#include <pomlux/estimators/threshold.hpp>
#include <pomlux/estimators/threshold_pass.hpp>

namespace pomlux {
namespace {

/// Rounding of one pass: a few units in the last place of F and of the lanes' sums. Below it, more
/// passes only stir the last digits.
constexpr double kRootRounding = 4.0 * kEpsilon;
/// Errors within this of the best seen no longer improve by method but by chance.
constexpr double kStall = 64.0 * kEpsilon;
/// From this many arms on, the first guess comes from about kSampleSize of them.
constexpr Index kSampleFrom = 1 << 15;
constexpr Index kSampleSize = 1 << 13;
constexpr double kSampleTolerance = 1e-3;
constexpr int kSamplePasses = 30;
/// What such a guess is off by, in order of magnitude.
constexpr double kSampleError = 1e-2;
/// A pass whose expected error is this many tolerances is taken for the last one.
constexpr double kMaybeLast = 1e4;

struct SearchResult {
  double offset = 0.0;
  ThresholdSums sums;
  int passes = 0;
  bool is_last = false;  ///< what the last evaluation was told
};

/// Newton steps on the residual. Ends at relative_error() <= tolerance, when rounding stops
/// progress, or after max_passes. `start_error` is what the start is off by, 0 if nobody knows;
/// evaluate(offset, is_last) learns whether the search may end there.
template <typename Evaluate>
SearchResult search(const Evaluate& evaluate,
                    double lower,
                    double upper,
                    double start,
                    double start_error,
                    double tolerance,
                    int max_passes) {
  SafeNewton newton(lower, upper);
  SearchResult result;
  result.offset = start;
  double best_error = std::numeric_limits<double>::infinity();
  double expected_error = start_error;
  for (;;) {
    result.is_last = expected_error <= kMaybeLast * tolerance || result.passes + 1 >= max_passes;
    result.sums = evaluate(result.offset, result.is_last);
    ++result.passes;
    const double error = result.sums.relative_error();
    const bool is_stalled = error <= kStall && error > 0.5 * best_error;
    if (error <= tolerance || is_stalled || result.passes >= max_passes) return result;
    best_error = std::min(best_error, error);
    if (start_error > 0.0) expected_error = error * error;
    const double next = newton.next(result.offset, result.sums.residual(), result.sums.slope);
    if (next == result.offset) return result;
    result.offset = next;
  }
}

/// The mean of an uncertain arm nearest to `kappa`: offsets from it resolve a jump that is narrower
/// than the distance of two doubles at kappa.
double nearest_mean(const ThresholdProblem& p, double kappa) {
  double nearest = p.mean[p.leader];
  for (Index i = 0; i < p.n; ++i) {
    if (!is_certain(p.stddev[i]) && std::abs(p.mean[i] - kappa) < std::abs(nearest - kappa)) {
      nearest = p.mean[i];
    }
  }
  return nearest;
}

/// Newton search for kappa in [lower, upper]; leaves the probabilities, not normalised, in
/// solution.pom, and returns their sum. Passes that are surely not the last one write nothing.
double newton_threshold(const ThresholdProblem& p,
                        double lower,
                        double upper,
                        const ThresholdOptions& options,
                        ThresholdSolution& solution) {
  double* const out = solution.pom.probabilities.data();
  solution.base = p.mean[p.leader];
  lower -= solution.base;
  upper -= solution.base;
  double start = upper;
  double start_error = 0.0;
  if (options.start) {
    start = std::clamp(*options.start - solution.base, lower, upper);
  } else if (p.n >= kSampleFrom) {
    const ThresholdSample sample(p, p.n / kSampleSize);
    start = search([&](double t, bool) { return sample.evaluate(solution.base, t); },
                   lower,
                   upper,
                   start,
                   0.0,
                   kSampleTolerance,
                   kSamplePasses)
                .offset;
    start_error = kSampleError;
  }
  const double tolerance = std::max(0.5 * options.epsilon, kRootRounding);
  const auto evaluate = [&](double t, bool is_last) {
    return evaluate_threshold(p, solution.base, t, is_last ? out : nullptr);
  };
  SearchResult found =
      search(evaluate, lower, upper, start, start_error, tolerance, options.max_iterations);
  int passes = found.passes;
  if (!found.is_last) {
    found.sums = evaluate(found.offset, true);
    ++passes;
  }
  if (found.sums.relative_error() > std::max(tolerance, kStall) &&
      passes < options.max_iterations) {
    const double kappa = solution.base + found.offset;
    const double slack = 4.0 * kEpsilon * (std::abs(solution.base) + std::abs(found.offset));
    solution.base = nearest_mean(p, kappa);
    const double t = kappa - solution.base;
    found =
        search(evaluate, t - slack, t + slack, t, 0.0, tolerance, options.max_iterations - passes);
    passes += found.passes;
  }
  solution.offset = found.offset;
  Pom& pom = solution.pom;
  pom.iterations = passes;
  pom.probabilities(p.leader) = sigmoid_value(
      p.sigmoid,
      std::clamp(((p.mean[p.leader] - solution.base) - solution.offset) / p.stddev[p.leader],
                 -kHighestArgument,
                 kHighestArgument));
  // Half for the root, half for the normalisation.
  pom.numerical_error = std::min(1.0, 2.0 * std::max(found.sums.relative_error(), kRootRounding));
  const double error = found.sums.relative_error();
  if (options.epsilon > 2.0 * kRootRounding && error <= 0.5 * options.epsilon) {
    pom.status = Status::kConverged;
  } else if (passes >= options.max_iterations && error > kStall) {
    pom.status = Status::kIterationLimit;
  } else {
    pom.status = Status::kRoundingLimited;
  }
  return found.sums.losers + pom.probabilities(p.leader);
}

/// If the sum crosses 1 at the jump of the best certain arms: kappa is their mean and they share
/// what the others leave. False otherwise.
bool solve_at_jump(const ThresholdProblem& p,
                   const MarginalSummary& summary,
                   ThresholdSolution& solution) {
  if (summary.certain == 0) return false;
  Pom& pom = solution.pom;
  const double jump = summary.best_certain;
  const ThresholdSums sums = evaluate_threshold(p, jump, 0.0, pom.probabilities.data());
  if (!(sums.losers < sums.complement)) return false;
  const double share =
      (sums.complement - sums.losers) / static_cast<double>(summary.best_certain_count);
  for (Index i = 0; i < p.n; ++i) {
    if (is_certain(p.stddev[i])) pom.probabilities(i) = p.mean[i] == jump ? share : 0.0;
  }
  pom.probabilities(p.leader) =
      sigmoid_value(p.sigmoid, (p.mean[p.leader] - jump) / p.stddev[p.leader]);
  solution.base = jump;
  solution.offset = 0.0;
  pom.iterations = 1;
  pom.numerical_error = 2.0 * kRootRounding;
  pom.status = Status::kConverged;
  return true;
}

double sum_of(const Vector& p) {
  return parallel_sum(p.size(), kArmChunk, [&](Index begin, Index end) {
    double partial = 0.0;
    for (Index i = begin; i < end; ++i) partial += p(i);
    return partial;
  });
}

void divide(Vector& p, double sum) {
  double* const values = p.data();
  parallel_for(p.size(), kArmChunk, [values, sum](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) values[i] /= sum;
  });
}

}  // namespace

double effective_epsilon(double epsilon, double alpha, Index n) {
  return alpha > 0.0 ? std::min(0.5, 1.0 / (alpha * static_cast<double>(n))) : epsilon;
}

void validate_root_options(std::string_view where,
                           double epsilon,
                           double alpha,
                           int max_iterations) {
  if (!(epsilon > 0.0 && epsilon < 1.0)) {
    fail(where, "epsilon is " + format_number(epsilon) + "; must be in (0, 1)");
  }
  if (!(alpha >= 0.0 && std::isfinite(alpha))) {
    fail(where, "alpha is " + format_number(alpha) + "; must be >= 0 and finite");
  }
  if (max_iterations < 1) {
    fail(where, "max_iterations is " + format_number(max_iterations) + "; must be >= 1");
  }
}

ThresholdSolution solve_threshold(const VectorRef& mean,
                                  const VectorRef& stddev,
                                  Sigmoid sigmoid,
                                  const ThresholdOptions& options) {
  const MarginalSummary summary = summarise(mean, stddev);
  ThresholdSolution solution;
  Pom& pom = solution.pom;
  if (const auto rescaled = rescale_extremes(mean, stddev, summary)) {
    ThresholdOptions rescaled_options = options;
    if (options.start) {
      rescaled_options.start = std::ldexp(*options.start - rescaled->shift, rescaled->exponent);
    }
    solution = solve_threshold(rescaled->mean, rescaled->stddev, sigmoid, rescaled_options);
    if (pom.kappa) pom.kappa = rescaled->location(*pom.kappa);
    solution.base = rescaled->location(solution.base);
    solution.offset = rescaled->length(solution.offset);
    return solution;
  }
  if (is_trivial(summary)) {
    pom.probabilities = trivial_probabilities(mean, summary);
    pom.status = Status::kConverged;
    pom.numerical_error = 0.0;
    return solution;
  }
  const ThresholdProblem problem{
      mean.data(), stddev.data(), mean.size(), summary.leader, summary.certain > 0, sigmoid};
  pom.probabilities = make_large_vector(mean.size());
  double sum = 0.0;
  if (solve_at_jump(problem, summary, solution)) {
    sum = sum_of(pom.probabilities);
  } else {
    // One uncertain arm left by underflow of its losing probability: any kappa above the jump does.
    const Index n = std::max<Index>(summary.uncertain, 2);
    const double quantile = -sigmoid_quantile_of_one_in(sigmoid, n);
    // At the second highest mean two arms have q >= F(0) >= 1/2, so the sum is at least 1.
    const double lower = std::max({summary.lowest_mean + quantile * summary.smallest_stddev,
                                   summary.second_mean,
                                   summary.best_certain});
    const double upper = std::max(lower, summary.highest_mean + quantile * summary.largest_stddev);
    if (options.root == RootMethod::kNewton) {
      sum = newton_threshold(problem, lower, upper, options, solution);
    } else {
      const double printed = summary.lowest_mean + quantile * summary.smallest_stddev;
      solution = bisect_threshold(
          mean, stddev, sigmoid, std::max(printed, summary.best_certain), upper, options);
      sum = sum_of(pom.probabilities);
    }
  }
  pom.kappa = solution.base + solution.offset;
  divide(pom.probabilities, sum);
  return solution;
}

}  // namespace pomlux
