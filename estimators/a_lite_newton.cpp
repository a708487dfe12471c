// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <array>      // block buffers
#include <cmath>      // std::log
#include <limits>     // machine precision
#include <pomlux/core/memory.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/a_lite_stages.hpp>
#include <pomlux/estimators/max_quadrature.hpp>
#include <pomlux/estimators/quartile_match.hpp>
#include <pomlux/estimators/safe_newton.hpp>

namespace pomlux {
namespace {

/// Rounding of the entries: a few units in the last place of the arguments of Phi.
constexpr double kNewtonRounding = 32.0 * kEpsilon;
/// Residuals below this are rounding; below kStall they fall by chance only, if not by half.
constexpr double kQuartileRounding = 8.0 * kEpsilon;
constexpr double kStall = 512.0 * kEpsilon;
/// Of an excess, see QuartileSearch::relative_error.
constexpr double kExcessRounding = 8.0 * kEpsilon;
/// In units of the leader's stddev: there the second stage is no more sensitive than the first.
constexpr double kFarAbove = 0.125;
/// A gain below this is lost to underflow: the second stage then has the limit of no gain.
constexpr double kNoGain = 1e-290;
/// Phi of this is the entry of a certain winner in the limit: z (u_1 + u_3) / (u_1 - u_3) with
/// u_b = -sqrt(log(1 / b)), z = Phi^-1(3/4).
double winner_argument() {
  const double first = std::sqrt(std::log(4.0));
  const double third = std::sqrt(std::log(4.0 / 3.0));
  return normal_quantile(0.75) * (first + third) / (first - third);
}

/// log Phi(z + e) - log Phi(z) for e >= 0 and log Phi(z) = log_b: relative accuracy down to e = 0
/// by Gauss's rule with three nodes on the reverse hazard, exact to rounding for e < 1/32.
double log_cdf_gain(double z, double e, double log_b) {
  if (e > 0.03125) return log_normal_cdf(z + e) - log_b;
  const double side = 0.5 * std::sqrt(0.6) * e;
  const double middle = z + 0.5 * e;
  return e / 18.0 *
         (5.0 * normal_reverse_hazard(middle - side) + 8.0 * normal_reverse_hazard(middle) +
          5.0 * normal_reverse_hazard(middle + side));
}

/// Search for one quartile of G = Phi((f - base) / stddev) R(f), of the leader and the others: f =
/// base + z stddev + excess with log G(f) = log b = log Phi(z). Works on log(-log G), which is
/// nearly linear in f where many arms compete. Where the leader dominates, log R and the excess
/// vanish together: both keep relative accuracy, as the second stage depends on the ratio of two
/// excesses.
class QuartileSearch {
 public:
  QuartileSearch(double b, double base, double leader_stddev, double upper)
      : log_b_(std::log(b)),
        z_(std::copysign(normal_quantile(0.75), b - 0.5)),
        stddev_(leader_stddev),
        base_(base),
        excess_(std::max(0.0, upper - z_ * leader_stddev)),
        newton_(0.0, excess_) {}

  [[nodiscard]] double excess() const { return excess_; }
  [[nodiscard]] bool is_done() const { return is_done_; }
  /// Bound on the relative error of the excess: of log R, whose arguments are at most c where n
  /// arms leave 1 - R >= n Phi(-c), and of the residual.
  [[nodiscard]] double relative_error(Index n) const {
    const double remainder = std::max(-log_remainder_, std::numeric_limits<double>::min());
    return kExcessRounding *
               (1.0 + std::log(1.0 + static_cast<double>(n)) - std::log(std::min(remainder, 1.0))) +
           best_;
  }

  /// Where the quartile of the leader alone lies is split into the nearest double and the rest, so
  /// that the excess is resolved in the sum.
  [[nodiscard]] QuadratureNode node() const {
    const double own = z_ * stddev_;
    const double nearest = base_ + own;
    const double rest =
        std::abs(base_) > std::abs(own) ? (base_ - nearest) + own : (own - nearest) + base_;
    return {nearest, rest + excess_, 0.0};
  }

  /// Takes log R and its slope at the node.
  void update(double log_remainder, double slope) {
    if (is_done_) return;
    log_remainder_ = log_remainder;
    const double e = excess_ / stddev_;
    const double gain = log_cdf_gain(z_, e, log_b_);
    const double log_cdf = log_normal_cdf(z_ + e) + log_remainder;
    const double change = (gain + log_remainder) / log_b_;
    const double residual = change > -0.5 ? std::log1p(change) : std::log(log_cdf / log_b_);
    // What the residual is in relative terms of the excess.
    const double error = std::abs(residual) * (-log_b_ / gain);
    const bool is_stalled = error <= kStall && error > 0.5 * best_;
    const bool is_exact = gain < kNoGain || error <= kQuartileRounding;
    best_ = is_exact ? 0.0 : std::min(best_, error);
    is_done_ = is_exact || is_stalled;
    if (is_done_) return;
    const double total = normal_reverse_hazard(z_ + e) / stddev_ + slope;
    const double next = newton_.next(excess_, residual, total / log_cdf);
    is_done_ = next == excess_;
    excess_ = next;
  }

 private:
  double log_b_;
  double z_;
  double stddev_;
  double base_;
  double excess_;
  SafeNewton newton_;
  double log_remainder_ = 0.0;
  double best_ = std::numeric_limits<double>::infinity();
  bool is_done_ = false;
};

/// The first stage: m = base + offset and s from how far the quartiles of G lie above those of the
/// leader alone.
struct Match {
  double base = 0.0;
  double leader_stddev = 0.0;
  std::array<double, 2> excess{};
  std::array<double, 2> relative_error{};
  bool is_certain_maximum = false;  ///< both quartiles are the mean of the best certain arm
  int passes = 0;
  bool is_converged = false;

  [[nodiscard]] double offset() const {
    return is_certain_maximum ? excess[1] + quartile() * leader_stddev
                              : 0.5 * (excess[0] + excess[1]);
  }
  /// leader_stddev - s.
  [[nodiscard]] double deficit() const { return (excess[0] - excess[1]) / (2.0 * quartile()); }
  [[nodiscard]] double s() const { return is_certain_maximum ? 0.0 : leader_stddev - deficit(); }
  /// With the excesses off by their errors, apart if `sign` is 1, towards each other if it is -1.
  [[nodiscard]] Match disturbed(double sign) const {
    Match result = *this;
    result.excess[0] *= 1.0 + sign * relative_error[0];
    result.excess[1] *= 1.0 - sign * relative_error[1];
    return result;
  }

  static double quartile() { return normal_quantile(0.75); }
};

/// The upper end of the bracket of Proposition 9; the lower one is the leader's own quartile, as G
/// <= Phi of any arm.
QuartileSearch make_search(double b,
                           double base,
                           double leader_stddev,
                           const MarginalSummary& summary) {
  const double quantile =
      normal_quantile_of_log(std::log(b) / static_cast<double>(summary.uncertain));
  const double upper =
      std::max(summary.highest_mean + quantile * summary.largest_stddev, summary.best_certain);
  return {b, base, leader_stddev, upper - base};
}

Match match_maximum(const VectorRef& mean,
                    const VectorRef& stddev,
                    const MarginalSummary& summary,
                    int max_passes) {
  const MaxIntegrand others = MaxIntegrand::without(summary.leader, mean, stddev, summary);
  Match match;
  match.base = summary.highest_mean;
  match.leader_stddev = stddev(summary.leader);
  std::array<bool, 2> is_jump{};
  constexpr std::array<double, 2> levels{0.25, 0.75};
  if (summary.certain > 0) {
    // G jumps from 0 at the best certain arm: a quartile inside the jump is the arm's mean.
    const QuadratureNode node{summary.best_certain, 0.0, 0.0};
    const double distance = summary.best_certain - match.base;
    const double log_cdf = others.distribution({&node, 1}, false).log_cdf[0] +
                           log_normal_cdf(distance / match.leader_stddev);
    ++match.passes;
    for (std::size_t k = 0; k < 2; ++k) {
      is_jump[k] = log_cdf >= std::log(levels[k]);
      const double own = (k == 0 ? -1.0 : 1.0) * Match::quartile() * match.leader_stddev;
      match.excess[k] = std::max(0.0, distance - own);
    }
    match.is_certain_maximum = is_jump[0] && is_jump[1];
  }
  std::array<QuartileSearch, 2> search{
      make_search(levels[0], match.base, match.leader_stddev, summary),
      make_search(levels[1], match.base, match.leader_stddev, summary)};
  while (match.passes < max_passes) {
    const std::array<QuadratureNode, 2> nodes{{search[0].node(), search[1].node()}};
    const MaxDistribution rest = others.distribution(nodes, true);
    ++match.passes;
    match.is_converged = true;
    for (std::size_t k = 0; k < 2; ++k) {
      search[k].update(rest.log_cdf[k], rest.log_cdf_slope[k]);
      match.is_converged = match.is_converged && (is_jump[k] || search[k].is_done());
    }
    if (match.is_converged) break;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    if (is_jump[k]) continue;
    match.excess[k] = search[k].excess();
    match.relative_error[k] = search[k].relative_error(mean.size());
  }
  return match;
}

/// Entries of one block of arms.
class EntryBlock {
 public:
  EntryBlock(const Match& match, const MarginalSummary& summary, ALiteVariant variant)
      : base_(match.base),
        offset_(match.offset()),
        s_(match.s()),
        leader_one_minus_rho_(std::max(match.deficit(), 0.0) / match.leader_stddev),
        variant_(variant),
        shift_(
            std::max(offset_, std::max(summary.highest_mean, summary.best_certain) - match.base)) {}

  /// `leader` is its place in the block; anything else if it is not there.
  void compute(const double* mu, const double* sigma, Index leader, std::span<double> p) {
    const std::size_t n = p.size();
    if (variant_ != ALiteVariant::kTwo) {
      for (std::size_t j = 0; j < n; ++j) {
        const double distance = (mu[j] - base_) - offset_;
        argument_[j] = ratio(distance, std::hypot(sigma[j], s_));
      }
    } else {
      std::fill_n(argument_.begin(), n, -std::numeric_limits<double>::infinity());
    }
    if (variant_ != ALiteVariant::kOne) raise_to_second(mu, sigma, leader, n);
    normal_cdf(std::span(argument_).first(n), p);
  }

 private:
  /// a / b with the limit 0 / 0 = 0: a certain arm that ties with a certain maximum has p = 1/2.
  static double ratio(double a, double b) { return a == 0.0 ? 0.0 : a / b; }

  /// argument = max(argument, argument of the second stage).
  void raise_to_second(const double* mu, const double* sigma, Index leader, std::size_t n) {
    for (std::size_t j = 0; j < n; ++j) {
      const double distance = shift_ - (mu[j] - base_);
      // A certain arm: s' = stddev_x -> 0, so rho = 1.
      delta_[j] = std::min(ratio(distance, sigma[j]), 1e150);
      one_minus_rho_[j] = is_certain(sigma[j]) ? 0.0 : std::max(sigma[j] - s_, 0.0) / sigma[j];
    }
    if (leader >= 0 && leader < static_cast<Index>(n)) {
      one_minus_rho_[static_cast<std::size_t>(leader)] = leader_one_minus_rho_;
    }
    const QuartileProblem problem{std::span(delta_).first(n), std::span(one_minus_rho_).first(n)};
    match_quartile(problem, 0.25, std::span(first_).first(n));
    match_quartile(problem, 0.75, std::span(third_).first(n));
    const double z = normal_quantile(0.75);
    for (std::size_t j = 0; j < n; ++j) {
      const double s = std::min(s_, sigma[j]);
      const double middle = 0.5 * (first_[j] + third_[j]);
      const double spread = (third_[j] - first_[j]) / (2.0 * z);
      const double distance = ((mu[j] - base_) - shift_) - s * middle;
      const double second = first_[j] == -std::numeric_limits<double>::infinity()
                                ? (is_certain(sigma[j]) ? 0.0 : winner_argument())
                                : ratio(distance, std::hypot(sigma[j], s * spread));
      argument_[j] = std::max(argument_[j], second);
    }
  }

  double base_;
  double offset_;
  double s_;
  double leader_one_minus_rho_;
  ALiteVariant variant_;
  double shift_;  // m' - base
  std::array<double, kArmBlock> argument_, delta_, one_minus_rho_, first_, third_;
};

/// How much the leader's entry changes as the excesses are disturbed by what they are off by, at
/// most their own error where the maximum is well above the leader. The other entries depend on
/// them by a few roundings only.
double leader_error(const VectorRef& mean,
                    const VectorRef& stddev,
                    const Match& match,
                    const MarginalSummary& summary,
                    ALiteVariant variant) {
  if (match.offset() > kFarAbove * match.leader_stddev) {
    return std::max(match.relative_error[0], match.relative_error[1]);
  }
  const auto entry_of = [&](const Match& m) {
    double p = 0.0;
    EntryBlock block(m, summary, variant);
    block.compute(mean.data() + summary.leader, stddev.data() + summary.leader, 0, {&p, 1});
    return p;
  };
  const double p = entry_of(match);
  return std::max(std::abs(entry_of(match.disturbed(1.0)) - p),
                  std::abs(entry_of(match.disturbed(-1.0)) - p));
}

}  // namespace

ALiteResult newton_a_lite(const VectorRef& mean,
                          const VectorRef& stddev,
                          const MarginalSummary& summary,
                          double epsilon,
                          ALiteVariant variant,
                          int max_passes) {
  const Match match = match_maximum(mean, stddev, summary, max_passes);
  ALiteResult result;
  result.m = match.base + match.offset();
  result.s = match.s();
  Pom& pom = result.pom;
  pom.probabilities = make_large_vector(mean.size());
  parallel_for(mean.size(), kArmChunk, [&](Index begin, Index end) {
    EntryBlock block(match, summary, variant);
    for (Index first = begin; first < end; first += kArmBlock) {
      const Index count = std::min(kArmBlock, end - first);
      block.compute(mean.data() + first,
                    stddev.data() + first,
                    summary.leader - first,
                    {pom.probabilities.data() + first, static_cast<std::size_t>(count)});
    }
  });
  pom.iterations = match.passes + 1;
  const double error = match.is_converged
                           ? kNewtonRounding + leader_error(mean, stddev, match, summary, variant)
                           : 1.0;
  pom.numerical_error = std::min(1.0, error);
  pom.status = !match.is_converged ? Status::kIterationLimit
               : epsilon > error   ? Status::kConverged
                                   : Status::kRoundingLimited;
  return result;
}

}  // namespace pomlux
