// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/svg_layout.hpp>
#include <string>  // the document so far

namespace pomlux::figures {

/// Appends one layer each, in the panel's own pixels; see figures.hpp for what they show.
void draw_map(std::string& svg, const HeatMap& map, const PanelLayout& layout);
void draw_band(std::string& svg, const Band& band, const PanelLayout& layout);
void draw_line(std::string& svg, const Line& line, const PanelLayout& layout);
void draw_scatter(std::string& svg, const Scatter& scatter, const PanelLayout& layout);
void draw_bars(std::string& svg, const Bars& bars, const PanelLayout& layout);

/// One marker at pixel (x, y).
void draw_marker(std::string& svg, Marker marker, double x, double y, double radius);
/// Attributes that colour the markers of a scatter.
[[nodiscard]] std::string marker_style(const Scatter& scatter);
/// Attributes that colour a line.
[[nodiscard]] std::string line_style(const Line& line);

}  // namespace pomlux::figures
