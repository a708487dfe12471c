// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/row_table.hpp>

namespace pomlux {

std::string aligned_text(const RowTable& rows) {
  const auto shown = [](const std::string& cell) { return cell.empty() ? std::string("-") : cell; };
  std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size());
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], shown(row[i]).size());
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = shown(row[i]);
      text += (i > 0 ? "  " : "") + std::string(widths[i] - cell.size(), ' ') + cell;
    }
    text += "\n";
  }
  return text;
}

std::string csv_text(const RowTable& rows) {
  std::string text;
  for (const std::vector<std::string>& row : rows) text += csv_line(row);
  return text;
}

}  // namespace pomlux
