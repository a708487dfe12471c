// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/html_parts.hpp>
#include <pomlux/experiments/reproduce_tables.hpp>
#include <string>  // texts
#include <vector>  // cells

namespace pomlux {

/// Everything that a reproduction of tables says.
struct TableComparison {
  Fidelity fidelity = Fidelity::kQuick;
  std::vector<TableCell> cells;
  std::vector<TableOrder> orders;
  std::vector<RecipeResults> results;
};

/// Cells of one table under a heading: ours with its error, the published one, z, verdict; the
/// order of the methods; what is missing.
[[nodiscard]] std::string comparison_table(const TableComparison& comparison);
/// {"format": 1, "version", "date", "fidelity", "recipes": [{"name", "seeds", "missing",
/// "posteriors", "truth_samples", "seconds"}], "cells": [{"table", "column", "method", "variant",
/// "unit": "percent", "ours", "ours_se", "ours_low", "ours_high", "ours_se_of_seeds", "seeds",
/// "published", "published_se", "z", "verdict", "ours_raw", "truth_noise", "gap", "gap_se",
/// "published_gap"}], "orders": [...]}; null is a value that is not there.
[[nodiscard]] std::string comparison_json(const TableComparison& comparison);
/// The cells, a row each, with the columns of the JSON.
[[nodiscard]] std::string comparison_csv(const TableComparison& comparison);
/// Tables in the shape of the paper's, ours over the published number in every cell.
[[nodiscard]] std::string comparison_latex(const TableComparison& comparison);

/// One page with the tables, the figures (under figures/ beside it) and what they were made from.
/// @param sections of figures, as add_figures makes them. @param warnings of reading and drawing.
[[nodiscard]] std::string comparison_html(const TableComparison& comparison,
                                          const std::vector<std::string>& sections,
                                          const std::vector<std::string>& warnings);

/// Cells of the protocol itself with |z| > 3.
[[nodiscard]] std::size_t num_differing(const std::vector<TableCell>& cells);

}  // namespace pomlux
