// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>     // seeds
#include <functional>  // output
#include <iosfwd>      // input
#include <optional>    // options left out
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/row_table.hpp>
#include <pomlux/experiments/study.hpp>
#include <string>       // paths
#include <string_view>  // output
#include <vector>       // notes

namespace pomlux {

/// `pomlux predict`: the model of a configuration, conditioned on the observations of a file and
/// fitted to them, at the points of another.
struct PredictCommand {
  /// CSV, as read_observations takes it; empty for a study.
  std::string data;
  /// CSV of points; empty: the candidates of the domain. "-" is standard input, for one of the two.
  std::string points;
  std::optional<std::uint64_t> seed{};  ///< of the fit's restarts; absent: the first of the file
  OutputFormat format = OutputFormat::kTable;
};

/// Writes, per point, mean and stddev of the objective there and stddev_observed, that of an
/// observation with the model's noise, and per tracked estimator pom_<name>, the probability of the
/// point to be the best (in the objective's sense) of those predicted. JSON also holds the log
/// marginal likelihood, its gradient (for logs of the hyper-parameters, the mean itself), the
/// hyper-parameters in force and how they were fitted; the table has them as a headline. Everything
/// is in the user's units and sign.
/// @return warnings.
/// @throws InvalidArgument naming file, line and column, before anything is written.
[[nodiscard]] std::vector<std::string> run_predict(
    const PredictCommand& command,
    const Experiment& experiment,
    std::istream& standard_input,
    const std::function<void(std::string_view)>& write);

/// The same for what a study was told: its model goes on from the last fit.
[[nodiscard]] std::vector<std::string> run_predict(
    const PredictCommand& command,
    Study& study,
    std::istream& standard_input,
    const std::function<void(std::string_view)>& write);

}  // namespace pomlux
