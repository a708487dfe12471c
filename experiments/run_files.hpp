// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/outcome.hpp>
#include <string>  // texts
#include <vector>  // columns

namespace pomlux {

/// What a manifest says besides the outcome.
struct RunRecord {
  std::string command_line;
  std::string started;   ///< UTC
  std::string finished;  ///< UTC; empty while the run is under way or if it did not finish
  int threads = 1;
  int jobs = 1;
};

/// manifest.json, format 1: version, build and dependencies, host, times, command line, type,
/// objective and sense (null without one), and for every seed its status, rows of steps.csv
/// (evaluations) and of posterior.csv (candidates), warnings and the bounds of the fit.
[[nodiscard]] Json manifest(const Experiment& experiment,
                            const RunRecord& record,
                            const RunOutcome& outcome);

/// summary.csv: one row per seed. Columns: seed, status, reason, evaluations, failed_evaluations,
/// best_observed, best_observed_candidate, coordinates of that candidate, best_mean,
/// best_mean_candidate, best_mean_stddev, simple_regret and inference_regret (if known),
/// entropy_<estimator> ..., hyper-parameters, log_likelihood, jitter, and *_seconds.
/// @param coordinates coordinate_columns of the domain.
[[nodiscard]] std::string summary_csv(const std::vector<std::string>& coordinates,
                                      const RunOutcome& outcome);

[[nodiscard]] std::vector<std::string> summary_columns(const std::vector<std::string>& coordinates,
                                                       const RunOutcome& outcome);

/// The same for people: a table of the main columns.
[[nodiscard]] std::string summary_table(const RunOutcome& outcome);

}  // namespace pomlux
