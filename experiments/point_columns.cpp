// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <cmath>      // std::abs
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/spec.hpp>
#include <unordered_map>  // columns by name

namespace pomlux {
namespace {

bool has_own_names(const Domain& domain) {
  for (std::size_t k = 0; k < domain.names().size(); ++k) {
    if (domain.names()[k] != "x_" + std::to_string(k)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::size_t> point_columns(const CsvTable& table,
                                       const Domain& domain,
                                       const std::vector<std::string>& others) {
  std::vector<std::size_t> found;
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < table.columns.size(); ++i) by_name.emplace(table.columns[i], i);
  for (const std::string& name : domain.names()) {
    if (const auto column = by_name.find(name); column != by_name.end()) {
      found.push_back(column->second);
    }
  }
  const auto d = static_cast<std::size_t>(domain.dimension());
  if (found.size() == d) return found;
  const bool is_partly_named = !found.empty();
  found.clear();
  for (std::size_t column = 0; column < table.width; ++column) {
    const std::string name = table.columns.empty() ? "" : table.columns[column];
    const bool is_other = std::find(others.begin(), others.end(), name) != others.end();
    if (!is_other && name != "label") found.push_back(column);
  }
  const bool has_names = !table.columns.empty() && has_own_names(domain);
  if (found.size() == d && !has_names && !is_partly_named) return found;
  fail(table.source,
       (table.columns.empty() ? std::to_string(table.width) + " columns without names"
                              : "the columns are " + join(table.columns)) +
           "; needs the coordinates " + join(domain.names()));
}

CsvTable read_table(const std::string& path, std::istream& standard_input) {
  return path == "-" ? read_csv(standard_input, "standard input") : read_csv_file(path);
}

std::string line_text(const CsvTable& table, std::size_t row) {
  return table.source + ":" + std::to_string(table.lines[row]);
}

Points read_points(const CsvTable& table, const std::vector<std::size_t>& columns) {
  Points points(static_cast<Index>(table.rows.size()), static_cast<Index>(columns.size()));
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index k = 0; k < points.cols(); ++k) {
      points(i, k) =
          table.number(static_cast<std::size_t>(i), columns[static_cast<std::size_t>(k)]);
    }
  }
  return points;
}

Index find_close(const Domain& domain, const PointRef& point) {
  const Index equal = domain.find(point);
  if (equal >= 0) return equal;
  const Index near = domain.nearest(point);
  const PointRef candidate = domain.point(near);
  const Point extent = domain.upper() - domain.lower();
  for (Index k = 0; k < point.size(); ++k) {
    const double scale = std::max(extent(k), std::abs(candidate(k)));
    if (std::abs(point(k) - candidate(k)) > kPointTolerance * scale) return -1;
  }
  return near;
}

std::string coordinates_text(const std::vector<std::string>& names, const PointRef& point) {
  constexpr Index kMostCoordinates = 10;
  std::string text;
  for (Index k = 0; k < std::min(point.size(), kMostCoordinates); ++k) {
    if (k > 0) text += ", ";
    text += names[static_cast<std::size_t>(k)] + " = " + format_number(point(k));
  }
  return point.size() > kMostCoordinates ? text + ", ..." : text;
}

}  // namespace pomlux
