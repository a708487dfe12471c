// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find, std::none_of
#include <cmath>      // std::isfinite
#include <fstream>    // files
#include <istream>    // lines
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/utf8.hpp>
#include <unordered_set>  // column names

namespace pomlux {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string at(const std::string& source, std::size_t line) {
  return source + ":" + std::to_string(line);
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::ptrdiff_t count_outside_quotes(std::string_view line, char wanted) {
  bool is_quoted = false;
  std::ptrdiff_t count = 0;
  for (const char c : line) {
    if (c == '"') is_quoted = !is_quoted;
    if (c == wanted && !is_quoted) ++count;
  }
  return count;
}

/// A semicolon wins although commas may be more frequent: tables with decimal commas have both, and
/// their numbers are refused with the right cell in the message.
char detect_separator(std::string_view line) {
  if (count_outside_quotes(line, ';') > 0) return ';';
  return count_outside_quotes(line, '\t') > count_outside_quotes(line, ',') ? '\t' : ',';
}

void check_header(const std::vector<std::string>& names, const std::string& where) {
  std::unordered_set<std::string_view> seen;
  for (auto name = names.begin(); name != names.end(); ++name) {
    const std::string number = "column " + std::to_string(name - names.begin() + 1);
    if (name->empty()) fail(where, number + " has no name");
    if (!is_utf8(*name)) fail(where, "the name of " + number + " is not UTF-8 text");
    const std::string blank = unusual_blank(*name);
    if (!blank.empty()) {
      fail(where, "the name of " + number + ", '" + printable(*name, 60) + "', has " + blank);
    }
    if (!seen.insert(*name).second) fail(where, "column name '" + *name + "' is given twice");
  }
}

/// Reads one quoted cell that starts at `position`; leaves `position` behind the closing quote.
/// False if it does not close.
bool read_quoted(std::string_view line, std::size_t& position, std::string& cell) {
  for (++position; position < line.size(); ++position) {
    if (line[position] != '"') {
      cell += line[position];
    } else if (position + 1 < line.size() && line[position + 1] == '"') {
      cell += '"';
      ++position;
    } else {
      ++position;
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> split_csv_row(std::string_view line,
                                       char separator,
                                       const std::string& where) {
  std::vector<std::string> cells;
  std::size_t position = 0;
  while (true) {
    while (position < line.size() && line[position] == ' ') ++position;
    std::string cell;
    if (position < line.size() && line[position] == '"') {
      if (!read_quoted(line, position, cell))
        fail(where, "open quote; a quoted cell must close on its line");
      const std::size_t end = std::min(line.find(separator, position), line.size());
      if (!trim(line.substr(position, end - position)).empty()) {
        fail(where,
             "text after a closing quote: '" + std::string(line.substr(position, end - position)) +
                 "'");
      }
      position = end;
    } else {
      const std::size_t end = std::min(line.find(separator, position), line.size());
      cell = trim(line.substr(position, end - position));
      position = end;
    }
    cells.push_back(std::move(cell));
    if (position >= line.size()) return cells;
    ++position;
  }
}

namespace {

void require_width(const CsvRow& row, std::size_t width, const std::string& source) {
  const std::size_t found = row.cells.size();
  if (found == width) return;
  const std::string fault = found < width ? "column " + std::to_string(found + 1) + " is missing"
                                          : "column " + std::to_string(width + 1) + " is too much";
  fail(at(source, row.line),
       fault + ": found " + std::to_string(found) + " cells; the first row has " +
           std::to_string(width));
}

bool is_number_like(const std::string& cell) { return parse_number(cell).has_value(); }

}  // namespace

void for_each_csv_row(std::istream& input,
                      const std::string& source,
                      const std::function<void(CsvRow&)>& use) {
  std::string line;
  CsvRow row;
  std::size_t width = 0;
  char separator = '\0';
  while (std::getline(input, line)) {
    ++row.line;
    std::string_view text = line;
    if (row.line == 1 && text.starts_with(kByteOrderMark))
      text.remove_prefix(kByteOrderMark.size());
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.find_first_of(std::string_view("\0\r", 2)) != std::string_view::npos) {
      fail(at(source, row.line),
           "found a NUL or a lone carriage return; allowed: UTF-8 text with LF or CRLF line ends");
    }
    const std::string_view trimmed = trim(text);
    if (trimmed.empty() || trimmed.front() == '#') continue;
    const bool is_first = separator == '\0';
    if (is_first) separator = detect_separator(text);
    row.cells = split_csv_row(text, separator, at(source, row.line));
    if (is_first) width = row.cells.size();
    require_width(row, width, source);
    // One number is enough to make it data: a bad cell in the first row must not pass as a header.
    row.is_header = is_first && std::none_of(row.cells.begin(), row.cells.end(), is_number_like);
    if (row.is_header) check_header(row.cells, at(source, row.line));
    use(row);
  }
  if (input.bad()) fail(source, "reading failed after line " + std::to_string(row.line));
}

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  const std::string name = columns.empty() ? std::to_string(column + 1) : columns.at(column);
  return parse_csv_number(rows.at(row).at(column), source, lines.at(row), name);
}

CsvTable read_csv(std::istream& input, std::string source) {
  CsvTable table;
  table.source = std::move(source);
  for_each_csv_row(input, table.source, [&](CsvRow& row) {
    table.width = row.cells.size();
    if (!row.is_header) {
      table.rows.push_back(std::move(row.cells));
      table.lines.push_back(row.line);
      return;
    }
    table.columns = std::move(row.cells);
  });
  return table;
}

CsvTable read_csv_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    fail(path.string(), "is a directory; a CSV file is needed");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path.string(), "cannot be opened for reading");
  return read_csv(file, path.string());
}

double parse_csv_number(std::string_view text,
                        const std::string& source,
                        std::size_t line,
                        const std::string& column) {
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value)) {
    fail(at(source, line),
         "column " + column + ": found '" + std::string(text) + "'; allowed: a finite number");
  }
  return *value;
}

std::string column_name_fault(std::string_view name) {
  if (trim(name).empty()) return ", which is blank";
  if (parse_number(name)) return ", which is a number, as no name in the header of a CSV file is";
  if (!is_utf8(name)) return ", which is not UTF-8 text";
  if (printable(name, name.size() + 1) == name) return "";
  return ", which has a control or invisible character";
}

std::string csv_cell(std::string_view text) {
  const bool has_outer_blank = !text.empty() && trim(text).size() != text.size();
  if (!has_outer_blank && text.find_first_of(",;\t\"\r\n#") == std::string_view::npos)
    return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c == '\n' || c == '\r' ? ' ' : c;  // a quoted cell stays on its line
  }
  return cell + '"';
}

}  // namespace pomlux
