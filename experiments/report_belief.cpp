// SPDX-License-Identifier: MIT
#include <algorithm>  // sorting
#include <cmath>      // logarithms
#include <limits>     // NaN
#include <pomlux/experiments/report_belief.hpp>
#include <pomlux/experiments/report_layout.hpp>
#include <pomlux/experiments/svg_palette.hpp>
#include <pomlux/experiments/svg_text.hpp>

namespace pomlux {
namespace {
using namespace figures;  // the vocabulary of a drawing: Figure, Panel, Line, Band ...

constexpr std::size_t kMostCells = 150;      ///< per axis of a map
constexpr std::size_t kMostSmallCells = 60;  ///< per axis of a small one
constexpr std::size_t kMostColored = 3000;   ///< points drawn one by one
constexpr std::size_t kCloudCells = 60;      ///< per axis, for more points than that
constexpr std::size_t kMostOnLine = 1000;    ///< points of a curve
constexpr std::size_t kMostMarked = 60;      ///< candidates that get a dot on the PoM curve
constexpr double kMapDecades = 4.0;          ///< of probability shown by colour
constexpr double kLinearSpan = 20.0;         ///< of probabilities, up to which colour is linear
constexpr const char* kWhite = "#ffffff";
constexpr const char* kAccent = "#d55e00";
constexpr const char* kGrey = "#7f7f7f";

/// The coordinates that tell candidates apart.
std::vector<std::size_t> varying_axes(const PosteriorData& data) {
  std::vector<std::size_t> axes;
  for (std::size_t k = 0; k < data.axes.size(); ++k)
    if (std::ranges::adjacent_find(data.coordinates[k], std::not_equal_to<>()) !=
        data.coordinates[k].end())
      axes.push_back(k);
  return axes;
}

std::string pom_title(const RunResult& run, const PosteriorData& data, std::size_t estimator) {
  std::string title = "Probability of being the " + optimum_noun(run.sense);
  if (data.estimators.size() > 1) title += " (" + data.estimators[estimator] + ")";
  return title;
}

enum class StepGroup { kInitial, kAcquisition, kFailed };

/// Of results that do not say it, every step has a value.
StepGroup group_of(const SeedResult& seed, std::size_t row) {
  const std::vector<std::string>& states = seed.steps.words("state");
  const std::vector<std::string>& phases = seed.steps.words("phase");
  if (row < states.size() && states[row] != "told") return StepGroup::kFailed;
  const bool is_initial = row < phases.size() && phases[row] == "initial";
  return is_initial ? StepGroup::kInitial : StepGroup::kAcquisition;
}

/// Rows of the steps with a coordinate on each axis, by group.
Scatter evaluated(const SeedResult& seed,
                  const std::string& x,
                  const std::string& y,
                  StepGroup group) {
  Scatter scatter;
  const std::vector<double>& xs = seed.steps.numbers(x);
  const std::vector<double>& ys = seed.steps.numbers(y);
  for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i) {
    if (group_of(seed, i) != group) continue;
    scatter.x.push_back(xs[i]);
    scatter.y.push_back(ys[i]);
  }
  const bool is_initial = group == StepGroup::kInitial;
  scatter.label = is_initial ? "initial design" : "acquisition";
  scatter.color = is_initial ? kWhite : kAccent;
  scatter.radius = 2.7;
  if (group == StepGroup::kFailed) {
    scatter.label = "failed";
    scatter.marker = Marker::kRing;
    scatter.radius = 3.6;
  }
  return scatter;
}

/// The evaluation with the best value.
Scatter best_evaluation(const RunResult& run,
                        const SeedResult& seed,
                        const std::string& x,
                        const std::string& y) {
  Scatter scatter;
  scatter.label = "best observed";
  scatter.color = kWhite;
  scatter.marker = Marker::kDiamond;
  scatter.radius = 6.5;
  const std::vector<double>& values = seed.steps.numbers("value");
  const std::vector<double>& xs = seed.steps.numbers(x);
  const std::vector<double>& ys = seed.steps.numbers(y);
  const std::size_t n = std::min({values.size(), xs.size(), ys.size()});
  std::size_t best = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(values[i])) continue;
    if (best == n || sign_of(run.sense) * values[i] > sign_of(run.sense) * values[best]) best = i;
  }
  if (best < n) {
    scatter.x.push_back(xs[best]);
    scatter.y.push_back(ys[best]);
  }
  return scatter;
}

/// Late in a run a few candidates hold nearly all probability; on a linear scale the rest of the
/// map would be one colour. So: logarithmic over at most kMapDecades below the largest value, where
/// the values span more than kLinearSpan; else linear from 0.
void scale_probabilities(Panel& panel, const std::vector<double>& shown) {
  double largest = 0.0;
  double smallest = std::numeric_limits<double>::infinity();
  for (const double p : shown) {
    if (!std::isfinite(p)) continue;
    largest = std::max(largest, p);
    smallest = std::min(smallest, p);
  }
  panel.value.low = 0.0;
  if (!(largest > kLinearSpan * smallest)) return;
  panel.value.scale = figures::Scale::kLog;
  panel.value.high = largest;
  panel.value.low = std::max(smallest, largest * std::pow(10.0, -kMapDecades));
}

void add_if_any(Panel& panel, Scatter scatter) {
  if (!scatter.x.empty()) panel.scatters.push_back(std::move(scatter));
}

/// Draws values over two coordinates: cells of a grid, coloured points, or bins of many points.
class PlaneView {
 public:
  PlaneView(const PosteriorData& data, std::size_t first, std::size_t second, std::size_t most)
      : x_(data.coordinates[first]), y_(data.coordinates[second]) {
    x_name_ = data.axes[first];
    y_name_ = data.axes[second];
    grid_ = find_grid(x_, y_, most);
    if (!grid_ && x_.size() > kMostColored) grid_ = make_bins(x_, y_, kCloudCells);
  }
  [[nodiscard]] bool has_cells() const { return grid_.has_value(); }
  /// Makes marks rings around the coloured points, which they would hide.
  void surround(Scatter& marks, StepGroup group) const {
    const bool has_failed = group == StepGroup::kFailed;
    marks.marker = Marker::kRing;
    marks.color = has_failed ? kGrey : group == StepGroup::kInitial ? figures::kInk : kAccent;
    marks.radius = radius() + (has_failed ? 3.2 : 1.6);
  }
  [[nodiscard]] bool is_binned() const { return grid_ && grid_->is_binned; }
  /// The same for probabilities, with a scale of colours that fits them.
  [[nodiscard]] Panel pom_panel(const std::string& title, const std::vector<double>& pom) const {
    Panel result = panel(title, "probability", pom, Reduce::kSum);
    scale_probabilities(result, result.map ? result.map->values : pom);
    return result;
  }
  [[nodiscard]] Panel panel(const std::string& title,
                            const std::string& value_label,
                            const std::vector<double>& values,
                            Reduce reduce) const {
    Panel panel;
    panel.title = title;
    panel.x.label = x_name_;
    panel.y.label = y_name_;
    panel.value.label = value_label;
    if (grid_) {
      panel.map = grid_->fill(values, reduce);
      return panel;
    }
    panel.x.pads = true;
    panel.y.pads = true;
    Scatter scatter{"", x_, y_, values, series_color(0), Marker::kDot, radius()};
    panel.scatters.push_back(std::move(scatter));
    return panel;
  }

 private:
  /// Larger where there are few points.
  [[nodiscard]] double radius() const {
    return std::clamp(60.0 / std::sqrt(static_cast<double>(x_.size())), 2.4, 7.0);
  }
  const std::vector<double>& x_;
  const std::vector<double>& y_;
  std::string x_name_;
  std::string y_name_;
  std::optional<CellGrid> grid_;
};

CaptionedFigure plane_figure(const RunResult& run,
                             const SeedResult& seed,
                             const PosteriorData& data,
                             const std::vector<std::size_t>& axes) {
  const PlaneView view(data, axes[0], axes[1], kMostCells);
  const std::string& x = data.axes[axes[0]];
  const std::string& y = data.axes[axes[1]];
  const auto mark = [&](Panel& panel) {
    for (const StepGroup group :
         {StepGroup::kInitial, StepGroup::kAcquisition, StepGroup::kFailed}) {
      Scatter marks = evaluated(seed, x, y, group);
      if (!view.has_cells()) view.surround(marks, group);
      add_if_any(panel, std::move(marks));
    }
    add_if_any(panel, best_evaluation(run, seed, x, y));
  };
  CaptionedFigure result;
  Figure& figure = result.figure;
  figure.columns = 2;
  figure.panel_width = 565.0;
  figure.panel_height = 460.0;
  if (!data.true_value.empty())
    figure.panels.push_back(
        view.panel("Objective without noise", "objective units", data.true_value, Reduce::kMean));
  figure.panels.push_back(
      view.panel("Posterior mean", "objective units", data.mean, Reduce::kMean));
  mark(figure.panels.back());
  if (!data.stddev.empty()) {
    figure.panels.push_back(
        view.panel("Posterior standard deviation", "objective units", data.stddev, Reduce::kMean));
    mark(figure.panels.back());
  }
  bool has_log_scale = false;
  for (std::size_t k = 0; k < data.estimators.size(); ++k) {
    Panel panel = view.pom_panel(pom_title(run, data, k), data.pom[k]);
    add_if_any(panel, best_evaluation(run, seed, x, y));
    has_log_scale = has_log_scale || panel.value.scale == figures::Scale::kLog;
    figure.panels.push_back(std::move(panel));
  }
  if (has_log_scale)
    result.caption = " Colours of probabilities are logarithmic; the smallest, below " +
                     figures::short_number(std::pow(10.0, -kMapDecades)) +
                     " of the largest, share the darkest.";
  if (view.is_binned())
    result.caption +=
        " Neighbouring candidates are joined to cells: means of values, sums of "
        "probabilities.";
  return result;
}

/// One line per estimator; dots where there are few candidates.
void add_pom_lines(Panel& panel, const PosteriorData& data, const SortedGroups& groups) {
  for (std::size_t k = 0; k < data.estimators.size(); ++k) {
    Line line;
    line.label = data.estimators.size() > 1 ? data.estimators[k] : "";
    line.name = data.estimators[k];
    line.x = groups.x;
    line.y = groups.fill(data.pom[k], Reduce::kSum);
    line.color = series_color(k);
    if (groups.x.size() <= kMostMarked)
      panel.scatters.push_back({"", line.x, line.y, {}, line.color, Marker::kDot, 2.6});
    panel.lines.push_back(std::move(line));
  }
}

Panel belief_panel(const SeedResult& seed,
                   const RunResult& run,
                   const PosteriorData& data,
                   const SortedGroups& groups,
                   const std::string& axis) {
  Panel panel;
  panel.title = "Posterior";
  panel.y.label = "objective units";
  panel.y.pads = true;
  const std::vector<double> mean = groups.fill(data.mean, Reduce::kMean);
  if (!data.stddev.empty()) {
    const std::vector<double> stddev = groups.fill(data.stddev, Reduce::kMean);
    Band band{"mean \u00b1 2 standard deviations", groups.x, mean, mean, series_color(0)};
    for (std::size_t i = 0; i < mean.size(); ++i) {
      band.low[i] -= 2.0 * stddev[i];
      band.high[i] += 2.0 * stddev[i];
    }
    panel.bands.push_back(std::move(band));
  }
  panel.lines.push_back({"mean", "", groups.x, mean, series_color(0)});
  if (!data.true_value.empty()) {
    Line line{"objective without noise",
              "",
              groups.x,
              groups.fill(data.true_value, Reduce::kMean),
              figures::kInk};
    line.width = 1.3;
    line.dash = figures::Dash::kDashed;
    panel.lines.push_back(std::move(line));
  }
  Scatter initial = evaluated(seed, axis, "value", StepGroup::kInitial);
  initial.radius = 3.2;
  add_if_any(panel, std::move(initial));
  Scatter chosen = evaluated(seed, axis, "value", StepGroup::kAcquisition);
  chosen.radius = 3.2;
  add_if_any(panel, std::move(chosen));
  add_if_any(panel, best_evaluation(run, seed, axis, "value"));
  return panel;
}

CaptionedFigure line_figure(const RunResult& run,
                            const SeedResult& seed,
                            const PosteriorData& data,
                            std::size_t axis) {
  const SortedGroups groups = sort_groups(data.coordinates[axis], kMostOnLine);
  CaptionedFigure result;
  Figure& figure = result.figure;
  figure.panel_width = 1130.0;
  figure.panel_height = 330.0;
  figure.panels.push_back(belief_panel(seed, run, data, groups, data.axes[axis]));
  if (!data.estimators.empty()) {
    Panel panel;
    panel.title = "Probability of being the " + optimum_noun(run.sense);
    panel.y.label = "probability";
    panel.y.pads = true;
    panel.y.low = 0.0;
    add_pom_lines(panel, data, groups);
    figure.panels.push_back(std::move(panel));
  }
  for (Panel& panel : figure.panels) panel.x.label = data.axes[axis];
  if (groups.is_binned)
    result.caption = " Neighbouring candidates are joined: means of values, sums of probabilities.";
  return result;
}

}  // namespace

CaptionedFigure posterior_figure(const RunResult& run,
                                 const SeedResult& seed,
                                 const PosteriorData& data) {
  const std::vector<std::size_t> axes = varying_axes(data);
  CaptionedFigure result;
  if (axes.size() == 1) result = line_figure(run, seed, data, axes[0]);
  if (axes.size() == 2) result = plane_figure(run, seed, data, axes);
  if (axes.size() > 2) result = rank_figure(run, data);
  result.figure.name = "posterior_" + seed.folder;
  result.figure.description =
      "Belief over the candidates at the end of seed " + std::to_string(seed.seed);
  result.caption = "Seed " + std::to_string(seed.seed) + ", after " +
                   std::to_string(seed.steps.rows()) + " evaluations." + result.caption;
  return result;
}

std::optional<Panel> pom_panel(const RunResult& run,
                               const SeedResult& seed,
                               const PosteriorData& data) {
  const std::vector<std::size_t> axes = varying_axes(data);
  if (data.estimators.empty() || axes.empty() || axes.size() > 2) return std::nullopt;
  const std::string title = "Seed " + std::to_string(seed.seed);
  if (axes.size() == 2) {
    const PlaneView view(data, axes[0], axes[1], kMostSmallCells);
    Panel panel = view.pom_panel(title, data.pom[0]);
    add_if_any(panel, best_evaluation(run, seed, data.axes[axes[0]], data.axes[axes[1]]));
    return panel;
  }
  const SortedGroups groups = sort_groups(data.coordinates[axes[0]], kMostOnLine);
  Panel panel;
  panel.title = title;
  panel.x.label = data.axes[axes[0]];
  panel.y.label = "probability";
  panel.y.pads = true;
  panel.y.low = 0.0;
  add_pom_lines(panel, data, groups);
  return panel;
}

}  // namespace pomlux
