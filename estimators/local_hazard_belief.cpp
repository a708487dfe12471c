// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <array>      // reference arms
#include <cmath>      // std::hypot
#include <numeric>    // std::iota
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/local_hazard.hpp>  // options
#include <pomlux/estimators/local_hazard_belief.hpp>
#include <pomlux/estimators/local_hazard_nodes.hpp>

namespace pomlux {
namespace {

constexpr Index kChunk = 1024;
constexpr double kEqualMeans = 1e-9;    // standard deviations
constexpr double kEqualStddevs = 1e-6;  // relative
constexpr double kNearlyEqual = 1e-6;   // correlation below 1, before a closer look
constexpr double kRounding = 64.0 * kEpsilon;

/// Whether the difference of two arms has no variance but for rounding.
bool is_same(const GaussianVector& f, Index x, Index z) {
  const double sx = f.stddev()(x), sz = f.stddev()(z), size = std::hypot(sx, sz);
  const double correlation = f.covariance(x, z) / sx / sz;
  return 1.0 - 2.0 * correlation * (sx / size) * (sz / size) <= difference_rounding(f, x, z);
}

/// The arms that the others are compared with: most probable, highest, surest.
std::vector<Index> reference_arms(const HazardBelief& belief, const Vector& weights) {
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
  if (options.factors < 1 || options.factors > kMostFactors) {
    fail(where,
         "factors is " + format_number(options.factors) + "; must be in 1.." +
             format_number(kMostFactors));
  }
  if (!(options.max_error > 0.0)) {
    fail(where, "max_error is " + format_number(options.max_error) + "; must be > 0");
  }
  if (options.max_panels < 1) {
    fail(where, "max_panels is " + format_number(options.max_panels) + "; must be >= 1");
  }
}

double difference_rounding(const GaussianVector& f, Index x, Index z) {
  const double size = std::hypot(f.stddev()(x), f.stddev()(z));
  return kRounding * std::max(1.0, f.covariance_reference() / size / size);
}

HazardBelief make_hazard_belief(const GaussianVector& f) {
  HazardBelief belief{f, 1.0, f.mean(), f.stddev(), summarise(f.mean(), f.stddev())};
  if (auto rescaled = rescale_extremes(belief.mean, belief.stddev, belief.summary)) {
    belief.scale = std::ldexp(1.0, rescaled->exponent);
    belief.mean = std::move(rescaled->mean);
    belief.stddev = std::move(rescaled->stddev);
    belief.summary = summarise(belief.mean, belief.stddev);
  }
  return belief;
}

std::vector<Index> prune_arms(const HazardBelief& belief,
                              const Vector& weights,
                              double prune_mass) {
  const Index n = belief.mean.size();
  const double least = normal_quantile(prune_mass / static_cast<double>(n));
  const std::vector<Index> references = reference_arms(belief, weights);
  const Matrix columns = references.empty() ? Matrix() : belief.f.covariance_columns(references);
  require_correlations("local_hazard", belief.f, {}, references, columns);
  std::vector<char> is_active(static_cast<std::size_t>(n));
  parallel_for(n, kChunk, [&](Index begin, Index end) {
    for (Index x = begin; x < end; ++x) {
      const double sx = belief.stddev(x);
      if (is_certain(sx)) continue;
      bool is_in = !(belief.mean(x) - belief.summary.best_certain < least * sx);
      for (std::size_t k = 0; k < references.size() && is_in; ++k) {
        const Index b = references[k];
        if (b == x) continue;
        const double sb = belief.stddev(b);
        const double correlation =
            columns(x, static_cast<Index>(k)) / belief.f.stddev()(x) / belief.f.stddev()(b);
        const double size = std::hypot(sx, sb);
        const double excess = std::max(1.0 - 2.0 * correlation * (sx / size) * (sb / size),
                                       difference_rounding(belief.f, x, b));
        is_in = !(belief.mean(x) - belief.mean(b) < least * size * std::sqrt(excess));
      }
      is_active[static_cast<std::size_t>(x)] = is_in;
    }
  });
  std::vector<Index> active;
  for (Index x = 0; x < n; ++x) {
    if (is_active[static_cast<std::size_t>(x)]) active.push_back(x);
  }
  return active;
}

HazardArms make_hazard_arms(const HazardBelief& belief, std::vector<Index> active, double& origin) {
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

std::vector<Index> find_equal_arms(const GaussianVector& f, const HazardArms& arms) {
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
      if (!(arms.correlation[slot] > 1.0 - kNearlyEqual)) continue;
      if (std::abs(arms.mean(i) - arms.mean(z)) > tolerance) continue;
      if (std::abs(arms.stddev(i) - arms.stddev(z)) > kEqualStddevs * arms.stddev(i)) continue;
      if (!is_same(
              f, arms.arms[static_cast<std::size_t>(i)], arms.arms[static_cast<std::size_t>(z)])) {
        continue;
      }
      const Index a = root(i), b = root(z);
      first[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  for (Index i = 0; i < arms.size(); ++i) first[static_cast<std::size_t>(i)] = root(i);
  return first;
}

}  // namespace pomlux
