// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>  // std::size_t
#include <iosfwd>   // standard input
#include <pomlux/core/box.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/domain.hpp>
#include <pomlux/experiments/json.hpp>
#include <string>       // names
#include <string_view>  // coordinates
#include <vector>       // columns

namespace pomlux {

/// Which columns of a CSV file hold the coordinates of points of the domain, [d]: those with its
/// names. Where the domain has no names of its own (x_0, x_1, ...) and the file none of these, or
/// the file no header: all columns but `others` and "label", in their order.
/// @throws InvalidArgument naming the file, the columns found and those wanted.
[[nodiscard]] std::vector<std::size_t> point_columns(const CsvTable& table,
                                                     const Domain& domain,
                                                     const std::vector<std::string>& others = {});

/// The table in a file, or, for "-", on standard input.
[[nodiscard]] CsvTable read_table(const std::string& path, std::istream& standard_input);
/// "points.csv:4" of a row of a table.
[[nodiscard]] std::string line_text(const CsvTable& table, std::size_t row);
/// A coordinate that somebody wrote. On an axis of categories the label of one or, if no label of
/// the axis looks like a number, its number, from 0. `axis` is null for candidates.
/// @throws InvalidArgument "<where>: found '<text>'; allowed: ...".
[[nodiscard]] double read_coordinate(const std::string& where,
                                     std::string_view text,
                                     const BoxAxis* axis);
/// The cells of these columns in every row, [rows, columns]: one column for every axis of the box,
/// if there is one. Cells are read as read_coordinate reads them, except that numbers of
/// categories are their numbers, whatever the labels, in steps.csv, posterior.csv and summary.csv
/// of a run, which are known by their other columns.
/// @throws InvalidArgument naming file, line and column.
[[nodiscard]] Points read_points(const CsvTable& table,
                                 const std::vector<std::size_t>& columns,
                                 const Box* box = nullptr);

/// Coordinates are the same if they differ by at most this, relative to the extent of their axis
/// or, if that is smaller, to the coordinate: grids compute what people write down in decimals.
inline constexpr double kPointTolerance = 1e-9;
/// The candidate equal to the point, else the nearest if it is the same but for kPointTolerance,
/// else -1. O(d) if there is an equal one, else O(n d).
[[nodiscard]] Index find_close(const Domain& domain, const PointRef& point);

/// A coordinate as read_coordinate takes it: a number or, of a box, the label of a category.
[[nodiscard]] std::string coordinate_text(const Box* box, Index axis, double value);
/// The same of a point: a list of numbers and, for categories, texts.
[[nodiscard]] Json point_json(const Box* box, const PointRef& point);
/// "x_0 = 0.5, solvent = water"; at most ten coordinates, then "...". Labels as cells of CSV.
[[nodiscard]] std::string coordinates_text(const std::vector<std::string>& names,
                                           const PointRef& point,
                                           const Box* box = nullptr);

}  // namespace pomlux
