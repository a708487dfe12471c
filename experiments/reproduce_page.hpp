// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <pomlux/experiments/reproduce_output.hpp>
#include <string>  // names
#include <vector>  // recipes

namespace pomlux {

/// A recipe and the experiment that it is at the fidelity asked for.
struct ChosenRecipe {
  const Recipe* recipe;
  Experiment experiment;
};

/// What there is of the recipes under `out`, and the cells of tables and figures made of it. At
/// smoke fidelity nothing carries a z or a verdict.
[[nodiscard]] TableComparison compare(const std::vector<std::string>& names,
                                      const std::vector<ChosenRecipe>& all,
                                      Fidelity fidelity,
                                      const std::filesystem::path& out,
                                      const Json& published);

/// Writes tables.txt, tables.json, figures/ and index.html: what was asked for, and beside it
/// whatever earlier calls have left results or illustrations of. Waits up to a minute for another
/// process that does so in the same folder.
/// @param notes what went wrong with figures. @return the page. @throws WriteError.
[[nodiscard]] std::filesystem::path write_page(Fidelity fidelity,
                                               const std::vector<std::string>& asked,
                                               const std::vector<ChosenRecipe>& all,
                                               const std::filesystem::path& configs,
                                               const std::filesystem::path& out,
                                               const Json& published,
                                               std::vector<std::string>& notes);

}  // namespace pomlux
