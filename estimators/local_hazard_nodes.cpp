// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // std::abs
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/core/pom.hpp>
#include <pomlux/core/sobol.hpp>
#include <pomlux/estimators/local_hazard_nodes.hpp>
#include <vector>  // parts

namespace pomlux {
namespace {

// Of the integral over the level at a node.
constexpr double kNodeTail = 1e-5;
constexpr double kLeastProbability = 1e-3;
constexpr double kLeftOut = 1e-4;  // probability of the arms left out of a node
constexpr Index kMostParts = 16;   // sums over nodes that are kept apart
constexpr Index kPartNodes = 8;    // at least in each

/// [most, r]; the first half and the whole are both spread evenly.
Matrix factor_nodes(Index r, Index most) {
  Matrix nodes(most, r);
  if (r == 1) {
    for (Index k = 0; k < most; ++k) {
      const Index place = 2 * k < most ? 2 * k : 2 * k - most + 1;
      nodes(k, 0) = normal_quantile((static_cast<double>(place) + 0.5) / static_cast<double>(most));
    }
    return nodes;
  }
  constexpr double kLeast = 1e-12;  // the sequence has 0, but not 1
  Rng rng = make_stream(0, "local_hazard_nodes");
  const Points points = sobol_points(most, r, rng);
  for (Index j = 0; j < r; ++j) {
    for (Index k = 0; k < most; ++k) {
      nodes(k, j) = normal_quantile(std::max(points(k, j), kLeast));
    }
  }
  return nodes;
}

/// The arms without neighbours that matter at a node.
class NodeArms {
 public:
  explicit NodeArms(const HazardArms& arms)
      : all_(arms),
        below_(-normal_quantile(0.5 * kLeftOut)),
        above_(-normal_quantile(0.5 * kLeftOut / static_cast<double>(arms.size()))) {}

  void choose(const Vector& mean, double floor) {
    const double low = std::max((mean - below_ * all_.stddev).maxCoeff(), floor);
    positions_.clear();
    for (Index i = 0; i < mean.size(); ++i) {
      if (mean(i) + above_ * all_.stddev(i) > low) positions_.push_back(i);
    }
    arms_.mean = mean(positions_);
    arms_.stddev = all_.stddev(positions_);
    arms_.inverse_stddev = all_.inverse_stddev(positions_);
    arms_.arms.resize(positions_.size());
    arms_.count.assign(positions_.size(), 0);
    propagates_.assign(positions_.size(), false);
  }

  [[nodiscard]] const HazardArms& arms() const { return arms_; }
  [[nodiscard]] const std::vector<bool>& propagates() const { return propagates_; }
  [[nodiscard]] const std::vector<Index>& positions() const { return positions_; }

 private:
  const HazardArms& all_;
  double below_;  // standard deviations that the best arm may fall below its mean
  double above_;  // and that another may rise above its
  HazardArms arms_;
  std::vector<bool> propagates_;
  std::vector<Index> positions_;
};

}  // namespace

void HazardAverage::add(const HazardSolution& solution,
                        double weight,
                        bool has_certain,
                        std::span<const Index> positions) {
  const double certainly = has_certain ? solution.rest : 0.0;
  const double total = solution.mass + certainly;
  if (!(total > 0.0)) {  // ended before anything was reached
    probabilities.array() += weight / static_cast<double>(probabilities.size());
  } else if (positions.empty()) {
    probabilities += weight / total * solution.probabilities;
  } else {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      probabilities(positions[i]) += weight / total * solution.probabilities(static_cast<Index>(i));
    }
  }
  if (total > 0.0) certain += weight / total * certainly;
  mass += weight * total;
  missing += has_certain ? 0.0 : weight * solution.rest;
  panels += solution.panels;
  propagated_share += weight * solution.propagated_share;
  is_complete = is_complete && solution.is_complete;
}

void HazardAverage::add(const HazardAverage& other, double weight) {
  probabilities += weight * other.probabilities;
  certain += weight * other.certain;
  mass += weight * other.mass;
  missing += weight * other.missing;
  panels += other.panels;
  propagated_share += weight * other.propagated_share;
  is_complete = is_complete && other.is_complete;
}

double HazardAverage::total_variation(const HazardAverage& other) const {
  return pomlux::total_variation(probabilities, other.probabilities) +
         0.5 * std::abs(certain - other.certain);
}

namespace {

/// The average over some nodes, the rows of a matrix.
class NodeSum {
 public:
  NodeSum(const HazardArms& arms,
          const Matrix& shifts,
          const std::vector<bool>& propagates,
          double floor,
          int max_panels)
      : arms_(arms),
        shifts_(shifts),
        propagates_(propagates),
        floor_(floor),
        panels_{
            .tail = kNodeTail, .least_probability = kLeastProbability, .max_panels = max_panels} {}

  [[nodiscard]] HazardAverage average(const Eigen::Ref<const Matrix>& nodes) const {
    const Index count = nodes.rows();
    const Index chunk = std::max(kPartNodes, (count + kMostParts - 1) / kMostParts);
    std::vector<HazardAverage> parts(static_cast<std::size_t>((count + chunk - 1) / chunk));
    parallel_for(count, chunk, [&](Index begin, Index end) {
      HazardAverage& part = parts[static_cast<std::size_t>(begin / chunk)];
      part.probabilities = Vector::Zero(arms_.size());
      NodeArms here(arms_);
      for (Index k = begin; k < end; ++k) {
        const Vector mean = arms_.mean + shifts_ * nodes.row(k).transpose();
        add(mean, 1.0 / static_cast<double>(count), here, part);
      }
    });
    HazardAverage sum{.probabilities = Vector::Zero(arms_.size())};
    for (const HazardAverage& part : parts) sum.add(part, 1.0);
    return sum;
  }

 private:
  void add(const Vector& mean, double weight, NodeArms& here, HazardAverage& sum) const {
    const bool has_certain = floor_ > -kInfinity;
    if (arms_.most > 0) {
      sum.add(integrate_hazard(arms_, mean, propagates_, floor_, panels_), weight, has_certain);
      return;
    }
    here.choose(mean, floor_);
    if (here.positions().empty()) {
      sum.certain += weight;
      sum.mass += weight;
      return;
    }
    sum.add(integrate_hazard(here.arms(), here.arms().mean, here.propagates(), floor_, panels_),
            weight,
            has_certain,
            here.positions());
  }

  const HazardArms& arms_;
  const Matrix& shifts_;
  const std::vector<bool>& propagates_;
  double floor_;
  HazardPanelOptions panels_;
};

}  // namespace

FactorAverage average_over_factors(const HazardArms& arms,
                                   const Matrix& shifts,
                                   const std::vector<bool>& propagates,
                                   double floor,
                                   int max_panels,
                                   double tolerance) {
  const Index r = shifts.cols();
  const Index of_one = arms.most > 0 ? kOneFactorNodes : 4 * kOneFactorNodes;
  const Index most = r == 1 ? of_one : arms.most > 0 ? kFewestNodes : kMostNodes;
  const Matrix nodes = factor_nodes(r, most);
  const NodeSum sum(arms, shifts, propagates, floor, max_panels);
  FactorAverage result;
  result.nodes = (r == 1 ? of_one : kFewestNodes) / 2;
  result.average = sum.average(nodes.topRows(result.nodes));
  while (result.nodes < most) {
    const HazardAverage second = sum.average(nodes.middleRows(result.nodes, result.nodes));
    result.roughness = result.average.total_variation(second);
    HazardAverage both{.probabilities = Vector::Zero(arms.size())};
    both.add(result.average, 0.5);
    both.add(second, 0.5);
    result.average = std::move(both);
    result.nodes *= 2;
    if (0.25 * result.roughness <= tolerance) break;
  }
  return result;
}

}  // namespace pomlux
