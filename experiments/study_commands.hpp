// SPDX-License-Identifier: MIT
#pragma once

#include <functional>  // output
#include <iosfwd>      // input
#include <optional>    // options left out
#include <pomlux/core/types.hpp>
#include <pomlux/experiments/row_table.hpp>
#include <pomlux/experiments/study.hpp>
#include <string>       // arguments
#include <string_view>  // output
#include <vector>       // arguments

namespace pomlux {

/// Where a command writes: results, and words for people.
struct CommandOutput {
  std::function<void(std::string_view)> print;
  std::function<void(std::string_view)> say;
};

/// `pomlux ask`: suggestions, one row each: trial, candidate, coordinates, phase, label (if there
/// are labels). JSON: {"format": 1, "suggestions": [...], "is_exhausted": bool}.
void run_ask(Study& study, Index q, OutputFormat format, const CommandOutput& output);

struct TellCommand {
  /// POINT VALUE, or VALUE alone with `trial` or `candidate`. A point is its coordinates with
  /// commas between them, as cells of CSV: of categories labels, as read_coordinate reads them. A
  /// value is a number, or "failed".
  std::vector<std::string> arguments{};
  std::optional<Index> trial{};
  std::optional<Index> candidate{};
  std::optional<double> noise_stddev{};
  std::string reason{};  ///< of a failure
  /// CSV of many results: coordinates, value and, if known, noise_stddev; "-" is standard input.
  std::string data{};
};
/// `pomlux tell`. Nothing is told unless all of a file can be read; rows of a file that was told in
/// part, as the machine died, are told again by hand.
/// @throws InvalidArgument.
void run_tell(Study& study,
              const TellCommand& command,
              std::istream& standard_input,
              const CommandOutput& output);

/// `pomlux status`: counts, what is pending, the best observation and the best by the model, the
/// hyper-parameters and, per tracked estimator, the entropy of the PoM.
void run_status(Study& study, OutputFormat format, const CommandOutput& output);

}  // namespace pomlux
