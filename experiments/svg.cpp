// SPDX-License-Identifier: MIT
#include <algorithm>  // std::all_of
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/svg.hpp>
#include <pomlux/experiments/svg_layers.hpp>
#include <pomlux/experiments/svg_layout.hpp>
#include <pomlux/experiments/svg_palette.hpp>
#include <pomlux/experiments/svg_text.hpp>
#include <string_view>  // attributes

namespace pomlux::figures {
namespace {

constexpr std::string_view kFont = "Helvetica, Arial, 'Liberation Sans', sans-serif";

std::string number(std::size_t value) { return format_number(static_cast<std::int64_t>(value)); }

void draw_text(
    std::string& svg, double x, double y, std::string_view text, std::string_view attributes = "") {
  svg += "<text x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\"";
  if (!attributes.empty()) svg += " " + std::string(attributes);
  svg += ">" + escape_xml(text) + "</text>\n";
}

void draw_segment(
    std::string& svg, double x1, double y1, double x2, double y2, std::string_view color) {
  svg += "<path stroke=\"" + std::string(color) + "\" d=\"M" + pixel(x1) + " " + pixel(y1) + "L" +
         pixel(x2) + " " + pixel(y2) + "\"/>\n";
}

void draw_tick_label(
    std::string& svg, const Tick& tick, double x, double y, std::string_view anchor) {
  // A minus as wide as a digit.
  const std::string label =
      tick.label.starts_with('-') ? "\u2212" + tick.label.substr(1) : tick.label;
  svg += "<text x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" text-anchor=\"" +
         std::string(anchor) + "\">" + label;
  if (!tick.exponent.empty())
    svg += "<tspan dy=\"-4\" font-size=\"8.5\">" + tick.exponent + "</tspan>";
  svg += "</text>\n";
}

void draw_rotated(std::string& svg, double x, double y, std::string_view text) {
  draw_text(svg,
            x,
            y,
            text,
            "text-anchor=\"middle\" font-size=\"12\" transform=\"rotate(-90 " + pixel(x) + " " +
                pixel(y) + ")\"");
}

void draw_grid(std::string& svg, const Panel& panel, const PanelLayout& layout) {
  const double left = layout.margins.left;
  const double top = layout.margins.top;
  const double right = left + layout.plot_width();
  const double bottom = top + layout.plot_height();
  for (const Tick& tick : layout.x.ticks) {
    if (!tick.label.empty())
      draw_segment(svg, layout.px(tick.value), top, layout.px(tick.value), bottom, kGrid);
  }
  if (panel.bars) return;
  for (const Tick& tick : layout.y.ticks) {
    if (!tick.label.empty())
      draw_segment(svg, left, layout.py(tick.value), right, layout.py(tick.value), kGrid);
  }
}

void draw_axes(std::string& svg, const Panel& panel, const PanelLayout& layout) {
  const double left = layout.margins.left;
  const double top = layout.margins.top;
  const double right = left + layout.plot_width();
  const double bottom = top + layout.plot_height();
  draw_segment(svg, left, bottom, right, bottom, kFrame);
  draw_segment(svg, left, top, left, bottom, kFrame);
  for (const Tick& tick : layout.x.ticks) {
    const double x = layout.px(tick.value);
    draw_segment(svg, x, bottom, x, bottom + (tick.label.empty() ? 3.0 : 5.0), kFrame);
    if (!tick.label.empty()) draw_tick_label(svg, tick, x, bottom + 18.0, "middle");
  }
  if (!panel.bars) {
    for (const Tick& tick : layout.y.ticks) {
      const double y = layout.py(tick.value);
      draw_segment(svg, left - (tick.label.empty() ? 3.0 : 5.0), y, left, y, kFrame);
      if (!tick.label.empty()) draw_tick_label(svg, tick, left - 8.0, y + 4.0, "end");
    }
  }
  if (!panel.x.label.empty())
    draw_text(svg,
              0.5 * (left + right),
              bottom + 37.0,
              panel.x.label,
              "text-anchor=\"middle\" font-size=\"12\"");
  if (!panel.y.label.empty()) draw_rotated(svg, 14.0, 0.5 * (top + bottom), panel.y.label);
}

void draw_color_bar(std::string& svg, const Panel& panel, const PanelLayout& layout) {
  const ScaledAxis& axis = *layout.value;
  const double left = layout.margins.left + layout.plot_width() + kColorBarGap;
  const double top = layout.margins.top;
  const double height = layout.plot_height();
  constexpr int kSlices = 64;
  svg += "<g shape-rendering=\"crispEdges\">\n";
  for (int i = 0; i < kSlices; ++i) {
    const double fraction = static_cast<double>(i) / kSlices;
    svg += "<rect x=\"" + pixel(left) + "\" y=\"" +
           pixel(top + height * (1.0 - fraction - 1.0 / kSlices)) + "\" width=\"" +
           pixel(kColorBarWidth) + "\" height=\"" + pixel(height / kSlices + 0.4) + "\" fill=\"" +
           map_color((i + 0.5) / kSlices) + "\"/>\n";
  }
  svg += "</g>\n";
  for (const Tick& tick : axis.ticks) {
    if (tick.label.empty()) continue;
    const double y = top + height * (1.0 - axis.position(tick.value));
    const double x = left + kColorBarWidth;
    draw_segment(svg, x, y, x + 4.0, y, kFrame);
    draw_tick_label(svg, tick, x + 7.0, y + 4.0, "start");
  }
  if (!panel.value.label.empty())
    draw_rotated(svg, layout.width - 6.0, top + 0.5 * height, panel.value.label);
}

void draw_legend(std::string& svg, const Panel& panel, const PanelLayout& layout) {
  const double first_row = panel.title.empty() ? 6.0 : 26.0;
  for (const LegendItem& item : layout.legend) {
    const double x = layout.margins.left + item.x;
    const double y = first_row + (item.row + 0.5) * kLegendRow;
    if (item.kind == LegendItem::Kind::kLine) {
      svg += "<path " + line_style(panel.lines[item.index]) + " d=\"M" + pixel(x) + " " + pixel(y) +
             "h" + pixel(kLegendSwatch) + "\"/>\n";
    } else if (item.kind == LegendItem::Kind::kBand) {
      svg += "<rect x=\"" + pixel(x) + "\" y=\"" + pixel(y - 5.0) + "\" width=\"" +
             pixel(kLegendSwatch) + "\" height=\"10\" fill=\"" + panel.bands[item.index].color +
             "\" fill-opacity=\"0.2\"/>\n";
    } else {
      const Scatter& scatter = panel.scatters[item.index];
      svg += "<g " + marker_style(scatter) + ">";
      draw_marker(svg, scatter.marker, x + 0.5 * kLegendSwatch, y, scatter.radius);
      svg += "</g>\n";
    }
    draw_text(svg, x + kLegendSwatch + 6.0, y + 4.0, item.label);
  }
}

void draw_panel(std::string& svg,
                const Panel& panel,
                const PanelLayout& layout,
                const std::string& clip) {
  if (!panel.title.empty())
    draw_text(svg, layout.margins.left, 16.0, panel.title, "font-size=\"13\" font-weight=\"bold\"");
  draw_legend(svg, panel, layout);
  if (!panel.map) draw_grid(svg, panel, layout);
  svg += "<clipPath id=\"" + clip + "\"><rect x=\"" + pixel(layout.margins.left - 2.0) + "\" y=\"" +
         pixel(layout.margins.top - 2.0) + "\" width=\"" + pixel(layout.plot_width() + 4.0) +
         "\" height=\"" + pixel(layout.plot_height() + 4.0) +
         "\"/></clipPath>\n<g clip-path=\"url(#" + clip + ")\">\n";
  if (panel.map) draw_map(svg, *panel.map, layout);
  for (const Band& band : panel.bands) draw_band(svg, band, layout);
  for (const Line& line : panel.lines) draw_line(svg, line, layout);
  for (const Scatter& scatter : panel.scatters) draw_scatter(svg, scatter, layout);
  svg += "</g>\n";
  if (panel.bars) draw_bars(svg, *panel.bars, layout);
  draw_axes(svg, panel, layout);
  if (layout.value) draw_color_bar(svg, panel, layout);
}

bool is_stem(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

void require_size(const Figure& figure, std::size_t found, std::size_t expected) {
  if (found != expected)
    fail("figure " + figure.name,
         "a layer has " + number(found) + " values for " + number(expected) + " places");
}

}  // namespace

void validate(const Figure& figure) {
  if (!is_stem(figure.name))
    fail("figure", "name is '" + figure.name + "'; allowed: letters, digits, '-', '_'");
  for (const Panel& panel : figure.panels) {
    if (panel.map) {
      require_size(figure, panel.map->values.size(), panel.map->x.size() * panel.map->y.size());
    }
    if (panel.bars) require_size(figure, panel.bars->values.size(), panel.bars->names.size());
    for (const Band& band : panel.bands) {
      require_size(figure, band.low.size(), band.x.size());
      require_size(figure, band.high.size(), band.x.size());
    }
    for (const Line& line : panel.lines) require_size(figure, line.y.size(), line.x.size());
    for (const Scatter& scatter : panel.scatters) {
      require_size(figure, scatter.y.size(), scatter.x.size());
      if (!scatter.values.empty()) require_size(figure, scatter.values.size(), scatter.x.size());
    }
  }
}

std::string to_svg(const Figure& figure) {
  validate(figure);
  const std::vector<PanelLayout> layouts = lay_out(figure);
  const auto columns = static_cast<std::size_t>(std::max(1, figure.columns));
  const std::size_t rows = std::max<std::size_t>(1, (layouts.size() + columns - 1) / columns);
  const std::string width = pixel(static_cast<double>(columns) * figure.panel_width);
  const std::string height = pixel(static_cast<double>(rows) * figure.panel_height);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" +
                    height + "\" viewBox=\"0 0 " + width + " " + height +
                    "\" role=\"img\" font-family=\"" + std::string(kFont) +
                    "\" font-size=\"11\" fill=\"" + kInk + "\">\n<title>" +
                    escape_xml(figure.description) + "</title>\n";
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    svg += "<g transform=\"translate(" +
           pixel(static_cast<double>(i % columns) * figure.panel_width) + " " +
           pixel(static_cast<double>(i / columns) * figure.panel_height) + ")\">\n";
    draw_panel(svg, figure.panels[i], layouts[i], figure.name + "-clip-" + number(i));
    svg += "</g>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace pomlux::figures
