// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/report_curves.hpp>
#include <pomlux/experiments/report_data.hpp>
#include <pomlux/experiments/report_posterior.hpp>
#include <string>  // cells
#include <vector>  // rows

namespace pomlux {

/// A table of the report as text; the first `words` columns are set left, the others right.
struct ReportTable {
  std::string title;
  std::size_t words = 1;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> summary;  ///< last row, set apart; may be empty
};

/// A number that stands large at the top of the page.
struct KeyNumber {
  std::string label;
  std::string value;
  std::string remark;
};

/// Mean and standard error of the finite values; the error is NaN for fewer than two.
struct MeanAndError {
  double mean = 0.0;
  double error = 0.0;
  std::size_t count = 0;
};
[[nodiscard]] MeanAndError mean_and_error(const std::vector<double>& values);
/// "0.9355 ± 0.0012": the error to two digits, the mean to the same decimals; without an error the
/// mean alone.
[[nodiscard]] std::string with_error(const MeanAndError& value);

/// What the end of a seed looks like, NaN where unknown.
struct SeedEnd {
  double evaluations = 0.0;
  double best_observed = 0.0;
  std::string best_point;  ///< coordinates, or the candidate where there are many
  double best_mean = 0.0;
  double simple_regret = 0.0;
};
/// @param posterior nothing if the seed has none; its best mean is preferred to that of the steps.
[[nodiscard]] SeedEnd seed_end(const RunResult& run,
                               const SeedResult& seed,
                               const std::optional<PosteriorData>& posterior);

[[nodiscard]] std::vector<KeyNumber> key_numbers(const RunResult& run,
                                                 const std::vector<SeedEnd>& ends,
                                                 const FinalEntropies& entropies);
/// One row per seed; the summary is over the complete ones.
[[nodiscard]] ReportTable final_table(const RunResult& run,
                                      const std::vector<SeedEnd>& ends,
                                      const FinalEntropies& entropies);
/// The candidates most likely to be the optimum, best first.
[[nodiscard]] ReportTable top_table(const RunResult& run,
                                    const SeedResult& seed,
                                    const PosteriorData& data,
                                    std::size_t k);

}  // namespace pomlux
