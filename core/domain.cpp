// SPDX-License-Identifier: MIT
#include <cmath>   // std::isfinite
#include <limits>  // infinity
#include <pomlux/core/csv.hpp>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/point_index.hpp>
#include <pomlux/core/utf8.hpp>
#include <unordered_set>  // names

namespace pomlux {
namespace {

constexpr std::string_view kLabelColumn = "label";

void require_finite_points(const Points& points) {
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index k = 0; k < points.cols(); ++k) {
      if (std::isfinite(points(i, k))) continue;
      fail("Domain",
           "coordinate " + format_number(k) + " of point " + format_number(i) + " is " +
               format_number(points(i, k)) + "; must be finite");
    }
  }
}

void require_names(const std::vector<std::string>& names, Index d) {
  require_same_size("Domain", "names", static_cast<Index>(names.size()), "the dimension", d);
  std::unordered_set<std::string_view> seen;
  for (auto name = names.begin(); name != names.end(); ++name) {
    const std::string which = "names[" + format_number(name - names.begin()) + "]";
    if (name->empty()) fail("Domain", which + " is empty");
    if (const std::string fault = column_name_fault(*name); !fault.empty()) {
      fail("Domain", which + " is '" + printable(*name, 60) + "'" + fault);
    }
    if (!seen.insert(*name).second) {
      fail("Domain", which + " is '" + *name + "', the name of an earlier column");
    }
  }
}

/// Squared distance with every axis scaled to the domain's extent. An axis of extent 0 is the same
/// for all candidates and left out.
double scaled_square(const double* a, const double* b, const Point& extent) {
  double sum = 0.0;
  for (Index k = 0; k < extent.size(); ++k) {
    if (!(extent(k) > 0.0)) continue;
    const double difference = (a[k] - b[k]) / extent(k);
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

struct Domain::Data {
  Points points;
  std::vector<std::string> names;
  std::vector<std::string> labels;
  std::vector<Index> grid_counts;
  Point lower, upper;
  PointIndex by_point;
};

Domain::Domain(Points points, std::vector<std::string> names, std::vector<std::string> labels)
    : Domain(std::move(points), std::move(names), std::move(labels), {}) {}

Domain::Domain(Points points,
               std::vector<std::string> names,
               std::vector<std::string> labels,
               std::vector<Index> grid_counts) {
  const Index n = points.rows(), d = points.cols();
  if (n < 1 || d < 1) {
    fail("Domain",
         "has " + format_number(n) + " points of dimension " + format_number(d) +
             "; needs at least one point and one dimension");
  }
  require_finite_points(points);
  if (names.empty()) {
    for (Index k = 0; k < d; ++k) names.push_back("x_" + format_number(k));
  }
  require_names(names, d);
  if (!labels.empty()) {
    require_same_size("Domain", "labels", static_cast<Index>(labels.size()), "points", n);
  }
  const auto data = std::make_shared<Data>();
  data->lower = points.colwise().minCoeff();
  data->upper = points.colwise().maxCoeff();
  for (Index k = 0; k < d; ++k) {
    if (std::isfinite(data->upper(k) - data->lower(k))) continue;
    fail("Domain",
         "column " + names[static_cast<std::size_t>(k)] + " spans " +
             format_number(data->lower(k)) + " to " + format_number(data->upper(k)) +
             "; the difference must be finite");
  }
  data->by_point = PointIndex(points);
  data->points = std::move(points);
  data->names = std::move(names);
  data->labels = std::move(labels);
  data->grid_counts = std::move(grid_counts);
  data_ = data;
}

Domain Domain::from_csv(const std::filesystem::path& path) {
  const CsvTable table = read_csv_file(path);
  if (table.rows.empty()) fail(path.string(), "holds no candidates; every row is one point");
  const std::optional<std::size_t> label = table.column(kLabelColumn);
  const std::size_t d = table.width - (label ? 1 : 0);
  if (d == 0) fail(path.string(), "holds labels only; needs at least one coordinate column");
  std::vector<std::string> names, labels;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (column != label) names.push_back(table.columns[column]);
  }
  Points points(static_cast<Index>(table.rows.size()), static_cast<Index>(d));
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    Index k = 0;
    for (std::size_t column = 0; column < table.width; ++column) {
      if (column == label) {
        labels.push_back(table.rows[row][column]);
      } else {
        points(static_cast<Index>(row), k++) = table.number(row, column);
      }
    }
  }
  return Domain(std::move(points), std::move(names), std::move(labels));
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
    fail("Domain::sample", "n is " + format_number(n) + "; must be in 1.." + format_number(size()));
  }
  return subset(draw_without_replacement(rng, size(), n));
}

Index Domain::size() const { return data_->points.rows(); }
Index Domain::dimension() const { return data_->points.cols(); }
const Points& Domain::points() const { return data_->points; }

PointRef Domain::point(Index candidate) const {
  if (candidate < 0 || candidate >= size()) {
    fail("Domain",
         "candidate " + format_number(candidate) + " is not in 0.." + format_number(size() - 1));
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
  return data_->by_point.find(data_->points, point);
}

Index Domain::nearest(const PointRef& point) const {
  require_same_size("Domain::nearest", "point", point.size(), "the dimension", dimension());
  require_finite("Domain::nearest", "point", point.transpose());
  const Point extent = data_->upper - data_->lower;
  Index best = 0;
  double best_square = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < size(); ++i) {
    const double square = scaled_square(&data_->points(i, 0), point.data(), extent);
    if (square < best_square) {
      best = i;
      best_square = square;
    }
  }
  return best;
}

}  // namespace pomlux
