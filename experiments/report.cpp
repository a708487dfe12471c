// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <limits>     // NaN
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/estimation_report.hpp>
#include <pomlux/experiments/figure_writer.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/report.hpp>
#include <pomlux/experiments/report_belief.hpp>
#include <pomlux/experiments/report_curves.hpp>
#include <pomlux/experiments/report_data.hpp>
#include <pomlux/experiments/report_html.hpp>
#include <pomlux/experiments/report_numbers.hpp>
#include <pomlux/experiments/report_posterior.hpp>

namespace pomlux {
namespace {

constexpr std::size_t kTopCandidates = 10;
constexpr std::size_t kMostTables = 10;       ///< of candidates, one per seed
constexpr std::size_t kMostSmallPanels = 12;  ///< of PoM, one per seed

/// Everything taken from the posterior files, in one pass that holds one of them at a time.
struct Ends {
  std::vector<SeedEnd> numbers;
  FinalEntropies entropies;
  CaptionedFigure belief;   ///< of the first seed that has one
  CaptionedFigure by_seed;  ///< PoM of all of them, if there are several
  std::vector<ReportTable> top;
};

/// All estimators of the run, those of the steps first.
std::vector<std::string> all_estimators(const RunResult& run) {
  std::vector<std::string> names;
  for (const SeedResult& seed : run.seeds) {
    for (const std::string& name : estimators_of(seed.steps, "entropy_")) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::vector<double> final_entropies(const FinalEntropies& known,
                                    const std::optional<PosteriorData>& data) {
  std::vector<double> values(known.estimators.size(), std::numeric_limits<double>::quiet_NaN());
  if (!data) return values;
  for (std::size_t k = 0; k < data->estimators.size(); ++k) {
    const auto found =
        std::find(known.estimators.begin(), known.estimators.end(), data->estimators[k]);
    if (found != known.estimators.end())
      values[static_cast<std::size_t>(found - known.estimators.begin())] = entropy_of(data->pom[k]);
  }
  return values;
}

void add_small_panel(Ends& ends, std::optional<figures::Panel> panel) {
  if (panel && ends.by_seed.figure.panels.size() < kMostSmallPanels)
    ends.by_seed.figure.panels.push_back(std::move(*panel));
}

void finish_by_seed(Ends& ends, const RunResult& run, std::size_t posteriors) {
  figures::Figure& figure = ends.by_seed.figure;
  if (posteriors < 2) figure.panels.clear();
  figure.name = "pom_by_seed";
  figure.columns = std::clamp(static_cast<int>(figure.panels.size()), 1, 3);
  figure.panel_width = 376.0;
  figure.panel_height = 320.0;
  figure.description =
      "Probability of being the " + optimum_noun(run.sense) + " at the end of each seed";
  ends.by_seed.caption = figure.description + ".";
  if (posteriors > kMostSmallPanels)
    ends.by_seed.caption += " The first " + std::to_string(kMostSmallPanels) + " of " +
                            std::to_string(posteriors) + " seeds.";
}

Ends read_ends(RunResult& run) {
  Ends ends;
  ends.entropies.estimators = all_estimators(run);
  std::size_t posteriors = 0;
  for (const SeedResult& seed : run.seeds) {
    const ResultTable table = run.posterior(seed, run.warnings);
    const std::optional<PosteriorData> data = posterior_data(table);
    if (data && ends.entropies.estimators.empty()) ends.entropies.estimators = data->estimators;
    ends.numbers.push_back(seed_end(run, seed, data));
    ends.entropies.by_seed.push_back(final_entropies(ends.entropies, data));
    if (!data) continue;
    if (posteriors++ == 0) {
      ends.entropies.candidates = static_cast<double>(data->size());
      ends.belief = posterior_figure(run, seed, *data);
    }
    add_small_panel(ends, pom_panel(run, seed, *data));
    if (ends.top.size() < kMostTables)
      ends.top.push_back(top_table(run, seed, *data, kTopCandidates));
  }
  for (auto& values : ends.entropies.by_seed)
    values.resize(ends.entropies.estimators.size(), std::numeric_limits<double>::quiet_NaN());
  finish_by_seed(ends, run, posteriors);
  return ends;
}

std::vector<FigureSection> write_figures(const RunResult& run,
                                         const Ends& ends,
                                         FigureWriter& writer) {
  const std::string optimum = optimum_noun(run.sense);
  std::vector<FigureSection> sections = {
      {"Progress", {}},
      {"Belief at the end and probability of being the " + optimum, {}},
      {"Probability of being the " + optimum + ", seed by seed", {}},
      {"Hyper-parameters", {}},
      {"Time", {}}};
  writer.add(sections[0], progress_figure(run));
  writer.add(sections[0], entropy_figure(run, ends.entropies));
  writer.add(sections[1], ends.belief);
  writer.add(sections[2], ends.by_seed);
  writer.add(sections[3], hyperparameter_figure(run));
  writer.add(sections[4], time_figure(run));
  return sections;
}

ReportPage optimization_page(RunResult& run, FigureWriter& writer) {
  const Ends ends = read_ends(run);
  ReportPage page;
  page.sections = write_figures(run, ends, writer);
  page.key_numbers = key_numbers(run, ends.numbers, ends.entropies);
  page.final_heading = "Final numbers";
  page.final_numbers = final_table(run, ends.numbers, ends.entropies);
  page.final_remark =
      "Best observed is over noisy values. Best posterior mean and entropy are those after "
      "the last evaluation. All rows: summary.csv and seed-*/steps.csv.";
  page.top = ends.top;
  return page;
}

ReportPage estimation_page(RunResult& run, FigureWriter& writer) {
  const EstimationReport report = estimation_report(run);
  ReportPage page;
  page.key_numbers = report.key_numbers;
  page.sections = {{"By number of arms", {}}};
  writer.add(page.sections[0], report.total_variation);
  page.final_heading = report.heading;
  page.final_numbers = report.table;
  page.final_remark = report.remark;
  return page;
}

}  // namespace

ReportSummary render_report(const std::filesystem::path& results_dir,
                            const ReportOptions& options) {
  if (!(options.gnuplot_timeout_seconds > 0.0))
    fail("report",
         "gnuplot_timeout_seconds is " + format_number(options.gnuplot_timeout_seconds) +
             "; allowed: > 0");
  RunResult run = read_run(results_dir);
  ReportSummary summary;
  const std::filesystem::path folder = results_dir / "figures";
  make_folder(folder);
  FigureWriter writer(folder, options, summary);
  const ReportPage page =
      run.is_estimation ? estimation_page(run, writer) : optimization_page(run, writer);
  summary.html = results_dir / "report.html";
  summary.warnings = run.warnings;
  replace_file(summary.html, report_html(run, page));
  return summary;
}

}  // namespace pomlux
