// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find_if
#include <pomlux/experiments/reproduce_figure_data.hpp>
#include <pomlux/experiments/reproduce_figures.hpp>

namespace pomlux {
namespace {

std::vector<TableCell> entropy_cells(const std::string& name,
                                     const std::vector<RecipeResults>& results,
                                     const Json& published) {
  std::vector<TableCell> cells;
  if (entropy_curves(name).empty()) return cells;
  const Json& theirs = entropy_values(name, published);
  for (const EntropyCurve& curve : entropy_curves(name)) {
    for (const RecipeResults& one : results) {
      const bool is_it =
          one.recipe == curve.recipe || one.recipe.starts_with(std::string(curve.recipe) + ".");
      if (!is_it || one.seeds.empty()) continue;
      const SeriesValues values = series_of(one, "f_lite", &MethodSeries::entropy);
      const Json& steps = theirs.at("steps");
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto found = std::find(one.queries.begin(), one.queries.end(), steps[i].get<Index>());
        if (found == one.queries.end()) continue;
        TableCell cell;
        cell.table = name;
        cell.column = curve.key;
        cell.method = "step " + std::to_string(steps[i].get<int>());
        cell.variant = variant_of(one);
        cell.unit = "nats";
        SeriesValues here;
        for (const std::vector<double>& seed : values) {
          here.push_back({seed[static_cast<std::size_t>(found - one.queries.begin())]});
        }
        cell.ours = mean_over_seeds(here);
        cell.raw = cell.ours.mean;
        cell.low = cell.ours.mean - cell.ours.error;
        cell.high = cell.ours.mean + cell.ours.error;
        cell.published = theirs.at(curve.key).at("mean")[i].get<double>();
        cell.published_error = theirs.at(curve.key).at("se")[i].get<double>();
        cell.z = z_score(cell.ours.mean, cell.ours.error, *cell.published, *cell.published_error);
        cells.push_back(std::move(cell));
      }
    }
  }
  return cells;
}

std::vector<TableCell> runtime_cells(const std::vector<RecipeResults>& results,
                                     const Json& published) {
  std::vector<TableCell> cells;
  for (const char* const ending : {"", ".two_threads"}) {
    for (std::size_t i = 0; i < kRuntimeSizes.size(); ++i) {
      const RecipeResults* const one =
          find_results(results, "runtime_" + std::to_string(kRuntimeSizes[i]) + ending);
      if (one == nullptr) continue;
      for (const FigureMethod& series : timed_methods()) {
        TableCell cell;
        cell.ours = mean_over_seeds(series_of(*one, series.method, &MethodSeries::seconds));
        if (cell.ours.seeds == 0) continue;
        cell.table = "fig-runtime";
        cell.column = std::to_string(kRuntimeSizes[i]);
        cell.method = series.method;
        cell.variant = variant_of(*one);
        cell.unit = "seconds";
        cell.raw = cell.ours.mean;
        cell.low = cell.ours.mean - cell.ours.error;
        cell.high = cell.ours.mean + cell.ours.error;
        cell.published = published_seconds(published, series.method, i);
        cells.push_back(std::move(cell));
      }
    }
  }
  return cells;
}

}  // namespace

std::optional<double> published_seconds(const Json& published,
                                        const std::string& method,
                                        std::size_t i) {
  const Json& all = published.at("runtime_vs_size");
  if (!all.contains(method) || !all.at(method)[i].is_number()) return std::nullopt;
  return all.at(method)[i].get<double>();
}

std::vector<FigureMethod> timed_methods() {
  std::vector<FigureMethod> methods(kFigureMethods.begin(), kFigureMethods.end());
  methods.push_back({"local_hazard", "local_hazard"});
  return methods;
}

const std::vector<EntropyCurve>& entropy_curves(const std::string& name) {
  static const std::vector<EntropyCurve> search{
      {"entropy_search", "lite", "F-LITE"},
      {"entropy_search_ts_mc", "ts_mc", "TS-MC, 100 samples"}};
  static const std::vector<EntropyCurve> large{{"large_scale_ei", "ei", "EI"},
                                               {"large_scale_ucb", "ucb", "UCB"}};
  static const std::vector<EntropyCurve> none;
  return name == "fig-large-scale" ? large : name == "fig-entropy-search" ? search : none;
}

const Json& entropy_values(const std::string& name, const Json& published) {
  return published.at(name == "fig-large-scale" ? "large_scale" : "entropy_search");
}

const RecipeResults* find_results(const std::vector<RecipeResults>& results,
                                  const std::string& recipe) {
  const auto found = std::find_if(results.begin(), results.end(), [&](const RecipeResults& one) {
    return one.recipe == recipe && !one.seeds.empty();
  });
  return found == results.end() ? nullptr : &*found;
}

std::vector<TableCell> figure_cells(const std::string& name,
                                    const std::vector<RecipeResults>& results,
                                    const Json& published) {
  if (name == "fig-runtime") return runtime_cells(results, published);
  return entropy_cells(name, results, published);
}

}  // namespace pomlux
