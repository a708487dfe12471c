// SPDX-License-Identifier: MIT
#include <algorithm>  // std::partial_sort
#include <cmath>      // std::isnan
#include <numeric>    // std::iota
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/core/pom.hpp>

namespace pomlux {
namespace {

/// Arms per partial sum: fixed, so that sums have the same bits on any number of threads.
constexpr Index kSumChunk = 1 << 14;

void require_index(std::string_view where, Index index, Index n) {
  if (index >= 0 && index < n) return;
  fail(where,
       "arm " + format_number(index) + " does not exist; indices must be in 0.." +
           format_number(n - 1));
}

/// Marks the members of `arms`; false where one was marked before.
class Membership {
 public:
  explicit Membership(Index n) : is_member_(static_cast<std::size_t>(n), false) {}
  bool insert(std::string_view where, Index index) {
    require_index(where, index, static_cast<Index>(is_member_.size()));
    const auto slot = static_cast<std::size_t>(index);
    if (is_member_[slot]) return false;
    is_member_[slot] = true;
    return true;
  }

 private:
  std::vector<bool> is_member_;
};

}  // namespace

double Pom::entropy() const { return pomlux::entropy(probabilities); }

std::vector<Index> Pom::top(Index k) const {
  const Index n = size();
  if (k < 0 || k > n) {
    fail("Pom::top", "k is " + format_number(k) + "; must be in 0.." + format_number(n));
  }
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  const auto is_before = [this](Index a, Index b) {
    return probabilities(a) > probabilities(b) || (probabilities(a) == probabilities(b) && a < b);
  };
  std::partial_sort(order.begin(), order.begin() + k, order.end(), is_before);
  order.resize(static_cast<std::size_t>(k));
  return order;
}

double Pom::expected_recall(std::span<const Index> arms) const {
  Membership members(size());
  double sum = 0.0;
  for (const Index arm : arms) {
    if (members.insert("Pom::expected_recall", arm)) sum += probabilities(arm);
  }
  return std::min(sum, 1.0);
}

double Pom::total_variation(const Pom& other) const {
  return pomlux::total_variation(probabilities, other.probabilities);
}

Index Pom::draw(Rng& rng) const {
  if (size() == 0) fail("Pom::draw", "there are no arms to draw from");
  const double target = draw_uniform(rng);
  double cumulative = 0.0;
  Index last_possible = 0;
  for (Index i = 0; i < size(); ++i) {
    if (probabilities(i) <= 0.0) continue;
    cumulative += probabilities(i);
    last_possible = i;
    if (target < cumulative) return i;
  }
  return last_possible;  // the sum may round to just below 1
}

double entropy(const VectorRef& probabilities) {
  const double* const p = probabilities.data();
  const double sum = parallel_sum(probabilities.size(), kSumChunk, [p](Index begin, Index end) {
    return sum_entropy({p + begin, static_cast<std::size_t>(end - begin)});
  });
  if (std::isnan(sum)) {
    for (Index i = 0; i < probabilities.size(); ++i) {
      if (p[i] >= 0.0 && std::isfinite(p[i])) continue;
      fail("entropy",
           "probabilities[" + format_number(i) + "] is " + format_number(p[i]) +
               "; every entry must be >= 0 and finite");
    }
  }
  return std::max(sum, 0.0);  // an entry of 1 + eps would contribute -eps
}

double total_variation(const VectorRef& p, const VectorRef& q) {
  require_same_size("total_variation", "p", p.size(), "q", q.size());
  const double* const a = p.data();
  const double* const b = q.data();
  return 0.5 * parallel_sum(p.size(), kSumChunk, [a, b](Index begin, Index end) {
           double partial = 0.0;
           for (Index i = begin; i < end; ++i) partial += std::abs(a[i] - b[i]);
           return partial;
         });
}

Vector recall_curve(const VectorRef& probabilities, std::span<const Index> order) {
  constexpr std::string_view where = "recall_curve";
  Membership members(probabilities.size());
  Vector curve(static_cast<Index>(order.size()) + 1);
  curve(0) = 0.0;
  Index k = 0;
  for (const Index arm : order) {
    if (!members.insert(where, arm)) {
      fail(where, "arm " + format_number(arm) + " occurs twice in the order");
    }
    curve(k + 1) = curve(k) + probabilities(arm);
    ++k;
  }
  return curve;
}

double recall_area(const VectorRef& curve) {
  if (curve.size() < 2) {
    fail("recall_area",
         "the curve has " + format_number(curve.size()) + " values; at least 2 are needed");
  }
  const double ends = 0.5 * (curve(0) + curve(curve.size() - 1));
  return (curve.sum() - ends) / static_cast<double>(curve.size() - 1);
}

}  // namespace pomlux
