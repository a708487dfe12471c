// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/report_curves.hpp>
#include <pomlux/experiments/reproduce_tables.hpp>
#include <string>  // names
#include <vector>  // figures

namespace pomlux {

/// The figures of a reproduction, from the results of its recipes; published curves are drawn
/// beside ours where they were read off. Empty if it has none or nothing is computed yet.
[[nodiscard]] std::vector<CaptionedFigure> reproduced_figures(
    const std::string& name, const std::vector<RecipeResults>& results, const Json& published);

/// The numbers of a figure that can be compared with published ones: entropies of
/// fig-entropy-search and fig-large-scale (nats, with z), seconds of fig-runtime.
[[nodiscard]] std::vector<TableCell> figure_cells(const std::string& name,
                                                  const std::vector<RecipeResults>& results,
                                                  const Json& published);

}  // namespace pomlux
