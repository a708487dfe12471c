// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // std::abs
#include <pomlux/core/memory.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/independence_guaranteed.hpp>
#include <pomlux/estimators/max_quadrature.hpp>
#include <pomlux/estimators/threshold.hpp>
#include <vector>  // nodes

namespace pomlux {
namespace {

/// Accuracy of the sums over nodes.
constexpr double kSumRounding = 32.0 * kEpsilon;
/// The error at half the step is at most the error before to this power: exp(-c w / h) for an
/// integrand of width w, and smaller as the integrand is nearer to a Gaussian. With arms of
/// widths far apart kMixedHalving.
constexpr double kGaussianHalving = 2.0;
/// Entries below this fraction of the uniform 1 / n do not decide where the step is small enough,
/// unless epsilon is below kDemanding: then all above kSmallest do, which have nodes of their own.
constexpr double kResolved = 1e-8;
constexpr double kDemanding = 1e-12;
constexpr double kSmallest = 1e-20;

/// Trapezoid rule in t = origin + j step; halving keeps all nodes.
class Trapezoid {
 public:
  Trapezoid(const MaxIntegrand& integrand, double epsilon, Vector& p)
      : integrand_(integrand),
        p_(p),
        resolved_(epsilon < kDemanding ? kSmallest : kResolved / static_cast<double>(p.size())) {
    map_ = integrand.make_map();
  }

  /// Nodes at step 1 from the origin outwards until no arm gains from more of them.
  void extend(int max_nodes) {
    p_.setZero();
    Index open = 1;
    // Next to a narrow arm weights may be too small for anything to count.
    const auto is_near = [&] {
      return map_.is_near(map_.at(map_.origin() + static_cast<double>(last_)));
    };
    for (; (open > 0 || is_near()) && num_nodes_ < max_nodes; last_ += kNodeBatch) {
      open = add(map_.origin() + static_cast<double>(last_ + 1), 1.0, kNodeBatch, false, p_);
    }
    open = 1;
    for (; open > 0 && num_nodes_ < max_nodes; first_ -= kNodeBatch) {
      open = add(map_.origin() + static_cast<double>(first_ - 1), -1.0, kNodeBatch, true, p_);
    }
    is_complete_ = open == 0;
  }

  /// Halves the step. Returns the largest change of an entry relative to itself.
  double halve() {
    Vector middle = Vector::Zero(p_.size());
    const int intervals = num_nodes_ - 1;
    const double t = map_.origin() + static_cast<double>(first_) + 0.5 * step_;
    for (int done = 0; done < intervals; done += kNodeBatch) {
      const int count = std::min(kNodeBatch, intervals - done);
      add(t + static_cast<double>(done) * step_, step_, count, false, middle);
    }
    step_ *= 0.5;
    return merge(middle);
  }

  /// The error that is left after a halving with this change.
  [[nodiscard]] double error_after(double change) const {
    return std::pow(change, map_.is_mixed() ? kMixedHalving : kGaussianHalving);
  }

  [[nodiscard]] int num_nodes() const { return num_nodes_; }
  [[nodiscard]] bool is_complete() const { return is_complete_; }

 private:
  /// Adds `count` nodes from t on, in steps of `spacing`.
  Index add(double t, double spacing, int count, bool is_left, Vector& p) {
    std::vector<QuadratureNode> nodes;
    for (int i = 0; i < count; ++i) {
      nodes.push_back(map_.at(t + static_cast<double>(i) * spacing));
      nodes.back().weight *= step_;
    }
    num_nodes_ += count;
    const MaxDistribution g = integrand_.distribution(nodes, false);
    return integrand_.accumulate(nodes, g.log_cdf, is_left, p.data());
  }

  double merge(const Vector& middle) {
    const Index n = p_.size();
    std::vector<double> chunks(static_cast<std::size_t>((n + kArmChunk - 1) / kArmChunk));
    parallel_for(n, kArmChunk, [&](Index begin, Index end) {
      double change = 0.0;
      for (Index i = begin; i < end; ++i) {
        const double sum = p_(i) + middle(i);
        if (sum > 2.0 * resolved_) change = std::max(change, std::abs(p_(i) - middle(i)) / sum);
        p_(i) = 0.5 * sum;
      }
      chunks[static_cast<std::size_t>(begin / kArmChunk)] = change;
    });
    return *std::max_element(chunks.begin(), chunks.end());
  }

  const MaxIntegrand& integrand_;
  Vector& p_;
  double resolved_;
  NodeMap map_;
  double step_ = 1.0;
  Index first_ = 0;  // the nodes of step 1 are j = first_ ... last_
  Index last_ = -1;
  int num_nodes_ = 0;
  bool is_complete_ = false;
};

/// The best certain arm integrates for all that tie with it.
void share_among_ties(const VectorRef& mean,
                      const VectorRef& stddev,
                      const MarginalSummary& summary,
                      Index best,
                      Vector& p) {
  const double share = p(best) / static_cast<double>(summary.best_certain_count);
  for (Index i = 0; i < p.size(); ++i) {
    if (is_certain(stddev(i))) p(i) = mean(i) == summary.best_certain ? share : 0.0;
  }
}

Pom spectral_independence(const VectorRef& mean,
                          const VectorRef& stddev,
                          const MarginalSummary& summary,
                          double epsilon,
                          int max_nodes) {
  Pom pom;
  Vector& p = pom.probabilities;
  p = make_large_vector(mean.size());
  const MaxIntegrand integrand(mean, stddev, summary);
  Trapezoid rule(integrand, epsilon, p);
  rule.extend(max_nodes);
  double error = 1.0;
  while (error > std::max(epsilon, kSumRounding) && 2 * rule.num_nodes() <= max_nodes) {
    error = rule.error_after(rule.halve());
  }
  if (integrand.best_certain() >= 0) {
    share_among_ties(mean, stddev, summary, integrand.best_certain(), p);
  }
  p /= p.sum();
  pom.iterations = 2 * rule.num_nodes();
  pom.numerical_error = std::max(error, kSumRounding) * p.maxCoeff();
  pom.status = !rule.is_complete() || error > std::max(epsilon, kSumRounding)
                   ? Status::kIterationLimit
               : epsilon < kSumRounding ? Status::kRoundingLimited
                                        : Status::kConverged;
  return pom;
}

Pom solve(const VectorRef& mean, const VectorRef& stddev, const IndependenceOptions& options) {
  const MarginalSummary summary = summarise(mean, stddev);
  if (const auto rescaled = rescale_extremes(mean, stddev, summary)) {
    return solve(rescaled->mean, rescaled->stddev, options);
  }
  if (is_trivial(summary)) {
    Pom pom;
    pom.probabilities = trivial_probabilities(mean, summary);
    pom.numerical_error = 0.0;
    pom.status = Status::kConverged;
    return pom;
  }
  const double epsilon = effective_epsilon(options.epsilon, options.alpha, mean.size());
  return options.quadrature == Quadrature::kSpectral
             ? spectral_independence(mean, stddev, summary, epsilon, options.max_nodes)
             : guaranteed_independence(mean, stddev, summary, epsilon, options.max_nodes);
}

}  // namespace

void validate(const IndependenceOptions& options) {
  validate_root_options("independence", options.epsilon, options.alpha, 1);
  if (options.max_nodes < 64) {
    fail("independence", "max_nodes is " + format_number(options.max_nodes) + "; must be >= 64");
  }
}

Independence::Independence(IndependenceOptions options) : options_(options) { validate(options_); }

Pom Independence::do_estimate(const GaussianVector& f, Rng&) const {
  return solve(f.mean(), f.stddev(), options_);
}

Pom independence(const VectorRef& mean,
                 const VectorRef& stddev,
                 const IndependenceOptions& options) {
  validate(options);
  require_marginals("independence", mean, stddev);
  return solve(mean, stddev, options);
}

}  // namespace pomlux
