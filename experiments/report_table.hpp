// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>      // std::size_t
#include <filesystem>   // files
#include <map>          // text columns
#include <string>       // names
#include <string_view>  // names
#include <vector>       // columns

namespace pomlux {

/// A CSV file of results by columns: numbers as doubles (empty or unreadable cells are NaN), and
/// the few columns of words as text.
class ResultTable {
 public:
  /// Reads what can be read. Rows behind a malformed one (a run that died while writing) are left
  /// out; that, a last line without its end and cells that are no numbers are added to `warnings`.
  /// A missing file is an empty table.
  static ResultTable read(const std::filesystem::path& path, std::vector<std::string>& warnings);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// [rows], or empty if there is no such column of numbers.
  [[nodiscard]] const std::vector<double>& numbers(std::string_view name) const;
  /// [rows], or empty if there is no such column of words.
  [[nodiscard]] const std::vector<std::string>& words(std::string_view name) const;
  /// True if the column holds at least one finite number.
  [[nodiscard]] bool has_numbers(std::string_view name) const;
  /// Names that start with `prefix`, in file order.
  [[nodiscard]] std::vector<std::string> names_with(std::string_view prefix) const;
  /// Columns of a kind of hyper-parameter, in file order: "amplitude", "term_0.amplitude"; the
  /// length scales of all dimensions.
  [[nodiscard]] std::vector<std::string> parameters(const std::string& kind) const;
  /// Names strictly between two others, in file order; empty if one of them is missing.
  [[nodiscard]] std::vector<std::string> names_between(std::string_view first,
                                                       std::string_view last) const;

 private:
  std::size_t rows_ = 0;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> numbers_;  ///< by place in names_
  std::map<std::string, std::vector<std::string>, std::less<>> words_;
};

}  // namespace pomlux
