// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // colour bars
#include <pomlux/experiments/figures.hpp>
#include <pomlux/experiments/svg_ticks.hpp>
#include <string>  // legend
#include <vector>  // legend, edges

namespace pomlux::figures {

inline constexpr double kTitleSize = 13.0;  ///< font sizes, pixels
inline constexpr double kLabelSize = 12.0;
inline constexpr double kTickSize = 11.0;
inline constexpr double kLegendRow = 17.0;  ///< height of a legend row
inline constexpr double kLegendSwatch = 24.0;
inline constexpr double kColorBarWidth = 12.0;
inline constexpr double kColorBarGap = 12.0;

/// Space around a plot area, pixels.
struct Margins {
  double left = 0.0;
  double right = 0.0;
  double top = 0.0;
  double bottom = 0.0;
};

struct LegendItem {
  enum class Kind { kBand, kLine, kScatter } kind;
  std::size_t index;  ///< into the panel's vector of that kind
  std::string label;
  double x = 0.0;  ///< from the left end of the plot area
  int row = 0;
};

/// Where everything of one panel goes. Pixels count from the panel's own top left corner.
struct PanelLayout {
  ScaledAxis x;
  ScaledAxis y;
  std::optional<ScaledAxis> value;  ///< where there is a colour bar
  Margins margins;
  std::vector<LegendItem> legend;
  double width = 0.0;
  double height = 0.0;

  [[nodiscard]] double plot_width() const { return width - margins.left - margins.right; }
  [[nodiscard]] double plot_height() const { return height - margins.top - margins.bottom; }
  /// Pixel of a value.
  [[nodiscard]] double px(double coordinate) const {
    return margins.left + x.position(coordinate) * plot_width();
  }
  [[nodiscard]] double py(double coordinate) const {
    return margins.top + (1.0 - y.position(coordinate)) * plot_height();
  }
};

/// Edges of the cells around ascending centres: one more than centres, half-way between them; a
/// single centre gets a cell of width 1.
[[nodiscard]] std::vector<double> cell_edges(const std::vector<double>& centers);

/// Axes, margins and legend of every panel. Panels of one column share their left and right
/// margins, panels of one row the upper and lower ones, so that plot areas line up.
[[nodiscard]] std::vector<PanelLayout> lay_out(const Figure& figure);

}  // namespace pomlux::figures
