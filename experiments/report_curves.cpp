// SPDX-License-Identifier: MIT
#include <algorithm>  // extremes
#include <cmath>      // logarithms
#include <limits>     // NaN
#include <pomlux/experiments/report_curves.hpp>
#include <pomlux/experiments/svg_palette.hpp>
#include <pomlux/experiments/svg_text.hpp>

namespace pomlux {
namespace {

using figures::Axis;
using figures::Figure;
using figures::Line;
using figures::Panel;
using figures::Scale;
using figures::series_color;

constexpr std::size_t kMostSeedLines = 40;
constexpr double kSeedWidth = 0.8;
constexpr double kSeedOpacity = 0.45;
constexpr double kLogSpan = 20.0;   ///< positive traces that span more get a log axis
constexpr double kLogFloor = 1e-9;  ///< lower end of a log axis relative to the largest value
constexpr std::size_t kMostDimensions = 6;

std::vector<double> count_from(double first, std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = first + static_cast<double>(i);
  return x;
}

/// The column of every averaged seed; one row less or more than another is fine.
std::vector<std::vector<double>> columns_of(const std::vector<const SeedResult*>& seeds,
                                            const std::string& name) {
  std::vector<std::vector<double>> curves;
  for (const SeedResult* seed : seeds) {
    if (seed->steps.has_numbers(name)) curves.push_back(seed->steps.numbers(name));
  }
  return curves;
}

/// Thin lines of single seeds, drawn below everything else.
void add_seed_lines(Panel& panel,
                    const std::vector<std::vector<double>>& curves,
                    double first,
                    const std::string& color,
                    const std::string& name) {
  if (curves.size() < 2) return;
  for (std::size_t i = 0; i < std::min(curves.size(), kMostSeedLines); ++i) {
    Line line;
    line.name = name + " run " + std::to_string(i + 1);
    line.x = count_from(first, curves[i].size());
    line.y = curves[i];
    line.color = color;
    line.width = kSeedWidth;
    line.opacity = kSeedOpacity;
    panel.lines.push_back(std::move(line));
  }
}

void add_mean(Panel& panel,
              const std::vector<std::vector<double>>& curves,
              double first,
              const std::string& color,
              const std::string& label,
              const std::string& band_label) {
  const MeanCurve curve = mean_curve(curves);
  const std::vector<double> x = count_from(first, curve.mean.size());
  if (curves.size() > 1) panel.bands.push_back({band_label, x, curve.low, curve.high, color});
  Line line;
  line.label = label;
  line.x = x;
  line.y = curve.mean;
  line.color = color;
  line.width = 2.0;
  panel.lines.push_back(std::move(line));
}

/// Log where the positive values span more than kLogSpan and, unless zeros may lie on the lower
/// edge, every mean is positive. The band must not pull the axis towards zero, so the ends are set
/// from means and seeds.
void choose_scale(Panel& panel, bool allows_zero) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (const Line& line : panel.lines) {
    for (const double value : line.y) {
      if (!std::isfinite(value)) continue;
      if (value <= 0.0 && !allows_zero && !line.label.empty()) return;
      if (value <= 0.0) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(high > kLogSpan * low)) return;
  panel.y.scale = Scale::kLog;
  // A regret that is zero but for rounding must not stretch the axis.
  panel.y.low = std::max(low, high * kLogFloor) / 1.3;
  panel.y.high = high * 1.3;
}

std::string mean_words(const RunResult& run, std::size_t curves) {
  const bool is_any_complete = std::any_of(
      run.seeds.begin(), run.seeds.end(), [](const SeedResult& seed) { return seed.is_complete; });
  const std::string which = is_any_complete ? " complete" : " unfinished";
  if (curves == 1) return "One" + which + " seed, so there is no standard error.";
  std::string text = "Mean and standard error over " + std::to_string(curves) + which + " seeds";
  if (curves > kMostSeedLines)
    return text + "; thin lines: the first " + std::to_string(kMostSeedLines) + " seeds.";
  return text + "; thin lines: single seeds.";
}

/// Evaluations of the initial design, if all seeds agree; else 0.
double initial_evaluations(const std::vector<const SeedResult*>& seeds) {
  double common = -1.0;
  for (const SeedResult* seed : seeds) {
    const std::vector<std::string>& phases = seed->steps.words("phase");
    const auto count = static_cast<double>(std::count(phases.begin(), phases.end(), "initial"));
    if (common >= 0.0 && count != common) return 0.0;
    common = count;
  }
  return std::max(common, 0.0);
}

std::string initial_words(double initial) {
  if (initial <= 0.0) return "";
  if (initial == 1.0) return " The first evaluation is the initial design.";
  return " The first " + figures::short_number(initial, 6) + " evaluations are the initial design.";
}

/// "length_scale_0" -> "length scale 0".
std::string spoken(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// True if the column has one value in all seeds (it was not fitted); adds "name value" to `text`.
bool note_constant(const std::vector<const SeedResult*>& seeds,
                   const std::string& column,
                   std::string& text) {
  double common = kNaN;
  for (const auto& curve : columns_of(seeds, column)) {
    for (const double value : curve) {
      if (!std::isfinite(value)) continue;
      if (std::isnan(common)) common = value;
      if (value != common) return false;
    }
  }
  text += (text.empty() ? "" : ", ") + spoken(column) + " " + figures::short_number(common);
  return true;
}

/// One parameter, or several of a kind, over the evaluations.
Panel parameter_panel(const std::vector<const SeedResult*>& seeds,
                      const std::string& title,
                      const std::vector<std::string>& columns,
                      bool is_positive) {
  Panel panel;
  panel.title = title;
  panel.x.label = "evaluations before the fit";
  panel.x.is_count = true;
  panel.y.pads = true;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto curves = columns_of(seeds, columns[k]);
    if (curves.empty()) continue;
    const bool is_single = columns.size() == 1;
    if (is_single) add_seed_lines(panel, curves, 0.0, series_color(k), "");
    add_mean(panel, curves, 0.0, series_color(k), is_single ? "mean" : spoken(columns[k]), "");
  }
  if (is_positive) choose_scale(panel, false);
  if (columns.size() == 1 && panel.lines.size() == 1) panel.lines[0].label.clear();
  return panel;
}

/// Many length scales: their smallest, median and largest mean instead of a bundle of lines.
Panel length_scale_summary(const std::vector<const SeedResult*>& seeds,
                           const std::vector<std::string>& columns) {
  std::vector<std::vector<double>> means;
  for (const std::string& name : columns) {
    const auto curves = columns_of(seeds, name);
    if (!curves.empty()) means.push_back(mean_curve(curves).mean);
  }
  Panel panel;
  panel.title = "Length scales of " + std::to_string(columns.size()) + " dimensions";
  panel.x.label = "evaluations before the fit";
  panel.x.is_count = true;
  panel.y.pads = true;
  if (means.empty()) return panel;
  const std::size_t n = means[0].size();
  const std::vector<std::string> names = {"smallest", "median", "largest"};
  std::vector<Line> lines(3);
  for (std::size_t t = 0; t < n; ++t) {
    std::vector<double> values;
    for (const auto& mean : means)
      if (t < mean.size() && std::isfinite(mean[t])) values.push_back(mean[t]);
    std::sort(values.begin(), values.end());
    const bool has_any = !values.empty();
    lines[0].y.push_back(has_any ? values.front() : kNaN);
    lines[1].y.push_back(has_any ? values[values.size() / 2] : kNaN);
    lines[2].y.push_back(has_any ? values.back() : kNaN);
  }
  for (std::size_t k = 0; k < lines.size(); ++k) {
    lines[k].label = names[k];
    lines[k].x = count_from(0.0, n);
    lines[k].color = series_color(k);
    panel.lines.push_back(std::move(lines[k]));
  }
  choose_scale(panel, false);
  return panel;
}

}  // namespace

std::vector<const SeedResult*> averaged_seeds(const RunResult& run) {
  std::vector<const SeedResult*> complete;
  std::vector<const SeedResult*> any;
  for (const SeedResult& seed : run.seeds) {
    if (seed.steps.rows() == 0) continue;
    any.push_back(&seed);
    if (seed.is_complete) complete.push_back(&seed);
  }
  return complete.empty() ? any : complete;
}

CaptionedFigure progress_figure(const RunResult& run) {
  const auto seeds = averaged_seeds(run);
  const auto regrets = columns_of(seeds, "simple_regret");
  const bool has_regret = !regrets.empty();
  const auto curves = has_regret ? regrets : columns_of(seeds, "best_observed");
  CaptionedFigure result;
  result.figure.name = has_regret ? "simple_regret" : "best_observed";
  if (curves.empty()) return result;
  Panel panel;
  panel.title = has_regret ? "Simple regret" : "Best observed value";
  panel.x.label = "evaluations";
  panel.x.is_count = true;
  panel.y.label =
      has_regret ? "simple regret (objective units)" : "best observed (objective units)";
  panel.y.pads = true;
  add_seed_lines(panel, curves, 1.0, series_color(0), "");
  add_mean(panel, curves, 1.0, series_color(0), curves.size() > 1 ? "mean" : "", "standard error");
  if (has_regret) choose_scale(panel, true);
  if (panel.y.scale == Scale::kLinear && has_regret) panel.y.low = 0.0;
  result.figure.description = panel.title + " against the number of evaluations";
  result.caption = mean_words(run, curves.size()) + initial_words(initial_evaluations(seeds));
  if (panel.y.scale == Scale::kLog) {
    const bool has_zero = std::any_of(curves.begin(), curves.end(), [](const auto& curve) {
      return std::any_of(curve.begin(), curve.end(), [](double v) { return v <= 0.0; });
    });
    if (has_zero) result.caption += " Zero regret lies on the lower edge.";
  }
  result.figure.panels.push_back(std::move(panel));
  return result;
}

CaptionedFigure entropy_figure(const RunResult& run, const FinalEntropies& final) {
  const auto seeds = averaged_seeds(run);
  CaptionedFigure result;
  result.figure.name = "entropy";
  Panel panel;
  panel.title = "Entropy of the probability of being the " + optimum_noun(run.sense);
  panel.x.label = "evaluations";
  panel.x.is_count = true;
  panel.y.label = "entropy (nats)";
  panel.y.low = 0.0;
  panel.y.pads = true;
  std::size_t most = 0;
  std::size_t longest = 0;
  for (std::size_t k = 0; k < final.estimators.size(); ++k) {
    std::vector<std::vector<double>> curves;
    for (const SeedResult* seed : seeds) {
      std::vector<double> curve = seed->steps.numbers("entropy_" + final.estimators[k]);
      curve.resize(seed->steps.rows(), kNaN);
      // A row holds the entropy before its evaluation; the posterior file the one after the last.
      curve.push_back(final.by_seed[static_cast<std::size_t>(seed - run.seeds.data())][k]);
      const auto known = static_cast<std::size_t>(
          std::count_if(curve.begin(), curve.end(), [](double v) { return std::isfinite(v); }));
      longest = std::max(longest, known);
      if (known > 0) curves.push_back(std::move(curve));
    }
    if (curves.empty()) continue;
    most = std::max(most, curves.size());
    const std::string& name = final.estimators[k];
    if (final.estimators.size() == 1) add_seed_lines(panel, curves, 0.0, series_color(k), name);
    add_mean(panel, curves, 0.0, series_color(k), name, k == 0 ? "standard error" : "");
  }
  if (longest < 2) return result;  // the end alone is among the final numbers
  for (Line& line : panel.lines) close_gaps({&line.x, &line.y});
  for (figures::Band& band : panel.bands) close_gaps({&band.x, &band.low, &band.high});
  result.caption = mean_words(run, most);
  if (final.candidates > 1.0) {
    result.caption += " Dashed: the entropy of a uniform distribution.";
    double last = 0.0;
    for (const Line& line : panel.lines)
      last = std::max(last, line.x.empty() ? 0.0 : line.x.back());
    const double limit = std::log(final.candidates);
    Line line;
    line.label = "log " + figures::short_number(final.candidates, 12);
    line.x = {0.0, last};
    line.y = {limit, limit};
    line.color = figures::kMuted;
    line.width = 1.4;
    line.dash = figures::Dash::kDashed;
    panel.lines.push_back(std::move(line));
  }
  result.figure.description = panel.title + " against the number of evaluations";
  result.figure.panels.push_back(std::move(panel));
  return result;
}

CaptionedFigure hyperparameter_figure(const RunResult& run) {
  const auto seeds = averaged_seeds(run);
  CaptionedFigure result;
  Figure& figure = result.figure;
  figure.name = "hyperparameters";
  figure.description = "Hyper-parameters of the model against the number of evaluations";
  figure.panel_width = 376.0;
  figure.panel_height = 260.0;
  if (seeds.empty()) return result;
  std::string constants;
  const auto changing = [&](const std::string& kind) {
    std::vector<std::string> names;
    for (std::string& name : seeds[0]->steps.parameters(kind)) {
      if (columns_of(seeds, name).empty() || note_constant(seeds, name, constants)) continue;
      names.push_back(std::move(name));
    }
    return names;
  };
  const auto add =
      [&](const std::string& title, const std::vector<std::string>& names, bool is_positive) {
        if (names.empty()) return;
        figure.panels.push_back(parameter_panel(seeds, title, names, is_positive));
      };
  const std::vector<std::string> scales = changing("length_scale");
  if (scales.size() > kMostDimensions) {
    figure.panels.push_back(length_scale_summary(seeds, scales));
  } else {
    add(scales.size() > 1 ? "Length scales" : "Length scale", scales, true);
  }
  add("Amplitude (standard deviation)", changing("amplitude"), true);
  add("Noise (standard deviation)", changing("noise_stddev"), true);
  add("Prior mean", changing("mean"), false);
  if (!columns_of(seeds, "log_likelihood").empty()) {
    add("Log marginal likelihood (nats)", {"log_likelihood"}, false);
  }
  figure.columns = std::clamp(static_cast<int>(figure.panels.size()), 1, 3);
  result.caption = mean_words(run, seeds.size());
  if (!constants.empty()) result.caption += " Constant: " + constants + ".";
  return result;
}

CaptionedFigure time_figure(const RunResult& run) {
  CaptionedFigure result;
  Figure& figure = result.figure;
  figure.name = "time";
  figure.description = "Wall time by part of the run";
  if (run.seconds.empty()) return result;
  figures::Bars bars;
  bars.color = series_color(0);
  for (const auto& [name, seconds] : run.seconds) {
    bars.names.push_back(spoken(name));
    bars.values.push_back(seconds);
  }
  Panel panel;
  panel.title = "Time by part";
  panel.x.label = "seconds, summed over seeds";
  panel.bars = std::move(bars);
  figure.panel_height = 90.0 + 34.0 * static_cast<double>(run.seconds.size());
  figure.panels.push_back(std::move(panel));
  if (std::isfinite(run.total_seconds))
    result.caption =
        "The whole run took " + figures::short_number(run.total_seconds, 3) + " s of wall time.";
  return result;
}

}  // namespace pomlux
