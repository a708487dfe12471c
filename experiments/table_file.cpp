// SPDX-License-Identifier: MIT
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/spec.hpp>
#include <pomlux/experiments/table_file.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr const char* kNoiseColumn = "noise_stddev";

std::size_t value_column_of(const CsvTable& table, const std::string& name) {
  if (table.columns.empty()) {
    fail(table.source, "the first row has numbers; needs a header with the column " + name);
  }
  const std::optional<std::size_t> column = table.column(name);
  if (!column) {
    fail(table.source, "no column " + name + "; found " + join(table.columns));
  }
  if (table.rows.empty()) fail(table.source, "holds no rows; every row is one answer");
  return *column;
}

/// Rows whose point is on no earlier row. @throws InvalidArgument for one with two values.
std::vector<Index> distinct_rows(const CsvTable& table, std::size_t value, const Domain& points) {
  std::vector<Index> rows;
  for (Index i = 0; i < points.size(); ++i) {
    const Index first = points.find(points.point(i));
    const auto here = static_cast<std::size_t>(i), there = static_cast<std::size_t>(first);
    if (first == i) {
      rows.push_back(i);
    } else if (table.number(here, value) != table.number(there, value)) {
      fail(line_text(table, here),
           "the value is " + table.rows[here][value] + "; line " +
               std::to_string(table.lines[there]) + " gives the same point " +
               table.rows[there][value]);
    }
  }
  return rows;
}

}  // namespace

Domain read_table_domain(const std::filesystem::path& path, const std::string& value_column) {
  const CsvTable table = read_csv_file(path);
  const std::size_t value = value_column_of(table, value_column);
  const std::optional<std::size_t> label = table.column("label");
  std::vector<std::size_t> columns;
  std::vector<std::string> names, labels;
  for (std::size_t column = 0; column < table.width; ++column) {
    if (column == value || column == label) continue;
    if (table.columns[column] == kNoiseColumn) {
      fail(table.source,
           "column " + table.columns[column] +
               " would be a coordinate; allowed: a table without it, as noise_stddev of the "
               "objective is the noise of every evaluation");
    }
    columns.push_back(column);
    names.push_back(table.columns[column]);
  }
  if (columns.empty()) fail(table.source, "holds no coordinates beside " + value_column);
  if (label) {
    for (const auto& row : table.rows) labels.push_back(row[*label]);
  }
  const Domain points(read_points(table, columns), std::move(names), std::move(labels));
  return points.subset(distinct_rows(table, value, points));
}

Vector read_table_values(const std::filesystem::path& path,
                         const std::string& value_column,
                         const Domain& domain) {
  const CsvTable table = read_csv_file(path);
  const std::size_t value = value_column_of(table, value_column);
  const Domain points(read_points(table, point_columns(table, domain, {value_column})));
  static_cast<void>(distinct_rows(table, value, points));
  Vector values(domain.size());
  for (Index i = 0; i < domain.size(); ++i) {
    const PointRef point = domain.point(i);
    const Index row = find_close(points, point);
    if (row < 0) {
      fail(table.source,
           "no row for candidate " + std::to_string(i) + " (" +
               coordinates_text(domain.names(), point) + "); the nearest is line " +
               std::to_string(table.lines[static_cast<std::size_t>(points.nearest(point))]));
    }
    values(i) = table.number(static_cast<std::size_t>(row), value);
  }
  return values;
}

}  // namespace pomlux
