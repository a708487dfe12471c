// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <array>      // block buffers
#include <cmath>      // std::abs
#include <limits>     // machine precision
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/threshold.hpp>
#include <utility>  // std::swap
#include <vector>   // partial results

namespace pomlux {
namespace {

/// q_x at one threshold for all arms, and their sum.
double evaluate(
    const VectorRef& mean, const VectorRef& stddev, Sigmoid sigmoid, double kappa, Vector& q) {
  return parallel_sum(mean.size(), kArmChunk, [&](Index begin, Index end) {
    std::array<double, kArmBlock> c;
    double sum = 0.0;
    for (Index first = begin; first < end; first += kArmBlock) {
      const Index count = std::min(kArmBlock, end - first);
      for (Index j = 0; j < count; ++j) {
        const double sigma = stddev(first + j);
        const double argument = (mean(first + j) - kappa) / sigma;
        c[static_cast<std::size_t>(j)] =
            is_certain(sigma) ? kLowestArgument
                              : std::clamp(argument, kLowestArgument, kHighestArgument);
      }
      const auto size = static_cast<std::size_t>(count);
      sigmoid_values(sigmoid, std::span(c).first(size), {q.data() + first, size});
      for (Index j = 0; j < count; ++j) sum += q(first + j);
    }
    return sum;
  });
}

/// max_x of the window of q_x, the stopping rule as printed.
double widest(const Vector& at_lower, const Vector& at_upper) {
  const Index n = at_lower.size();
  std::vector<double> chunks(static_cast<std::size_t>((n + kArmChunk - 1) / kArmChunk));
  parallel_for(n, kArmChunk, [&](Index begin, Index end) {
    double width = 0.0;
    for (Index i = begin; i < end; ++i) width = std::max(width, at_lower(i) - at_upper(i));
    chunks[static_cast<std::size_t>(begin / kArmChunk)] = width;
  });
  return *std::max_element(chunks.begin(), chunks.end());
}

}  // namespace

ThresholdSolution bisect_threshold(const VectorRef& mean,
                                   const VectorRef& stddev,
                                   Sigmoid sigmoid,
                                   double lower,
                                   double upper,
                                   const ThresholdOptions& options) {
  const Index n = mean.size();
  Vector at_lower(n), at_upper(n), middle(n);
  double sum_lower = evaluate(mean, stddev, sigmoid, lower, at_lower);
  double sum_upper = evaluate(mean, stddev, sigmoid, upper, at_upper);
  Pom pom;
  pom.iterations = 2;
  double width = widest(at_lower, at_upper);
  bool is_collapsed = false;
  while (width >= options.epsilon && pom.iterations < options.max_iterations) {
    const double kappa = lower + 0.5 * (upper - lower);
    is_collapsed = kappa <= lower || kappa >= upper;
    if (is_collapsed) break;
    const double sum = evaluate(mean, stddev, sigmoid, kappa, middle);
    ++pom.iterations;
    if (sum > 1.0) {
      lower = kappa;
      sum_lower = sum;
      at_lower.swap(middle);
    } else {
      upper = kappa;
      sum_upper = sum;
      at_upper.swap(middle);
    }
    width = widest(at_lower, at_upper);
  }
  // Between two adjacent doubles the sum may jump over 1 (an arm narrower than their distance):
  // take the point of the jump where it is 1 instead of the mid-point.
  const double weight = is_collapsed && sum_lower > sum_upper
                            ? std::clamp((1.0 - sum_upper) / (sum_lower - sum_upper), 0.0, 1.0)
                            : 0.5;
  ThresholdSolution solution;
  solution.base = lower + 0.5 * (upper - lower);
  pom.numerical_error = std::max(width, 8.0 * std::numeric_limits<double>::epsilon());
  pom.status = width < options.epsilon ? Status::kConverged
               : is_collapsed          ? Status::kRoundingLimited
                                       : Status::kIterationLimit;
  pom.probabilities = weight * at_lower + (1.0 - weight) * at_upper;
  solution.pom = std::move(pom);
  return solution;
}

}  // namespace pomlux
