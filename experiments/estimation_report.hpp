// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/report_curves.hpp>
#include <pomlux/experiments/report_data.hpp>
#include <pomlux/experiments/report_numbers.hpp>
#include <string>  // remarks
#include <vector>  // tiles

namespace pomlux {

/// What the page of an experiment of type estimation shows of its results.
struct EstimationReport {
  std::vector<KeyNumber> key_numbers;
  CaptionedFigure total_variation;  ///< against the number of arms; no panels below two sizes
  std::string heading;              ///< of the table
  ReportTable table;                ///< as estimation_rows
  std::string remark;               ///< under the table
};

/// From seed-*/pom.csv and the configuration in `run`. What is missing or unreadable there is left
/// out and added to run.warnings. Means are over averaged_seeds(run).
[[nodiscard]] EstimationReport estimation_report(RunResult& run);

}  // namespace pomlux
