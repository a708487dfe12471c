// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // axis ends
#include <string>    // labels
#include <vector>    // data

/// A figure as data. svg.hpp draws it, figures_export.hpp writes its numbers and a gnuplot script,
/// so that the three always show the same.
namespace pomlux::figures {

enum class Scale { kLinear, kLog };

/// Absent ends are taken from the data: padded by a few percent where `pads`, else exactly theirs.
/// On a log axis values <= 0 are drawn at the lower end.
struct Axis {
  std::string label;
  Scale scale = Scale::kLinear;
  std::optional<double> low{};
  std::optional<double> high{};
  bool pads = false;
  bool is_count = false;  ///< ticks at whole numbers only
};

enum class Dash { kSolid, kDashed, kDotted };

/// A polyline; a value that is not finite breaks it. No label: not in the legend.
struct Line {
  std::string label;
  std::string name;  ///< in the CSV, where there is no label
  std::vector<double> x;
  std::vector<double> y;
  std::string color;  ///< "#rrggbb"
  double width = 1.8;
  double opacity = 1.0;
  Dash dash = Dash::kSolid;
};

/// The area between two curves; broken where one of them is not finite.
struct Band {
  std::string label;
  std::vector<double> x;
  std::vector<double> low;
  std::vector<double> high;
  std::string color;
};

enum class Marker { kDot, kRing, kDiamond };

/// Single points, all of one colour, or, if `values` are given, coloured by value.
struct Scatter {
  std::string label;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> values;  ///< empty or as many as points
  std::string color;
  Marker marker = Marker::kDot;
  double radius = 2.6;
};

/// Values on a rectangular grid of cells around ascending centres; NaN leaves a cell blank.
struct HeatMap {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> values;  ///< [y.size() * x.size()], x fastest
};

/// Horizontal bars, the first on top. The panel's y axis then holds the names.
struct Bars {
  std::vector<std::string> names;
  std::vector<double> values;  ///< finite, >= 0
  std::string color;
};

/// One pair of axes. Drawn in the order map, bands, lines, scatters.
struct Panel {
  std::string title;
  Axis x;
  Axis y;
  Axis value;  ///< of the colour bar, where a map or a scatter is coloured by value
  std::optional<HeatMap> map;
  std::optional<Bars> bars;
  std::vector<Band> bands;
  std::vector<Line> lines;
  std::vector<Scatter> scatters;
};

/// Panels of one size, row by row.
struct Figure {
  std::string name;         ///< file stem: letters, digits, '-', '_'
  std::string description;  ///< one sentence for those who cannot see it
  int columns = 1;
  double panel_width = 560.0;   ///< CSS pixels, everything included
  double panel_height = 340.0;  ///< likewise
  std::vector<Panel> panels;
};

}  // namespace pomlux::figures
