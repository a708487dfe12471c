// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <array>      // lanes
#include <cmath>      // std::abs
#include <limits>     // no unit
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/marginals.hpp>
#include <vector>  // one summary per chunk

namespace pomlux {
namespace {

constexpr Index kLanes = 8;
/// Standard deviations that two arms are apart where the lower one gets nothing from any estimator.
constexpr double kOutOfTheRunning = 1e3;
/// Below the best, in units of the largest stddev or distance that matters.
constexpr double kFarBelow = 1e5;

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

/// Whether values leave the range where estimators work, or stddevs that are not 0 count as such.
bool is_extreme(const VectorRef& stddev, const MarginalSummary& summary) {
  constexpr double limit = 1e100;
  const bool has_tiny =
      summary.certain > 0 && (stddev.array() > 0.0 && stddev.array() < kCertainStddev).any();
  if (has_tiny || summary.uncertain == 0) return has_tiny;
  double largest = std::max(
      {std::abs(summary.highest_mean), std::abs(summary.lowest_mean), summary.largest_stddev});
  if (summary.certain > 0) largest = std::max(largest, std::abs(summary.best_certain));
  return !(largest >= 1.0 / limit && largest <= limit);
}

/// The limit stddev -> 0 shares equally among ties, which is wrong for arms of different stddev.
void require_order_among_certain(const VectorRef& stddev, const RescaledMarginals& rescaled) {
  Index best = -1;
  for (Index i = 0; i < stddev.size(); ++i) {
    if (rescaled.stddev(i) > 0.0) continue;
    if (best < 0 || rescaled.mean(i) > rescaled.mean(best)) best = i;
  }
  for (Index i = 0; best >= 0 && i < stddev.size(); ++i) {
    if (rescaled.stddev(i) > 0.0 || rescaled.mean(i) != rescaled.mean(best)) continue;
    if (stddev(i) == stddev(best)) continue;
    fail("stddev",
         "arms " + format_number(best) + " and " + format_number(i) +
             " have standard deviations of " + format_number(stddev(best)) + " and " +
             format_number(stddev(i)) +
             ", too small to tell apart in double next to an arm 1e290 times wider; the arms that "
             "compete must be within that");
  }
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

std::optional<RescaledMarginals> rescale_extremes(const VectorRef& mean,
                                                  const VectorRef& stddev,
                                                  const MarginalSummary& summary,
                                                  bool keeps_origin) {
  if (mean.size() == 1 || !is_extreme(stddev, summary)) return std::nullopt;
  const Index n = mean.size();
  RescaledMarginals result;
  const double top = mean.maxCoeff();
  // Distances to the top and stddevs, small enough for sums where large values are about.
  const bool is_large = std::max(mean.cwiseAbs().maxCoeff(), stddev.maxCoeff()) > 1.0;
  const int down = is_large ? 12 : 0;
  const auto distance = [&](Index i) {
    return std::ldexp(top, -down) - std::ldexp(mean(i), -down);
  };
  const auto reach = [&](Index i) { return kOutOfTheRunning * std::ldexp(stddev(i), -down); };
  double surest = kInfinity;
  for (Index i = 0; i < n; ++i) surest = std::min(surest, distance(i) + reach(i));
  const auto is_in = [&](Index i) { return distance(i) <= reach(i) + surest; };
  int unit = std::numeric_limits<int>::min();
  const auto raise = [&](double value, int shift) {
    if (value > 0.0) unit = std::max(unit, std::ilogb(value) + shift);
  };
  for (Index i = 0; i < n; ++i) {
    if (!is_in(i)) continue;
    raise(stddev(i), 0);
    raise(keeps_origin ? std::abs(mean(i)) : distance(i), keeps_origin ? 0 : down);
  }
  result.exponent = unit == std::numeric_limits<int>::min() ? 0 : -unit;
  result.shift = keeps_origin ? 0.0 : top;
  result.mean.resize(n);
  result.stddev.resize(n);
  // Halves where a difference may overflow, exact for values of that size.
  const int half = std::max(std::abs(top), mean.cwiseAbs().maxCoeff()) > 1e300 ? 1 : 0;
  for (Index i = 0; i < n; ++i) {
    const double difference = std::ldexp(mean(i), -half) - std::ldexp(result.shift, -half);
    result.mean(i) = is_in(i) ? std::ldexp(difference, result.exponent + half)
                              : std::ldexp(top - result.shift, result.exponent) - kFarBelow;
    const double scaled = std::ldexp(stddev(i), result.exponent);
    result.stddev(i) = !is_in(i) && stddev(i) > 0.0 ? 1.0 : is_certain(scaled) ? 0.0 : scaled;
  }
  require_order_among_certain(stddev, result);
  return result;
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
