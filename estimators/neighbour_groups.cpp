// SPDX-License-Identifier: MIT
#include <algorithm>  // std::nth_element
#include <bit>        // std::bit_cast
#include <cmath>      // std::log
#include <cstdint>    // keys
#include <limits>     // bound
#include <numeric>    // std::iota
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/neighbour_groups.hpp>
#include <utility>  // std::pair

namespace pomlux {
namespace {

constexpr Index kReferences = 24;
/// Correlations that say something of a distance.
constexpr double kWeakest = 0.2;
constexpr double kStrongest = 0.99;
/// Per axis: pairs of arms that a regression needs.
constexpr Index kPairsPerAxis = 8;

/// min |A w - b| over w >= 0 by coordinate descent on the normal equations.
Vector nonnegative_least_squares(const Matrix& gram, const Vector& right) {
  constexpr int kSweeps = 200;
  Vector w = Vector::Zero(right.size());
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (Index c = 0; c < w.size(); ++c) {
      if (!(gram(c, c) > 0.0)) continue;
      w(c) = std::max(0.0, w(c) + (right(c) - gram.row(c).dot(w)) / gram(c, c));
    }
  }
  return w;
}

Vector extents_of(const Points& points, std::span<const Index> arms) {
  Vector low = points.row(arms[0]).transpose(), high = low;
  for (const Index i : arms) {
    low = low.cwiseMin(points.row(i).transpose());
    high = high.cwiseMax(points.row(i).transpose());
  }
  return high - low;
}

/// Nodes in the order of a walk from the root that goes left first.
class KdTree {
 public:
  KdTree(const Points& points, Index most_members)
      : points_(points),
        most_members_(most_members),
        order_(static_cast<std::size_t>(points.rows())),
        nodes_(static_cast<std::size_t>(count_nodes(points.rows()))),
        boxes_(std::ssize(nodes_), 2 * points.cols()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    build(0, 0, points.rows());
  }

  [[nodiscard]] std::vector<Index> leaves() const {
    std::vector<Index> result;
    for (Index k = 0; k < std::ssize(nodes_); ++k) {
      if (node(k).right < 0) result.push_back(k);
    }
    return result;
  }

  [[nodiscard]] NeighbourGroup group(Index leaf, Index most_candidates) const {
    const Node& own = node(leaf);
    NeighbourGroup result;
    result.members.assign(order_.begin() + own.begin, order_.begin() + own.end);
    Nearest nearest{static_cast<std::size_t>(most_candidates) - result.members.size()};
    search(0, leaf, nearest);
    nearest.trim();
    result.candidates = result.members;
    for (const std::uint64_t key : nearest.found) {
      result.candidates.push_back(static_cast<Index>(key & 0xffffffffU));
    }
    std::sort(result.members.begin(), result.members.end());
    std::sort(result.candidates.begin(), result.candidates.end());
    return result;
  }

 private:
  struct Node {
    Index begin, end;  // in order_
    Index right;       // the left child follows; -1: a leaf
  };

  /// The `count` nearest of the points that were added, by their distances rounded to float.
  struct Nearest {
    std::size_t count;
    float bound = std::numeric_limits<float>::infinity();  // no point beyond it is among them
    std::vector<std::uint64_t> found{};

    void add(double distance, Index point) {
      const auto narrow = static_cast<float>(distance);
      if (narrow > bound) return;
      found.push_back(std::uint64_t{std::bit_cast<std::uint32_t>(narrow)} << 32 |
                      static_cast<std::uint64_t>(point));
      if (found.size() >= 2 * count + 32) trim();
    }
    void trim() {
      if (found.size() <= count) return;
      const auto end = found.begin() + static_cast<Index>(count);
      std::nth_element(found.begin(), end, found.end());
      bound = std::bit_cast<float>(static_cast<std::uint32_t>(*end >> 32));
      found.erase(end, found.end());
    }
    [[nodiscard]] bool may_take(double distance) const {
      return static_cast<float>(distance) <= bound;
    }
  };

  [[nodiscard]] const Node& node(Index k) const { return nodes_[static_cast<std::size_t>(k)]; }
  /// Of a subtree: all are as full as they can be.
  [[nodiscard]] Index count_leaves(Index size) const {
    return std::max((size + most_members_ - 1) / most_members_, Index{1});
  }
  [[nodiscard]] Index count_nodes(Index size) const { return 2 * count_leaves(size) - 1; }

  void build(Index k, Index begin, Index end) {
    const Index d = points_.cols();
    double* const box = boxes_.row(k).data();
    for (Index c = 0; c < d; ++c) {
      double low = kInfinity, high = -kInfinity;
      for (Index i = begin; i < end; ++i) {
        const double at = points_(order_[static_cast<std::size_t>(i)], c);
        low = std::min(low, at);
        high = std::max(high, at);
      }
      box[c] = low;
      box[d + c] = high;
    }
    nodes_[static_cast<std::size_t>(k)] = {begin, end, -1};
    if (end - begin <= most_members_) return;
    Index axis = 0;
    (boxes_.row(k).tail(d) - boxes_.row(k).head(d)).maxCoeff(&axis);
    const Index leaves = count_leaves(end - begin);
    const Index middle = begin + (end - begin) * (leaves / 2) / leaves;
    split(begin, middle, end, axis);
    const Index right = k + 1 + count_nodes(middle - begin);
    nodes_[static_cast<std::size_t>(k)].right = right;
    const auto half = [&](Index first, Index last) {
      if (first == 0) build(k + 1, begin, middle);
      if (last == 2) build(right, middle, end);
    };
    if (end - begin > kParallelSize) {
      parallel_for(2, 1, half);
    } else {
      half(0, 2);
    }
  }

  void split(Index begin, Index middle, Index end, Index axis) {
    std::vector<std::pair<double, Index>> places;
    places.reserve(static_cast<std::size_t>(end - begin));
    for (Index i = begin; i < end; ++i) {
      const Index point = order_[static_cast<std::size_t>(i)];
      places.emplace_back(points_(point, axis), point);
    }
    std::nth_element(places.begin(), places.begin() + (middle - begin), places.end());
    for (Index i = begin; i < end; ++i) {
      order_[static_cast<std::size_t>(i)] = places[static_cast<std::size_t>(i - begin)].second;
    }
  }

  /// Squared, between the box of node k and low .. high.
  [[nodiscard]] double gap(Index k, const double* low, const double* high) const {
    const Index d = points_.cols();
    const double* const box = boxes_.row(k).data();
    double sum = 0.0;
    for (Index c = 0; c < d; ++c) {
      const double beyond = std::max(std::max(low[c] - box[d + c], box[c] - high[c]), 0.0);
      sum += beyond * beyond;
    }
    return sum;
  }
  [[nodiscard]] double gap(Index k, Index other) const {
    const double* const box = boxes_.row(other).data();
    return gap(k, box, box + points_.cols());
  }

  void search(Index k, Index leaf, Nearest& nearest) const {
    if (k == leaf) return;
    const Node& here = node(k);
    if (here.right >= 0) {
      const double left = gap(leaf, k + 1), right = gap(leaf, here.right);
      const bool is_left_first = left <= right;
      if (nearest.may_take(std::min(left, right))) {
        search(is_left_first ? k + 1 : here.right, leaf, nearest);
      }
      if (nearest.may_take(std::max(left, right))) {
        search(is_left_first ? here.right : k + 1, leaf, nearest);
      }
      return;
    }
    for (Index i = here.begin; i < here.end; ++i) {
      const Index point = order_[static_cast<std::size_t>(i)];
      const double* const at = points_.row(point).data();
      nearest.add(gap(leaf, at, at), point);
    }
    if (std::isinf(nearest.bound)) nearest.trim();
  }

  static constexpr Index kParallelSize = 4096;
  const Points& points_;
  Index most_members_;
  std::vector<Index> order_;
  std::vector<Node> nodes_;
  Points boxes_;  // [nodes, 2 d] lower ends, then upper ones
};

}  // namespace

Vector correlation_scales(const GaussianVector& f, std::span<const Index> arms) {
  const Points& points = *f.coordinates();
  const Index d = points.cols(), n = std::ssize(arms);
  const Vector extents = extents_of(points, arms);
  const Vector plain = (extents.array() > 0.0).select(extents.cwiseInverse(), 0.0);
  std::vector<Index> references;
  for (Index k = 0; k < std::min(kReferences, n); ++k) {
    references.push_back(arms[static_cast<std::size_t>((2 * k + 1) * n / (2 * kReferences))]);
  }
  const Matrix columns = f.covariance_columns(references);
  struct Part {
    Matrix gram;
    Vector right;
    Index pairs = 0;
  };
  std::vector<Part> parts(references.size(), {Matrix::Zero(d, d), Vector::Zero(d)});
  parallel_for(columns.cols(), 1, [&](Index k, Index) {
    Part& part = parts[static_cast<std::size_t>(k)];
    const Index reference = references[static_cast<std::size_t>(k)];
    const double own = f.stddev()(reference);
    Vector squares(d);
    for (const Index i : arms) {
      const double size = std::abs(columns(i, k)), scale = own * f.stddev()(i);
      if (!(size > kWeakest * scale && size < kStrongest * scale)) continue;
      squares = (points.row(i) - points.row(reference)).transpose().cwiseProduct(plain).cwiseAbs2();
      part.gram += squares * squares.transpose();
      part.right -= std::log(size / scale) * squares;
      ++part.pairs;
    }
  });
  Matrix gram = Matrix::Zero(d, d);
  Vector right = Vector::Zero(d);
  Index pairs = 0;
  for (const Part& part : parts) {
    gram += part.gram;
    right += part.right;
    pairs += part.pairs;
  }
  if (pairs < kPairsPerAxis * d) return plain;
  const Vector w = nonnegative_least_squares(gram, right);
  if (!(w.maxCoeff() > 0.0)) return plain;
  // An axis that does not matter breaks ties.
  return plain.cwiseProduct(w.cwiseMax(1e-6 * w.maxCoeff()).cwiseSqrt());
}

std::vector<NeighbourGroup> group_by_distance(const Points& points,
                                              Index most_members,
                                              Index most_candidates) {
  const KdTree tree(points, most_members);
  const std::vector<Index> leaves = tree.leaves();
  std::vector<NeighbourGroup> groups(leaves.size());
  parallel_for(std::ssize(leaves), 8, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto slot = static_cast<std::size_t>(k);
      groups[slot] = tree.group(leaves[slot], most_candidates);
    }
  });
  return groups;
}

}  // namespace pomlux
