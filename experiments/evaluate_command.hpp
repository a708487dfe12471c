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

/// Writes one row per point, in the order of the file: the noise-free value where the objective
/// knows it, else one evaluation, failed ones without a value. Evaluation i has the random stream
/// of step i of a run with this seed. The head of the output says which of the two it holds: column
/// true_value, or value and noise_stddev (empty where it is not reported).
/// @return a line per failed evaluation, "points.csv:4: ...".
/// @throws InvalidArgument naming file and line for bad points and for a point that the objective
/// does not have, before anything is written; EvaluationStopped.
[[nodiscard]] std::vector<std::string> run_evaluate(const EvaluateCommand& command,
                                                    const Experiment& experiment,
                                                    std::istream& standard_input,
                                                    const EvaluateHooks& hooks);

}  // namespace pomlux
