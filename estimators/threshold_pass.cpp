// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp
#include <array>      // copied arms
#include <cmath>      // std::log
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/marginals.hpp>
#include <pomlux/estimators/threshold_pass.hpp>
#include <vector>  // partial sums

namespace pomlux {
namespace {

/// An arm below every threshold: rescaled arms (rescale_extremes) are within 1e100.
constexpr double kLostMean = -1e300;
/// Arms that are copied to leave the leader out: what the sums of others work on at a time.
constexpr Index kLeaderBlock = 64;

void add(ArmSums& total, const ArmSums& part) {
  total.value += part.value;
  total.slope += part.slope;
}

/// Copies of the arms first, first + stride, ..., with one that cannot win in place of the leader
/// and of each certain arm.
void copy_losers(const ThresholdProblem& p,
                 Index first,
                 Index stride,
                 std::span<double> mean,
                 std::span<double> stddev) {
  for (std::size_t j = 0; j < mean.size(); ++j) {
    const Index i = first + static_cast<Index>(j) * stride;
    const bool is_lost = i == p.leader || is_certain(p.stddev[i]);
    mean[j] = is_lost ? kLostMean : p.mean[i];
    stddev[j] = is_lost ? 1.0 : p.stddev[i];
  }
}

ArmSums sum_copied_losers(
    const ThresholdProblem& p, double base, double offset, double* out, Index begin, Index end) {
  std::array<double, kArmBlock> mean, stddev;
  ArmSums total;
  for (Index first = begin; first < end; first += kArmBlock) {
    const auto count = static_cast<std::size_t>(std::min(kArmBlock, end - first));
    const std::span mu = std::span(mean).first(count), sigma = std::span(stddev).first(count);
    copy_losers(p, first, 1, mu, sigma);
    const std::span<double> q = out ? std::span(out + first, count) : std::span<double>();
    add(total, sigmoid_sums(p.sigmoid, mu, sigma, base, offset, q));
  }
  return total;
}

ArmSums sum_as_they_are(
    const ThresholdProblem& p, double base, double offset, double* out, Index begin, Index end) {
  const auto count = static_cast<std::size_t>(end - begin);
  return sigmoid_sums(p.sigmoid,
                      {p.mean + begin, count},
                      {p.stddev + begin, count},
                      base,
                      offset,
                      out ? std::span(out + begin, count) : std::span<double>());
}

/// Only the block of the leader is copied, or all if there are certain arms.
ArmSums sum_losers(
    const ThresholdProblem& p, double base, double offset, double* out, Index begin, Index end) {
  if (p.has_certain) return sum_copied_losers(p, base, offset, out, begin, end);
  if (p.leader < begin || end <= p.leader) return sum_as_they_are(p, base, offset, out, begin, end);
  const Index first = begin + (p.leader - begin) / kLeaderBlock * kLeaderBlock;
  const Index last = std::min(first + kLeaderBlock, end);
  ArmSums total = sum_copied_losers(p, base, offset, out, first, last);
  add(total, sum_as_they_are(p, base, offset, out, begin, first));
  add(total, sum_as_they_are(p, base, offset, out, last, end));
  return total;
}

ThresholdSums combine(const ThresholdProblem& p, double base, double offset, const ArmSums& sums) {
  const double sigma = p.stddev[p.leader];
  const double c =
      std::clamp(((p.mean[p.leader] - base) - offset) / sigma, -kHighestArgument, kHighestArgument);
  ThresholdSums result;
  result.losers = sums.value;
  result.complement = sigmoid_complement(p.sigmoid, c);
  const double leader_slope = sigmoid_slope(p.sigmoid, std::max(c, kLowestArgument)) / sigma;
  result.slope = -(sums.slope / sums.value + leader_slope / result.complement);
  return result;
}

}  // namespace

double ThresholdSums::residual() const {
  if (losers == complement) return 0.0;
  const double excess = (losers - complement) / complement;
  // log(losers / complement) loses digits near 0, where the root is.
  return std::abs(excess) < 0.5 ? std::log1p(excess) : std::log(losers) - std::log(complement);
}

double ThresholdSums::relative_error() const {
  if (losers == complement) return 0.0;
  return std::abs(losers - complement) / std::max(losers, complement);
}

ThresholdSums evaluate_threshold(const ThresholdProblem& problem,
                                 double base,
                                 double offset,
                                 double* out) {
  std::vector<ArmSums> partial(static_cast<std::size_t>((problem.n + kArmChunk - 1) / kArmChunk));
  parallel_for(problem.n, kArmChunk, [&](Index begin, Index end) {
    partial[static_cast<std::size_t>(begin / kArmChunk)] =
        sum_losers(problem, base, offset, out, begin, end);
  });
  ArmSums total;
  for (const ArmSums& sums : partial) add(total, sums);
  return combine(problem, base, offset, total);
}

ThresholdSample::ThresholdSample(const ThresholdProblem& problem, Index stride)
    : problem_(problem),
      mean_(static_cast<std::size_t>((problem.n + stride - 1) / stride)),
      stddev_(mean_.size()) {
  copy_losers(problem, 0, stride, mean_, stddev_);
}

ThresholdSums ThresholdSample::evaluate(double base, double offset) const {
  const ArmSums sums = sigmoid_sums(problem_.sigmoid, mean_, stddev_, base, offset, {});
  const double weight = static_cast<double>(problem_.n) / static_cast<double>(mean_.size());
  return combine(problem_, base, offset, {weight * sums.value, weight * sums.slope});
}

}  // namespace pomlux
