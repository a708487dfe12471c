// SPDX-License-Identifier: MIT
// The ways to make a Domain from a description, and to choose candidates of one.
#include <algorithm>  // std::clamp
#include <cmath>      // std::pow
#include <limits>     // infinity
#include <pomlux/core/domain.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/sobol.hpp>

namespace pomlux {
namespace {

void require_count(std::string_view where, std::string_view name, Index count) {
  if (count < 1) fail(where, std::string(name) + " is " + format_number(count) + "; must be >= 1");
}

void require_box(std::string_view where, const VectorRef& lower, const VectorRef& upper) {
  require_same_size(where, "lower", lower.size(), "upper", upper.size());
  if (lower.size() == 0) fail(where, "the box has no dimension");
  require_finite(where, "lower", lower);
  require_finite(where, "upper", upper);
  for (Index k = 0; k < lower.size(); ++k) {
    const bool is_ordered = lower(k) <= upper(k);
    if (is_ordered && std::isfinite(upper(k) - lower(k))) continue;
    fail(where,
         "lower[" + format_number(k) + "] is " + format_number(lower(k)) + ", upper[" +
             format_number(k) + "] is " + format_number(upper(k)) +
             (is_ordered ? "; their difference must be finite" : "; lower must be <= upper"));
  }
}

/// An empty block [n, d] that fits into memory.
Points make_block(std::string_view where, Index n, Index d) {
  require_count(where, "n", n);
  require_memory(where, n, d);
  return Points(n, d);
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

/// Equally spaced with exact ends: lower + i step, not a convex combination, so that round numbers
/// stay round ([-2.5, 2] in 25 points has 0.125).
Vector grid_axis(double lower, double upper, Index count) {
  Vector values = Vector::Constant(count, lower);
  if (count == 1) return values;
  const double step = (upper - lower) / static_cast<double>(count - 1);
  for (Index i = 1; i < count; ++i) {
    values(i) = std::min(lower + static_cast<double>(i) * step, upper);
  }
  values(count - 1) = upper;
  return values;
}

/// n independent uniform directions, [n, d].
Points draw_directions(std::string_view where, Index d, double radius, Index n, Rng& rng) {
  require_count(where, "d", d);
  if (!(radius > 0.0 && std::isfinite(2.0 * radius))) {
    fail(where, "radius is " + format_number(radius) + "; must be > 0 and its double finite");
  }
  Points directions = make_block(where, n, d);
  for (Index i = 0; i < n; ++i) {
    double norm = 0.0;
    while (!(norm > 0.0)) {
      directions.row(i) = draw_normals(rng, d).transpose();
      norm = directions.row(i).norm();
    }
    directions.row(i) /= norm;
  }
  return directions;
}

}  // namespace

Domain Domain::grid(const VectorRef& lower, const VectorRef& upper, std::span<const Index> counts) {
  require_box("grid", lower, upper);
  const Index d = lower.size();
  require_same_size("grid", "counts", static_cast<Index>(counts.size()), "lower", d);
  double size = 1.0;  // in floating point: the product may exceed every integer
  for (std::size_t k = 0; k < counts.size(); ++k) {
    require_count("grid", "counts[" + format_number(static_cast<Index>(k)) + "]", counts[k]);
    size *= static_cast<double>(counts[k]);
  }
  if (size > 1e15) fail("grid", "has " + format_number(size) + " points; use fewer per axis");
  Points points = make_block("grid", static_cast<Index>(size), d);
  Index repeat = points.rows();  // rows over which the coordinate of axis k stays the same
  for (Index k = 0; k < d; ++k) {
    const Index count = counts[static_cast<std::size_t>(k)];
    const Vector axis = grid_axis(lower(k), upper(k), count);
    repeat /= count;
    for (Index i = 0; i < points.rows(); ++i) points(i, k) = axis(i / repeat % count);
  }
  return Domain(std::move(points), {}, {}, {counts.begin(), counts.end()});
}

Domain Domain::random(const VectorRef& lower, const VectorRef& upper, Index n, Rng& rng) {
  require_box("random", lower, upper);
  Points unit = make_block("random", n, lower.size());
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < unit.cols(); ++k) unit(i, k) = draw_uniform(rng);
  }
  return Domain(scaled(std::move(unit), lower, upper));
}

Domain Domain::sobol(const VectorRef& lower, const VectorRef& upper, Index n, Rng& rng) {
  require_box("sobol", lower, upper);
  require_count("sobol", "n", n);
  return Domain(scaled(sobol_points(n, lower.size(), rng), lower, upper));
}

Domain Domain::latin_hypercube(const VectorRef& lower, const VectorRef& upper, Index n, Rng& rng) {
  require_box("latin_hypercube", lower, upper);
  Points unit = make_block("latin_hypercube", n, lower.size());
  for (Index k = 0; k < unit.cols(); ++k) {
    const std::vector<Index> strata = draw_without_replacement(rng, n, n);
    for (Index i = 0; i < n; ++i) {
      const auto stratum = static_cast<double>(strata[static_cast<std::size_t>(i)]);
      unit(i, k) = (stratum + draw_uniform(rng)) / static_cast<double>(n);
    }
  }
  return Domain(scaled(std::move(unit), lower, upper));
}

Domain Domain::ball(Index d, double radius, Index n, Rng& rng) {
  Points points = draw_directions("ball", d, radius, n, rng);
  for (Index i = 0; i < n; ++i) {
    points.row(i) *= radius * std::pow(draw_uniform(rng), 1.0 / static_cast<double>(d));
  }
  return Domain(std::move(points));
}

Domain Domain::sphere(Index d, double radius, Index n, Rng& rng) {
  Points points = draw_directions("sphere", d, radius, n, rng);
  points *= radius;
  return Domain(std::move(points));
}

std::vector<Index> sobol_candidates(const Domain& domain, Index n, Rng& rng) {
  if (n < 0 || n > domain.size()) {
    fail("sobol_candidates",
         "n is " + format_number(n) + "; must be in 0.." + format_number(domain.size()));
  }
  const Index d = domain.dimension();
  const Point lower = domain.lower(), extent = domain.upper() - domain.lower();
  Points unit(domain.size(), d);  // every axis scaled to [0, 1]; to 1/2 if it has no extent
  for (Index i = 0; i < unit.rows(); ++i) {
    for (Index k = 0; k < d; ++k) {
      unit(i, k) = extent(k) > 0.0 ? (domain.points()(i, k) - lower(k)) / extent(k) : 0.5;
    }
  }
  const Points targets = sobol_points(n, d, rng);
  std::vector<Index> unused(static_cast<std::size_t>(domain.size()));
  for (std::size_t i = 0; i < unused.size(); ++i) unused[i] = static_cast<Index>(i);
  std::vector<Index> chosen;
  for (Index i = 0; i < n; ++i) {
    std::size_t best = 0;
    double best_square = std::numeric_limits<double>::infinity();
    for (std::size_t u = 0; u < unused.size(); ++u) {
      double square = 0.0;
      for (Index k = 0; k < d; ++k) {
        const double difference = unit(unused[u], k) - targets(i, k);
        square += difference * difference;
      }
      if (square < best_square) {
        best = u;
        best_square = square;
      }
    }
    chosen.push_back(unused[best]);
    unused.erase(unused.begin() + static_cast<std::ptrdiff_t>(best));  // keeps the order: ties
  }
  return chosen;
}

}  // namespace pomlux
