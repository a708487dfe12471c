// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <pomlux/experiments/html_parts.hpp>
#include <pomlux/experiments/report.hpp>
#include <pomlux/experiments/report_curves.hpp>

namespace pomlux {

/// Writes the files of figures and remembers what became of them.
class FigureWriter {
 public:
  /// @param folder exists. @param options, summary outlive this.
  FigureWriter(std::filesystem::path folder, const ReportOptions& options, ReportSummary& summary)
      : folder_(std::move(folder)), options_(options), summary_(summary) {}

  /// One without panels is left out.
  void add(FigureSection& section, const CaptionedFigure& figure);

 private:
  std::filesystem::path folder_;
  const ReportOptions& options_;
  ReportSummary& summary_;
  bool is_program_missing_ = false;
};

}  // namespace pomlux
