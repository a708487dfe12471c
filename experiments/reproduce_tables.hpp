// SPDX-License-Identifier: MIT
#pragma once

#include <map>       // results by recipe
#include <optional>  // what is not published
#include <pomlux/experiments/json.hpp>
#include <pomlux/experiments/reproduce_series.hpp>
#include <string>  // names
#include <vector>  // cells

namespace pomlux {

/// Mean and standard error by one of the conventions below.
struct MeanWithError {
  double mean = 0.0;
  double error = 0.0;           ///< as the paper has it
  double error_of_seeds = 0.0;  ///< of the averages of the seeds
  std::size_t seeds = 0;
};
/// Mean over seeds at each posterior, then over posteriors; the standard
/// error (n - 1) over seeds at each posterior, then averaged over posteriors. This is the paper's
/// convention for its columns of Bayesian optimisation; as posteriors of a seed depend on each
/// other less than fully, it overstates the error of the mean. Seeds with a NaN are left out.
[[nodiscard]] MeanWithError mean_over_steps(const SeriesValues& values);
/// The average of every seed, then mean and standard error over seeds: the paper's convention for
/// the synthetic column and for recall.
[[nodiscard]] MeanWithError mean_over_seeds(const SeriesValues& values);

/// One number of a table or figure beside the published one.
struct TableCell {
  std::string table;    ///< the reproduction: "table1", "table2", "auc", "fig-..."
  std::string column;   ///< "gp1"; "quadcopter" of auc
  std::string method;   ///< "f_lite"
  std::string variant;  ///< empty for the protocol
  std::string unit = "percent";
  MeanWithError ours;
  /// Table 2: what 100 sqrt(M - S) and 100 sqrt(M + S) are of ours; else mean -+ error.
  double low = 0.0;
  double high = 0.0;
  std::optional<double> published;
  std::optional<double> published_error;
  std::optional<double> z;    ///< (ours - published) / combined standard error
  double raw = 0.0;           ///< ours with the truth's sampling noise left in
  double truth_noise = 0.0;   ///< expected total variation of the sampled truth to the true one
  std::optional<double> gap;  ///< auc: the truth's area minus this one, paired by seed
  std::optional<double> gap_error;
  std::optional<double> published_gap;
  std::vector<double> by_seed;  ///< what ours is the average of; table 2: squares
  bool is_compared = true;      ///< false: too little was computed for a z and a verdict
  /// "agrees" (|z| <= 2), "near" (<= 3), "differs", "identity" (nothing to compare); in seconds
  /// "faster" or "slower" than published; "" unknown.
  [[nodiscard]] std::string verdict() const;
};

/// How the methods of a column rank, best first, by ours and as published.
struct TableOrder {
  std::string table;
  std::string column;
  std::string variant;
  std::vector<std::string> ours;
  std::vector<std::string> published;
  std::vector<std::string> reversed;  ///< pairs that ours has the other way round
  /// Of these, the ones by more than two standard errors of the paired differences of seeds.
  std::vector<std::string> contradictions;
};

/// The cells of a table, from the results of its recipes and of their variants.
[[nodiscard]] std::vector<TableCell> table_cells(const std::string& table,
                                                 const std::vector<RecipeResults>& results,
                                                 const Json& published);
/// One entry per column and variant that has at least two methods; percentages alone.
[[nodiscard]] std::vector<TableOrder> table_orders(const std::vector<TableCell>& cells);

}  // namespace pomlux
