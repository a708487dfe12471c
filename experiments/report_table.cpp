// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <array>      // names of text columns
#include <cmath>      // std::isfinite
#include <fstream>    // files
#include <limits>     // NaN
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/report_table.hpp>
#include <string_view>  // text columns

namespace pomlux {
namespace {

constexpr std::array<std::string_view, 9> kWordColumns = {
    "phase", "state", "fit_status", "failure", "status", "reason", "label", "estimator", "method"};

bool holds_words(const std::string& name) {
  return std::find(kWordColumns.begin(), kWordColumns.end(), name) != kWordColumns.end() ||
         name.ends_with("_status");
}

bool ends_with_line(std::ifstream& file) {
  file.clear();
  file.seekg(-1, std::ios::end);
  return file.get() == '\n';
}

}  // namespace

ResultTable ResultTable::read(const std::filesystem::path& path,
                              std::vector<std::string>& warnings) {
  ResultTable table;
  std::ifstream file(path, std::ios::binary);
  if (!file) return table;
  // Folder and file are enough for a reader of the report, and do not depend on where it lies.
  const std::string source = (path.parent_path().filename() / path.filename()).string();
  std::size_t bad_cells = 0;
  std::string first_bad;
  try {
    for_each_csv_row(file, source, [&](CsvRow& row) {
      if (table.names_.empty()) {
        table.names_ = std::move(row.cells);
        table.numbers_.resize(table.names_.size());
        return;
      }
      ++table.rows_;
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const std::string& cell = row.cells[i];
        if (holds_words(table.names_[i])) {
          table.words_[table.names_[i]].push_back(cell);
          continue;
        }
        const auto value = parse_number(cell);
        if (!value && !cell.empty() && bad_cells++ == 0)
          first_bad = "line " + std::to_string(row.line) + ", column " + table.names_[i] + ": '" +
                      cell + "'";
        table.numbers_[i].push_back(
            value && std::isfinite(*value) ? *value : std::numeric_limits<double>::quiet_NaN());
      }
    });
    if (table.rows_ > 0 && !ends_with_line(file))
      warnings.push_back(source + " ends within a line; its last row may be cut short");
  } catch (const InvalidArgument& error) {
    warnings.push_back(std::string(error.what()) + "; this row and those behind it are left out");
  }
  if (bad_cells > 0)
    warnings.push_back(source + ": " + std::to_string(bad_cells) +
                       " cells are not numbers and are left out (first: " + first_bad + ")");
  return table;
}

const std::vector<double>& ResultTable::numbers(std::string_view name) const {
  static const std::vector<double> kNone;
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? kNone : numbers_[static_cast<std::size_t>(found - names_.begin())];
}

const std::vector<std::string>& ResultTable::words(std::string_view name) const {
  static const std::vector<std::string> kNone;
  const auto found = words_.find(name);
  return found == words_.end() ? kNone : found->second;
}

bool ResultTable::has_numbers(std::string_view name) const {
  const std::vector<double>& values = numbers(name);
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::vector<std::string> ResultTable::names_with(std::string_view prefix) const {
  std::vector<std::string> found;
  for (const std::string& name : names_)
    if (name.starts_with(prefix)) found.push_back(name);
  return found;
}

std::vector<std::string> ResultTable::parameters(const std::string& kind) const {
  std::vector<std::string> found;
  for (const std::string& name : names_) {
    const bool is_of_term = name.starts_with("term_");
    const std::string own = is_of_term ? name.substr(name.rfind('.') + 1) : name;
    const bool is_scale = kind == "length_scale" && own.starts_with("length_scale_");
    if (own == kind || is_scale) found.push_back(name);
  }
  return found;
}

std::vector<std::string> ResultTable::names_between(std::string_view first,
                                                    std::string_view last) const {
  const auto begin = std::find(names_.begin(), names_.end(), first);
  const auto end = begin == names_.end() ? begin : std::find(begin, names_.end(), last);
  if (end == names_.end()) return {};
  return {begin + 1, end};
}

}  // namespace pomlux
