// SPDX-License-Identifier: MIT
#include <pomlux/core/domain.hpp>

#include <algorithm>      // std::all_of
#include <bit>            // bits of coordinates
#include <cmath>          // std::isfinite
#include <unordered_map>  // candidates by point

#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/sobol.hpp>

namespace pomlux {
namespace {

constexpr std::string_view kLabelColumn = "label";

std::uint64_t hash_point(const PointRef& point) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (Index k = 0; k < point.size(); ++k) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(point(k) + 0.0)) * 0x9e3779b97f4a7c15ULL;  // -0 + 0 is +0
    hash ^= hash >> 29;
  }
  return hash;
}

void require_box(std::string_view where, const VectorRef& lower, const VectorRef& upper) {
  require_same_size(where, "lower", lower.size(), "upper", upper.size());
  if (lower.size() == 0) fail(where, "the box has no dimension");
  require_finite(where, "lower", lower);
  require_finite(where, "upper", upper);
  for (Index k = 0; k < lower.size(); ++k) {
    if (lower(k) > upper(k)) {
      fail(where, "lower[" + std::to_string(k) + "] is " + format_number(lower(k)) + ", upper[" +
                      std::to_string(k) + "] is " + format_number(upper(k)) + "; lower must be <= upper");
    }
  }
}

void require_count(std::string_view where, std::string_view name, Index n) {
  if (n < 1) fail(where, std::string(name) + " is " + std::to_string(n) + "; must be >= 1");
}

/// Moves points of the unit box into [lower, upper], never outside by rounding.
Points scaled(Points unit, const VectorRef& lower, const VectorRef& upper) {
  for (Index i = 0; i < unit.rows(); ++i) {
    for (Index k = 0; k < unit.cols(); ++k) {
      const double u = unit(i, k);
      unit(i, k) = std::clamp((1.0 - u) * lower(k) + u * upper(k), lower(k), upper(k));
    }
  }
  return unit;
}

/// Equally spaced with exact ends.
Vector axis(double lower, double upper, Index count) {
  Vector values(count);
  for (Index i = 0; i < count; ++i) {
    const double step = count == 1 ? 0.0 : (upper - lower) / static_cast<double>(count - 1);
    values(i) = std::clamp(lower + static_cast<double>(i) * step, lower, upper);
  }
  if (count > 1) values(count - 1) = upper;
  return values;
}

Points directions(Index d, Index n, Rng& rng) {
  Points points(n, d);
  for (Index i = 0; i < n; ++i) {
    double norm = 0.0;
    while (!(norm > 0.0)) {
      points.row(i) = draw_normals(rng, d).transpose();
      norm = points.row(i).norm();
    }
    points.row(i) /= norm;
  }
  return points;
}

void require_radius(std::string_view where, Index d, double radius, Index n) {
  require_count(where, "dimension", d);
  require_count(where, "size", n);
  if (!(radius > 0.0 && std::isfinite(radius))) {
    fail(where, "radius is " + format_number(radius) + "; must be > 0 and finite");
  }
}

}  // namespace

struct Domain::Data {
  Points points;
  std::vector<std::string> names;
  std::vector<std::string> labels;
  std::vector<Index> grid_counts;
  Point lower, upper;
  std::unordered_multimap<std::uint64_t, Index> by_hash;
};

Domain::Domain(Points points, std::vector<std::string> names, std::vector<std::string> labels) {
  const auto n = points.rows(), d = points.cols();
  if (n < 1 || d < 1) {
    fail("Domain", "has " + std::to_string(n) + " points of dimension " + std::to_string(d) +
                       "; needs at least one point and one dimension");
  }
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) {
      if (!std::isfinite(points(i, k))) {
        fail("Domain", "coordinate " + std::to_string(k) + " of point " + std::to_string(i) + " is " +
                           format_number(points(i, k)) + "; must be finite");
      }
    }
  }
  if (names.empty()) {
    for (Index k = 0; k < d; ++k) names.push_back("x_" + std::to_string(k));
  }
  require_same_size("Domain", "names", static_cast<Index>(names.size()), "the dimension", d);
  if (!labels.empty()) require_same_size("Domain", "labels", static_cast<Index>(labels.size()), "points", n);
  auto data = std::make_shared<Data>();
  data->lower = points.colwise().minCoeff();
  data->upper = points.colwise().maxCoeff();
  data->by_hash.reserve(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) data->by_hash.emplace(hash_point(points.row(i)), i);
  data->points = std::move(points);
  data->names = std::move(names);
  data->labels = std::move(labels);
  data_ = std::move(data);
}

Domain Domain::grid(const VectorRef& lower, const VectorRef& upper, std::span<const Index> counts) {
  require_box("grid", lower, upper);
  require_same_size("grid", "counts", static_cast<Index>(counts.size()), "lower", lower.size());
  double size = 1.0;
  for (const Index count : counts) {
    require_count("grid", "a number of points", count);
    size *= static_cast<double>(count);
  }
  const Index d = lower.size();
  if (size > 1e15) fail("grid", "has " + format_number(size) + " points; use fewer per axis");
  require_memory("grid", static_cast<Index>(size), d);
  std::vector<Vector> axes;
  for (Index k = 0; k < d; ++k) axes.push_back(axis(lower(k), upper(k), counts[static_cast<std::size_t>(k)]));
  Points points(static_cast<Index>(size), d);
  for (Index i = 0; i < points.rows(); ++i) {
    Index rest = i;
    for (Index k = d - 1; k >= 0; --k) {
      const Vector& values = axes[static_cast<std::size_t>(k)];
      points(i, k) = values(rest % values.size());
      rest /= values.size();
    }
  }
  Domain domain(std::move(points));
  auto data = std::make_shared<Data>(*domain.data_);
  data->grid_counts.assign(counts.begin(), counts.end());
  domain.data_ = std::move(data);
  return domain;
}

Domain Domain::from_csv(const std::filesystem::path& path) {
  const CsvTable table = read_csv_file(path);
  if (table.rows.empty()) fail(path.string(), "holds no candidates; every row is one point");
  const std::optional<std::size_t> label = table.column(kLabelColumn);
  const std::size_t d = table.width - (label ? 1 : 0);
  if (d == 0) fail(path.string(), "holds labels only; at least one coordinate column is needed");
  Points points(static_cast<Index>(table.rows.size()), static_cast<Index>(d));
  std::vector<std::string> names, labels;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c == label) continue;
    if (table.columns[c].empty()) fail(path.string(), "column " + std::to_string(c + 1) + " has no name");
    names.push_back(table.columns[c]);
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    Index k = 0;
    for (std::size_t c = 0; c < table.width; ++c) {
      if (c == label) {
        labels.push_back(table.rows[r][c]);
      } else {
        points(static_cast<Index>(r), k++) = table.number(r, c);
      }
    }
  }
  return Domain(std::move(points), std::move(names), std::move(labels));
}

Domain Domain::random(const VectorRef& lower, const VectorRef& upper, Index n, Rng& rng) {
  require_box("random", lower, upper);
  require_count("random", "size", n);
  Points unit(n, lower.size());
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < unit.cols(); ++k) unit(i, k) = draw_uniform(rng);
  }
  return Domain(scaled(std::move(unit), lower, upper));
}

Domain Domain::sobol(const VectorRef& lower, const VectorRef& upper, Index n, Rng& rng) {
  require_box("sobol", lower, upper);
  require_count("sobol", "size", n);
  return Domain(scaled(sobol_points(n, lower.size(), rng), lower, upper));
}

Domain Domain::latin_hypercube(const VectorRef& lower, const VectorRef& upper, Index n, Rng& rng) {
  require_box("latin_hypercube", lower, upper);
  require_count("latin_hypercube", "size", n);
  Points unit(n, lower.size());
  for (Index k = 0; k < unit.cols(); ++k) {
    const std::vector<Index> strata = draw_without_replacement(rng, n, n);
    for (Index i = 0; i < n; ++i) {
      unit(i, k) = (static_cast<double>(strata[static_cast<std::size_t>(i)]) + draw_uniform(rng)) /
                   static_cast<double>(n);
    }
  }
  return Domain(scaled(std::move(unit), lower, upper));
}

Domain Domain::ball(Index d, double radius, Index n, Rng& rng) {
  require_radius("ball", d, radius, n);
  Points points = directions(d, n, rng);
  for (Index i = 0; i < n; ++i) {
    points.row(i) *= radius * std::pow(draw_uniform(rng), 1.0 / static_cast<double>(d));
  }
  return Domain(std::move(points));
}

Domain Domain::sphere(Index d, double radius, Index n, Rng& rng) {
  require_radius("sphere", d, radius, n);
  return Domain(Points(directions(d, n, rng) * radius));
}

Domain Domain::subset(std::span<const Index> rows) const {
  Points points(static_cast<Index>(rows.size()), dimension());
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    points.row(static_cast<Index>(i)) = point(rows[i]);
    if (!data_->labels.empty()) labels.push_back(data_->labels[static_cast<std::size_t>(rows[i])]);
  }
  return Domain(std::move(points), data_->names, std::move(labels));
}

Domain Domain::sample(Index n, Rng& rng) const {
  if (n < 1 || n > size()) {
    fail("Domain::sample", "size is " + std::to_string(n) + "; must be in 1.." + std::to_string(size()));
  }
  return subset(draw_without_replacement(rng, size(), n));
}

Index Domain::size() const { return data_->points.rows(); }
Index Domain::dimension() const { return data_->points.cols(); }
const Points& Domain::points() const { return data_->points; }

PointRef Domain::point(Index candidate) const {
  if (candidate < 0 || candidate >= size()) {
    fail("Domain", "candidate " + std::to_string(candidate) + " is not in 0.." + std::to_string(size() - 1));
  }
  return data_->points.row(candidate);
}

const std::vector<std::string>& Domain::names() const { return data_->names; }
const std::vector<std::string>& Domain::labels() const { return data_->labels; }
Point Domain::lower() const { return data_->lower; }
Point Domain::upper() const { return data_->upper; }
const std::vector<Index>& Domain::grid_counts() const { return data_->grid_counts; }
const void* Domain::identity() const { return data_.get(); }

Index Domain::find(const PointRef& point) const {
  require_same_size("Domain::find", "point", point.size(), "the dimension", dimension());
  Index found = -1;
  const auto [begin, end] = data_->by_hash.equal_range(hash_point(point));
  for (auto it = begin; it != end; ++it) {
    if ((found < 0 || it->second < found) && data_->points.row(it->second) == point) found = it->second;
  }
  return found;
}

Index Domain::nearest(const PointRef& point) const {
  require_same_size("Domain::nearest", "point", point.size(), "the dimension", dimension());
  const Point extent = data_->upper - data_->lower;
  const Point weight = (extent.array() > 0.0).select(extent.array().inverse(), 0.0);
  Index best = 0;
  ((data_->points.rowwise() - Point(point)).array().rowwise() * weight.array())
      .matrix()
      .rowwise()
      .squaredNorm()
      .minCoeff(&best);
  return best;
}

std::vector<Index> sobol_candidates(const Domain& domain, Index n, Rng& rng) {
  if (n < 0 || n > domain.size()) {
    fail("sobol_candidates",
         "n is " + std::to_string(n) + "; the domain has " + std::to_string(domain.size()) + " candidates");
  }
  const Point lower = domain.lower(), extent = domain.upper() - domain.lower();
  const Point weight = (extent.array() > 0.0).select(extent.array().inverse(), 0.0);
  const Points unit = (domain.points().rowwise() - lower).array().rowwise() * weight.array();
  const Points targets = sobol_points(n, domain.dimension(), rng);
  std::vector<bool> is_used(static_cast<std::size_t>(domain.size()), false);
  std::vector<Index> chosen;
  for (Index i = 0; i < n; ++i) {
    Index best = -1;
    double best_distance = 0.0;
    for (Index c = 0; c < unit.rows(); ++c) {
      if (is_used[static_cast<std::size_t>(c)]) continue;
      const double distance = (unit.row(c) - targets.row(i)).squaredNorm();
      if (best < 0 || distance < best_distance) {
        best = c;
        best_distance = distance;
      }
    }
    is_used[static_cast<std::size_t>(best)] = true;
    chosen.push_back(best);
  }
  return chosen;
}

}  // namespace pomlux
