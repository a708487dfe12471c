// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // files
#include <pomlux/core/domain.hpp>
#include <string>  // names

namespace pomlux {

/// The points of a CSV file with a header: all columns but `value_column`; one named "label" gives
/// labels. Rows with the coordinates of an earlier one and its value are left out.
/// @throws InvalidArgument naming file, line and column, also for a point with two values.
[[nodiscard]] Domain read_table_domain(const std::filesystem::path& path,
                                       const std::string& value_column);

/// The value of every candidate, [n]; columns as point_columns finds them.
/// @throws InvalidArgument as read_table_domain, and naming the first candidate without a row.
[[nodiscard]] Vector read_table_values(const std::filesystem::path& path,
                                       const std::string& value_column,
                                       const Domain& domain);

}  // namespace pomlux
