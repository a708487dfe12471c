// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <array>      // block buffers
#include <cmath>      // std::log
#include <limits>     // infinities
#include <pomlux/core/normal.hpp>
#include <pomlux/estimators/marginals.hpp>
#include <pomlux/estimators/quartile_match.hpp>
#include <pomlux/estimators/safe_newton.hpp>

namespace pomlux {
namespace {

/// Lanes that need more Newton steps than this are finished one by one.
constexpr int kBlockSteps = 8;
/// A step this small is the last: the error behind it is of the order of its square.
constexpr double kLastStep = 1e-8;
/// Left of this, differences of log Phi cancel; the finishing solver has a form that does not.
constexpr double kFarLeft = -4.0;
constexpr double kFarthest = -1e100;

/// Equation and slope at one u.
struct Evaluation {
  double residual = 0.0;
  double slope = 0.0;
};

/// log Phi(u) - log Phi(w) - log b, w = delta + rho u. With Phi = phi / hazard it is
/// (w - u)(w + u) / 2 + log(hazard(w) / hazard(u)), which does not cancel far on the left.
Evaluation evaluate(double u, double delta, double one_minus_rho, double log_b) {
  const double difference = delta - one_minus_rho * u;  // w - u > 0
  const double w = u + difference;
  const double hazard_u = normal_reverse_hazard(u);
  const double hazard_w = normal_reverse_hazard(w);
  Evaluation result;
  result.residual = w < -1.0 ? 0.5 * difference * (w + u) + std::log(hazard_w / hazard_u) - log_b
                             : log_normal_cdf(u) - log_normal_cdf(w) - log_b;
  result.slope = hazard_u - (1.0 - one_minus_rho) * hazard_w;
  return result;
}

/// Root by a bracketed Newton method in v = log(1 + upper - u), where u spans up to a hundred
/// decades. The residual increases in u, so it decreases in v.
double solve_one(double delta, double one_minus_rho, double log_b, double upper) {
  if (!(delta > 0.0) && !(one_minus_rho > 0.0)) return -std::numeric_limits<double>::infinity();
  const double farthest = std::log(-kFarthest);
  const auto u_of = [upper](double v) { return upper - std::expm1(v); };
  if (evaluate(u_of(farthest), delta, one_minus_rho, log_b).residual > 0.0) {
    return -std::numeric_limits<double>::infinity();
  }
  SafeNewton newton(0.0, farthest);
  double v = std::log(2.0);
  for (int i = 0; i < 400; ++i) {
    const Evaluation e = evaluate(u_of(v), delta, one_minus_rho, log_b);
    const double next = newton.next(v, e.residual, -e.slope * std::exp(v));
    if (next == v) break;
    v = next;
  }
  return u_of(v);
}

/// Newton steps for a whole block from the upper end of the bracket.
class BlockNewton {
 public:
  BlockNewton(const QuartileProblem& problem, double b)
      : problem_(problem), size_(problem.delta.size()), log_b_(std::log(b)) {}

  /// Moves every lane of u by one step; returns the number of lanes that are not done.
  std::size_t step(std::span<double> u, double upper) {
    for (std::size_t j = 0; j < size_; ++j) {
      w_[j] = u[j] + (problem_.delta[j] - problem_.one_minus_rho[j] * u[j]);
    }
    log_normal_cdf(u, std::span(log_cdf_u_).first(size_));
    normal_reverse_hazard(u, std::span(hazard_u_).first(size_));
    log_normal_cdf(std::span(w_).first(size_), std::span(log_cdf_w_).first(size_));
    normal_reverse_hazard(std::span(w_).first(size_), std::span(hazard_w_).first(size_));
    std::size_t open = 0;
    for (std::size_t j = 0; j < size_; ++j) {
      const double residual = log_cdf_u_[j] - log_cdf_w_[j] - log_b_;
      const double slope = hazard_u_[j] - (1.0 - problem_.one_minus_rho[j]) * hazard_w_[j];
      const double next = std::min(u[j] - residual / slope, upper);
      // A lane far on the left, or with no slope, stays open and is finished alone.
      is_open_[j] = std::abs(next - u[j]) > kLastStep || !(next > kFarLeft);
      u[j] = next > kFarLeft ? next : kFarLeft;
      open += is_open_[j] ? 1 : 0;
    }
    return open;
  }

  [[nodiscard]] bool is_open(std::size_t lane) const { return is_open_[lane]; }

 private:
  QuartileProblem problem_;
  std::size_t size_;
  double log_b_;
  std::array<double, kArmBlock> w_, log_cdf_u_, log_cdf_w_, hazard_u_, hazard_w_;
  std::array<bool, kArmBlock> is_open_{};
};

}  // namespace

void match_quartile(const QuartileProblem& problem, double b, std::span<double> u) {
  const double upper = normal_quantile(b);
  std::fill(u.begin(), u.end(), upper);
  BlockNewton newton(problem, b);
  std::size_t open = u.size();
  for (int i = 0; i < kBlockSteps && open > 0; ++i) open = newton.step(u, upper);
  for (std::size_t j = 0; open > 0 && j < u.size(); ++j) {
    if (!newton.is_open(j)) continue;
    u[j] = solve_one(problem.delta[j], problem.one_minus_rho[j], std::log(b), upper);
  }
}

}  // namespace pomlux
