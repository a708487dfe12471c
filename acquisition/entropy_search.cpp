// SPDX-License-Identifier: MIT
#include <algorithm>  // std::sort
#include <cmath>      // std::exp
#include <numeric>    // std::iota
#include <optional>   // keys
#include <pomlux/acquisition/entropy_search.hpp>
#include <pomlux/acquisition/expected_entropy.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <utility>  // std::move
#include <vector>   // positions

namespace pomlux {
namespace {

/// Entries of the covariance columns that are kept at a time, and columns at most.
constexpr Index kColumnEntries = 1 << 19;
constexpr Index kMostColumns = 16;

/// Equally spaced, with the density of N(0, 1) as weights.
Innovations quadrature(Index nodes) {
  const double range = EntropySearchOptions::kInnovationRange;
  Innovations result{Vector::LinSpaced(nodes, -range, range), Vector()};
  result.weights = (-0.5 * result.values.array().square()).exp();
  result.weights /= result.weights.sum();
  return result;
}

Innovations draw_innovations(Index draws, std::uint64_t key, Index candidate) {
  Innovations result{Vector(draws), Vector::Constant(draws, 1.0 / static_cast<double>(draws))};
  fill_normals(key,
               "entropy_search",
               static_cast<std::uint64_t>(candidate),
               std::span(result.values.data(), static_cast<std::size_t>(draws)));
  std::sort(result.values.begin(), result.values.end());
  return result;
}

/// Positions in `subset` of the `count` candidates that an observation promises to tell most about,
/// see EntropySearchOptions::shortlist; ascending.
std::vector<Index> shortlist(const AcquisitionContext& context,
                             std::span<const Index> subset,
                             Index count) {
  std::vector<Index> positions(subset.size());
  std::iota(positions.begin(), positions.end(), Index{0});
  if (count == 0 || count >= std::ssize(subset)) return positions;
  const VectorView stddev = context.posterior.stddev();
  const Vector pom = f_lite(context.posterior.mean(), stddev).probabilities;
  Vector promise(std::ssize(subset));
  for (const Index i : positions) {
    const Index x = subset[static_cast<std::size_t>(i)];
    const double total = std::hypot(stddev(x), context.noise_stddev);
    promise(i) = total > 0.0 ? pom(x) * stddev(x) / total : 0.0;
  }
  std::stable_sort(positions.begin(), positions.end(), [&](Index a, Index b) {
    return promise(a) > promise(b);
  });
  positions.resize(static_cast<std::size_t>(count));
  std::sort(positions.begin(), positions.end());
  return positions;
}

/// [n, m]; without a covariance the candidates are independent.
Matrix columns_of(const GaussianVector& f, std::span<const Index> candidates) {
  if (f.has_covariance()) return f.covariance_columns(candidates);
  Matrix columns = Matrix::Zero(f.size(), std::ssize(candidates));
  for (Index j = 0; j < columns.cols(); ++j) {
    const Index x = candidates[static_cast<std::size_t>(j)];
    columns(x, j) = f.stddev()(x) * f.stddev()(x);
  }
  return columns;
}

}  // namespace

void validate(const EntropySearchOptions& options) {
  constexpr std::string_view where = "entropy_search";
  if (options.nodes < 2) {
    fail(where, "nodes is " + format_number(options.nodes) + "; must be >= 2");
  }
  if (options.draws < 1) {
    fail(where, "draws is " + format_number(options.draws) + "; must be >= 1");
  }
  if (options.shortlist < 0) {
    fail(where, "shortlist is " + format_number(options.shortlist) + "; must be >= 0 (0: all)");
  }
}

EntropySearch::EntropySearch(std::unique_ptr<PomEstimator> estimator, EntropySearchOptions options)
    : estimator_(estimator ? std::move(estimator) : std::make_unique<FLite>()), options_(options) {
  validate(options_);
  const auto* const ts_mc = dynamic_cast<const TsMc*>(estimator_.get());
  if (ts_mc == nullptr) return;
  // Entropies of shares depend on the number of samples.
  const auto require_unset = [](std::string_view name, double value) {
    if (value == 0.0) return;
    fail("entropy_search",
         "the estimator ts_mc has " + std::string(name) + " = " + format_number(value) +
             "; must be 0, as every hypothesis takes the same number of samples");
  };
  require_unset("target_error", ts_mc->options().target_error);
  require_unset("time_limit_seconds", ts_mc->options().time_limit_seconds);
}

Vector EntropySearch::do_score(const AcquisitionContext& context,
                               std::span<const Index> subset,
                               Rng& rng) const {
  const GaussianVector& f = context.posterior;
  const bool is_quadrature = options_.hypotheses == HypothesisRule::kQuadrature;
  const std::uint64_t key = is_quadrature ? 0 : rng();
  const Innovations nodes = is_quadrature ? quadrature(options_.nodes) : Innovations();
  const std::unique_ptr<ExpectedEntropy> entropy = make_expected_entropy(*estimator_, f, rng);
  const std::vector<Index> chosen = shortlist(context, subset, options_.shortlist);

  Vector scores = Vector::Constant(std::ssize(subset), -kInfinity);
  const Index chunk = std::clamp<Index>(kColumnEntries / f.size(), 1, kMostColumns);
  parallel_for(std::ssize(chosen), chunk, [&](Index begin, Index end) {
    std::vector<Index> candidates;
    for (Index i = begin; i < end; ++i) {
      candidates.push_back(subset[static_cast<std::size_t>(chosen[static_cast<std::size_t>(i)])]);
    }
    const Matrix columns = columns_of(f, candidates);
    HypotheticalPosterior after(f, context.noise_stddev);
    for (Index i = begin; i < end; ++i) {
      const Index x = candidates[static_cast<std::size_t>(i - begin)];
      double& score = scores(chosen[static_cast<std::size_t>(i)]);
      score = 0.0;
      if (f.stddev()(x) == 0.0) continue;
      after.set_candidate(x, columns.col(i - begin));
      score =
          entropy->present() -
          entropy->after(after, is_quadrature ? nodes : draw_innovations(options_.draws, key, x));
    }
  });
  return scores;
}

}  // namespace pomlux
