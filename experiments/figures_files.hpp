// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <pomlux/experiments/figures.hpp>
#include <string>  // warnings

namespace pomlux::figures {

/// Writes <name>.svg, .csv and .gp into the folder, which must exist, and removes a <name>.pdf
/// there, which would show older data.
/// @return the SVG. @throws InvalidArgument as to_svg; WriteError.
std::string write_figure(const std::filesystem::path& folder, const Figure& figure);

/// How a PDF came about; `warning` is empty if it did.
struct PdfResult {
  bool is_program_missing = false;
  std::string warning;
};

/// Makes <name>.pdf from <name>.gp with the program `gnuplot` (a path, or a name searched in PATH).
/// No shell; the child reads nothing, its words go into the warning; it is killed after
/// `timeout_seconds`. Never throws.
[[nodiscard]] PdfResult make_pdf(const std::filesystem::path& folder,
                                 const std::string& name,
                                 const std::string& gnuplot,
                                 double timeout_seconds) noexcept;

}  // namespace pomlux::figures
