// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <pomlux/experiments/figure_writer.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/reproduce_figures.hpp>
#include <pomlux/experiments/reproduce_illustrations.hpp>
#include <pomlux/experiments/reproduce_page.hpp>

namespace pomlux {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostSection = 64 << 20;  // bytes of a section of the page

bool is_illustration(const std::string& name) {
  const std::vector<std::string>& drawn = illustration_names();
  return std::find(drawn.begin(), drawn.end(), name) != drawn.end();
}

/// An illustration has no results to be drawn from again; its part of the page is kept here.
fs::path kept_section(const fs::path& out, const std::string& name) {
  return out / "figures" / (name + ".html");
}

/// Those asked for and those of which earlier calls have left something.
std::vector<std::string> names_on_page(const std::vector<std::string>& asked, const fs::path& out) {
  std::vector<std::string> names;
  std::error_code error;
  for (const Reproduction& one : reproductions()) {
    const bool is_asked = std::find(asked.begin(), asked.end(), one.name) != asked.end();
    const bool has_all = !one.recipes.empty() &&
                         std::all_of(one.recipes.begin(), one.recipes.end(), [&](const auto& name) {
                           return has_results(recipe_named(name), out);
                         });
    const bool is_kept =
        is_illustration(one.name) && fs::exists(kept_section(out, one.name), error);
    if (is_asked || has_all || is_kept) names.push_back(one.name);
  }
  return names;
}

}  // namespace

const Recipe& base_of(const Recipe& recipe) {
  return recipe_named(recipe.name.substr(0, recipe.name.find('.')));
}

void add_recipe(const std::string& name, std::vector<const Recipe*>& chosen) {
  const Recipe* const recipe = &recipe_named(name);
  if (std::find(chosen.begin(), chosen.end(), recipe) == chosen.end()) chosen.push_back(recipe);
}

TableComparison compare(const std::vector<std::string>& names,
                        const std::vector<ChosenRecipe>& all,
                        Fidelity fidelity,
                        const fs::path& out,
                        const Json& published) {
  TableComparison comparison;
  comparison.fidelity = fidelity;
  for (const ChosenRecipe& work : all) {
    comparison.results.push_back(read_recipe(*work.recipe, fidelity, work.experiment, out));
  }
  for (const std::string& name : names) {
    for (TableCell& cell : table_cells(name, comparison.results, published)) {
      comparison.cells.push_back(std::move(cell));
    }
    for (TableCell& cell : figure_cells(name, comparison.results, published)) {
      comparison.cells.push_back(std::move(cell));
    }
  }
  if (fidelity == Fidelity::kSmoke) {
    for (TableCell& cell : comparison.cells) {
      cell.is_compared = false;
      cell.z.reset();
    }
  }
  comparison.orders = table_orders(comparison.cells);
  return comparison;
}

fs::path write_page(const TableComparison& comparison,
                    const std::vector<std::string>& asked,
                    const std::vector<ChosenRecipe>& all,
                    const fs::path& configs,
                    const fs::path& out,
                    const Json& published,
                    std::vector<std::string>& notes) {
  const Fidelity fidelity = comparison.fidelity;
  make_folder(out / "figures");
  const std::vector<std::string> names = names_on_page(asked, out);
  std::vector<const Recipe*> needed;
  for (const Reproduction& one : reproductions()) {
    if (std::find(names.begin(), names.end(), one.name) == names.end()) continue;
    for (const std::string& name : one.recipes) add_recipe(name, needed);
  }
  for (const Recipe& recipe : recipes()) {
    const bool is_needed =
        std::find(needed.begin(), needed.end(), &base_of(recipe)) != needed.end();
    if (recipe.is_variant() && is_needed && has_results(recipe, out)) needed.push_back(&recipe);
  }
  // What was asked for is shown for the seeds that it was asked for with.
  std::vector<ChosenRecipe> shown = all;
  for (const Recipe* const recipe : needed) {
    const bool is_there = std::any_of(all.begin(), all.end(), [recipe](const ChosenRecipe& work) {
      return work.recipe == recipe;
    });
    if (!is_there) shown.push_back({recipe, load_recipe(*recipe, fidelity, configs)});
  }
  const TableComparison page = compare(names, shown, fidelity, out, published);
  ReportSummary summary;
  const ReportOptions options;
  FigureWriter writer(out / "figures", options, summary);
  std::vector<std::string> sections;
  for (const std::string& name : names) {
    const bool is_asked = std::find(asked.begin(), asked.end(), name) != asked.end();
    if (is_illustration(name) && !is_asked) {
      sections.push_back(read_text_file(kept_section(out, name), kMostSection));
      continue;
    }
    FigureSection section{name, {}};
    for (const CaptionedFigure& figure : is_illustration(name)
                                             ? illustrations(name, {fidelity})
                                             : reproduced_figures(name, page.results, published)) {
      writer.add(section, figure);
    }
    std::string html;
    add_figures(html, section);
    if (is_illustration(name)) replace_file(kept_section(out, name), html);
    sections.push_back(std::move(html));
  }
  replace_file(out / "tables.txt", comparison_table(page));
  replace_file(out / "tables.json", comparison_json(page));
  replace_file(out / "index.html", comparison_html(page, sections, summary.notes));
  notes = summary.notes;
  return out / "index.html";
}

}  // namespace pomlux
