// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find_if
#include <array>      // methods
#include <cmath>      // std::sqrt
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/reproduce_figure_data.hpp>
#include <pomlux/experiments/reproduce_figures.hpp>
#include <pomlux/experiments/svg_palette.hpp>

namespace pomlux {
namespace {

using figures::Axis;
using figures::Dash;
using figures::Figure;
using figures::Line;
using figures::Panel;
using figures::Scale;
using figures::series_color;

std::vector<double> queries_of(const RecipeResults& results) {
  return {results.queries.begin(), results.queries.end()};
}

/// Mean and standard error over seeds at every place.
struct Curve {
  std::vector<double> mean, low, high;
};

Curve curve_of(const SeriesValues& values, double factor) {
  std::vector<std::vector<double>> scaled = values;
  for (std::vector<double>& seed : scaled) {
    for (double& value : seed) value *= factor;
  }
  MeanCurve curve = mean_curve(scaled);
  return {std::move(curve.mean), std::move(curve.low), std::move(curve.high)};
}

/// Roots of mean squares, as Table 2 has them.
Curve root_curve(const SeriesValues& squares, double factor) {
  const MeanCurve square = mean_curve(squares);
  const auto roots = [factor](std::vector<double> values) {
    for (double& value : values) value = factor * std::sqrt(std::max(value, 0.0));
    return values;
  };
  return {roots(square.mean), roots(square.low), roots(square.high)};
}

void add_curve(Panel& panel,
               const std::vector<double>& x,
               const Curve& curve,
               const std::string& label,
               const std::string& color) {
  if (curve.mean.empty()) return;
  if (std::any_of(curve.low.begin(), curve.low.end(), [](double v) { return std::isfinite(v); })) {
    panel.bands.push_back(
        {panel.bands.empty() ? "standard error" : "", x, curve.low, curve.high, color});
  }
  Line line;
  line.label = label;
  line.x = x;
  line.y = curve.mean;
  line.color = color;
  panel.lines.push_back(std::move(line));
}

Panel percent_panel(const std::string& title, const std::string& x, const std::string& y) {
  Panel panel;
  panel.title = title;
  panel.x.label = x;
  panel.y.label = y;
  panel.y.low = 0.0;
  panel.y.pads = true;
  return panel;
}

Figure figure_of(const std::string& name, const std::string& description, int columns) {
  Figure figure;
  figure.name = name;
  std::replace(figure.name.begin(), figure.name.end(), '-', '_');
  figure.description = description;
  figure.columns = columns;
  figure.panel_width = columns == 1 ? 680.0 : 1120.0 / columns;
  figure.panel_height = 380.0;
  return figure;
}

std::string number_of_seeds(const RecipeResults& results) {
  return std::to_string(results.seeds.size()) + " seeds, " +
         std::to_string(results.queries.size()) + " posteriors each.";
}

/// Distances and entropy errors of the estimators along Bayesian optimisation.
CaptionedFigure error_figure(const std::string& name, const RecipeResults& results) {
  const TableColumn& column = *find_table_column(results.recipe);
  Figure figure =
      figure_of(name, "Errors of the estimators along the steps of " + column.column, 2);
  Panel tv = percent_panel("Total variation to the truth", "step", "total variation (percent)");
  Panel error = percent_panel(
      "Relative error of the entropy", "step", "root mean square relative error (percent)");
  error.y.low.reset();
  error.y.scale = Scale::kLog;
  const std::vector<double> x = queries_of(results);
  for (std::size_t k = 0; k + 1 < kFigureMethods.size(); ++k) {
    const std::string label = kFigureMethods[k].label;
    const std::string color = series_color(k);
    add_curve(tv,
              x,
              curve_of(distances_of(results, column, kFigureMethods[k].method), 100.0),
              label,
              color);
    add_curve(error,
              x,
              root_curve(squared_errors_of(results, kFigureMethods[k].method), 100.0),
              label,
              color);
  }
  figure.panels = {std::move(tv), std::move(error)};
  std::string caption = figure.description + ": " + number_of_seeds(results);
  if (column.first_query > 0) {
    caption += " Averages in the tables begin at step " + std::to_string(column.first_query) + ".";
  }
  return {std::move(figure), caption};
}

Panel synthetic_panel(const RecipeResults& results, const std::string& title) {
  Panel panel = percent_panel(title, "number of arms", "total variation (percent)");
  panel.x.scale = Scale::kLog;
  for (std::size_t k = 0; k + 2 < kFigureMethods.size(); ++k) {
    const SeriesValues values = series_of(results, kFigureMethods[k].method, &MethodSeries::tv);
    add_curve(
        panel, results.sizes, curve_of(values, 100.0), kFigureMethods[k].label, series_color(k));
  }
  return panel;
}

CaptionedFigure synthetic_figure(const RecipeResults& results) {
  Figure figure = figure_of("fig-tv-synthetic", "Estimators on independent arms", 1);
  figure.panels.push_back(synthetic_panel(results, "Total variation to the exact answer"));
  return {std::move(figure),
          "Means uniform on [0, 5], standard deviations on [0.5, 10]: " +
              std::to_string(results.seeds.size()) + " seeds."};
}

CaptionedFigure alternatives_figure(const std::vector<RecipeResults>& results) {
  Figure figure =
      figure_of("fig-synthetic-alternatives", "Estimators on other distributions of arms", 3);
  const std::array<std::pair<const char*, const char*>, 3> kinds{
      {{"synthetic_b", "means on [0, 5], stddev on [0.5, 2]"},
       {"synthetic_c", "means on [0, 5], stddev 0.5"},
       {"synthetic_d", "means on [0, 0.1], stddev 0.5"}}};
  for (const auto& [recipe, title] : kinds) {
    const RecipeResults* const one = find_results(results, recipe);
    if (one != nullptr) figure.panels.push_back(synthetic_panel(*one, title));
  }
  return {std::move(figure), "Total variation to the exact answer, as in the synthetic figure."};
}

CaptionedFigure recall_figure(const RecipeResults& results) {
  Figure figure = figure_of("fig-recall", "Expected recall of the best candidates", 1);
  Panel panel;
  panel.title = "Recall of the last posterior, quadcopter";
  panel.x.label = "fraction of the candidates";
  panel.y.label = "probability that the maximiser is among them";
  panel.y.low = 0.0;
  panel.y.high = 1.0;
  constexpr std::array<FigureMethod, 8> kOrders{{{"est", "EST"},
                                                 {"vapor", "F-VAPOR"},
                                                 {"f_lite", "F-LITE"},
                                                 {"a_lite", "A-LITE"},
                                                 {"independence", "IA"},
                                                 {"ts_mc", "TS-MC"},
                                                 {"ts", "repeated TS"},
                                                 {"mean", "means"}}};
  std::size_t k = 0;
  for (const FigureMethod& one : kOrders) {
    const SeriesValues curves = last_recalls_of(results, one.method);
    std::vector<double> fractions;
    const std::size_t points = curves.empty() ? 0 : curves.front().size();
    for (std::size_t j = 0; j < points; ++j) {
      fractions.push_back(static_cast<double>(j) / static_cast<double>(points - 1));
    }
    add_curve(panel, fractions, curve_of(curves, 1.0), one.label, series_color(k++));
  }
  figure.panels.push_back(std::move(panel));
  return {std::move(figure),
          "Candidates are taken in the order of each score; recall is the truth's probability of "
          "those taken. No order is above TS-MC, the truth itself. " +
              std::to_string(results.seeds.size()) + " seeds."};
}

/// Published values at some steps: points, and a dashed line through them.
void add_published(Panel& panel,
                   const Json& steps,
                   const Json& curve,
                   const std::string& label,
                   const std::string& color) {
  Line line;
  line.label = label;
  line.x = steps.get<std::vector<double>>();
  line.y = curve.at("mean").get<std::vector<double>>();
  line.color = color;
  line.dash = Dash::kDashed;
  line.width = 1.2;
  panel.scatters.push_back({"", line.x, line.y, {}, color});
  panel.lines.push_back(std::move(line));
}

CaptionedFigure entropy_figure_of(const std::string& name,
                                  const std::vector<EntropyCurve>& curves,
                                  const std::vector<RecipeResults>& results,
                                  const Json& published) {
  Figure figure = figure_of(name, "Entropy of the probability of maximality along the steps", 1);
  Panel panel;
  panel.title = "Entropy of the probability of maximality";
  panel.x.label = "step";
  panel.y.label = "entropy (nats)";
  panel.y.low = 0.0;
  panel.y.pads = true;
  std::string caption = "Solid: ours; dashed: as published.";
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const RecipeResults* const one = find_results(results, curves[k].recipe);
    if (one == nullptr) continue;
    const SeriesValues values = series_of(*one, "f_lite", &MethodSeries::entropy);
    add_curve(panel, queries_of(*one), curve_of(values, 1.0), curves[k].label, series_color(k));
    add_published(panel,
                  published.at("steps"),
                  published.at(curves[k].key),
                  std::string(curves[k].label) + ", published",
                  series_color(k));
    caption +=
        " " + std::string(curves[k].label) + ": " + std::to_string(one->seeds.size()) + " seeds.";
  }
  if (!panel.lines.empty()) figure.panels.push_back(std::move(panel));
  return {std::move(figure), caption};
}

CaptionedFigure accuracy_figure(const RecipeResults& results) {
  Figure figure = figure_of("fig-accuracy-runtime", "Accuracy and time by alpha", 1);
  Panel panel = percent_panel("alpha from 0.01 to 10 along each line, neighbours from 0 to 64",
                              "seconds per posterior",
                              "total variation to the truth (percent)");
  panel.x.scale = Scale::kLog;
  const std::vector<FigureMethod> methods = timed_methods();
  for (std::size_t k = 0; k < methods.size(); ++k) {
    Line line;
    line.label = methods[k].label;
    line.color = series_color(k);
    // Of alpha and, for local_hazard, of neighbours; a method has those of its recipe.
    for (const char* setting :
         {"0", "0.01", "0.03", "0.1", "0.3", "1", "3", "4", "8", "10", "16", "32", "64"}) {
      const std::string method = std::string(methods[k].method) + "_" + setting;
      const MeanWithError seconds =
          mean_over_seeds(counted(series_of(results, method, &MethodSeries::seconds), results, 10));
      const MeanWithError tv =
          mean_over_seeds(counted(series_of(results, method, &MethodSeries::tv), results, 10));
      if (tv.seeds == 0) continue;
      line.x.push_back(seconds.mean);
      line.y.push_back(100.0 * tv.mean);
    }
    if (line.x.empty()) continue;
    panel.scatters.push_back({"", line.x, line.y, {}, line.color});
    panel.lines.push_back(std::move(line));
  }
  figure.panels.push_back(std::move(panel));
  return {std::move(figure),
          "Drop-wave, averages over steps 10 to 29: " + number_of_seeds(results)};
}

CaptionedFigure runtime_figure(const std::vector<RecipeResults>& results, const Json& published) {
  Figure figure = figure_of("fig-runtime", "Time of one estimate by the number of candidates", 1);
  Panel panel;
  panel.title = "Time of one estimate";
  panel.x.label = "number of candidates";
  panel.y.label = "seconds";
  panel.x.scale = Scale::kLog;
  panel.y.scale = Scale::kLog;
  const std::vector<FigureMethod> methods = timed_methods();
  for (std::size_t k = 0; k < methods.size(); ++k) {
    Line ours;
    Line other;
    ours.label = methods[k].label;
    other.name = std::string(methods[k].label) + ", published";
    ours.color = other.color = series_color(k);
    other.dash = Dash::kDashed;
    other.width = 1.2;
    for (std::size_t i = 0; i < kRuntimeSizes.size(); ++i) {
      const auto size = static_cast<double>(kRuntimeSizes[i]);
      if (const auto seconds = published_seconds(published, methods[k].method, i)) {
        other.x.push_back(size);
        other.y.push_back(*seconds);
      }
      const RecipeResults* const one =
          find_results(results, "runtime_" + std::to_string(kRuntimeSizes[i]));
      if (one == nullptr) continue;
      const MeanWithError seconds =
          mean_over_seeds(series_of(*one, methods[k].method, &MethodSeries::seconds));
      if (seconds.seeds == 0) continue;
      ours.x.push_back(size);
      ours.y.push_back(seconds.mean);
    }
    if (!ours.x.empty()) panel.lines.push_back(std::move(ours));
    if (!other.x.empty()) panel.lines.push_back(std::move(other));
  }
  figure.panels.push_back(std::move(panel));
  return {std::move(figure), "Solid: ours on the processor; dashed: the paper's on a TITAN RTX."};
}

}  // namespace

std::vector<CaptionedFigure> reproduced_figures(const std::string& name,
                                                const std::vector<RecipeResults>& results,
                                                const Json& published) {
  const auto one_of = [&](const char* recipe, auto make) {
    const RecipeResults* const one = find_results(results, recipe);
    return one == nullptr ? std::vector<CaptionedFigure>()
                          : std::vector<CaptionedFigure>{make(*one)};
  };
  const auto errors = [&](const RecipeResults& one) { return error_figure(name, one); };
  if (name == "fig-tv-gp1") return one_of("gp1", errors);
  if (name == "fig-gp2") return one_of("gp2", errors);
  if (name == "fig-dropwave") return one_of("drop_wave", errors);
  if (name == "fig-tv-quadcopter") return one_of("quadcopter", errors);
  if (name == "fig-tv-synthetic") return one_of("synthetic", synthetic_figure);
  if (name == "fig-recall") return one_of("quadcopter", recall_figure);
  if (name == "fig-accuracy-runtime") return one_of("accuracy_runtime", accuracy_figure);
  if (name == "fig-synthetic-alternatives") return {alternatives_figure(results)};
  if (name == "fig-runtime") return {runtime_figure(results, published)};
  if (!entropy_curves(name).empty()) {
    return {
        entropy_figure_of(name, entropy_curves(name), results, entropy_values(name, published))};
  }
  return {};
}

}  // namespace pomlux
