// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <array>      // lanes
#include <cmath>      // std::abs
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/marginals.hpp>
#include <vector>  // one summary per chunk

namespace pomlux {
namespace {

constexpr Index kLanes = 8;

/// Folds one value into the two largest seen.
void fold_two_largest(double value, double& first, double& second) {
  second = std::max(second, std::min(first, value));
  first = std::max(first, value);
}

/// Extremes in independent lanes, which the compiler turns into vector instructions.
struct Lanes {
  std::array<double, kLanes> lowest, highest, second, smallest, largest;
  Lanes() {
    lowest.fill(kInfinity);
    smallest.fill(kInfinity);
    highest.fill(-kInfinity);
    second.fill(-kInfinity);
    largest.fill(-kInfinity);
  }
  void fold(const double* mu, const double* sigma, Index count) {
    for (Index j = 0; j < count; ++j) {
      const auto l = static_cast<std::size_t>(j);
      lowest[l] = std::min(lowest[l], mu[j]);
      fold_two_largest(mu[j], highest[l], second[l]);
      smallest[l] = std::min(smallest[l], sigma[j]);
      largest[l] = std::max(largest[l], sigma[j]);
    }
  }
};

MarginalSummary empty_summary() {
  MarginalSummary s;
  s.lowest_mean = s.smallest_stddev = kInfinity;
  s.highest_mean = s.second_mean = s.largest_stddev = s.best_certain = -kInfinity;
  return s;
}

void fold_certain(MarginalSummary& s, double mean, Index count) {
  if (mean > s.best_certain) {
    s.best_certain = mean;
    s.best_certain_count = 0;
  }
  if (mean == s.best_certain) s.best_certain_count += count;
}

MarginalSummary summarise_arm_by_arm(const double* mu, const double* sigma, Index n) {
  MarginalSummary s = empty_summary();
  for (Index i = 0; i < n; ++i) {
    if (is_certain(sigma[i])) {
      ++s.certain;
      fold_certain(s, mu[i], 1);
      continue;
    }
    ++s.uncertain;
    s.lowest_mean = std::min(s.lowest_mean, mu[i]);
    fold_two_largest(mu[i], s.highest_mean, s.second_mean);
    s.smallest_stddev = std::min(s.smallest_stddev, sigma[i]);
    s.largest_stddev = std::max(s.largest_stddev, sigma[i]);
  }
  return s;
}

MarginalSummary summarise_chunk(const double* mu, const double* sigma, Index n) {
  Lanes lanes;
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) lanes.fold(mu + i, sigma + i, kLanes);
  lanes.fold(mu + i, sigma + i, n - i);
  MarginalSummary s = empty_summary();
  for (std::size_t l = 0; l < kLanes; ++l) {
    s.lowest_mean = std::min(s.lowest_mean, lanes.lowest[l]);
    fold_two_largest(lanes.highest[l], s.highest_mean, s.second_mean);
    s.second_mean = std::max(s.second_mean, lanes.second[l]);
    s.smallest_stddev = std::min(s.smallest_stddev, lanes.smallest[l]);
    s.largest_stddev = std::max(s.largest_stddev, lanes.largest[l]);
  }
  s.uncertain = n;
  return is_certain(s.smallest_stddev) ? summarise_arm_by_arm(mu, sigma, n) : s;
}

void merge(MarginalSummary& into, const MarginalSummary& s) {
  into.uncertain += s.uncertain;
  into.lowest_mean = std::min(into.lowest_mean, s.lowest_mean);
  fold_two_largest(s.highest_mean, into.highest_mean, into.second_mean);
  into.second_mean = std::max(into.second_mean, s.second_mean);
  into.smallest_stddev = std::min(into.smallest_stddev, s.smallest_stddev);
  into.largest_stddev = std::max(into.largest_stddev, s.largest_stddev);
  into.certain += s.certain;
  fold_certain(into, s.best_certain, s.best_certain_count);
}

}  // namespace

MarginalSummary summarise(const VectorRef& mean, const VectorRef& stddev) {
  const Index n = mean.size();
  const double* const mu = mean.data();
  const double* const sigma = stddev.data();
  std::vector<MarginalSummary> chunks(static_cast<std::size_t>((n + kArmChunk - 1) / kArmChunk));
  parallel_for(n, kArmChunk, [&](Index begin, Index end) {
    chunks[static_cast<std::size_t>(begin / kArmChunk)] =
        summarise_chunk(mu + begin, sigma + begin, end - begin);
  });
  MarginalSummary total = empty_summary();
  Index leading_chunk = -1;
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    if (chunks[c].highest_mean > total.highest_mean) leading_chunk = static_cast<Index>(c);
    merge(total, chunks[c]);
  }
  if (total.uncertain == 1) total.second_mean = total.lowest_mean;
  if (leading_chunk >= 0) {
    Index i = leading_chunk * kArmChunk;
    while (is_certain(sigma[i]) || mu[i] != total.highest_mean) ++i;
    total.leader = i;
  }
  return total;
}

double safe_scale(const MarginalSummary& summary) {
  constexpr double limit = 1e100;
  double largest = std::max(
      {std::abs(summary.highest_mean), std::abs(summary.lowest_mean), summary.largest_stddev});
  if (summary.certain > 0) largest = std::max(largest, std::abs(summary.best_certain));
  if (largest >= 1.0 / limit && largest <= limit) return 1.0;
  return std::ldexp(1.0, -std::ilogb(largest));
}

bool is_trivial(const MarginalSummary& summary) {
  return summary.uncertain == 0 || summary.uncertain + summary.certain == 1;
}

Vector trivial_probabilities(const VectorRef& mean, const MarginalSummary& summary) {
  if (mean.size() == 1) return Vector::Ones(1);
  const double share = 1.0 / static_cast<double>(summary.best_certain_count);
  Vector p(mean.size());
  for (Index i = 0; i < p.size(); ++i) p(i) = mean(i) == summary.best_certain ? share : 0.0;
  return p;
}

}  // namespace pomlux
