// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // std::exp
#include <limits>     // machine precision
#include <pomlux/estimators/expected_max.hpp>
#include <pomlux/estimators/max_quadrature.hpp>
#include <vector>  // nodes

namespace pomlux {
namespace {

constexpr double kMomentRounding = 16.0 * std::numeric_limits<double>::epsilon();
/// Probability left out on either side, and share of the second moment beyond the last node above.
constexpr double kTail = 1e-20;
constexpr double kMomentTail = 1e-17;

/// Sums of weight times density of the maximum at distances d from the base.
struct Moments {
  double mass = 0.0;
  double first = 0.0;
  double second = 0.0;

  void add(double weight, double d) {
    mass += weight;
    first += weight * d;
    second += weight * d * d;
  }
  /// The same about another origin.
  [[nodiscard]] Moments about(double origin) const {
    return {mass, first - origin * mass, second - 2.0 * origin * first + origin * origin * mass};
  }
  [[nodiscard]] double mean() const { return first / mass; }
  [[nodiscard]] double spread() const {
    return std::sqrt(std::max(second / mass - mean() * mean(), 0.0));
  }
};

class DensityRule {
 public:
  DensityRule(const MaxIntegrand& integrand, double base)
      : integrand_(integrand), map_(integrand.make_map()), base_(base) {}

  /// Nodes at step 1 outwards until the maximum lies beyond them with probability kTail at most and
  /// changes the moments no more. Cut off earlier, the rule would lose its order.
  void extend(int max_nodes) {
    double log_cdf = 0.0;
    int last = 0;
    do {
      log_cdf = add(map_.origin() + last, 1.0, kNodeBatch, sums_);
      last += kNodeBatch;
      is_complete_ =
          -log_cdf <= kTail && -log_cdf * farthest_ * farthest_ <= kMomentTail * sums_.second;
    } while (!is_complete_ && num_nodes_ < max_nodes);
    do {
      log_cdf = add(map_.origin() + first_ - 1, -1.0, kNodeBatch, sums_);
      first_ -= kNodeBatch;
    } while (log_cdf > std::log(kTail) && num_nodes_ < max_nodes);
    is_complete_ = is_complete_ && log_cdf <= std::log(kTail);
  }

  /// Halves the step. Returns the largest relative change of the sums: one alone may change little
  /// by chance.
  double halve() {
    Moments middle;
    const int intervals = num_nodes_ - 1;
    const double t = map_.origin() + first_ + 0.5 * step_;
    for (int done = 0; done < intervals; done += kNodeBatch) {
      add(t + done * step_, step_, std::min(kNodeBatch, intervals - done), middle);
    }
    step_ *= 0.5;
    const double spread = sums_.spread();
    const Moments before = sums_.about(sums_.mean());
    const Moments between = middle.about(sums_.mean());
    const double change = std::max({std::abs(before.mass - between.mass),
                                    std::abs(before.first - between.first) / spread,
                                    std::abs(before.second - between.second) / (spread * spread)});
    const double mass = sums_.mass + middle.mass;
    sums_ = {mass, sums_.first + middle.first, sums_.second + middle.second};
    return change / mass;
  }

  [[nodiscard]] const Moments& sums() const { return sums_; }
  [[nodiscard]] int num_nodes() const { return num_nodes_; }
  [[nodiscard]] bool is_complete() const { return is_complete_; }

 private:
  /// Returns log G at the last node.
  double add(double t, double spacing, int count, Moments& sums) {
    std::vector<QuadratureNode> nodes;
    for (int i = 0; i < count; ++i) nodes.push_back(map_.at(t + i * spacing));
    num_nodes_ += count;
    const MaxDistribution g = integrand_.distribution(nodes, true);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double cdf = std::exp(g.log_cdf[i]);
      const double weight = cdf > 0.0 ? nodes[i].weight * cdf * g.log_cdf_slope[i] : 0.0;
      farthest_ = (nodes[i].base - base_) + nodes[i].offset;
      sums.add(weight, farthest_);
    }
    return g.log_cdf.back();
  }

  const MaxIntegrand& integrand_;
  NodeMap map_;
  double base_;
  double farthest_ = 0.0;  // distance of the last node from the base
  Moments sums_;
  double step_ = 1.0;
  int first_ = 0;  // lowest node of step 1
  int num_nodes_ = 0;
  bool is_complete_ = false;
};

}  // namespace

ExpectedMax expected_max(const VectorRef& mean,
                         const VectorRef& stddev,
                         const MarginalSummary& summary,
                         double epsilon,
                         int max_nodes) {
  const MaxIntegrand integrand(mean, stddev, summary);
  ExpectedMax result;
  result.base = std::max(summary.highest_mean, summary.best_certain);
  DensityRule rule(integrand, result.base);
  rule.extend(max_nodes);
  result.error = 1.0;
  const double target = std::max(epsilon, kMomentRounding);
  while (result.error > target && 2 * rule.num_nodes() <= max_nodes) {
    const double change = rule.halve();
    result.error = std::pow(change, kMixedHalving);
  }
  result.offset = rule.sums().mean();
  result.spread = rule.sums().spread();
  const QuadratureNode node{result.base, result.offset, 0.0};
  result.log_cdf = integrand.distribution({&node, 1}, false).log_cdf[0];
  result.passes = 2 * rule.num_nodes();
  result.status = !rule.is_complete() || result.error > target ? Status::kIterationLimit
                  : epsilon < kMomentRounding                  ? Status::kRoundingLimited
                                                               : Status::kConverged;
  return result;
}

}  // namespace pomlux
