// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find, std::any_of
#include <cmath>      // std::abs, std::floor
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/spec.hpp>
#include <pomlux/experiments/yaml_tree.hpp>
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

namespace {

bool looks_like_number(std::string_view text) { return parse_number(text).has_value(); }

/// A file of a run's folder, where categories are numbers.
bool is_of_run(const CsvTable& table) {
  const auto has = [&](std::initializer_list<const char*> names) {
    return std::all_of(
        names.begin(), names.end(), [&](const char* name) { return table.column(name); });
  };
  return has({"step", "phase", "state", "candidate"}) ||                // steps.csv
         has({"candidate", "mean", "stddev", "evaluations"}) ||         // posterior.csv
         has({"seed", "status", "reason", "best_observed_candidate"});  // summary.csv
}

/// @param puts_numbers_first  A number is that of a category even if a label looks like it.
double read_category(const std::string& where,
                     std::string_view text,
                     const std::vector<std::string>& labels,
                     bool puts_numbers_first) {
  const auto count = static_cast<double>(labels.size());
  const auto label = std::find(labels.begin(), labels.end(), text);
  const bool takes_numbers =
      puts_numbers_first || std::none_of(labels.begin(), labels.end(), looks_like_number);
  const std::optional<double> number = takes_numbers ? parse_number(text) : std::nullopt;
  const bool is_of_category = number && *number >= 0.0 && *number < count;
  if (is_of_category && std::floor(*number) == *number) return std::abs(*number);  // not -0
  if (label != labels.end()) return static_cast<double>(label - labels.begin());
  std::string allowed;
  for (const std::string& one : labels) allowed += (allowed.empty() ? "" : ", ") + csv_cell(one);
  if (takes_numbers) allowed += ", or their numbers 0 to " + format_number(count - 1.0);
  fail(where, "found " + in_quotes(text) + "; allowed: " + allowed);
}

}  // namespace

double read_coordinate(const std::string& where, std::string_view text, const BoxAxis* axis) {
  if (axis != nullptr && !axis->categories.empty()) {
    return read_category(where, text, axis->categories, false);
  }
  const std::optional<double> number = parse_number(text);
  if (number && std::isfinite(*number)) return *number;
  fail(where, "found " + in_quotes(text) + "; allowed: a finite number");
}

Points read_points(const CsvTable& table, const std::vector<std::size_t>& columns, const Box* box) {
  const bool has_numbers = is_of_run(table);
  Points points(static_cast<Index>(table.rows.size()), static_cast<Index>(columns.size()));
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index k = 0; k < points.cols(); ++k) {
      const auto row = static_cast<std::size_t>(i);
      const std::size_t column = columns[static_cast<std::size_t>(k)];
      const BoxAxis* const axis = box ? &box->axes()[static_cast<std::size_t>(k)] : nullptr;
      points(i, k) = axis == nullptr || axis->categories.empty()
                         ? table.number(row, column)
                         : read_category(line_text(table, row) + ": column " + axis->name,
                                         table.rows[row][column],
                                         axis->categories,
                                         has_numbers);
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

std::string coordinate_text(const Box* box, Index axis, double value) {
  return box == nullptr ? format_number(value) : box->text(axis, value);
}

Json point_json(const Box* box, const PointRef& point) {
  Json list = list_of(point);
  for (std::size_t k = 0; box != nullptr && k < list.size(); ++k) {
    const bool is_category = !box->axes()[k].categories.empty();
    if (is_category) list[k] = box->text(static_cast<Index>(k), point(static_cast<Index>(k)));
  }
  return list;
}

std::string coordinates_text(const std::vector<std::string>& names,
                             const PointRef& point,
                             const Box* box) {
  constexpr Index kMostCoordinates = 10;
  std::string text;
  for (Index k = 0; k < std::min(point.size(), kMostCoordinates); ++k) {
    if (k > 0) text += ", ";
    text += names[static_cast<std::size_t>(k)] + " = ";
    text += csv_cell(coordinate_text(box, k, point(k)));
  }
  return point.size() > kMostCoordinates ? text + ", ..." : text;
}

}  // namespace pomlux
