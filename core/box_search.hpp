// SPDX-License-Identifier: MIT
#pragma once
// Private to core: the points that an optimiser over a box looks at.

#include <map>       // points by their coordinates
#include <optional>  // a polished point
#include <pomlux/core/acquisition.hpp>
#include <pomlux/core/box.hpp>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/core/surrogate.hpp>
#include <vector>  // points

namespace pomlux {

/// The points of a box that are in use: those that were asked or told, which keep their number,
/// and behind them the candidates of a step.
class BoxCandidates {
 public:
  BoxCandidates(Box box, const BoxSearchOptions& options, std::uint64_t seed);

  [[nodiscard]] const Box& box() const { return box_; }
  [[nodiscard]] Index num_known() const { return static_cast<Index>(known_.size()); }
  [[nodiscard]] const Point& known(Index i) const { return known_[static_cast<std::size_t>(i)]; }
  /// Number of a known point, or -1.
  [[nodiscard]] Index find(const PointRef& point) const;
  /// The number of a point, which is known from now on.
  Index add(const PointRef& point);
  /// Forgets the known points from `num_known` on.
  void truncate(Index num_known);

  /// Candidates of a step: scrambled Sobol points and points around `centres` (known points, the
  /// best first), the known ones left out. All points of a box with no more than that; of any other
  /// box with finitely many, some not known as long as there are such. A function of the seed, the
  /// step, the centres and the known points. Streams: (seed, "candidates", step).
  void renew(Index step, const std::vector<Index>& centres);
  /// Known points, then the candidates, as the user and as the model sees them.
  [[nodiscard]] const Domain& domain() const { return *domain_; }
  [[nodiscard]] const Domain& encoded() const { return *encoded_; }
  /// n points of the initial design. Stream: (seed, "initial_design").
  [[nodiscard]] std::vector<Point> initial_design(Index n, InitialDesign design) const;
  /// A uniform point, not known if one is found. Stream: (seed, "initial_design", index).
  [[nodiscard]] std::optional<Point> draw_unknown(std::uint64_t index) const;

 private:
  using Key = std::vector<double>;
  [[nodiscard]] static Key key_of(const PointRef& point);
  [[nodiscard]] Point random_point(Rng& rng) const;
  [[nodiscard]] std::vector<Point> sample(Index step, const std::vector<Index>& centres) const;
  [[nodiscard]] std::vector<Point> enumerate(Index limit) const;
  [[nodiscard]] Points with_known(const std::vector<Point>& others) const;

  Box box_;
  BoxSearchOptions options_;
  std::uint64_t seed_;
  std::vector<Point> known_;
  std::map<Key, Index> numbers_;
  std::optional<Domain> domain_, encoded_;
};

/// A point of the box and its score.
struct ScoredPoint {
  Point point;
  double score = 0.0;
};

/// Climbs the rule's slope from an encoded point, along the continuous axes, by bounded L-BFGS with
/// the gradients of the model. Nothing if it does not get higher than `score`, where it starts.
[[nodiscard]] std::optional<ScoredPoint> polish(const Box& box,
                                                const Surrogate& surrogate,
                                                const Acquisition& acquisition,
                                                const AcquisitionContext& context,
                                                Sense sense,
                                                const PointRef& start,
                                                double score);

/// Rows of `encoded` to polish: `count` at most, the largest finite scores first, each at least
/// a twentieth of the box's diagonal away from the earlier ones. scores [candidates.size()].
[[nodiscard]] std::vector<Index> polish_starts(const Points& encoded,
                                               const std::vector<Index>& candidates,
                                               const VectorRef& scores,
                                               Index count);

}  // namespace pomlux
