// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/figures.hpp>
#include <string>  // file contents

namespace pomlux::figures {

/// The numbers of a figure as tidy CSV: panel, series, kind (map, band, line, scatter, bars), x, y,
/// low, high, value; empty where a kind has no such number or it is not finite. Two blank lines
/// part the series, which CSV readers skip and gnuplot counts as blocks.
/// @throws InvalidArgument as to_svg.
[[nodiscard]] std::string to_csv(const Figure& figure);

/// A gnuplot (5.2 or newer) script that reads `<name>.csv` beside it and writes `<name>.pdf`, or
/// the file that the gnuplot variable `output_file` names. @throws InvalidArgument as to_svg.
[[nodiscard]] std::string to_gnuplot(const Figure& figure);

}  // namespace pomlux::figures
