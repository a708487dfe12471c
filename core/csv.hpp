// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>      // std::size_t
#include <filesystem>   // paths
#include <iosfwd>       // streams
#include <optional>     // columns by name
#include <string>       // cells
#include <string_view>  // names
#include <vector>       // rows

namespace pomlux {

/// A table of text cells with the line each row came from, so that errors can name file, line and
/// column.
struct CsvTable {
  std::string source;                          ///< file name, for messages
  std::vector<std::string> columns;            ///< from the header; empty if there is none
  std::vector<std::vector<std::string>> rows;  ///< all of one width
  std::vector<std::size_t> lines;              ///< line number of each row, from 1
  std::size_t width = 0;

  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
  /// The cell as a finite number. @throws InvalidArgument naming source, line and column.
  [[nodiscard]] double number(std::size_t row, std::size_t column) const;
};

/// Reads comma-, semicolon- or tab-separated text (the separator is taken from the first row).
/// Accepts a byte-order mark, CRLF, blank lines, "#" comment lines, blanks around cells and double
/// quotes. The first row is a header unless all its cells are numbers. @throws InvalidArgument
/// naming source and line for a row of another width or an open quote.
[[nodiscard]] CsvTable read_csv(std::istream& input, std::string source);
/// @throws InvalidArgument if the file cannot be opened or is a directory.
[[nodiscard]] CsvTable read_csv_file(const std::filesystem::path& path);

}  // namespace pomlux
