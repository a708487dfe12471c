// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp, std::sort
#include <cmath>      // std::pow
#include <pomlux/core/box_search.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/minimize.hpp>
#include <pomlux/core/point_index.hpp>
#include <pomlux/core/sobol.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

// Steps around a centre, in extents of an axis: log-uniform between these.
constexpr double kLongestStep = 0.3;
constexpr double kShortestStep = 3e-4;
/// Share of the moves along one axis; of them, the share that goes anywhere on it.
constexpr double kAxisShare = 0.5;
constexpr double kFarShare = 0.5;

constexpr double kEnumerable = 1e6;  // points of a box
constexpr int kDraws = 100;          // of a point that is not known

// Of a polished score: it only has to rank points.
constexpr int kPolishIterations = 20;
constexpr int kPolishEvaluations = 30;
constexpr int kPolishMemory = 5;
constexpr double kPolishGradient = 1e-4;
constexpr double kPolishValue = 1e-4;
/// Per axis, how far a climb is given credit for its slope: one that this does not take above the
/// best one is given up.
constexpr double kPolishReach = 0.25;
/// Between two starts, in diagonals of the box.
constexpr double kApart = 0.05;

/// Moves one encoded axis by about `step`, or anywhere.
void move(const Box& box, Index k, double step, bool is_far, Point& encoded, Rng& rng) {
  const BoxAxis& axis = box.axes()[static_cast<std::size_t>(k)];
  const Index first = box.first_encoded(k);
  if (!axis.categories.empty()) {
    const auto count = static_cast<Index>(axis.categories.size());
    encoded.segment(first, count).setZero();
    encoded(first + draw_index(rng, count)) = 1.0;
    return;
  }
  if (is_far) {
    encoded(first) = draw_uniform(rng);
    return;
  }
  const bool is_whole = axis.is_integer && axis.lower < axis.upper;
  const double length = is_whole ? std::max(step, 1.0 / (axis.upper - axis.lower)) : step;
  encoded(first) = std::clamp(encoded(first) + length * draw_normal(rng), 0.0, 1.0);
}

/// A point around another, along one axis or all. Another category is a long way: along all axes,
/// one in d moves to it.
Point around(const Box& box, const Point& centre, Rng& rng) {
  Point encoded = box.encode(centre);
  const double step = kLongestStep * std::pow(kShortestStep / kLongestStep, draw_uniform(rng));
  if (draw_uniform(rng) < kAxisShare) {
    const bool is_far = draw_uniform(rng) < kFarShare;
    move(box, draw_index(rng, box.dimension()), step, is_far, encoded, rng);
    return box.decode(encoded);
  }
  for (Index k = 0; k < box.dimension(); ++k) {
    const bool is_category = !box.axes()[static_cast<std::size_t>(k)].categories.empty();
    if (is_category && draw_index(rng, box.dimension()) > 0) continue;
    move(box, k, step, false, encoded, rng);
  }
  return box.decode(encoded);
}

/// Values that an axis of whole numbers or categories can take.
Index num_values(const BoxAxis& axis) {
  if (!axis.categories.empty()) return static_cast<Index>(axis.categories.size());
  return axis.is_integer ? static_cast<Index>(axis.upper - axis.lower) + 1 : 1;
}

}  // namespace

BoxCandidates::BoxCandidates(Box box, const BoxSearchOptions& options, std::uint64_t seed)
    : box_(std::move(box)), options_(options), seed_(seed) {}

BoxCandidates::Key BoxCandidates::key_of(const PointRef& point) {
  Key key(point.begin(), point.end());
  for (double& value : key) value += 0.0;  // -0 equals 0
  return key;
}

Index BoxCandidates::find(const PointRef& point) const {
  const auto found = numbers_.find(key_of(point));
  return found == numbers_.end() ? -1 : found->second;
}

Index BoxCandidates::add(const PointRef& point) {
  const auto [entry, is_new] = numbers_.try_emplace(key_of(point), num_known());
  if (is_new) known_.emplace_back(point);
  return entry->second;
}

void BoxCandidates::truncate(Index num_known) {
  while (this->num_known() > num_known) {
    numbers_.erase(key_of(known_.back()));
    known_.pop_back();
  }
}

Point BoxCandidates::random_point(Rng& rng) const {
  Point unit(box_.dimension());
  for (double& number : unit) number = draw_uniform(rng);
  return box_.at(unit);
}

std::vector<Point> BoxCandidates::initial_design(Index n, InitialDesign design) const {
  Rng rng = make_stream(seed_, "initial_design");
  std::vector<Point> points;
  if (design == InitialDesign::kRandom) {
    while (static_cast<Index>(points.size()) < n) points.push_back(random_point(rng));
  } else {
    const Points units = sobol_points(n, box_.dimension(), rng);
    for (Index i = 0; i < n; ++i) points.push_back(box_.at(units.row(i)));
  }
  return points;
}

std::optional<Point> BoxCandidates::draw_unknown(std::uint64_t index) const {
  Rng rng = make_stream(seed_, "initial_design", index);
  for (int draw = 0; draw < kDraws; ++draw) {
    Point point = random_point(rng);
    if (find(point) < 0) return point;
  }
  std::vector<Point> rest = enumerate(1);
  if (rest.empty()) return std::nullopt;
  return std::move(rest.front());
}

std::vector<Point> BoxCandidates::sample(Index step, const std::vector<Index>& centres) const {
  Rng rng = make_stream(seed_, "candidates", static_cast<std::uint64_t>(step));
  const Index n = options_.candidates;
  const Index num_around = centres.empty() ? 0 : std::min(options_.around, n);
  std::vector<Point> points;
  if (num_around < n) {
    const Points units = sobol_points(n - num_around, box_.dimension(), rng);
    for (Index i = 0; i < units.rows(); ++i) points.push_back(box_.at(units.row(i)));
  }
  for (Index i = 0; i < num_around; ++i) {
    // Every other one around the best, the rest around all in turn.
    const auto turn = static_cast<std::size_t>(i / 2) % std::max<std::size_t>(centres.size(), 1);
    const Index centre = centres[i % 2 == 0 ? 0 : turn];
    points.push_back(around(box_, known(centre), rng));
  }
  return points;
}

/// The first points that are not known, `limit` at most, the last axis fastest; none if there are
/// too many to look through.
std::vector<Point> BoxCandidates::enumerate(Index limit) const {
  std::vector<Point> points;
  if (!(box_.size() <= kEnumerable)) return points;
  const auto size = static_cast<Index>(box_.size());
  for (Index number = 0; number < size && static_cast<Index>(points.size()) < limit; ++number) {
    Point point(box_.dimension());
    Index rest = number;
    for (Index k = box_.dimension() - 1; k >= 0; --k) {
      const BoxAxis& axis = box_.axes()[static_cast<std::size_t>(k)];
      const Index count = num_values(axis);
      const auto value = static_cast<double>(rest % count);
      point(k) = axis.categories.empty() ? axis.lower + value : value;
      rest /= count;
    }
    if (find(point) < 0) points.push_back(std::move(point));
  }
  return points;
}

/// The known points, then others.
Points BoxCandidates::with_known(const std::vector<Point>& others) const {
  Points points(num_known() + static_cast<Index>(others.size()), box_.dimension());
  Index row = 0;
  for (const std::vector<Point>* part : {&known_, &others}) {
    for (const Point& point : *part) points.row(row++) = point;
  }
  return points;
}

void BoxCandidates::renew(Index step, const std::vector<Index>& centres) {
  std::vector<Point> fresh;
  const bool is_small = box_.size() <= static_cast<double>(options_.candidates);
  if (!is_small) fresh = sample(step, centres);
  Points all = with_known(fresh);
  const PointIndex index(all);
  Index row = num_known();
  const auto is_repeat = [&](const Point& point) { return index.find(all, point) < row++; };
  const bool has_repeats = std::erase_if(fresh, is_repeat) > 0;
  if (fresh.empty()) fresh = enumerate(options_.candidates);
  if (has_repeats || is_small) all = with_known(fresh);
  Domain encoded(box_.encode(all));
  domain_.emplace(std::move(all), box_.names());
  encoded_.emplace(std::move(encoded));
}

std::optional<ScoredPoint> polish(const Box& box,
                                  const Surrogate& surrogate,
                                  const Acquisition& acquisition,
                                  const AcquisitionContext& context,
                                  Sense sense,
                                  const PointRef& start,
                                  double score) {
  Bounds bounds{start.transpose(), start.transpose()};
  for (Index k = 0; k < box.dimension(); ++k) {
    if (!box.is_continuous(k)) continue;
    bounds.lower(box.first_encoded(k)) = 0.0;
    bounds.upper(box.first_encoded(k)) = 1.0;
  }
  const double sign = sign_of(sense);
  const auto descent = [&](const Vector& x, Vector& gradient) {
    const PointGradient at = surrogate.gradient(x.transpose());
    const std::optional<ScoreSlope> slope = acquisition.slope(context, sign * at.mean, at.stddev);
    if (!slope) return kNaN;
    gradient = -(slope->by_mean * sign * at.mean_gradient + slope->by_stddev * at.stddev_gradient)
                    .transpose();
    return -slope->score;
  };
  MinimizeOptions options;
  options.max_iterations = kPolishIterations;
  options.gradient_tolerance = kPolishGradient;
  options.value_tolerance = kPolishValue;
  options.max_evaluations = kPolishEvaluations;
  options.memory = kPolishMemory;
  options.target = -score;
  options.reach = kPolishReach;
  const MinimizeResult end = minimize(descent, start.transpose(), bounds, options);
  if (!(-end.value > score)) return std::nullopt;
  return ScoredPoint{box.decode(end.x.transpose()), -end.value};
}

std::vector<Index> polish_starts(const Points& encoded,
                                 const std::vector<Index>& candidates,
                                 const VectorRef& scores,
                                 Index count) {
  std::vector<Index> order;
  for (Index i = 0; i < scores.size(); ++i) {
    if (std::isfinite(scores(i))) order.push_back(i);
  }
  std::stable_sort(
      order.begin(), order.end(), [&](Index a, Index b) { return scores(a) > scores(b); });
  const double apart = kApart * std::sqrt(static_cast<double>(encoded.cols()));
  std::vector<Index> rows;
  for (const Index i : order) {
    if (static_cast<Index>(rows.size()) == count) break;
    const Index row = candidates[static_cast<std::size_t>(i)];
    const bool is_near = std::any_of(rows.begin(), rows.end(), [&](Index other) {
      return (encoded.row(row) - encoded.row(other)).norm() < apart;
    });
    if (!is_near) rows.push_back(row);
  }
  return rows;
}

}  // namespace pomlux
