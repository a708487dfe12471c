// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp
#include <array>      // block buffers
#include <cmath>      // std::exp
#include <numeric>    // std::accumulate
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/max_quadrature.hpp>
#include <pomlux/estimators/threshold.hpp>

namespace pomlux {
namespace {

/// Keeps squares of arguments finite; Phi is 0 or 1 long before.
constexpr double kLargestArgument = 1e150;
/// The best certain arm counts as this fraction of the smallest other stddev: the estimators depend
/// on it to second order, so the limit is met to rounding.
constexpr double kCertainFraction = 1e-8;
/// What is left out of a tail, relative to the entry it belongs to.
constexpr double kNegligibleDensity = 1e-17;
/// Entries below this may lose relative accuracy or vanish.
constexpr double kSmallest = 1e-300;
/// Arms narrower than this fraction of the width of the maximum get nodes of their own, if the
/// maximum is below their mean with more than kRelevantLogCdf.
constexpr double kNarrowFraction = 0.25;
constexpr double kRelevantLogCdf = -60.0;
/// Nodes of step 1 at most between the centre and where the last arm's density has fallen by
/// kNegligibleDensity.
constexpr double kMostScales = 32.0;

double certain_stddev(const MarginalSummary& summary) {
  if (summary.certain == 0) return 0.0;
  return std::max(kCertainFraction * summary.smallest_stddev, kCertainStddev);
}

}  // namespace

/// Arms [first, first + count) in buffers.
struct MaxIntegrand::Block {
  std::array<double, kArmBlock> mean, inverse, argument, value, total, previous, last;
  std::size_t count = 0;
  bool has_left_out = false;

  void load(const MaxIntegrand& f, Index first, Index size) {
    count = static_cast<std::size_t>(size);
    for (std::size_t j = 0; j < count; ++j) {
      mean[j] = f.mean_[first + static_cast<Index>(j)];
      inverse[j] = 1.0 / f.stddev_[first + static_cast<Index>(j)];
    }
    has_left_out = f.summary_.certain > 0;
    if (has_left_out) load_certain(f, first);
    if (f.left_out_ >= first && f.left_out_ < first + size) {
      inverse[static_cast<std::size_t>(f.left_out_ - first)] = 0.0;
      has_left_out = true;
    }
  }

  void load_certain(const MaxIntegrand& f, Index first) {
    for (std::size_t j = 0; j < count; ++j) {
      const Index arm = first + static_cast<Index>(j);
      if (is_certain(f.stddev_[arm]))
        inverse[j] = arm == f.best_certain_ ? 1.0 / f.certain_stddev_ : 0.0;
    }
  }

  void exclude() {
    for (std::size_t j = 0; j < count; ++j) {
      if (inverse[j] == 0.0) argument[j] = kLargestArgument;
    }
  }

  [[nodiscard]] std::span<const double> arguments(const QuadratureNode& node) {
    for (std::size_t j = 0; j < count; ++j) {
      const double c = ((node.base - mean[j]) + node.offset) * inverse[j];
      argument[j] = std::min(std::max(c, -kLargestArgument), kLargestArgument);
    }
    if (has_left_out) exclude();
    return std::span(argument).first(count);
  }

  /// Sum in eight lanes, which the compiler turns into vector instructions.
  [[nodiscard]] double sum_of_values(bool is_weighted) const {
    std::array<double, 8> lanes{};
    std::size_t j = 0;
    for (; j + lanes.size() <= count; j += lanes.size()) {
      for (std::size_t l = 0; l < lanes.size(); ++l) {
        lanes[l] += is_weighted ? value[j + l] * inverse[j + l] : value[j + l];
      }
    }
    double sum = 0.0;
    for (; j < count; ++j) sum += is_weighted ? value[j] * inverse[j] : value[j];
    for (const double lane : lanes) sum += lane;
    return sum;
  }
};

MaxIntegrand::MaxIntegrand(const VectorRef& mean,
                           const VectorRef& stddev,
                           const MarginalSummary& summary,
                           CertainArms certain)
    : mean_(mean.data()),
      stddev_(stddev.data()),
      n_(mean.size()),
      summary_(summary),
      certain_stddev_(certain_stddev(summary)) {
  if (summary.certain == 0 || certain == CertainArms::kLeaveOut) return;
  best_certain_ = 0;
  while (!is_certain(stddev(best_certain_)) || mean(best_certain_) != summary.best_certain) {
    ++best_certain_;
  }
}

MaxIntegrand MaxIntegrand::without(Index left_out,
                                   const VectorRef& mean,
                                   const VectorRef& stddev,
                                   const MarginalSummary& summary) {
  MaxIntegrand result(mean, stddev, summary, CertainArms::kLeaveOut);
  result.left_out_ = left_out;
  return result;
}

MaxDistribution MaxIntegrand::distribution(std::span<const QuadratureNode> nodes,
                                           bool with_slope) const {
  const std::size_t m = nodes.size();
  const auto chunks = static_cast<std::size_t>((n_ + kArmChunk - 1) / kArmChunk);
  std::vector<double> log_cdf(chunks * m, 0.0);
  std::vector<double> slope(with_slope ? chunks * m : 0, 0.0);
  parallel_for(n_, kArmChunk, [&](Index begin, Index end) {
    const std::size_t row = static_cast<std::size_t>(begin / kArmChunk) * m;
    Block block;
    for (Index first = begin; first < end; first += kArmBlock) {
      block.load(*this, first, std::min(kArmBlock, end - first));
      const std::span<double> value = std::span(block.value).first(block.count);
      for (std::size_t i = 0; i < m; ++i) {
        const std::span<const double> c = block.arguments(nodes[i]);
        log_normal_cdf(c, value);
        log_cdf[row + i] += block.sum_of_values(false);
        if (!with_slope) continue;
        normal_reverse_hazard(c, value);
        slope[row + i] += block.sum_of_values(true);
      }
    }
  });
  MaxDistribution result;
  result.log_cdf.assign(m, 0.0);
  if (with_slope) result.log_cdf_slope.assign(m, 0.0);
  for (std::size_t c = 0; c < chunks; ++c) {
    for (std::size_t i = 0; i < m; ++i) {
      result.log_cdf[i] += log_cdf[c * m + i];
      if (with_slope) result.log_cdf_slope[i] += slope[c * m + i];
    }
  }
  return result;
}

Index MaxIntegrand::accumulate(std::span<const QuadratureNode> nodes,
                               std::span<const double> log_cdf,
                               bool is_left,
                               double* p) const {
  std::vector<Index> open(static_cast<std::size_t>((n_ + kArmChunk - 1) / kArmChunk), 0);
  // What lies to the left of f belongs to the event max <= f, whatever the arm.
  const double left_bound = is_left ? std::exp(log_cdf.back()) : 0.0;
  const bool has_left = left_bound > kSmallest;
  parallel_for(n_, kArmChunk, [&](Index begin, Index end) {
    Block block;
    Index count_open = 0;
    for (Index first = begin; first < end; first += kArmBlock) {
      block.load(*this, first, std::min(kArmBlock, end - first));
      std::copy_n(p + first, block.count, block.total.data());
      std::fill_n(block.last.data(), block.count, 0.0);
      std::fill_n(block.previous.data(), block.count, 0.0);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double factor = nodes[i].weight * std::exp(log_cdf[i]);
        std::swap(block.previous, block.last);
        if (!(factor > 0.0)) {
          std::fill_n(block.last.data(), block.count, 0.0);
          continue;
        }
        normal_reverse_hazard(block.arguments(nodes[i]), std::span(block.value).first(block.count));
        for (std::size_t j = 0; j < block.count; ++j) {
          block.last[j] = factor * (block.value[j] * block.inverse[j]);
          block.total[j] += block.last[j];
        }
      }
      for (std::size_t j = 0; j < block.count; ++j) {
        const double negligible = kNegligibleDensity * block.total[j];
        const bool is_past = block.last[j] <= negligible && block.last[j] <= block.previous[j];
        count_open += is_left ? Index{has_left && left_bound > negligible &&
                                      !(is_past && block.total[j] > kSmallest)}
                              : Index{!is_past};
      }
      std::copy_n(block.total.data(), block.count, p + first);
    }
    open[static_cast<std::size_t>(begin / kArmChunk)] = count_open;
  });
  return std::accumulate(open.begin(), open.end(), Index{0});
}

double MaxIntegrand::log_cdf_at(double f) const {
  const QuadratureNode node{f, 0.0, 0.0};
  return distribution({&node, 1}, false).log_cdf[0];
}

double MaxIntegrand::reach_above(double centre) const {
  // phi((f - mean) / stddev) is kNegligibleDensity of its value at the centre where f - mean is the
  // hypotenuse of centre - mean and factor stddev.
  const double factor = std::sqrt(-2.0 * std::log(kNegligibleDensity));
  const double farthest = std::sqrt(-2.0 * std::log(kSmallest));
  std::vector<double> reach(static_cast<std::size_t>((n_ + kArmChunk - 1) / kArmChunk), 0.0);
  parallel_for(n_, kArmChunk, [&](Index begin, Index end) {
    double largest = 0.0;
    for (Index i = begin; i < end; ++i) {
      const double below = centre - mean_[i];
      if (below > farthest * stddev_[i]) continue;
      const double side = factor * stddev_[i];
      largest = std::max(largest, std::sqrt(below * below + side * side) - below);
    }
    reach[static_cast<std::size_t>(begin / kArmChunk)] = largest;
  });
  return *std::max_element(reach.begin(), reach.end());
}

NodeMap MaxIntegrand::make_map() const {
  // kappa of F-LITE, or the highest mean if that is larger: there G is between 1/4 and 1/2 but for
  // certain arms.
  const Eigen::Map<const Vector> mean(mean_, n_), stddev(stddev_, n_);
  const ThresholdSolution threshold =
      solve_threshold(mean, stddev, Sigmoid::kNormalCdf, {.epsilon = 1e-2});
  double centre = summary_.highest_mean;
  if (threshold.pom.kappa) centre = std::max(centre, *threshold.pom.kappa);
  if (summary_.certain > 0) centre = std::max(centre, summary_.best_certain);

  // Distances at which log G has fallen to -7, to where nothing matters, and has risen to -1e-3.
  const auto distance_to = [&](double log_cdf, double sign) {
    const auto is_reached = [&](double distance) {
      return sign * (log_cdf_at(centre + sign * distance) - log_cdf) >= 0.0;
    };
    double distance = summary_.largest_stddev;
    while (!is_reached(distance)) distance *= 2.0;
    while (distance > summary_.smallest_stddev && is_reached(0.5 * distance)) distance *= 0.5;
    // Between half of this and this: to an eighth, as the number of nodes depends on it.
    for (const double fraction : {0.75, 0.875}) {
      if (is_reached(fraction * distance)) return fraction * distance;
    }
    return distance;
  };
  // About a standard deviation of the maximum, or less; the rules halve it as often as they must.
  // At least what reaches the tails of wide arms above a narrow maximum, which then counts as
  // narrow.
  const double scale = std::max((distance_to(-7.0, -1.0) + distance_to(-1e-3, 1.0)) / 8.5,
                                reach_above(centre) / kMostScales);
  const double relevant = distance_to(kRelevantLogCdf, -1.0);

  std::vector<NodeMap::NarrowArm> narrow;
  for (Index i = 0; i < n_; ++i) {
    if (is_certain(stddev_[i]) && i != best_certain_) continue;
    const double sigma = is_certain(stddev_[i]) ? certain_stddev_ : stddev_[i];
    if (sigma >= kNarrowFraction * scale || mean_[i] + 8.0 * sigma < centre - relevant) continue;
    narrow.push_back({mean_[i], sigma});
  }
  return {centre, scale, std::move(narrow)};
}

}  // namespace pomlux
