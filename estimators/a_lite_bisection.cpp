// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <array>      // block buffers
#include <cmath>      // std::log
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/a_lite_stages.hpp>
#include <pomlux/estimators/max_quadrature.hpp>
#include <vector>  // partial results

namespace pomlux {
namespace {

constexpr std::array<double, 2> kLevels{0.25, 0.75};
/// Halvings beyond this depth no longer move doubles.
constexpr int kDeepest = 64;

struct Interval {
  double low = 0.0;
  double up = 0.0;
  [[nodiscard]] double middle() const { return 0.5 * (low + up); }
};

/// Bounds on m and s of either stage.
struct MatchBounds {
  Interval m;
  Interval s;
};

MatchBounds match_bounds(const Interval& first, const Interval& third) {
  const double width = 2.0 * normal_quantile(0.75);
  return {{0.5 * (third.low + first.low), 0.5 * (third.up + first.up)},
          {(third.low - first.up) / width, (third.up - first.low) / width}};
}

/// What rounding leaves unknown of bounds on quartiles, however deep the search.
MatchBounds widened(MatchBounds bounds, const Interval& first, const Interval& third) {
  const double rounding =
      4.0 * kEpsilon *
      std::max({std::abs(first.low), std::abs(first.up), std::abs(third.low), std::abs(third.up)});
  for (Interval* const interval : {&bounds.m, &bounds.s}) {
    interval->low -= rounding;
    interval->up += rounding;
  }
  return bounds;
}

/// A-LITE-I-S with A-LITE-I-SW.
MatchBounds search_first(const MaxIntegrand& arms, const MarginalSummary& summary, int depth) {
  std::array<Interval, 2> q;
  for (std::size_t k = 0; k < 2; ++k) {
    const double z =
        normal_quantile_of_log(std::log(kLevels[k]) / static_cast<double>(arms.size()));
    q[k] = {summary.lowest_mean + summary.smallest_stddev * z,
            summary.highest_mean + summary.largest_stddev * z};
  }
  for (int i = 0; i < depth; ++i) {
    const std::array<QuadratureNode, 2> nodes{
        {{q[0].middle(), 0.0, 0.0}, {q[1].middle(), 0.0, 0.0}}};
    const std::vector<double> log_cdf = arms.distribution(nodes, false).log_cdf;
    for (std::size_t k = 0; k < 2; ++k) {
      const double middle = q[k].middle();
      (log_cdf[k] > std::log(kLevels[k]) ? q[k].up : q[k].low) = middle;
    }
  }
  return widened(match_bounds(q[0], q[1]), q[0], q[1]);
}

/// The second stage for one arm.
class ArmSearch {
 public:
  ArmSearch(double mu, double sigma, const MatchBounds& first, double highest_mean)
      : mu_(mu),
        sigma_(sigma),
        m_{std::max(first.m.low, highest_mean), std::max(first.m.up, highest_mean)},
        s_{std::min(first.s.low, sigma), std::min(first.s.up, sigma)} {}

  /// A-LITE-II-S.
  [[nodiscard]] MatchBounds search(int depth) const {
    std::array<Interval, 2> q{window(0), window(1)};
    for (int i = 0; i < depth; ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        const double middle = q[k].middle();
        const double log_b = std::log(kLevels[k]);
        const double own = log_normal_cdf((middle - mu_) / sigma_);
        const auto log_ratio = [&](double m, double s) {
          return log_normal_cdf((middle - m) / s) - own;
        };
        const double up = std::max(log_ratio(m_.low, s_.up), log_ratio(m_.low, s_.low));
        const double low = std::min(log_ratio(m_.up, s_.up), log_ratio(m_.up, s_.low));
        if (low >= log_b) {
          q[k].up = middle;
        } else if (up <= log_b) {
          q[k].low = middle;
        }
      }
    }
    return match_bounds(q[0], q[1]);
  }

 private:
  /// A-LITE-II-SW. A term without a finite bound (m = mean_x, s = stddev_x) is minus infinity.
  [[nodiscard]] Interval window(std::size_t k) const {
    const double log_factor = std::log(2.0 / kLevels[k]);
    const double distance = m_.low - mu_;
    const double ratio = s_.up / sigma_;
    const double by_mean = distance > 0.0
                               ? 0.5 * (m_.low + mu_) - sigma_ * sigma_ * log_factor / distance
                               : -kFarthest;
    const double by_stddev =
        ratio < 1.0 ? m_.low - std::sqrt(2.0 * log_factor / (1.0 - ratio * ratio)) * s_.up
                    : -kFarthest;
    const double s = k == 0 ? s_.low : s_.up;
    return {std::min(mu_ - std::sqrt(2.0) * sigma_, std::max({by_mean, by_stddev, -kFarthest})),
            m_.up + normal_quantile(kLevels[k]) * s};
  }

  /// Stands for infinity: the search then ends within its depth wherever it is.
  static constexpr double kFarthest = 1e300;

  double mu_;
  double sigma_;
  Interval m_;
  Interval s_;
};

/// Bounds on Phi((mu - m) / hypot(sigma, s)).
Interval entry(double mu, double sigma, const MatchBounds& bounds) {
  const double narrow = std::hypot(sigma, std::max(bounds.s.low, 0.0));
  const double wide = std::hypot(sigma, bounds.s.up);
  const double above = mu - bounds.m.low;
  const double below = mu - bounds.m.up;
  return {normal_cdf(std::min(below / narrow, below / wide)),
          normal_cdf(std::max(above / narrow, above / wide))};
}

struct Outcome {
  double error = 0.0;
  bool has_negative_stddev = false;
};

/// Entries at one depth: their mid-points go to p.
Outcome entries_at_depth(const VectorRef& mean,
                         const VectorRef& stddev,
                         const MatchBounds& first,
                         const MarginalSummary& summary,
                         ALiteVariant variant,
                         int depth,
                         Vector& p) {
  const Index n = mean.size();
  std::vector<Outcome> chunks(static_cast<std::size_t>((n + kArmBlock - 1) / kArmBlock));
  parallel_for(n, kArmBlock, [&](Index begin, Index end) {
    Outcome outcome;
    for (Index i = begin; i < end; ++i) {
      Interval bounds{0.0, 0.0};
      if (variant != ALiteVariant::kTwo) bounds = entry(mean(i), stddev(i), first);
      if (variant != ALiteVariant::kOne) {
        const MatchBounds second =
            ArmSearch(mean(i), stddev(i), first, summary.highest_mean).search(depth);
        outcome.has_negative_stddev = outcome.has_negative_stddev || second.s.low < 0.0;
        const Interval other = entry(mean(i), stddev(i), second);
        bounds = {std::max(bounds.low, other.low), std::max(bounds.up, other.up)};
      }
      outcome.error = std::max(outcome.error, bounds.up - bounds.low);
      p(i) = bounds.middle();
    }
    chunks[static_cast<std::size_t>(begin / kArmBlock)] = outcome;
  });
  Outcome total;
  for (const Outcome& chunk : chunks) {
    total.error = std::max(total.error, chunk.error);
    total.has_negative_stddev = total.has_negative_stddev || chunk.has_negative_stddev;
  }
  return total;
}

}  // namespace

ALiteResult bisect_a_lite(const VectorRef& mean,
                          const VectorRef& stddev,
                          const MarginalSummary& summary,
                          double epsilon,
                          ALiteVariant variant,
                          int max_depth) {
  if (summary.certain > 0) {
    fail("a_lite",
         "root: bisection needs every stddev > 0; " + format_number(summary.certain) +
             " are 0; use root: newton");
  }
  const MaxIntegrand arms(mean, stddev, summary);
  const int deepest = std::min(max_depth, kDeepest);
  ALiteResult result;
  Pom& pom = result.pom;
  pom.probabilities.resize(mean.size());
  Outcome outcome;
  for (int depth = 2;; depth = std::min(2 * depth, deepest)) {
    const MatchBounds first = search_first(arms, summary, depth);
    result.m = first.m.middle();
    result.s = first.s.middle();
    pom.iterations += depth;
    const bool is_last = depth >= deepest;
    if (first.s.low < 0.0 && !is_last) continue;
    outcome = entries_at_depth(mean, stddev, first, summary, variant, depth, pom.probabilities);
    if (is_last || (outcome.error < epsilon && !outcome.has_negative_stddev)) break;
  }
  pom.numerical_error = outcome.error;
  pom.status = outcome.error < epsilon ? Status::kConverged
               : deepest < kDeepest    ? Status::kIterationLimit
                                       : Status::kRoundingLimited;
  return result;
}

}  // namespace pomlux
