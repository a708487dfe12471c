// SPDX-License-Identifier: MIT
#include <algorithm>  // std::sort
#include <array>      // nodes
#include <cmath>      // std::exp
#include <numeric>    // std::iota
#include <pomlux/core/isa.hpp>
#include <pomlux/core/level_tables.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/local_hazard_panels.hpp>

namespace pomlux {

const detail::HazardKernels& detail::hazard_kernels(Isa level) {
  return POMLUX_LEVEL_TABLES(kHazardKernels).at(level, "hazard_kernels");
}

namespace {

constexpr std::size_t kNodes = detail::kHazardLevels;
constexpr Index kPanelChunk = 16;  // arms of a parallel chunk
constexpr Index kSumChunk = 4096;
constexpr std::size_t kSumBlock = 256;
constexpr double kAbove = 5.0;       // standard deviations above its mean that an arm matters
constexpr double kNegligible = 6.0;  // and from which on its hazard counts as 0

using Nodes = std::array<double, kNodes>;

/// Gauss-Legendre on [-1, 1], exact for polynomials up to degree 15.
constexpr Nodes kPlaces = {-0.96028985649753623168,
                           -0.79666647741362673959,
                           -0.52553240991632898582,
                           -0.18343464249564980494,
                           0.18343464249564980494,
                           0.52553240991632898582,
                           0.79666647741362673959,
                           0.96028985649753623168};
constexpr Nodes kWeights = {0.10122853629037625915,
                            0.22238103445337447054,
                            0.31370664587788728734,
                            0.36268378337836198297,
                            0.36268378337836198297,
                            0.31370664587788728734,
                            0.22238103445337447054,
                            0.10122853629037625915};

/// [i][j]: integral from node i to 1 of the Lagrange polynomial of node j.
constexpr std::array<Nodes, kNodes> upper_integrals() {
  std::array<Nodes, kNodes> result{};
  for (std::size_t i = 0; i < kNodes; ++i) {
    const double half = 0.5 * (1.0 - kPlaces[i]);
    for (std::size_t k = 0; k < kNodes; ++k) {
      const double t = kPlaces[i] + half * (1.0 + kPlaces[k]);
      for (std::size_t j = 0; j < kNodes; ++j) {
        double value = 1.0;
        for (std::size_t q = 0; q < kNodes; ++q) {
          if (q != j) value *= (t - kPlaces[q]) / (kPlaces[j] - kPlaces[q]);
        }
        result[i][j] += half * kWeights[k] * value;
      }
    }
  }
  return result;
}
constexpr std::array<Nodes, kNodes> kUpperIntegrals = upper_integrals();

/// Where panels end.
class Panels {
 public:
  Panels(const HazardArms& arms, const Vector& mean, const HazardPanelOptions& options)
      : arms_(arms), mean_(mean), options_(options), order_(arms.arms.size()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    tops_ = mean + kAbove * arms.stddev;
    std::sort(order_.begin(), order_.end(), [&](Index a, Index b) {
      return tops_(a) > tops_(b) || (tops_(a) == tops_(b) && a < b);
    });
    top_ = find_top();
    hazard_at_top_ = hazard(top_);
  }

  [[nodiscard]] double top() const { return top_; }

  /// The sum of the hazards of independent arms.
  [[nodiscard]] double hazard(double level) const {
    return parallel_sum(mean_.size(), kSumChunk, [&](Index begin, Index end) {
      double sum = 0.0;
      std::array<double, kSumBlock> values;
      for (Index first = begin; first < end; first += kSumBlock) {
        const auto count = std::min(kSumBlock, static_cast<std::size_t>(end - first));
        for (std::size_t i = 0; i < count; ++i) {
          const Index x = first + static_cast<Index>(i);
          values[i] = (level - mean_(x)) * arms_.inverse_stddev(x);
        }
        normal_reverse_hazard(std::span(values).first(count), std::span(values).first(count));
        for (std::size_t i = 0; i < count; ++i) {
          sum += values[i] * arms_.inverse_stddev(first + static_cast<Index>(i));
        }
      }
      return sum;
    });
  }

  /// The lower end of the panel below top(), given how many times the hazard is that of independent
  /// arms.
  [[nodiscard]] double bottom(double ratio, double floor) {
    double low = std::max(narrow_bottom(), floor);
    for (int tries = 0; tries < kMostTries; ++tries) {
      const double width = top_ - low;
      const double at_low = hazard(low);
      const double predicted =
          ratio * width / 6.0 * (hazard_at_top_ + 4.0 * hazard(low + 0.5 * width) + at_low);
      if (!(predicted > options_.drop) || !(top_ - 0.5 * width < top_)) {
        hazard_at_low_ = at_low;
        return low;
      }
      low = top_ - width * std::max(0.3, 0.9 * options_.drop / predicted);
    }
    hazard_at_low_ = hazard(low);
    return low;
  }

  void go_to(double low) {
    top_ = low;
    hazard_at_top_ = hazard_at_low_;
  }

 private:
  static constexpr int kMostTries = 200;

  /// About where sum_x P(F_x > f) = tail: between what one arm and what all would need.
  [[nodiscard]] double find_top() const {
    constexpr int kHalvings = 12;
    const auto n = static_cast<double>(mean_.size());
    const double one = -normal_quantile(options_.tail), all = -normal_quantile(options_.tail / n);
    double low = (mean_ + one * arms_.stddev).maxCoeff();
    double high = (mean_ + all * arms_.stddev).maxCoeff();
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = low + 0.5 * (high - low);
      const ArmSums sums = sum_normal_cdf({mean_.data(), static_cast<std::size_t>(mean_.size())},
                                          {arms_.stddev.data(), arms_.arms.size()},
                                          middle,
                                          0.0,
                                          {});
      (sums.value > options_.tail ? low : high) = middle;
    }
    return high;
  }

  /// As low as the width of the narrowest arm that matters in between allows.
  [[nodiscard]] double narrow_bottom() {
    const auto count = static_cast<Index>(order_.size());
    const auto arm = [&](Index k) { return order_[static_cast<std::size_t>(k)]; };
    for (; entered_ < count && tops_(arm(entered_)) >= top_; ++entered_) {
      narrowest_ = std::min(narrowest_, arms_.stddev(arm(entered_)));
    }
    double low = top_ - options_.width * narrowest_;
    for (Index k = entered_; k < count && tops_(arm(k)) > low; ++k) {
      const double own = top_ - options_.width * arms_.stddev(arm(k));
      if (own <= low) continue;
      if (tops_(arm(k)) <= own) return std::min(tops_(arm(k)), top_);
      low = own;
    }
    return low;
  }

  const HazardArms& arms_;
  const Vector& mean_;
  const HazardPanelOptions& options_;
  std::vector<Index> order_;  // descending by tops_
  Vector tops_;
  Index entered_ = 0;
  double narrowest_ = kInfinity;  // of those entered
  double top_ = 0.0;
  double hazard_at_top_ = 0.0;
  double hazard_at_low_ = 0.0;
};

/// The hazards of all arms at the levels of a panel.
class HazardTable {
 public:
  HazardTable(const HazardArms& arms, const Vector& mean, const std::vector<bool>& propagates)
      : arms_(arms),
        mean_(mean),
        propagates_(propagates),
        kernels_(detail::hazard_kernels(active_isa_level())),
        values_(kNodes, arms.size()) {}

  void fill(const Nodes& levels, double low) {
    parallel_for(arms_.size(), kPanelChunk, [&](Index begin, Index end) {
      std::vector<double> scratch(detail::hazard_scratch(static_cast<std::size_t>(arms_.most)));
      for (Index x = begin; x < end; ++x) {
        if (is_negligible(x, low)) {
          values_.col(x).setZero();
        } else {
          fill_arm(x, levels, scratch.data());
        }
      }
    });
  }

  [[nodiscard]] bool is_negligible(Index x, double low) const {
    return (low - mean_(x)) * arms_.inverse_stddev(x) > kNegligible;
  }

  [[nodiscard]] const Eigen::Matrix<double, kNodes, Eigen::Dynamic>& values() const {
    return values_;
  }

 private:
  /// Should moments fail on a covariance, with less of it.
  void fill_arm(Index x, const Nodes& levels, double* scratch) {
    const detail::HazardArm arm = arms_.view(x, mean_.data());
    double* const out = values_.col(x).data();
    if (arm.m > 0 && propagates_[static_cast<std::size_t>(x)]) {
      kernels_.propagation(arm, levels.data(), scratch, out);
      if (values_.col(x).allFinite()) return;
    }
    if (arm.m > 0) {
      kernels_.sequential(arm, levels.data(), scratch, out);
      if (values_.col(x).allFinite()) return;
    }
    kernels_.independent(arm, levels.data(), scratch, out);
  }

  const HazardArms& arms_;
  const Vector& mean_;
  const std::vector<bool>& propagates_;
  const detail::HazardKernels& kernels_;
  Eigen::Matrix<double, kNodes, Eigen::Dynamic> values_;
};

}  // namespace

HazardSolution integrate_hazard(const HazardArms& arms,
                                const Vector& mean,
                                const std::vector<bool>& propagates,
                                double floor,
                                const HazardPanelOptions& options) {
  constexpr double kMostRatio = 1.5, kRatioMargin = 1.3;
  const Index n = arms.size();
  HazardSolution result;
  result.probabilities = Vector::Zero(n);
  Panels panels(arms, mean, options);
  HazardTable table(arms, mean, propagates);
  double log_rest = 0.0, ratio = 1.0;
  Index evaluations = 0, propagations = 0;
  while (result.panels < options.max_panels && !result.is_complete) {
    const double low = panels.bottom(ratio, floor);
    const double half = 0.5 * (panels.top() - low);
    Nodes levels;
    for (std::size_t i = 0; i < kNodes; ++i) levels[i] = low + half * (1.0 + kPlaces[i]);
    table.fill(levels, low);
    Eigen::Matrix<double, kNodes, 1> sum = Eigen::Matrix<double, kNodes, 1>::Zero();
    for (Index x = 0; x < n; ++x) sum += table.values().col(x);
    Eigen::Matrix<double, kNodes, 1> weights;
    double fall = 0.0;
    for (std::size_t i = 0; i < kNodes; ++i) {
      double above = 0.0;
      for (std::size_t j = 0; j < kNodes; ++j) {
        above += kUpperIntegrals[i][j] * sum(static_cast<Index>(j));
      }
      weights(static_cast<Index>(i)) =
          half * kWeights[i] * std::exp(log_rest - half * std::max(above, 0.0));
      fall += half * kWeights[i] * sum(static_cast<Index>(i));
    }
    for (Index x = 0; x < n; ++x) {
      if (table.is_negligible(x, low)) continue;
      result.probabilities(x) += weights.dot(table.values().col(x));
      ++evaluations;
      propagations += propagates[static_cast<std::size_t>(x)] ? 1 : 0;
    }
    log_rest -= fall;
    ratio = std::min(kMostRatio, kRatioMargin * sum(0) / panels.hazard(levels[0]));
    if (std::isnan(ratio)) ratio = 1.0;
    panels.go_to(low);
    ++result.panels;
    result.is_complete = log_rest < std::log(options.least_probability) || low <= floor;
  }
  result.rest = std::exp(log_rest);
  result.mass = result.probabilities.sum();
  result.propagated_share =
      evaluations > 0 ? static_cast<double>(propagations) / static_cast<double>(evaluations) : 0.0;
  return result;
}

}  // namespace pomlux
