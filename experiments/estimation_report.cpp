// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <cmath>      // std::isfinite
#include <map>        // curves by estimator
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/estimation_report.hpp>
#include <pomlux/experiments/estimation_table.hpp>
#include <pomlux/experiments/svg_palette.hpp>
#include <pomlux/experiments/svg_text.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

using figures::series_color;
using figures::short_number;

/// What the page needs of the configuration.
struct Comparison {
  std::string truth = "the truth";
  Json published = Json::array();
};

Comparison read_comparison(RunResult& run) {
  Comparison comparison;
  if (run.configuration.empty()) return comparison;  // there is a warning already
  try {
    const Experiment experiment =
        parse_experiment(run.configuration, "experiment.yaml", run.folder);
    comparison.truth = experiment.config.at("track").at("truth").get<std::string>();
    comparison.published = experiment.config.at("published");
  } catch (const InvalidArgument& error) {
    run.warnings.emplace_back(error.what());
  }
  return comparison;
}

/// Total variations of one seed, [estimator][step]; estimators without any, as the truth, left out.
struct SeedCurves {
  std::vector<std::string> estimators;  ///< in file order
  std::map<std::string, std::vector<double>> by_estimator;
};

SeedCurves read_curves(RunResult& run, const SeedResult& seed) {
  const std::string file = seed.folder + "/pom.csv";
  const ResultTable table = ResultTable::read(run.folder / file, run.warnings);
  const std::vector<std::string>& names = table.words("estimator");
  const std::vector<double>& steps = table.numbers("step");
  const std::vector<double>& distances = table.numbers("tv");
  SeedCurves curves;
  if (names.size() != steps.size() || names.size() != distances.size()) return curves;
  std::size_t most = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_step = steps[i] >= 0.0 && steps[i] < static_cast<double>(seed.steps.rows());
    if (!is_step || !std::isfinite(distances[i])) continue;
    const auto step = static_cast<std::size_t>(steps[i]);
    std::vector<double>& curve = curves.by_estimator[names[i]];
    if (curve.empty()) curves.estimators.push_back(names[i]);
    curve.resize(seed.steps.rows(), kNaN);
    curve[step] = distances[i];
    most = std::max(most, step + 1);
  }
  if (most < seed.steps.rows())
    run.warnings.push_back(file + " has " + std::to_string(most) + " steps instead of " +
                           std::to_string(seed.steps.rows()));
  return curves;
}

/// Averages over the steps; nothing for an estimator that lacks one of them.
TotalVariations averages_of(const SeedCurves& curves) {
  TotalVariations averages;
  for (const std::string& name : curves.estimators) {
    const std::vector<double>& curve = curves.by_estimator.at(name);
    double sum = 0.0;
    for (const double value : curve) sum += value;
    if (std::isfinite(sum)) averages.emplace_back(name, sum / static_cast<double>(curve.size()));
  }
  return averages;
}

figures::Panel distance_panel(const std::vector<SeedCurves>& seeds,
                              const std::vector<double>& arms,
                              const std::string& truth) {
  figures::Panel panel;
  panel.title = "Total variation to " + truth;
  panel.x.label = "number of arms";
  panel.x.scale = figures::Scale::kLog;
  panel.y.label = "total variation (percent)";
  panel.y.low = 0.0;
  panel.y.pads = true;
  const std::vector<std::string> names =
      seeds.empty() ? std::vector<std::string>() : seeds.front().estimators;
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::vector<std::vector<double>> curves;
    for (const SeedCurves& seed : seeds) {
      const auto found = seed.by_estimator.find(names[k]);
      if (found == seed.by_estimator.end()) continue;
      curves.push_back(found->second);
      for (double& value : curves.back()) value *= 100.0;
    }
    const MeanCurve curve = mean_curve(curves);
    std::vector<double> x = arms;
    x.resize(curve.mean.size());
    if (curves.size() > 1) {
      panel.bands.push_back(
          {k == 0 ? "standard error" : "", x, curve.low, curve.high, series_color(k)});
    }
    figures::Line line;
    line.label = names[k];
    line.x = std::move(x);
    line.y = curve.mean;
    line.color = series_color(k);
    panel.lines.push_back(std::move(line));
  }
  return panel;
}

CaptionedFigure distance_figure(const std::vector<SeedCurves>& seeds,
                                const std::vector<double>& arms,
                                const std::string& truth) {
  CaptionedFigure result;
  result.figure.name = "total_variation";
  result.figure.description = "Total variation to " + truth + " against the number of arms";
  result.figure.panel_width = 760.0;
  result.figure.panel_height = 420.0;
  figures::Panel panel = distance_panel(seeds, arms, truth);
  if (arms.size() < 2 || panel.lines.empty()) return result;
  result.figure.panels.push_back(std::move(panel));
  result.caption = seeds.size() == 1
                       ? "One seed, so there is no standard error."
                       : "Mean and standard error over " + std::to_string(seeds.size()) + " seeds.";
  return result;
}

std::vector<KeyNumber> estimation_numbers(const RunResult& run,
                                          std::size_t seeds,
                                          const std::vector<double>& arms) {
  std::vector<KeyNumber> numbers;
  if (!arms.empty()) {
    const std::string fewest = short_number(arms.front(), 15);
    const std::string most = short_number(arms.back(), 15);
    numbers.push_back({"Vectors per seed",
                       std::to_string(arms.size()),
                       "of " + (arms.size() == 1 ? most : fewest + " to " + most) + " arms"});
    numbers.push_back({"Seeds", std::to_string(seeds), "in the means"});
  }
  if (std::isfinite(run.total_seconds))
    numbers.push_back({"Wall time", short_number(run.total_seconds, 3) + " s", "whole experiment"});
  return numbers;
}

ReportTable to_report_table(RowTable rows) {
  ReportTable table;
  table.columns = {"Estimator", "Total variation (%)", "Published (%)"};
  table.columns.resize(rows.front().size());
  rows.erase(rows.begin());
  table.rows = std::move(rows);
  return table;
}

}  // namespace

EstimationReport estimation_report(RunResult& run) {
  const Comparison comparison = read_comparison(run);
  std::vector<SeedCurves> seeds;
  std::vector<TotalVariations> averages;
  std::vector<double> arms;
  for (const SeedResult* seed : averaged_seeds(run)) {
    SeedCurves curves = read_curves(run, *seed);
    if (curves.estimators.empty()) continue;
    seeds.push_back(std::move(curves));
    averages.push_back(averages_of(seeds.back()));
    const std::vector<double>& own = seed->steps.numbers("candidates");
    if (own.size() > arms.size()) arms = own;
  }
  EstimationReport report;
  report.key_numbers = estimation_numbers(run, seeds.size(), arms);
  report.total_variation = distance_figure(seeds, arms, comparison.truth);
  report.table = to_report_table(estimation_rows(averages, comparison.published));
  report.heading = "Total variation to " + comparison.truth;
  report.remark = "Each seed counts with the average over its vectors; " +
                  (seeds.size() == 1 ? "there is one seed."
                                     : "mean \u00b1 standard error over " +
                                           std::to_string(seeds.size()) + " seeds.");
  if (report.table.columns.size() > 2)
    report.remark += " Published values are as the configuration has them.";
  report.remark += " All numbers: summary.csv and seed-*/pom.csv.";
  return report;
}

}  // namespace pomlux
