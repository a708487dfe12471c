// SPDX-License-Identifier: MIT
#include <algorithm>  // std::nth_element
#include <cmath>      // std::log
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

class KdTree {
 public:
  KdTree(const Points& points, Index most_members)
      : points_(points), most_members_(most_members), order_(points.rows()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    build(0, points.rows());
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
    Heap heap;
    for (const Index i : result.members) heap.emplace_back(-1.0, i);
    search(0, own, static_cast<std::size_t>(most_candidates), leaf, heap);
    for (const auto& [distance, i] : heap) result.candidates.push_back(i);
    std::sort(result.members.begin(), result.members.end());
    std::sort(result.candidates.begin(), result.candidates.end());
    return result;
  }

 private:
  struct Node {
    Index begin, end;  // in order_
    Index right = -1;  // the left child follows; -1: a leaf
    Point low, high;
  };
  using Heap = std::vector<std::pair<double, Index>>;  // the farthest first

  [[nodiscard]] const Node& node(Index k) const { return nodes_[static_cast<std::size_t>(k)]; }

  void build(Index begin, Index end) {
    const auto k = nodes_.size();
    const auto at = [&](Index i) { return points_.row(order_[static_cast<std::size_t>(i)]); };
    Node made{begin, end, -1, at(begin), at(begin)};
    for (Index i = begin + 1; i < end; ++i) {
      made.low = made.low.cwiseMin(at(i));
      made.high = made.high.cwiseMax(at(i));
    }
    nodes_.push_back(made);
    if (end - begin <= most_members_) return;
    Index axis = 0;
    (made.high - made.low).maxCoeff(&axis);
    const Index middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin,
                     order_.begin() + middle,
                     order_.begin() + end,
                     [&](Index a, Index b) {
                       const double left = points_(a, axis), right = points_(b, axis);
                       return left < right || (left == right && a < b);
                     });
    build(begin, middle);
    nodes_[k].right = std::ssize(nodes_);
    build(middle, end);
  }

  [[nodiscard]] static double gap(const Node& a, const PointRef& low, const PointRef& high) {
    return (low - a.high).cwiseMax(a.low - high).cwiseMax(0.0).squaredNorm();
  }

  void search(Index k, const Node& own, std::size_t count, Index leaf, Heap& heap) const {
    const Node& here = node(k);
    if (k == leaf) return;
    if (heap.size() >= count && gap(own, here.low, here.high) >= heap.front().first) return;
    if (here.right >= 0) {
      Index first = k + 1, second = here.right;
      if (gap(own, node(second).low, node(second).high) <
          gap(own, node(first).low, node(first).high)) {
        std::swap(first, second);
      }
      search(first, own, count, leaf, heap);
      search(second, own, count, leaf, heap);
      return;
    }
    for (Index i = here.begin; i < here.end; ++i) {
      const Index point = order_[static_cast<std::size_t>(i)];
      const std::pair found{gap(own, points_.row(point), points_.row(point)), point};
      if (heap.size() >= count && !(found < heap.front())) continue;
      if (heap.size() >= count) {
        std::pop_heap(heap.begin(), heap.end());
        heap.pop_back();
      }
      heap.push_back(found);
      std::push_heap(heap.begin(), heap.end());
    }
  }

  const Points& points_;
  Index most_members_;
  std::vector<Index> order_;
  std::vector<Node> nodes_;
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
  Matrix gram = Matrix::Zero(d, d);
  Vector right = Vector::Zero(d);
  Index pairs = 0;
  for (Index k = 0; k < columns.cols(); ++k) {
    const Index reference = references[static_cast<std::size_t>(k)];
    for (const Index i : arms) {
      const double correlation = std::abs(columns(i, k)) / f.stddev()(i) / f.stddev()(reference);
      if (!(correlation > kWeakest && correlation < kStrongest)) continue;
      const Vector squares =
          (points.row(i) - points.row(reference)).transpose().cwiseProduct(plain).cwiseAbs2();
      gram += squares * squares.transpose();
      right += -std::log(correlation) * squares;
      ++pairs;
    }
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
