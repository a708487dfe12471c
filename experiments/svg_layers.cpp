// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp
#include <array>      // paths by colour
#include <cmath>      // std::isfinite
#include <pomlux/experiments/svg_layers.hpp>
#include <pomlux/experiments/svg_palette.hpp>
#include <pomlux/experiments/svg_text.hpp>

namespace pomlux::figures {
namespace {

constexpr int kMapLevels = 128;  // more are not told apart by eye

int level_of(double value, const ScaledAxis& axis) {
  if (!std::isfinite(value)) return -1;
  const double position = std::clamp(axis.position(value), 0.0, 1.0);
  return static_cast<int>(std::lround(position * (kMapLevels - 1)));
}

std::string level_color(int level) {
  return map_color(static_cast<double>(level) / (kMapLevels - 1));
}

std::string at(double x, double y) { return pixel(x) + " " + pixel(y); }

/// Pixel of a value, kept within reach of the plot so that extreme values stay printable.
double bounded_py(const PanelLayout& layout, double value) {
  return std::clamp(layout.py(value), -2.0 * layout.height, 3.0 * layout.height);
}
double bounded_px(const PanelLayout& layout, double value) {
  return std::clamp(layout.px(value), -2.0 * layout.width, 3.0 * layout.width);
}

/// Closed areas, one per unbroken stretch of the band.
std::string band_path(const Band& band, const PanelLayout& layout) {
  std::string path;
  std::size_t begin = 0;
  const auto is_drawable = [&](std::size_t i) {
    return std::isfinite(band.x[i]) && std::isfinite(band.low[i]) && std::isfinite(band.high[i]);
  };
  while (begin < band.x.size()) {
    std::size_t end = begin;
    while (end < band.x.size() && is_drawable(end)) ++end;
    for (std::size_t i = begin; i < end; ++i)
      path += (i == begin ? "M" : "L") +
              at(bounded_px(layout, band.x[i]), bounded_py(layout, band.high[i]));
    for (std::size_t i = end; i > begin; --i)
      path += "L" + at(bounded_px(layout, band.x[i - 1]), bounded_py(layout, band.low[i - 1]));
    if (end > begin) path += "Z";
    begin = end + 1;
  }
  return path;
}

}  // namespace

void draw_map(std::string& svg, const HeatMap& map, const PanelLayout& layout) {
  const std::vector<double> x_edges = cell_edges(map.x);
  const std::vector<double> y_edges = cell_edges(map.y);
  std::array<std::string, kMapLevels> paths;
  for (std::size_t row = 0; row < map.y.size(); ++row) {
    const double top = layout.py(y_edges[row + 1]);
    const std::string down = pixel(std::round(layout.py(y_edges[row]) * 100.0) / 100.0 -
                                   std::round(top * 100.0) / 100.0);
    const double* const values = map.values.data() + row * map.x.size();
    for (std::size_t begin = 0; begin < map.x.size();) {
      const int level = level_of(values[begin], *layout.value);
      std::size_t end = begin + 1;
      while (end < map.x.size() && level_of(values[end], *layout.value) == level) ++end;
      if (level >= 0) {
        const double left = layout.px(x_edges[begin]);
        const double right = layout.px(x_edges[end]);
        paths[static_cast<std::size_t>(level)] +=
            "M" + at(left, top) + "H" + pixel(right) + "v" + down + "H" + pixel(left) + "z";
      }
      begin = end;
    }
  }
  // Without antialiasing: neighbours would show a seam.
  svg += "<g shape-rendering=\"crispEdges\">\n";
  for (int level = 0; level < kMapLevels; ++level) {
    const std::string& path = paths[static_cast<std::size_t>(level)];
    if (!path.empty()) svg += "<path fill=\"" + level_color(level) + "\" d=\"" + path + "\"/>\n";
  }
  svg += "</g>\n";
}

void draw_band(std::string& svg, const Band& band, const PanelLayout& layout) {
  svg += "<path fill=\"" + band.color + "\" fill-opacity=\"0.2\" d=\"" + band_path(band, layout) +
         "\"/>\n";
}

std::string line_style(const Line& line) {
  std::string style = "fill=\"none\" stroke=\"" + line.color + "\" stroke-width=\"" +
                      pixel(line.width) + "\" stroke-linejoin=\"round\"";
  if (line.opacity < 1.0) style += " stroke-opacity=\"" + pixel(line.opacity) + "\"";
  if (line.dash == Dash::kDashed) style += " stroke-dasharray=\"5 4\"";
  if (line.dash == Dash::kDotted) style += " stroke-dasharray=\"1.5 3\"";
  return style;
}

void draw_line(std::string& svg, const Line& line, const PanelLayout& layout) {
  std::string path;
  std::string dots;  // points between two gaps, which a path would not show
  bool is_down = false;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const bool is_drawable = std::isfinite(line.x[i]) && std::isfinite(line.y[i]);
    if (is_drawable) {
      const double x = bounded_px(layout, line.x[i]);
      const double y = bounded_py(layout, line.y[i]);
      const bool is_last =
          i + 1 == line.x.size() || !std::isfinite(line.x[i + 1]) || !std::isfinite(line.y[i + 1]);
      if (!is_down && is_last) {
        draw_marker(dots, Marker::kDot, x, y, 1.6 * line.width);
      } else {
        path += (is_down ? "L" : "M") + at(x, y);
      }
    }
    is_down = is_drawable;
  }
  if (!dots.empty()) svg += "<g fill=\"" + line.color + "\">" + dots + "</g>\n";
  if (path.empty()) return;
  svg += "<path " + line_style(line) + " stroke-linecap=\"round\" d=\"" + path + "\"/>\n";
}

void draw_marker(std::string& svg, Marker marker, double x, double y, double radius) {
  if (marker == Marker::kDiamond) {
    const std::string r = pixel(radius);
    svg += "<path d=\"M" + at(x - radius, y) + "l" + r + " -" + r + "l" + r + " " + r + "l-" + r +
           " " + r + "z\"/>";
    return;
  }
  svg += "<circle cx=\"" + pixel(x) + "\" cy=\"" + pixel(y) + "\" r=\"" + pixel(radius) + "\"/>";
}

std::string marker_style(const Scatter& scatter) {
  if (scatter.marker == Marker::kRing) {
    return "fill=\"none\" stroke=\"" + scatter.color + "\" stroke-width=\"1.3\"";
  }
  const std::string fill = scatter.values.empty() ? "fill=\"" + scatter.color + "\" " : "";
  const std::string edge = scatter.color == "#ffffff" ? kInk : "#ffffff";
  return fill + "stroke=\"" + edge + "\" stroke-width=\"0.8\"";
}

void draw_scatter(std::string& svg, const Scatter& scatter, const PanelLayout& layout) {
  if (!scatter.values.empty()) {
    svg += "<g>\n";
  } else {
    svg += "<g " + marker_style(scatter) + ">\n";
  }
  for (std::size_t i = 0; i < scatter.x.size(); ++i) {
    if (!std::isfinite(scatter.x[i]) || !std::isfinite(scatter.y[i])) continue;
    const double x = bounded_px(layout, scatter.x[i]);
    const double y = bounded_py(layout, scatter.y[i]);
    if (scatter.values.empty()) {
      draw_marker(svg, scatter.marker, x, y, scatter.radius);
    } else {
      const int level = level_of(scatter.values[i], *layout.value);
      if (level < 0) continue;
      svg += "<g fill=\"" + level_color(level) + "\">";
      draw_marker(svg, scatter.marker, x, y, scatter.radius);
      svg += "</g>";
    }
    svg += "\n";
  }
  svg += "</g>\n";
}

void draw_bars(std::string& svg, const Bars& bars, const PanelLayout& layout) {
  const double slot =
      layout.plot_height() / static_cast<double>(std::max<std::size_t>(1, bars.names.size()));
  const double thickness = std::min(0.66 * slot, 26.0);
  for (std::size_t i = 0; i < bars.names.size(); ++i) {
    const double middle = layout.margins.top + (static_cast<double>(i) + 0.5) * slot;
    const double right = std::max(layout.px(bars.values[i]), layout.margins.left);
    svg += "<rect x=\"" + pixel(layout.margins.left) + "\" y=\"" + pixel(middle - 0.5 * thickness) +
           "\" width=\"" + pixel(right - layout.margins.left) + "\" height=\"" + pixel(thickness) +
           "\" fill=\"" + bars.color + "\"/>\n";
    svg += "<text x=\"" + pixel(right + 6.0) + "\" y=\"" + pixel(middle + 4.0) + "\">" +
           short_number(bars.values[i], 3) + "</text>\n";
    svg += "<text x=\"" + pixel(layout.margins.left - 8.0) + "\" y=\"" + pixel(middle + 4.0) +
           "\" text-anchor=\"end\">" + escape_xml(bars.names[i]) + "</text>\n";
  }
}

}  // namespace pomlux::figures
