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
/// Phi of this is the entry of a certain winner in the limit: z (u_1 + u_3) / (u_1 - u_3) with
/// u_b = -sqrt(log(1 / b)), z = Phi^-1(3/4).
double winner_argument() {
  const double first = std::sqrt(std::log(4.0));
  const double third = std::sqrt(std::log(4.0 / 3.0));
  return normal_quantile(0.75) * (first + third) / (first - third);
}

/// Search for one quartile of G: f = base + offset with log G(f) = log b. Works on log(-log G),
/// which is nearly linear in f where many arms compete.
class QuartileSearch {
 public:
  QuartileSearch(double b, double lower, double upper)
      : log_b_(std::log(b)), newton_(lower, upper), offset_(upper) {}

  [[nodiscard]] double offset() const { return offset_; }
  [[nodiscard]] bool is_done() const { return is_done_; }

  void update(double log_cdf, double slope) {
    if (is_done_) return;
    const double residual = std::log(log_cdf / log_b_);
    const double error = std::abs(residual);
    const bool is_stalled = error <= kStall && error > 0.5 * best_;
    best_ = std::min(best_, error);
    is_done_ = error <= kQuartileRounding || is_stalled;
    if (is_done_) return;
    const double next = newton_.next(offset_, residual, slope / log_cdf);
    is_done_ = next == offset_;
    offset_ = next;
  }

 private:
  double log_b_;
  SafeNewton newton_;
  double offset_;
  double best_ = std::numeric_limits<double>::infinity();
  bool is_done_ = false;
};

/// m = base + offset and s of the first stage.
struct Match {
  double base = 0.0;
  double offset = 0.0;
  double s = 0.0;
  int passes = 0;
  bool is_converged = false;
};

/// The bracket of Proposition 9 and two more lower bounds: the leader's own quartile, as G <= Phi
/// of any arm, and the best certain arm, below which G = 0.
QuartileSearch make_search(double b,
                           double base,
                           double leader_stddev,
                           const MarginalSummary& summary) {
  const double quantile =
      normal_quantile(std::pow(b, 1.0 / static_cast<double>(summary.uncertain)));
  const double lower = std::max({summary.lowest_mean + quantile * summary.smallest_stddev,
                                 summary.highest_mean + normal_quantile(b) * leader_stddev,
                                 summary.best_certain});
  const double upper = std::max(lower, summary.highest_mean + quantile * summary.largest_stddev);
  return {b, lower - base, upper - base};
}

Match match_maximum(const VectorRef& mean,
                    const VectorRef& stddev,
                    const MarginalSummary& summary,
                    int max_passes) {
  const MaxIntegrand uncertain(mean, stddev, summary, CertainArms::kLeaveOut);
  Match match;
  match.base = summary.highest_mean;
  std::array<double, 2> quartile{};
  std::array<bool, 2> is_jump{};
  constexpr std::array<double, 2> levels{0.25, 0.75};
  if (summary.certain > 0) {
    // G jumps from 0 at the best certain arm: a quartile inside the jump is the arm's mean.
    const QuadratureNode node{summary.best_certain, 0.0, 0.0};
    const double log_cdf = uncertain.distribution({&node, 1}, false).log_cdf[0];
    ++match.passes;
    for (std::size_t k = 0; k < 2; ++k) {
      is_jump[k] = log_cdf >= std::log(levels[k]);
      quartile[k] = summary.best_certain - match.base;
    }
  }
  std::array<QuartileSearch, 2> search{
      make_search(levels[0], match.base, stddev(summary.leader), summary),
      make_search(levels[1], match.base, stddev(summary.leader), summary)};
  while (match.passes < max_passes) {
    const std::array<QuadratureNode, 2> nodes{
        {{match.base, search[0].offset(), 0.0}, {match.base, search[1].offset(), 0.0}}};
    const MaxDistribution g = uncertain.distribution(nodes, true);
    ++match.passes;
    match.is_converged = true;
    for (std::size_t k = 0; k < 2; ++k) {
      search[k].update(g.log_cdf[k], g.log_cdf_slope[k]);
      match.is_converged = match.is_converged && (is_jump[k] || search[k].is_done());
    }
    if (match.is_converged) break;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    if (!is_jump[k]) quartile[k] = search[k].offset();
  }
  match.offset = 0.5 * (quartile[0] + quartile[1]);
  match.s = (quartile[1] - quartile[0]) / (2.0 * normal_quantile(0.75));
  return match;
}

/// Entries of one block of arms.
class EntryBlock {
 public:
  EntryBlock(const Match& match, const MarginalSummary& summary, ALiteVariant variant)
      : match_(match),
        variant_(variant),
        shift_(std::max(match.offset,
                        std::max(summary.highest_mean, summary.best_certain) - match.base)) {}

  void compute(const double* mu, const double* sigma, std::span<double> p) {
    const std::size_t n = p.size();
    if (variant_ != ALiteVariant::kTwo) {
      for (std::size_t j = 0; j < n; ++j) {
        const double distance = (mu[j] - match_.base) - match_.offset;
        argument_[j] = ratio(distance, std::hypot(sigma[j], match_.s));
      }
    } else {
      std::fill_n(argument_.begin(), n, -std::numeric_limits<double>::infinity());
    }
    if (variant_ != ALiteVariant::kOne) raise_to_second(mu, sigma, n);
    normal_cdf(std::span(argument_).first(n), p);
  }

 private:
  /// a / b with the limit 0 / 0 = 0: a certain arm that ties with a certain maximum has p = 1/2.
  static double ratio(double a, double b) { return a == 0.0 ? 0.0 : a / b; }

  /// argument = max(argument, argument of the second stage).
  void raise_to_second(const double* mu, const double* sigma, std::size_t n) {
    for (std::size_t j = 0; j < n; ++j) {
      const double distance = shift_ - (mu[j] - match_.base);
      // A certain arm: s' = stddev_x -> 0, so rho = 1.
      delta_[j] = std::min(ratio(distance, sigma[j]), 1e150);
      one_minus_rho_[j] =
          is_certain(sigma[j]) ? 0.0 : std::max(sigma[j] - match_.s, 0.0) / sigma[j];
    }
    const QuartileProblem problem{std::span(delta_).first(n), std::span(one_minus_rho_).first(n)};
    match_quartile(problem, 0.25, std::span(first_).first(n));
    match_quartile(problem, 0.75, std::span(third_).first(n));
    const double z = normal_quantile(0.75);
    for (std::size_t j = 0; j < n; ++j) {
      const double s = std::min(match_.s, sigma[j]);
      const double middle = 0.5 * (first_[j] + third_[j]);
      const double spread = (third_[j] - first_[j]) / (2.0 * z);
      const double distance = ((mu[j] - match_.base) - shift_) - s * middle;
      const double second = first_[j] == -std::numeric_limits<double>::infinity()
                                ? (is_certain(sigma[j]) ? 0.0 : winner_argument())
                                : ratio(distance, std::hypot(sigma[j], s * spread));
      argument_[j] = std::max(argument_[j], second);
    }
  }

  Match match_;
  ALiteVariant variant_;
  double shift_;  // m' - base
  std::array<double, kArmBlock> argument_, delta_, one_minus_rho_, first_, third_;
};

}  // namespace

ALiteResult newton_a_lite(const VectorRef& mean,
                          const VectorRef& stddev,
                          const MarginalSummary& summary,
                          double epsilon,
                          ALiteVariant variant,
                          int max_passes) {
  const Match match = match_maximum(mean, stddev, summary, max_passes);
  ALiteResult result;
  result.m = match.base + match.offset;
  result.s = match.s;
  Pom& pom = result.pom;
  pom.probabilities = make_large_vector(mean.size());
  parallel_for(mean.size(), kArmChunk, [&](Index begin, Index end) {
    EntryBlock block(match, summary, variant);
    for (Index first = begin; first < end; first += kArmBlock) {
      const Index count = std::min(kArmBlock, end - first);
      block.compute(mean.data() + first,
                    stddev.data() + first,
                    {pom.probabilities.data() + first, static_cast<std::size_t>(count)});
    }
  });
  pom.iterations = match.passes + 1;
  pom.numerical_error = match.is_converged ? kNewtonRounding : 1.0;
  pom.status = !match.is_converged         ? Status::kIterationLimit
               : epsilon > kNewtonRounding ? Status::kConverged
                                           : Status::kRoundingLimited;
  return result;
}

}  // namespace pomlux
