// SPDX-License-Identifier: MIT
#pragma once

#include <string>  // cells
#include <vector>  // rows

namespace pomlux {

/// How a command writes its answer; CSV and JSON are for programs.
enum class OutputFormat { kTable, kCsv, kJson };

/// A header and rows of cells, all of one width; "" is a value that is not there.
using RowTable = std::vector<std::vector<std::string>>;

/// Columns aligned to the right, two blanks between them, "-" for what is not there.
[[nodiscard]] std::string aligned_text(const RowTable& rows);
/// CSV with a line per row.
[[nodiscard]] std::string csv_text(const RowTable& rows);

}  // namespace pomlux
