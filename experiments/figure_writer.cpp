// SPDX-License-Identifier: MIT
#include <pomlux/experiments/figure_writer.hpp>
#include <pomlux/experiments/figures_files.hpp>

namespace pomlux {

void FigureWriter::add(FigureSection& section, const CaptionedFigure& figure) {
  if (figure.figure.panels.empty()) return;
  const std::string& name = figure.figure.name;
  section.figures.push_back({name, figures::write_figure(folder_, figure.figure), figure.caption});
  summary_.figures.push_back(name);
  if (!options_.makes_pdf || is_program_missing_) return;
  const figures::PdfResult pdf =
      figures::make_pdf(folder_, name, options_.gnuplot, options_.gnuplot_timeout_seconds);
  is_program_missing_ = pdf.is_program_missing;
  section.figures.back().has_pdf = !pdf.is_program_missing && pdf.warning.empty();
  if (!pdf.warning.empty()) summary_.notes.push_back(pdf.warning);
}

}  // namespace pomlux
