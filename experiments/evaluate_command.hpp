// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>     // seeds
#include <functional>  // output, stop requests
#include <iosfwd>      // input
#include <optional>    // options left out
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/row_table.hpp>
#include <string>       // paths
#include <string_view>  // output
#include <vector>       // failures

namespace pomlux {

/// `pomlux evaluate`: the objective's values at the points of a file.
struct EvaluateCommand {
  /// CSV of points, columns as point_columns finds them; "-" is standard input.
  std::string points = "-";
  std::optional<std::uint64_t> seed{};  ///< absent: the first of the experiment
  int jobs = 1;                         ///< evaluations at a time, >= 1
  OutputFormat format = OutputFormat::kTable;
};

/// What the caller of run_evaluate wants to hear and to decide.
struct EvaluateHooks {
  std::function<void(std::string_view)> write;
  std::function<bool()> should_stop{};  ///< asked before and during every evaluation; may be empty
};

/// What became of the points.
struct EvaluateOutcome {
  std::size_t points = 0;             ///< in the file
  std::size_t done = 0;               ///< evaluated, failed ones included; fewer if it was stopped
  std::vector<std::string> failures;  ///< a line per failed evaluation, "points.csv:4: ..."
};

/// "5 points", "3 of 5 points".
[[nodiscard]] std::string progress_text(const EvaluateOutcome& outcome);

/// Writes one row per point, in the order of the file: the noise-free value where the objective
/// knows it, else one evaluation, failed ones without a value. Evaluation i has the random stream
/// of step i of a run with this seed. The head of the output says which of the two it holds: column
/// true_value, or value and noise_stddev (empty where it is not reported). A request to stop ends
/// the evaluations that are under way; the rows of those that had ended are written.
/// @throws InvalidArgument naming file and line for bad points and for a point that the objective
/// does not have, before anything is written.
[[nodiscard]] EvaluateOutcome run_evaluate(const EvaluateCommand& command,
                                           const Experiment& experiment,
                                           std::istream& standard_input,
                                           const EvaluateHooks& hooks);

}  // namespace pomlux
