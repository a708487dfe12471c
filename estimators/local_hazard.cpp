// SPDX-License-Identifier: MIT
#include <algorithm>  // std::sort
#include <array>      // reference arms
#include <cmath>      // std::abs
#include <numeric>    // std::iota
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/local_hazard.hpp>
#include <pomlux/estimators/local_hazard_panels.hpp>
#include <pomlux/estimators/marginals.hpp>

namespace pomlux {
namespace {

constexpr double kEqualMeans = 1e-9;        // standard deviations
constexpr double kEqualCorrelation = 1e-6;  // below 1

/// The problem in units in which nothing overflows.
struct Belief {
  const GaussianVector& f;
  Vector mean;
  Vector stddev;
  MarginalSummary summary;
};

Belief make_belief(const GaussianVector& f) {
  Belief belief{f, f.mean(), f.stddev(), summarise(f.mean(), f.stddev())};
  const double scale = safe_scale(belief.summary);
  if (scale != 1.0 && !is_trivial(belief.summary)) {
    belief.mean *= scale;
    belief.stddev *= scale;
    belief.summary = summarise(belief.mean, belief.stddev);
  }
  return belief;
}

/// The arms that the others are compared with: most probable, highest, surest.
std::vector<Index> reference_arms(const Belief& belief, const Vector& weights) {
  std::array<Index, 3> best{};
  weights.maxCoeff(&best[0]);
  belief.mean.maxCoeff(&best[1]);
  (belief.mean - 2.0 * belief.stddev).maxCoeff(&best[2]);
  std::vector<Index> result;
  for (const Index b : best) {
    const bool is_known = std::find(result.begin(), result.end(), b) != result.end();
    if (!is_known && !is_certain(belief.stddev(b))) result.push_back(b);
  }
  return result;
}

/// The uncertain arms but for those that are below a reference arm or the best certain one with a
/// probability of at least 1 - prune_mass / n.
std::vector<Index> prune(const Belief& belief, const Vector& weights, double prune_mass) {
  const Index n = belief.mean.size();
  const double least = normal_quantile(prune_mass / static_cast<double>(n));
  const std::vector<Index> references = reference_arms(belief, weights);
  const Matrix columns = references.empty() ? Matrix() : belief.f.covariance_columns(references);
  // A difference below this share of the standard deviations is rounding.
  constexpr double kResolved = 1e-6;
  std::vector<Index> active;
  for (Index x = 0; x < n; ++x) {
    const double sx = belief.stddev(x);
    if (is_certain(sx)) continue;
    bool is_active = !(belief.mean(x) - belief.summary.best_certain < least * sx);
    for (std::size_t k = 0; k < references.size() && is_active; ++k) {
      const Index b = references[k];
      if (b == x) continue;
      const double sb = belief.stddev(b);
      const double correlation =
          columns(x, static_cast<Index>(k)) / belief.f.stddev()(x) / belief.f.stddev()(b);
      const double size = std::hypot(sx, sb);
      const double excess =
          std::max(1.0 - 2.0 * correlation * (sx / size) * (sb / size), kResolved * kResolved);
      is_active = !(belief.mean(x) - belief.mean(b) < least * size * std::sqrt(excess));
    }
    if (is_active) active.push_back(x);
  }
  return active;
}

/// Means are relative to that of the arm which ends the integral, where levels must be finest.
HazardArms make_arms(const Belief& belief, std::vector<Index> active, double& origin) {
  HazardArms arms;
  const auto n = std::ssize(active);
  arms.mean.resize(n);
  arms.stddev.resize(n);
  double highest = -kInfinity;
  for (const Index x : active) {
    const double end = belief.mean(x) - 5.0 * belief.stddev(x);
    if (end > highest) {
      highest = end;
      origin = belief.mean(x);
    }
  }
  if (belief.summary.best_certain > highest) origin = belief.summary.best_certain;
  for (Index i = 0; i < n; ++i) {
    const Index x = active[static_cast<std::size_t>(i)];
    arms.mean(i) = belief.mean(x) - origin;
    arms.stddev(i) = belief.stddev(x);
  }
  arms.inverse_stddev = arms.stddev.cwiseInverse();
  arms.arms = std::move(active);
  return arms;
}

/// For each arm the first one that it equals, itself if there is none before.
std::vector<Index> find_equals(const HazardArms& arms) {
  std::vector<Index> first(arms.arms.size());
  std::iota(first.begin(), first.end(), Index{0});
  const auto root = [&](Index i) {
    while (first[static_cast<std::size_t>(i)] != i) i = first[static_cast<std::size_t>(i)];
    return i;
  };
  for (Index i = 0; i < arms.size(); ++i) {
    const auto count = static_cast<Index>(arms.count[static_cast<std::size_t>(i)]);
    for (Index k = 0; k < count; ++k) {
      const auto slot = static_cast<std::size_t>(i * arms.most + k);
      const Index z = arms.neighbours[slot];
      const double tolerance = kEqualMeans * arms.stddev(i);
      if (!(arms.correlation[slot] > 1.0 - kEqualCorrelation)) continue;
      if (std::abs(arms.mean(i) - arms.mean(z)) > tolerance) continue;
      const Index a = root(i), b = root(z);
      first[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  for (Index i = 0; i < arms.size(); ++i) first[static_cast<std::size_t>(i)] = root(i);
  return first;
}

class Solver {
 public:
  Solver(const GaussianVector& f, const LocalHazardOptions& options)
      : options_(options), belief_(make_belief(f)) {}

  LocalHazardResult run() {
    const Index n = belief_.mean.size();
    LocalHazardResult result;
    if (is_trivial(belief_.summary)) {
      result.pom.probabilities = trivial_probabilities(belief_.mean, belief_.summary);
      result.pom.numerical_error = 0.0;
      result.pom.status = Status::kConverged;
      return result;
    }
    const Vector weights = f_lite(belief_.mean, belief_.stddev).probabilities;
    set_arms(prune(belief_, weights, options_.prune_mass));
    merge_equals();
    const HazardSolution solution = integrate();
    result.active_arms = arms_.size();
    result.panels = solution.panels;
    result.mass = solution.mass + (has_certain() ? solution.rest : 0.0);
    result.propagated_share = solution.propagated_share;
    result.pom.probabilities = spread(solution, n);
    result.pom.iterations = solution.panels;
    const double missing = has_certain() ? 0.0 : solution.rest;
    result.pom.numerical_error = std::abs(1.0 - missing - result.mass) + missing;
    result.pom.status = solution.is_complete ? Status::kConverged : Status::kIterationLimit;
    return result;
  }

 private:
  [[nodiscard]] bool has_certain() const { return belief_.summary.certain > 0; }

  void set_arms(std::vector<Index> active) {
    arms_ = make_arms(belief_, std::move(active), origin_);
    find_neighbours(belief_.f, options_.neighbours, 0.0, arms_);
  }

  /// Keeps one of each set of equal arms; equals_ remembers the others.
  void merge_equals() {
    const std::vector<Index> first = find_equals(arms_);
    std::vector<Index> kept;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i] == static_cast<Index>(i)) kept.push_back(arms_.arms[i]);
      equals_.emplace_back(arms_.arms[i], arms_.arms[static_cast<std::size_t>(first[i])]);
    }
    if (kept.size() < first.size()) set_arms(std::move(kept));
  }

  [[nodiscard]] HazardSolution integrate() const {
    HazardSolution solution;
    if (arms_.size() == 0) return solution;  // the certain arm has it all
    std::vector<bool> propagates(arms_.arms.size());
    for (Index i = 0; i < arms_.size(); ++i) {
      propagates[static_cast<std::size_t>(i)] = options_.moments == HazardMoments::kPropagation ||
                                                (options_.moments == HazardMoments::kAuto &&
                                                 arms_.strongest(i) > options_.strong_correlation);
    }
    const double floor = has_certain() ? belief_.summary.best_certain - origin_ : -kInfinity;
    return integrate_hazard(
        arms_, arms_.mean, propagates, floor, {.max_panels = options_.max_panels});
  }

  /// The result for all arms, normalised.
  [[nodiscard]] Vector spread(const HazardSolution& solution, Index n) const {
    Vector p = Vector::Zero(n);
    std::vector<std::pair<Index, Index>> sets(equals_);  // (arm, the first that equals it)
    Vector sharers = Vector::Zero(n);
    for (const auto& [arm, first] : sets) sharers(first) += 1.0;
    for (Index i = 0; i < arms_.size(); ++i) {
      const Index x = arms_.arms[static_cast<std::size_t>(i)];
      p(x) = solution.probabilities(i) / sharers(x);
    }
    for (const auto& [arm, first] : sets) p(arm) = p(first);
    if (has_certain()) {
      const double share = solution.rest / static_cast<double>(belief_.summary.best_certain_count);
      for (Index i = 0; i < n; ++i) {
        if (is_certain(belief_.stddev(i)) && belief_.mean(i) == belief_.summary.best_certain) {
          p(i) = share;
        }
      }
    }
    return p / p.sum();
  }

  const LocalHazardOptions& options_;
  Belief belief_;
  HazardArms arms_;
  double origin_ = 0.0;
  std::vector<std::pair<Index, Index>> equals_;
};

/// Without a covariance there is nothing to see in neighbours.
LocalHazardResult solve(const GaussianVector& f, const LocalHazardOptions& options) {
  if (f.has_covariance()) return Solver(f, options).run();
  LocalHazardResult result;
  result.pom = independence(f.mean(), f.stddev());
  result.active_arms = f.size();
  return result;
}

}  // namespace

void validate(const LocalHazardOptions& options) {
  constexpr std::string_view where = "local_hazard";
  constexpr auto most = static_cast<Index>(detail::kMostNeighbours);
  if (options.neighbours < 0 || options.neighbours > most) {
    fail(where,
         "neighbours is " + format_number(options.neighbours) + "; must be in 0.." +
             format_number(most));
  }
  if (!(options.strong_correlation > 0.0 && options.strong_correlation <= 1.0)) {
    fail(where,
         "strong_correlation is " + format_number(options.strong_correlation) +
             "; must be in (0, 1]");
  }
  if (!(options.prune_mass > 0.0 && options.prune_mass <= 0.1)) {
    fail(where, "prune_mass is " + format_number(options.prune_mass) + "; must be in (0, 0.1]");
  }
  if (options.max_panels < 1) {
    fail(where, "max_panels is " + format_number(options.max_panels) + "; must be >= 1");
  }
}

LocalHazard::LocalHazard(LocalHazardOptions options) : options_(options) { validate(options_); }

Pom LocalHazard::do_estimate(const GaussianVector& f, Rng&) const { return solve(f, options_).pom; }

LocalHazardResult local_hazard(const GaussianVector& f, Rng&, const LocalHazardOptions& options) {
  validate(options);
  require_marginals("local_hazard", f.mean(), f.stddev());
  return solve(f, options);
}

}  // namespace pomlux
