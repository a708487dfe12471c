// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>     // seeds, sample counts
#include <functional>  // output
#include <iosfwd>      // input
#include <optional>    // options left out
#include <pomlux/core/linalg.hpp>
#include <pomlux/experiments/row_table.hpp>
#include <string>  // paths, names
#include <vector>  // estimators

namespace pomlux {

/// `pomlux pom`: the probability of maximality of arms given in a file.
struct PomCommand {
  std::string input = "-";                        ///< see read_pom_input
  std::string covariance{};                       ///< empty: none
  std::vector<std::string> estimators{"f_lite"};  ///< names of the registry
  std::optional<double> epsilon{};                ///< for the estimators that have the option
  std::optional<double> alpha{};                  ///< likewise
  std::optional<std::int64_t> samples{};          ///< likewise
  std::uint64_t seed = 0;
  /// Rows of the table and of CSV: the most probable; 0: all, in input order.
  std::int64_t top = 0;
  bool is_minimizing = false;  ///< probability of being the minimum
  int threads = 0;             ///< 0: one per core
  OutputFormat format = OutputFormat::kTable;
  double memory_limit = kDefaultMemoryLimit;
};

/// Adds what a person should know of an estimate that did not reach its accuracy for another reason
/// than rounding.
void add_note(const std::string& estimator, Status status, std::vector<std::string>& notes);

/// Reads, estimates and hands the text to `write` in blocks. Rows are ordered by the first
/// estimator if `top` is given.
/// @return the notes of the estimates.
/// @throws InvalidArgument for bad input, an unknown or repeated estimator, an option that no
/// estimator takes.
[[nodiscard]] std::vector<std::string> run_pom(const PomCommand& command,
                                               std::istream& standard_input,
                                               const std::function<void(std::string_view)>& write);

}  // namespace pomlux
