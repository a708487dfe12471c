// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/report_data.hpp>
#include <pomlux/experiments/report_numbers.hpp>
#include <string>  // the page
#include <vector>  // sections

namespace pomlux {

/// A figure as it stands in the page.
struct PlacedFigure {
  std::string name;  ///< stem of its files
  std::string svg;
  std::string caption;
};

/// Figures under one heading; several stand side by side where there is room.
struct FigureSection {
  std::string heading;
  std::vector<PlacedFigure> figures;
};

/// All that the page shows, in its order.
struct ReportPage {
  std::vector<KeyNumber> key_numbers;
  std::vector<FigureSection> sections;
  std::string final_heading;
  ReportTable final_numbers;
  std::string final_remark;
  std::vector<ReportTable> top;  ///< one per seed
};

/// The whole page: one document, styles inside, no scripts, nothing fetched. Pure function of its
/// arguments.
[[nodiscard]] std::string report_html(const RunResult& run, const ReportPage& page);

}  // namespace pomlux
