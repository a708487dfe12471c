// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // std::exp
#include <pomlux/core/errors.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/estimators/normal_maximum.hpp>
#include <pomlux/experiments/reproduce_illustrations.hpp>
#include <pomlux/experiments/svg_palette.hpp>

namespace pomlux {
namespace {

using figures::Dash;
using figures::Figure;
using figures::Line;
using figures::Panel;
using figures::Scale;

// The colours of the paper's captions, of the palette where it has them.
constexpr const char* kOrange = "#d55e00";
constexpr const char* kPurple = "#9b4f96";
constexpr const char* kBlue = "#0072b2";
constexpr const char* kRed = "#c1272d";

constexpr int kCurvePoints = 401;

/// `count` equally spaced numbers from low to high, both included.
std::vector<double> equally_spaced(double low, double high, int count) {
  std::vector<double> result;
  for (int i = 0; i < count; ++i) result.push_back(low + (high - low) * i / (count - 1));
  return result;
}

template <typename Function>
Line graph_of(const std::string& label,
              std::vector<double> x,
              const Function& f,
              const std::string& color,
              Dash dash = Dash::kSolid) {
  Line line;
  line.label = label;
  for (const double value : x) line.y.push_back(f(value));
  line.x = std::move(x);
  line.color = color;
  line.dash = dash;
  return line;
}

Figure two_panel_figure(const std::string& name, const std::string& description) {
  Figure figure;
  figure.name = name;
  figure.description = description;
  figure.columns = 2;
  figure.panel_width = 520.0;
  figure.panel_height = 360.0;
  return figure;
}

Panel density_panel() {
  constexpr double kLow = -5.0, kHigh = 20.0;
  Panel panel;
  panel.title = "Density of the maximum of n normals";
  panel.x = {.label = "z", .low = kLow, .high = kHigh};
  panel.y = {.label = "density", .low = 0.0, .pads = true};
  int i = 0;
  for (const double exponent : equally_spaced(0.0, 50.0, 20)) {
    const double n = std::pow(10.0, exponent);
    const NormalMaximum maximum = normal_maximum(n);
    const bool is_first = i == 0, is_last = i == 19;
    Line line = graph_of(
        is_first  ? "n = 1"
        : is_last ? "n = 1e50"
                  : "",
        equally_spaced(std::max(kLow, maximum.lowest), maximum.highest, kCurvePoints),
        [n](double z) { return normal_maximum_density(n, z); },
        figures::map_color(0.9 * i / 19.0));
    line.name = "n = 10^" + format_number(exponent);
    line.width = is_first || is_last ? 2.0 : 1.2;
    panel.lines.push_back(std::move(line));
    ++i;
  }
  return panel;
}

Panel moment_panel() {
  Panel panel;
  panel.title = "Mean and standard deviation";
  panel.x = {.label = "n", .scale = Scale::kLog};
  panel.y = {.label = "z", .low = 0.0, .pads = true};
  Line mean = graph_of(
      "mean", {}, [](double) { return 0.0; }, kBlue);
  Line stddev = graph_of(
      "standard deviation", {}, [](double) { return 0.0; }, kOrange, Dash::kDashed);
  for (const double exponent : equally_spaced(0.0, 50.0, 250)) {
    const double n = std::pow(10.0, exponent);
    const NormalMaximum maximum = normal_maximum(n);
    mean.x.push_back(n);
    mean.y.push_back(maximum.mean);
    stddev.y.push_back(maximum.stddev);
  }
  stddev.x = mean.x;
  panel.lines = {std::move(mean), std::move(stddev)};
  return panel;
}

/// Phi((f - m) / s) / Phi(f).
double quotient(double f, double m, double s) {
  return std::exp(log_normal_cdf((f - m) / s) - log_normal_cdf(f));
}

Panel quotient_panel() {
  Panel panel;
  panel.title = "\u03a6((f \u2212 m) / s) / \u03a6(f)";
  panel.x = {.label = "f", .low = -3.0, .high = 4.0};
  panel.y = {.label = "quotient", .low = 0.0, .high = 1.5};
  for (const double quartile : {0.25, 0.75}) {
    panel.lines.push_back({.label = "",
                           .name = "quartile",
                           .x = {-3.0, 4.0},
                           .y = {quartile, quartile},
                           .color = figures::kMuted,
                           .width = 1.0,
                           .dash = Dash::kDashed});
  }
  const std::vector<double> f = equally_spaced(-3.0, 4.0, kCurvePoints);
  panel.lines.push_back(graph_of(
      "m = 0.5, s = 2", f, [](double x) { return quotient(x, 0.5, 2.0); }, kRed));
  panel.lines.push_back(graph_of(
      "m = 0.5, s = 0.1", f, [](double x) { return quotient(x, 0.5, 0.1); }, kPurple));
  return panel;
}

Panel left_out_panel() {
  const auto product = [](double first, double second) {
    return [=](double f) {
      return std::exp(first * log_normal_cdf(f) + second * log_normal_cdf(f - 1.0));
    };
  };
  Panel panel;
  panel.title = "A maximum with and without an arm";
  panel.x = {.label = "f", .low = -1.0, .high = 4.0};
  panel.y = {.label = "distribution function", .low = 0.0, .high = 1.0};
  const std::vector<double> f = equally_spaced(-1.0, 4.0, kCurvePoints);
  panel.lines.push_back(
      graph_of("\u03a6(f)^10 \u03a6(f \u2212 1): all arms", f, product(10.0, 1.0), kOrange));
  panel.lines.push_back(graph_of(
      "\u03a6(f)^10: without the likely one", f, product(10.0, 0.0), kBlue, Dash::kDashed));
  panel.lines.push_back(graph_of("\u03a6(f)^9 \u03a6(f \u2212 1): without another",
                                 f,
                                 product(9.0, 1.0),
                                 figures::kInk,
                                 Dash::kDotted));
  return panel;
}

}  // namespace

CaptionedFigure maxima_figure() {
  Figure figure = two_panel_figure(
      "fig_maxima", "The maximum of n independent standard normal numbers, n up to 1e50");
  figure.panels = {density_panel(), moment_panel()};
  return {std::move(figure),
          "The maximum of n independent standard normal numbers comes close to a certain quantity "
          "very slowly: densities at 20 values of n, mean and standard deviation at 250."};
}

CaptionedFigure normal_asymptotes_figure() {
  Figure figure = two_panel_figure(
      "fig_phi", "The normal distribution function and its inverse beside their asymptotes");
  Panel phi;
  phi.title = "\u03a6(x) and \u2212\u03c6(x) / x";
  phi.x = {.label = "x", .low = -4.0, .high = 0.0};
  phi.y = {.label = "probability", .low = 0.0, .high = 0.6};
  const std::vector<double> x = equally_spaced(-4.0, 0.0, kCurvePoints);
  phi.lines.push_back(graph_of(
      "\u03a6(x)", x, [](double v) { return normal_cdf(v); }, kOrange));
  phi.lines.push_back(graph_of(
      "\u2212\u03c6(x) / x",
      x,
      [](double v) { return normal_pdf(v) / std::abs(v); },
      kPurple,
      Dash::kDashed));

  Panel inverse;
  inverse.title = "\u03a6\u207b\u00b9(y) and \u2212\u221a(\u22122 ln y)";
  inverse.x = {.label = "y", .scale = Scale::kLog};
  inverse.y = {.label = "quantile", .pads = true};
  std::vector<double> y;
  for (const double exponent : equally_spaced(-20.0, 0.0, kCurvePoints))
    y.push_back(std::pow(10.0, exponent));
  y.pop_back();  // both end there: in infinity and in 0
  inverse.lines.push_back(graph_of(
      "\u03a6\u207b\u00b9(y)", y, [](double v) { return normal_quantile(v); }, kOrange));
  inverse.lines.push_back(graph_of(
      "\u2212\u221a(\u22122 ln y)",
      y,
      [](double v) { return -std::sqrt(-2.0 * std::log(v)); },
      kPurple,
      Dash::kDashed));
  figure.panels = {std::move(phi), std::move(inverse)};
  return {std::move(figure), "\u03a6 and its inverse (solid) beside their asymptotes (dashed)."};
}

CaptionedFigure a_lite_figure() {
  Figure figure = two_panel_figure("fig_alite", "Two illustrations of A-LITE");
  figure.panels = {quotient_panel(), left_out_panel()};
  return {std::move(figure),
          "Left: unless s is at most the standard deviation of the arm, here 1, the quotient grows "
          "without bound as f falls, and need not cross the quartiles (dashed). Right: in place of "
          "the maximum of the other arms (dashed, dotted) that of all (solid) lies too far to the "
          "right for the likely maximiser, and about right for an unlikely one."};
}

const std::vector<std::string>& illustration_names() {
  static const std::vector<std::string> names{
      "fig-maxima", "fig-phi", "fig-alite", "fig-samples", "fig-independence-bias", "fig-setups"};
  return names;
}

std::vector<CaptionedFigure> illustrations(const std::string& name,
                                           const IllustrationOptions& options) {
  if (name == "fig-maxima") return {maxima_figure()};
  if (name == "fig-phi") return {normal_asymptotes_figure()};
  if (name == "fig-alite") return {a_lite_figure()};
  if (name == "fig-samples") return {sample_number_figure(options)};
  if (name == "fig-independence-bias") return {independence_bias_figure(options)};
  if (name == "fig-setups") return setup_figures(options);
  std::string known;
  for (const std::string& one : illustration_names()) known += (known.empty() ? "" : ", ") + one;
  fail("illustrations", "unknown name '" + name + "'; known: " + known);
}

}  // namespace pomlux
