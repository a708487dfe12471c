// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>     // seeds
#include <functional>  // output
#include <iosfwd>      // input
#include <optional>    // options left out
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/row_table.hpp>
#include <string>       // paths
#include <string_view>  // output
#include <vector>       // notes

namespace pomlux {

/// `pomlux predict`: the model of a configuration, conditioned on the observations of a file and
/// fitted to them, at the points of another.
struct PredictCommand {
  /// CSV with the coordinates (columns as point_columns finds them), `value` and, if there is one,
  /// `noise_stddev`, of which an empty cell means the model's noise. Other columns are ignored if
  /// the domain's names are in the header, so that steps.csv of a run can be read: there the noise
  /// is `value_noise_stddev`, and rows whose `state` is failed are left out.
  std::string data;
  /// CSV of points; empty: the candidates of the domain. "-" is standard input, for one of the two.
  std::string points;
  std::optional<std::uint64_t> seed{};  ///< of the fit's restarts; absent: the first of the file
  OutputFormat format = OutputFormat::kTable;
};

/// Writes, per point, mean and stddev of the objective there and stddev_observed, that of an
/// observation with the model's noise. JSON also holds the log marginal likelihood, its gradient
/// (for logs of the hyper-parameters, the mean itself), the hyper-parameters in force and how they
/// were fitted; the table has them as a headline. Everything is in the user's units and sign.
/// @return warnings.
/// @throws InvalidArgument naming file, line and column, before anything is written.
[[nodiscard]] std::vector<std::string> run_predict(
    const PredictCommand& command,
    const Experiment& experiment,
    std::istream& standard_input,
    const std::function<void(std::string_view)>& write);

}  // namespace pomlux
