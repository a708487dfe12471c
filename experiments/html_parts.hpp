// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/report_numbers.hpp>
#include <string>       // the page
#include <string_view>  // texts
#include <vector>       // figures

namespace pomlux {

/// A figure as it stands in a page.
struct PlacedFigure {
  std::string name;  ///< stem of its files
  std::string svg;
  std::string caption;
  bool has_pdf = false;
};

/// Figures under one heading; several stand side by side where there is room.
struct FigureSection {
  std::string heading;
  std::vector<PlacedFigure> figures;
};

// Pieces of a page: one document, styles inside, no scripts, nothing fetched. All texts are
// escaped here.

/// Up to where the content begins, and from where it ends.
[[nodiscard]] std::string page_begin(std::string_view title);
[[nodiscard]] std::string page_end();
/// @param style a class of the page's styles, or empty.
void add_paragraph(std::string& html, std::string_view text, std::string_view style = "");
/// A text as it is, under a line that opens it.
void add_details(std::string& html, std::string_view line, std::string_view text);
/// With links to the files under figures/. Nothing if there is no figure.
void add_figures(std::string& html, const FigureSection& section);
void add_table(std::string& html, const ReportTable& table);

}  // namespace pomlux
