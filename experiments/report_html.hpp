// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/html_parts.hpp>
#include <pomlux/experiments/report_data.hpp>
#include <pomlux/experiments/report_numbers.hpp>
#include <string>  // the page
#include <vector>  // sections

namespace pomlux {

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
