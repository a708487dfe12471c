// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <chrono>     // pauses
#include <memory>     // locks
#include <optional>   // what was never drawn
#include <pomlux/core/errors.hpp>
#include <pomlux/core/utf8.hpp>
#include <pomlux/experiments/figure_writer.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/folder_lock.hpp>
#include <pomlux/experiments/reproduce_figures.hpp>
#include <pomlux/experiments/reproduce_illustrations.hpp>
#include <pomlux/experiments/reproduce_page.hpp>
#include <thread>  // waiting

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

/// Nothing where it was never drawn, or has been damaged.
std::optional<std::string> read_kept_section(const fs::path& out, const std::string& name) {
  std::error_code error;
  const fs::path file = kept_section(out, name);
  if (!is_illustration(name) || !fs::is_regular_file(file, error)) return std::nullopt;
  std::string html = read_text_file(file, kMostSection);
  const bool is_whole =
      html.starts_with("<section>") && html.ends_with("</section>\n") && is_utf8(html);
  return is_whole ? std::optional(std::move(html)) : std::nullopt;
}

/// Writers of one page take turns, as each replaces all of it.
std::unique_ptr<FolderLock> wait_for_page(const fs::path& figures) {
  constexpr int kMostTries = 600;
  constexpr auto kPause = std::chrono::milliseconds(100);
  for (int i = 1;; ++i) {
    try {
      return std::make_unique<FolderLock>(figures);
    } catch (const InvalidArgument&) {
      if (i == kMostTries) throw;
      std::this_thread::sleep_for(kPause);
    }
  }
}

/// Those asked for and those of which earlier calls have left something.
std::vector<std::string> names_on_page(const std::vector<std::string>& asked, const fs::path& out) {
  std::vector<std::string> names;
  for (const Reproduction& one : reproductions()) {
    const bool is_asked = std::find(asked.begin(), asked.end(), one.name) != asked.end();
    const bool has_all = !one.recipes.empty() &&
                         std::all_of(one.recipes.begin(), one.recipes.end(), [&](const auto& name) {
                           return has_results(recipe_named(name), out);
                         });
    const bool is_kept = read_kept_section(out, one.name).has_value();
    if (is_asked || has_all || is_kept) names.push_back(one.name);
  }
  return names;
}

/// The experiment behind what earlier calls left: with the seeds of the recipe, or with those that
/// are there if it has others.
Experiment load_kept(const Recipe& recipe,
                     Fidelity fidelity,
                     const fs::path& configs,
                     const fs::path& out) {
  Experiment experiment = load_recipe(recipe, fidelity, configs);
  const std::vector<std::uint64_t> there = seeds_there(recipe, out);
  const bool has_others =
      std::any_of(there.begin(), there.end(), [&experiment](std::uint64_t seed) {
        const std::vector<std::uint64_t>& own = experiment.seeds;
        return std::find(own.begin(), own.end(), seed) == own.end();
      });
  if (has_others) {
    experiment.seeds = there;
    experiment.config["seeds"] = there;
  }
  return experiment;
}

}  // namespace

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

fs::path write_page(Fidelity fidelity,
                    const std::vector<std::string>& asked,
                    const std::vector<ChosenRecipe>& all,
                    const fs::path& configs,
                    const fs::path& out,
                    const Json& published,
                    std::vector<std::string>& notes) {
  make_folder(out / "figures");
  const std::unique_ptr<FolderLock> lock = wait_for_page(out / "figures");
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
    if (!is_there) shown.push_back({recipe, load_kept(*recipe, fidelity, configs, out)});
  }
  const TableComparison page = compare(names, shown, fidelity, out, published);
  ReportSummary summary;
  const ReportOptions options;
  FigureWriter writer(out / "figures", options, summary);
  std::vector<std::string> sections;
  for (const std::string& name : names) {
    const bool is_asked = std::find(asked.begin(), asked.end(), name) != asked.end();
    if (is_illustration(name) && !is_asked) {
      sections.push_back(read_kept_section(out, name).value_or(""));
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
  notes = summary.notes;
  std::vector<std::string> warnings = summary.notes;
  for (const RecipeResults& results : page.results) {
    warnings.insert(warnings.end(), results.warnings.begin(), results.warnings.end());
  }
  replace_file(out / "index.html", comparison_html(page, sections, warnings));
  return out / "index.html";
}

}  // namespace pomlux
