// SPDX-License-Identifier: MIT
#include <algorithm>   // std::nth_element
#include <cmath>       // std::abs
#include <functional>  // std::greater
#include <numeric>     // std::iota
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/local_hazard_arms.hpp>
#include <pomlux/estimators/neighbour_groups.hpp>
#include <span>     // candidates
#include <utility>  // std::pair

namespace pomlux {
namespace {

constexpr Index kColumns = 32;  // of the covariance at a time
constexpr double kSteps = 1e6;  // of an absolute correlation

class NeighbourFinder {
 public:
  NeighbourFinder(const GaussianVector& f, const NeighbourChoice& choice, HazardArms& found)
      : f_(f), choice_(choice), found_(found), inverse_(found.size()) {
    std::vector<std::pair<double, Index>> order;
    order.reserve(found.arms.size());
    for (Index i = 0; i < found.size(); ++i) {
      inverse_(i) = 1.0 / f.stddev()(found.arms[static_cast<std::size_t>(i)]);
      order.emplace_back(-found.mean(i), i);
    }
    std::sort(order.begin(), order.end());
    rank_.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      by_rank_.push_back(order[k].second);
      rank_[static_cast<std::size_t>(order[k].second)] = static_cast<std::uint32_t>(k);
    }
  }

  /// The neighbours of each of `members` among `candidates`, at most kMostCandidates: positions in
  /// the arms, both ascending, the second containing the first.
  void search(std::span<const Index> members, std::span<const Index> candidates) const {
    const Correlations correlations = correlate(candidates, candidates);
    std::vector<std::uint32_t> ranks;
    ranks.reserve(candidates.size());
    for (const Index k : candidates) ranks.push_back(rank_[size_of(k)]);
    Selection selection;
    std::vector<Index> nearest;
    Index row = 0;
    for (const Index member : members) {
      while (candidates[size_of(row)] != member) ++row;
      selection.sizes = correlations.col(row).cwiseAbs();
      nearest.clear();
      for (const std::uint64_t key : largest(row, ranks, selection)) {
        nearest.push_back(place_of(key));
      }
      found_.reach[size_of(member)] = spread(
          correlations.col(row)(nearest),
          [&](Index k, std::size_t, Index c) {
            return correlations(nearest[size_of(k)], nearest[size_of(c)]);
          },
          nearest);
      write(member, row, nearest, candidates, correlations);
    }
  }

  /// The same of members `begin` .. `end` among all arms.
  void search_all(Index begin, Index end) const {
    std::vector<Index> members(size_of(end - begin));
    std::iota(members.begin(), members.end(), begin);
    const Matrix columns = f_.covariance_columns(arms_of(members));
    require_correlations("local_hazard", f_, {}, arms_of(members), columns);
    Selection selection;
    std::vector<Index> nearest;
    for (const Index member : members) {
      selection.sizes.resize(found_.size());
      for (Index k = 0; k < found_.size(); ++k) {
        const double covariance = columns(found_.arms[size_of(k)], member - begin);
        const double correlation = bounded(covariance * inverse_(k) * inverse_(member));
        selection.sizes(k) = static_cast<float>(std::abs(correlation));
      }
      nearest.clear();
      for (const std::uint64_t key : largest(member, rank_, selection)) {
        nearest.push_back(by_rank_[rank_of(key)]);
      }
      const bool is_pool = std::ssize(nearest) > found_.most;
      const float reach = is_pool ? spread_by_columns(member, nearest) : kNoReach;
      nearest.push_back(member);
      std::sort(nearest.begin(), nearest.end());
      search(std::span(&member, 1), nearest);
      if (is_pool) found_.reach[size_of(member)] = reach;
    }
  }

  static constexpr Index kMostCandidates = 4096;

 private:
  [[nodiscard]] static std::size_t size_of(Index k) { return static_cast<std::size_t>(k); }

  [[nodiscard]] std::vector<Index> arms_of(std::span<const Index> positions) const {
    std::vector<Index> arms;
    arms.reserve(positions.size());
    for (const Index k : positions) arms.push_back(found_.arms[size_of(k)]);
    return arms;
  }

  /// 0 where rounding or overflow leaves nothing.
  [[nodiscard]] static double bounded(double correlation) {
    return std::isnan(correlation) ? 0.0 : std::clamp(correlation, -1.0, 1.0);
  }

  using Correlations = Eigen::MatrixXf;
  [[nodiscard]] Correlations correlate(std::span<const Index> rows,
                                       std::span<const Index> columns) const {
    const bool is_square = rows.data() == columns.data() && rows.size() == columns.size();
    const std::vector<Index> row_arms = arms_of(rows);
    // The same span twice, so that a square block is known as such.
    const std::vector<Index> other_arms = is_square ? std::vector<Index>() : arms_of(columns);
    const std::vector<Index>& column_arms = is_square ? row_arms : other_arms;
    const Matrix block = f_.covariance_block(row_arms, column_arms);
    require_correlations("local_hazard", f_, row_arms, column_arms, block);
    Vector inverse(block.rows()), scaled(block.rows());
    for (Index k = 0; k < inverse.size(); ++k) inverse(k) = inverse_(rows[size_of(k)]);
    Correlations result(block.rows(), block.cols());
    for (Index j = 0; j < block.cols(); ++j) {
      scaled = block.col(j).array() * inverse.array() * inverse_(columns[size_of(j)]);
      if (!std::isfinite(scaled.sum())) scaled = scaled.unaryExpr(&bounded).eval();
      result.col(j) = scaled.cast<float>();
      result.col(j) = result.col(j).cwiseMin(1.0F).cwiseMax(-1.0F);
    }
    return result;
  }

  /// What is larger is a larger absolute correlation or, if that rounds to the same step, a higher
  /// mean: in twenty bits the correlation, in 32 the rank, in twelve a place.
  [[nodiscard]] static std::uint64_t key_of(float size, std::uint32_t rank, Index place) {
    return steps_of(size) << 44 | std::uint64_t{~rank} << 12 |
           static_cast<std::uint64_t>(place % kMostCandidates);
  }
  [[nodiscard]] static std::uint64_t steps_of(float size) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(double{size} * kSteps + 0.5));
  }

  struct Selection {
    Eigen::VectorXf sizes;  ///< absolute correlations with the candidates
    Eigen::VectorXf parts;
    std::vector<Index> places;
    std::vector<std::uint64_t> keys;
  };

  /// Keys, descending, of the largest sizes but that of `self`: as many as there are neighbours, or
  /// those to spread them over.
  std::span<const std::uint64_t> largest(Index self,
                                         std::span<const std::uint32_t> ranks,
                                         Selection& selection) const {
    Eigen::VectorXf& sizes = selection.sizes;
    sizes(self) = -1.0F;
    const bool is_close = static_cast<double>(steps_of(std::max(sizes.maxCoeff(), 0.0F))) / kSteps >
                          choice_.spread_beyond;
    const Index wanted = is_close ? kPoolPerNeighbour * found_.most : found_.most;
    const auto least = std::max(static_cast<float>(choice_.least), bound(wanted, selection));
    std::vector<Index>& places = selection.places;
    places.resize(size_of(sizes.size()));
    std::size_t count = 0;
    for (Index k = 0; k < sizes.size(); ++k) {
      places[count] = k;
      count += sizes(k) >= least ? 1 : 0;
    }
    std::vector<std::uint64_t>& keys = selection.keys;
    keys.clear();
    for (const Index k : std::span(places).first(count)) {
      keys.push_back(key_of(sizes(k), ranks[size_of(k)], k));
    }
    if (std::ssize(keys) > wanted) {
      std::nth_element(keys.begin(), keys.begin() + wanted, keys.end(), std::greater<>());
      keys.resize(size_of(wanted));
    }
    std::sort(keys.begin(), keys.end(), std::greater<>());
    return keys;
  }

  /// At most the `wanted` largest sizes, by a step: the least among the maxima of that many parts.
  [[nodiscard]] static float bound(Index wanted, Selection& selection) {
    const Eigen::VectorXf& sizes = selection.sizes;
    Eigen::VectorXf& parts = selection.parts;
    if (sizes.size() < 2 * wanted) return 0.0F;
    parts = sizes.head(wanted);
    Index k = wanted;
    for (; k + wanted <= sizes.size(); k += wanted) {
      parts = parts.cwiseMax(sizes.segment(k, wanted));
    }
    const Index rest = sizes.size() - k;
    parts.head(rest) = parts.head(rest).cwiseMax(sizes.tail(rest));
    return std::max(parts.minCoeff() - static_cast<float>(2.0 / kSteps), 0.0F);
  }
  [[nodiscard]] static std::uint32_t rank_of(std::uint64_t key) {
    return ~static_cast<std::uint32_t>(key >> 12);
  }
  [[nodiscard]] static Index place_of(std::uint64_t key) {
    return static_cast<Index>(key % std::uint64_t{kMostCandidates});
  }

  /// Keeps some of `nearest`, whose correlations with an arm are `own`, descending; returns the
  /// reach. `between`(k, j, c) is the correlation of nearest k and c, the j-th that is kept.
  template <typename Between>
  float spread(const Eigen::VectorXf& own, Between&& between, std::vector<Index>& nearest) const {
    if (own.size() == 0 || !(std::abs(own(0)) > choice_.spread_beyond)) return kNoReach;
    const auto squared_distance = [](float correlation) {
      return 1.0F - correlation * correlation;
    };
    const auto squared_spread = static_cast<float>(choice_.spread * choice_.spread);
    std::vector<Index> kept;
    float reach = own.size() == found_.size() - 1 ? 0.0F : std::abs(own(own.size() - 1));
    for (Index k = 0; k < own.size(); ++k) {
      const float least = squared_spread * squared_distance(own(k));
      bool is_new = true;
      for (std::size_t j = 0; j < kept.size() && is_new; ++j) {
        is_new = squared_distance(between(k, j, kept[j])) >= least;
      }
      if (!is_new) continue;
      if (std::ssize(kept) == found_.most || std::abs(own(k)) < kLeastSpread) {
        reach = std::abs(own(k));
        break;
      }
      kept.push_back(k);
    }
    for (std::size_t j = 0; j < kept.size(); ++j) nearest[j] = nearest[size_of(kept[j])];
    nearest.resize(kept.size());
    return reach;
  }

  /// The same of positions among all arms, by columns of their covariance.
  float spread_by_columns(Index member, std::vector<Index>& nearest) const {
    std::vector<Correlations> columns;
    return spread(
        correlate(nearest, std::span(&member, 1)).col(0),
        [&](Index k, std::size_t j, Index c) {
          if (j == columns.size()) {
            columns.push_back(correlate(nearest, std::span(&nearest[size_of(c)], 1)));
          }
          return columns[j](k, 0);
        },
        nearest);
  }

  void write(Index member,
             Index row,
             std::span<const Index> nearest,
             std::span<const Index> candidates,
             const Correlations& correlations) const {
    const Index m = found_.most;
    found_.count[size_of(member)] = static_cast<std::int32_t>(nearest.size());
    float* pair = found_.pairs.data() + member * (m * (m - 1) / 2);
    for (std::size_t j = 0; j < nearest.size(); ++j) {
      const Index z = nearest[j];
      const std::size_t slot = size_of(member * m) + j;
      found_.neighbours[slot] = static_cast<std::int32_t>(candidates[size_of(z)]);
      found_.correlation[slot] = correlations(z, row);
      const float* const column = correlations.col(z).data();
      for (std::size_t i = 0; i < j; ++i) *pair++ = column[nearest[i]];
    }
  }

  const GaussianVector& f_;
  const NeighbourChoice& choice_;
  HazardArms& found_;
  Vector inverse_;                   // [n] 1 / stddev in f
  std::vector<std::uint32_t> rank_;  // [n] by descending mean
  std::vector<Index> by_rank_;
};

/// That a group is offered, per neighbour of an arm: enough for those of an arm at its edge.
Index candidates_per_neighbour(Index dimension) {
  return dimension == 1 ? 2 : dimension == 2 ? 6 : 8;
}

Points scaled_points(const GaussianVector& f, const std::vector<Index>& arms) {
  const Vector scales = correlation_scales(f, arms);
  Points result(std::ssize(arms), scales.size());
  for (Index i = 0; i < result.rows(); ++i) {
    result.row(i) = f.coordinates()->row(arms[static_cast<std::size_t>(i)]).array() *
                    scales.transpose().array();
  }
  return result;
}

}  // namespace

detail::HazardArm HazardArms::view(Index i, const double* means) const {
  const Index m = most;
  return {.mean = means,
          .inverse_stddev = inverse_stddev.data(),
          .arm = static_cast<std::size_t>(i),
          .neighbours = neighbours.data() + i * m,
          .correlation = correlation.data() + i * m,
          .pairs = pairs.data() + i * (m * (m - 1) / 2),
          .m = static_cast<std::size_t>(count[static_cast<std::size_t>(i)])};
}

double HazardArms::strongest(Index i) const {
  return count[static_cast<std::size_t>(i)] == 0
             ? 0.0
             : std::abs(double{correlation[static_cast<std::size_t>(i * most)]});
}

void find_neighbours(const GaussianVector& f, const NeighbourChoice& choice, HazardArms& found) {
  const Index n = found.size();
  found.most = std::min(choice.most, n - 1);
  const Index m = found.most;
  found.count.assign(static_cast<std::size_t>(n), 0);
  found.reach.assign(static_cast<std::size_t>(n), kNoReach);
  found.neighbours.assign(static_cast<std::size_t>(n * m), 0);
  found.correlation.assign(static_cast<std::size_t>(n * m), 0.0F);
  found.pairs.assign(static_cast<std::size_t>(n * (m * (m - 1) / 2)), 0.0F);
  if (m == 0) return;
  NeighbourChoice applied = choice;
  if (m == n - 1) applied.spread_beyond = kInfinity;  // there is room for all
  const NeighbourFinder finder(f, applied, found);
  if (n <= kCompareAll) {
    std::vector<Index> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), Index{0});
    finder.search(all, all);
    return;
  }
  if (f.coordinates() == nullptr) {
    parallel_for(n, kColumns, [&](Index begin, Index end) { finder.search_all(begin, end); });
    return;
  }
  const Points points = scaled_points(f, found.arms);
  const std::vector<NeighbourGroup> groups =
      group_by_distance(points, kGroup, kGroup + candidates_per_neighbour(points.cols()) * m);
  parallel_for(std::ssize(groups), 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const NeighbourGroup& group = groups[static_cast<std::size_t>(k)];
      finder.search(group.members, group.candidates);
    }
  });
}

}  // namespace pomlux
