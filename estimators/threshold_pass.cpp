// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp
#include <array>      // block buffers
#include <cmath>      // std::log
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/marginals.hpp>
#include <pomlux/estimators/threshold_pass.hpp>
#include <vector>  // partial sums

namespace pomlux {
namespace {

constexpr std::size_t kLanes = 8;

struct PartialSums {
  double losers = 0.0;
  double slope = 0.0;
};

/// One block of arms in buffers: arguments c, 1 / stddev, values and slopes of F.
struct Block {
  std::array<double, kArmBlock> c, inverse, value, slope;

  /// Arguments of the arms first, first + stride, ...: (mean - base) is exact near the threshold.
  void load(const ThresholdProblem& p,
            double base,
            double offset,
            Index first,
            Index stride,
            Index count) {
    const double* const mu = p.mean + first;
    const double* const sigma = p.stddev + first;
    for (Index j = 0; j < count; ++j) {
      const auto b = static_cast<std::size_t>(j);
      inverse[b] = 1.0 / sigma[j * stride];
      const double argument = ((mu[j * stride] - base) - offset) * inverse[b];
      c[b] = std::min(std::max(argument, kLowestArgument), kHighestArgument);
    }
    if (p.has_certain) mark_certain(sigma, stride, count);
    const Index leader = p.leader - first;
    if (leader >= 0 && leader % stride == 0 && leader / stride < count) {
      c[static_cast<std::size_t>(leader / stride)] = kLowestArgument;
    }
  }

  void mark_certain(const double* sigma, Index stride, Index count) {
    for (Index j = 0; j < count; ++j) {
      if (!is_certain(sigma[j * stride])) continue;
      c[static_cast<std::size_t>(j)] = kLowestArgument;
      inverse[static_cast<std::size_t>(j)] = 0.0;
    }
  }

  /// F and the sums over this block, in lanes so that the additions overlap.
  PartialSums evaluate(Sigmoid f, std::span<double> out) {
    const std::size_t count = out.size();
    sigmoid_values_and_slopes(f, std::span(c).first(count), out, std::span(slope).first(count));
    std::array<double, kLanes> losers{}, slopes{};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (std::size_t l = 0; l < kLanes; ++l) {
        losers[l] += out[i + l];
        slopes[l] += slope[i + l] * inverse[i + l];
      }
    }
    PartialSums sums;
    for (; i < count; ++i) {
      sums.losers += out[i];
      sums.slope += slope[i] * inverse[i];
    }
    for (std::size_t l = 0; l < kLanes; ++l) {
      sums.losers += losers[l];
      sums.slope += slopes[l];
    }
    return sums;
  }
};

ThresholdSums combine(const ThresholdProblem& p, double base, double offset, PartialSums sums) {
  const double sigma = p.stddev[p.leader];
  const double c =
      std::clamp(((p.mean[p.leader] - base) - offset) / sigma, -kHighestArgument, kHighestArgument);
  ThresholdSums result;
  result.losers = sums.losers;
  result.complement = sigmoid_complement(p.sigmoid, c);
  const double leader_slope = sigmoid_slope(p.sigmoid, std::max(c, kLowestArgument)) / sigma;
  result.slope = -(sums.slope / sums.losers + leader_slope / result.complement);
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
  std::vector<PartialSums> partial(
      static_cast<std::size_t>((problem.n + kArmChunk - 1) / kArmChunk));
  parallel_for(problem.n, kArmChunk, [&](Index begin, Index end) {
    Block block;
    PartialSums sums;
    for (Index first = begin; first < end; first += kArmBlock) {
      const Index count = std::min(kArmBlock, end - first);
      block.load(problem, base, offset, first, 1, count);
      const PartialSums part =
          block.evaluate(problem.sigmoid, {out + first, static_cast<std::size_t>(count)});
      sums.losers += part.losers;
      sums.slope += part.slope;
    }
    partial[static_cast<std::size_t>(begin / kArmChunk)] = sums;
  });
  PartialSums total;
  for (const PartialSums& sums : partial) {
    total.losers += sums.losers;
    total.slope += sums.slope;
  }
  return combine(problem, base, offset, total);
}

ThresholdSums sample_threshold(const ThresholdProblem& problem,
                               double base,
                               double offset,
                               Index stride) {
  Block block;
  PartialSums total;
  const Index samples = (problem.n + stride - 1) / stride;
  for (Index first = 0; first < samples; first += kArmBlock) {
    const Index count = std::min(kArmBlock, samples - first);
    block.load(problem, base, offset, first * stride, stride, count);
    const PartialSums part = block.evaluate(
        problem.sigmoid, std::span(block.value).first(static_cast<std::size_t>(count)));
    total.losers += part.losers;
    total.slope += part.slope;
  }
  const double weight = static_cast<double>(problem.n) / static_cast<double>(samples);
  return combine(problem, base, offset, {weight * total.losers, weight * total.slope});
}

}  // namespace pomlux
