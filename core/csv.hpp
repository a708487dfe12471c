// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>      // std::size_t
#include <filesystem>   // paths
#include <functional>   // row callbacks
#include <iosfwd>       // streams
#include <optional>     // columns by name
#include <string>       // cells
#include <string_view>  // names
#include <vector>       // rows

namespace pomlux {

/// One row of cells and the line it came from, counted from 1.
struct CsvRow {
  std::vector<std::string> cells;
  std::size_t line = 0;
  bool is_header = false;  ///< the first row, if none of its cells is a number
};

/// Calls `use` for every row of separated UTF-8 text. The separator is taken from the first row: a
/// semicolon if it has one, else a tab if it has more tabs than commas, else a comma. Accepts a
/// byte-order mark, LF and CRLF, blank lines, comment lines that start with "#", blanks around
/// cells, and cells in double quotes ("" inside them is a quote), which end on their line.
/// Memory: one row. `use` may move the cells out.
/// @throws InvalidArgument naming source and line for a row of another width than the first, an
/// open quote, text after a closing quote, a NUL or lone carriage return, and a header with an
/// empty, repeated or invisible name.
void for_each_csv_row(std::istream& input,
                      const std::string& source,
                      const std::function<void(CsvRow&)>& use);

/// The cells of one row; `where` begins messages. @throws InvalidArgument for an open quote or text
/// after a closing one.
[[nodiscard]] std::vector<std::string> split_csv_row(std::string_view row,
                                                     char separator,
                                                     const std::string& where);

/// A table of text cells with the line each row came from, so that errors can name file, line and
/// column.
struct CsvTable {
  std::string source;                          ///< file name, for messages
  std::vector<std::string> columns;            ///< from the header; empty if there is none
  std::vector<std::vector<std::string>> rows;  ///< all of one width
  std::vector<std::size_t> lines;              ///< line number of each row, from 1
  std::size_t width = 0;

  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
  /// The cell as a finite number. @throws InvalidArgument naming source, line and column (its
  /// number, counted from 1, where there is no header).
  [[nodiscard]] double number(std::size_t row, std::size_t column) const;
};

/// All rows at once. @throws InvalidArgument as for_each_csv_row.
[[nodiscard]] CsvTable read_csv(std::istream& input, std::string source);
/// @throws InvalidArgument if the file cannot be opened or is a directory; as read_csv.
[[nodiscard]] CsvTable read_csv_file(const std::filesystem::path& path);

/// `text` as a finite number, whatever the locale. @throws InvalidArgument "<source>:<line>: column
/// <name>: found '<text>'; allowed: a finite number".
[[nodiscard]] double parse_csv_number(std::string_view text,
                                      const std::string& source,
                                      std::size_t line,
                                      const std::string& column);

/// Why a CSV file with `name` in its header could not be read back: ", which is a number". Empty if
/// it can: UTF-8 text, not blank, no number, without control and invisible characters.
[[nodiscard]] std::string column_name_fault(std::string_view name);

/// A cell for writing: quoted if it holds a separator, a quote, "#" or outer blanks; line ends
/// become blanks, so that a row stays a line.
[[nodiscard]] std::string csv_cell(std::string_view text);

}  // namespace pomlux
