// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // results folders
#include <string>      // warnings
#include <vector>      // lists

namespace pomlux {

struct ReportOptions {
  /// Also make figures/*.pdf, where the program below is installed.
  bool makes_pdf = true;
  /// A path, or a name searched in PATH.
  std::string gnuplot = "gnuplot";
  /// After this many seconds one figure's gnuplot is stopped. > 0.
  double gnuplot_timeout_seconds = 60.0;
};

struct ReportSummary {
  std::filesystem::path html;
  std::vector<std::string> figures;   ///< stems of the files under figures/
  std::vector<std::string> warnings;  ///< what the report says at its top about the results
  std::vector<std::string> notes;     ///< about making it, such as missing gnuplot; not in the HTML
};

/// Writes report.html, one file without scripts or network references, and figures/*.svg, *.csv,
/// *.gp (and *.pdf) into a results folder, from its experiment.yaml, manifest.json,
/// seed-*/steps.csv and seed-*/posterior.csv. What is missing, unfinished or unreadable there is
/// left out and named in the report; only the folder and at least one of these files must exist.
/// Equal inputs give equal bytes (PDF excepted). Files are replaced whole.
///
/// Cost: linear in the files; maps of more than 150 cells per axis and curves of more than 2000
/// points are binned, so the page stays in the megabytes for 100 000 candidates.
/// @throws InvalidArgument if the folder is no results folder; WriteError if it cannot be written.
ReportSummary render_report(const std::filesystem::path& results_dir,
                            const ReportOptions& options = {});

}  // namespace pomlux
