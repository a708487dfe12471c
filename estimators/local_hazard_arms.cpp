// SPDX-License-Identifier: MIT
#include <algorithm>  // std::partial_sort
#include <cmath>      // std::abs
#include <numeric>    // std::iota
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/local_hazard_arms.hpp>
#include <pomlux/estimators/neighbour_groups.hpp>
#include <span>  // candidates

namespace pomlux {
namespace {

constexpr Index kColumns = 32;  // of the covariance at a time
constexpr Index kCandidatesPerNeighbour = 8;
constexpr double kTie = 1e-6;

class NeighbourFinder {
 public:
  NeighbourFinder(const GaussianVector& f, double least, HazardArms& found)
      : f_(f), least_(least), found_(found) {}

  /// The neighbours of each of `members` among `candidates`, positions in the arms; both ascending,
  /// the second containing the first.
  void search(std::span<const Index> members, std::span<const Index> candidates) {
    const std::vector<Index> arms = arms_of(candidates);
    const Matrix block = f_.covariance_block(arms, arms);
    std::vector<Index> nearest(candidates.size());
    std::size_t at = 0;
    for (const Index member : members) {
      while (candidates[at] != member) ++at;
      const auto row = static_cast<Index>(at);
      nearest.resize(candidates.size());
      std::iota(nearest.begin(), nearest.end(), Index{0});
      nearest.erase(nearest.begin() + row);
      keep_largest(
          nearest,
          [&](Index k) {
            return correlation(block(k, row), candidates[static_cast<std::size_t>(k)], member);
          },
          candidates);
      write(member, row, nearest, candidates, block);
    }
  }

  /// The same of members `begin` .. `end` among all arms.
  void search_all(Index begin, Index end) {
    std::vector<Index> members(static_cast<std::size_t>(end - begin));
    std::iota(members.begin(), members.end(), begin);
    const Matrix columns = f_.covariance_columns(arms_of(members));
    for (const Index member : members) {
      std::vector<Index> nearest(static_cast<std::size_t>(found_.size()));
      std::iota(nearest.begin(), nearest.end(), Index{0});
      nearest.erase(nearest.begin() + member);
      keep_largest(
          nearest,
          [&](Index k) {
            return correlation(
                columns(found_.arms[static_cast<std::size_t>(k)], member - begin), k, member);
          },
          {});
      nearest.push_back(member);
      std::sort(nearest.begin(), nearest.end());
      search(std::span(&member, 1), nearest);
    }
  }

 private:
  [[nodiscard]] std::vector<Index> arms_of(std::span<const Index> positions) const {
    std::vector<Index> arms;
    arms.reserve(positions.size());
    for (const Index k : positions) arms.push_back(found_.arms[static_cast<std::size_t>(k)]);
    return arms;
  }

  /// 0 where rounding or overflow leaves nothing.
  [[nodiscard]] double correlation(double covariance, Index i, Index j) const {
    const double value = covariance / f_.stddev()(found_.arms[static_cast<std::size_t>(i)]) /
                         f_.stddev()(found_.arms[static_cast<std::size_t>(j)]);
    return std::isnan(value) ? 0.0 : std::clamp(value, -1.0, 1.0);
  }

  /// Leaves the `most` positions with the largest absolute value, descending; among equal ones, to
  /// kTie, the higher mean goes first.
  template <typename Value>
  void keep_largest(std::vector<Index>& positions, const Value& value, std::span<const Index> of) {
    sizes_.clear();
    for (const Index k : positions) {
      const double size = std::abs(value(k));
      if (size < least_) continue;
      const double mean = found_.mean(of.empty() ? k : of[static_cast<std::size_t>(k)]);
      sizes_.push_back({std::round(size / kTie), mean, k});
    }
    const auto count = std::min(sizes_.size(), static_cast<std::size_t>(found_.most));
    std::partial_sort(sizes_.begin(),
                      sizes_.begin() + static_cast<Index>(count),
                      sizes_.end(),
                      [](const Size& a, const Size& b) {
                        if (a.steps != b.steps) return a.steps > b.steps;
                        if (a.mean != b.mean) return a.mean > b.mean;
                        return a.position < b.position;
                      });
    positions.clear();
    for (std::size_t k = 0; k < count; ++k) positions.push_back(sizes_[k].position);
  }

  void write(Index member,
             Index row,
             std::span<const Index> nearest,
             std::span<const Index> candidates,
             const Matrix& block) {
    const auto at = [&](Index k) { return candidates[static_cast<std::size_t>(k)]; };
    const Index m = found_.most;
    found_.count[static_cast<std::size_t>(member)] = static_cast<std::int32_t>(nearest.size());
    float* pair = found_.pairs.data() + member * (m * (m - 1) / 2);
    for (std::size_t j = 0; j < nearest.size(); ++j) {
      const Index z = nearest[j];
      const std::size_t slot = static_cast<std::size_t>(member * m) + j;
      found_.neighbours[slot] = static_cast<std::int32_t>(at(z));
      found_.correlation[slot] = static_cast<float>(correlation(block(z, row), at(z), member));
      for (std::size_t i = 0; i < j; ++i) {
        *pair++ = static_cast<float>(correlation(block(nearest[i], z), at(nearest[i]), at(z)));
      }
    }
  }

  const GaussianVector& f_;
  double least_;
  HazardArms& found_;
  struct Size {
    double steps;  // |correlation| / kTie
    double mean;
    Index position;
  };
  std::vector<Size> sizes_;
};

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

void find_neighbours(const GaussianVector& f, Index most, double least, HazardArms& found) {
  const Index n = found.size();
  found.most = std::min(most, n - 1);
  const Index m = found.most;
  found.count.assign(static_cast<std::size_t>(n), 0);
  found.neighbours.assign(static_cast<std::size_t>(n * m), 0);
  found.correlation.assign(static_cast<std::size_t>(n * m), 0.0F);
  found.pairs.assign(static_cast<std::size_t>(n * (m * (m - 1) / 2)), 0.0F);
  if (m == 0) return;
  if (n <= kCompareAll) {
    std::vector<Index> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), Index{0});
    NeighbourFinder(f, least, found).search(all, all);
    return;
  }
  if (f.coordinates() == nullptr) {
    parallel_for(n, kColumns, [&](Index begin, Index end) {
      NeighbourFinder(f, least, found).search_all(begin, end);
    });
    return;
  }
  const std::vector<NeighbourGroup> groups =
      group_by_distance(scaled_points(f, found.arms), kGroup, kGroup + kCandidatesPerNeighbour * m);
  parallel_for(std::ssize(groups), 1, [&](Index begin, Index end) {
    NeighbourFinder finder(f, least, found);
    for (Index k = begin; k < end; ++k) {
      const NeighbourGroup& group = groups[static_cast<std::size_t>(k)];
      finder.search(group.members, group.candidates);
    }
  });
}

}  // namespace pomlux
