// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // std::isfinite
#include <limits>     // empty ranges
#include <pomlux/experiments/svg_layout.hpp>
#include <pomlux/experiments/svg_text.hpp>

namespace pomlux::figures {
namespace {

constexpr double kPadding = 0.04;  // of a padded axis, at each end

/// Smallest and largest of the drawable values seen.
class Extent {
 public:
  explicit Extent(Scale scale) : scale_(scale) {}
  void add(double value) {
    if (!std::isfinite(value) || (scale_ == Scale::kLog && value <= 0.0)) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  void add(const std::vector<double>& values) {
    for (const double value : values) add(value);
  }
  [[nodiscard]] bool is_empty() const { return low_ > high_; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

 private:
  Scale scale_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

ScaledAxis make_axis(const Axis& axis, const Extent& extent, int target) {
  double low = extent.is_empty() ? (axis.scale == Scale::kLog ? 0.1 : 0.0) : extent.low();
  double high = extent.is_empty() ? 1.0 : extent.high();
  if (axis.pads && axis.scale == Scale::kLog) {
    const double factor = std::pow(high / low, kPadding);
    low /= factor;
    high *= factor;
  } else if (axis.pads) {
    const double margin = kPadding * (high - low);
    low -= margin;
    high += margin;
  }
  low = axis.low.value_or(low);
  high = axis.high.value_or(high);
  // An end that was asked for stays where it is.
  if (axis.low && !(high > low)) high = low + std::max(1.0, std::abs(low));
  return axis.scale == Scale::kLog ? log_axis(low, high, target)
                                   : linear_axis(low, high, target, axis.is_count);
}

Extent x_extent(const Panel& panel) {
  Extent extent(panel.x.scale);
  if (panel.map) extent.add(cell_edges(panel.map->x));
  if (panel.bars) {
    extent.add(0.0);
    extent.add(panel.bars->values);
  }
  for (const Band& band : panel.bands) extent.add(band.x);
  for (const Line& line : panel.lines) extent.add(line.x);
  for (const Scatter& scatter : panel.scatters) extent.add(scatter.x);
  return extent;
}

Extent y_extent(const Panel& panel) {
  Extent extent(panel.y.scale);
  if (panel.map) extent.add(cell_edges(panel.map->y));
  for (const Band& band : panel.bands) {
    extent.add(band.low);
    extent.add(band.high);
  }
  for (const Line& line : panel.lines) extent.add(line.y);
  for (const Scatter& scatter : panel.scatters) extent.add(scatter.y);
  return extent;
}

std::optional<ScaledAxis> value_axis(const Panel& panel) {
  Extent extent(panel.value.scale);
  bool is_needed = panel.map.has_value();
  if (panel.map) extent.add(panel.map->values);
  for (const Scatter& scatter : panel.scatters) {
    is_needed = is_needed || !scatter.values.empty();
    extent.add(scatter.values);
  }
  if (!is_needed) return std::nullopt;
  return make_axis(panel.value, extent, 5);
}

double tick_width(const Tick& tick) {
  return text_width(tick.label, kTickSize) + text_width(tick.exponent, 0.75 * kTickSize);
}

double widest_tick(const ScaledAxis& axis) {
  double width = 0.0;
  for (const Tick& tick : axis.ticks) width = std::max(width, tick_width(tick));
  return width;
}

/// True if the labels along a horizontal axis of this length keep apart.
bool has_room(const ScaledAxis& axis, double length) {
  double previous_end = -std::numeric_limits<double>::infinity();
  for (const Tick& tick : axis.ticks) {
    if (tick.label.empty()) continue;
    const double center = axis.position(tick.value) * length;
    const double half = 0.5 * tick_width(tick);
    if (center - half < previous_end + 8.0) return false;
    previous_end = center + half;
  }
  return true;
}

std::vector<LegendItem> legend_items(const Panel& panel) {
  std::vector<LegendItem> items;
  const auto add = [&](LegendItem::Kind kind, std::size_t index, const std::string& label) {
    if (!label.empty()) items.push_back({kind, index, label});
  };
  for (std::size_t i = 0; i < panel.lines.size(); ++i)
    add(LegendItem::Kind::kLine, i, panel.lines[i].label);
  for (std::size_t i = 0; i < panel.bands.size(); ++i)
    add(LegendItem::Kind::kBand, i, panel.bands[i].label);
  for (std::size_t i = 0; i < panel.scatters.size(); ++i)
    add(LegendItem::Kind::kScatter, i, panel.scatters[i].label);
  return items;
}

/// Wraps the items into rows of the given length; returns the number of rows.
int place_legend(std::vector<LegendItem>& items, double length) {
  double x = 0.0;
  int row = 0;
  for (LegendItem& item : items) {
    const double width = kLegendSwatch + 6.0 + text_width(item.label, kTickSize);
    if (x > 0.0 && x + width > length) {
      x = 0.0;
      ++row;
    }
    item.x = x;
    item.row = row;
    x += width + 14.0;
  }
  return items.empty() ? 0 : row + 1;
}

PanelLayout sides(const Panel& panel, double width, double height) {
  PanelLayout layout;
  layout.width = width;
  layout.height = height;
  layout.y = panel.bars ? ScaledAxis{} : make_axis(panel.y, y_extent(panel), height > 260 ? 6 : 4);
  layout.value = value_axis(panel);
  double left = widest_tick(layout.y);
  double right = 16.0;
  if (panel.bars) {
    layout.y.high = std::max(1.0, static_cast<double>(panel.bars->names.size()));
    for (const std::string& name : panel.bars->names)
      left = std::max(left, text_width(name, kTickSize));
    right = 60.0;  // the values stand behind the bars
  }
  layout.margins.left = left + 14.0 + (panel.y.label.empty() ? 0.0 : 20.0);
  if (layout.value) {
    right = kColorBarGap + kColorBarWidth + 8.0 + widest_tick(*layout.value) +
            (panel.value.label.empty() ? 4.0 : 22.0);
  }
  layout.margins.right = right;
  return layout;
}

void place_ends(const Panel& panel, PanelLayout& layout) {
  layout.legend = legend_items(panel);
  const int rows = place_legend(layout.legend, layout.plot_width());
  layout.margins.top = (panel.title.empty() ? 6.0 : 26.0) + rows * kLegendRow + (rows ? 5.0 : 2.0);
  layout.margins.bottom = 24.0 + (panel.x.label.empty() ? 0.0 : 20.0);
  const Extent extent = x_extent(panel);
  for (int target = 9; target >= 1; --target) {
    layout.x = make_axis(panel.x, extent, target);
    if (has_room(layout.x, layout.plot_width())) return;
  }
}

}  // namespace

std::vector<double> cell_edges(const std::vector<double>& centers) {
  if (centers.empty()) return {};
  if (centers.size() == 1) return {centers[0] - 0.5, centers[0] + 0.5};
  std::vector<double> edges;
  edges.push_back(centers[0] - 0.5 * (centers[1] - centers[0]));
  for (std::size_t i = 1; i < centers.size(); ++i)
    edges.push_back(centers[i - 1] + 0.5 * (centers[i] - centers[i - 1]));
  const std::size_t last = centers.size() - 1;
  edges.push_back(centers[last] + 0.5 * (centers[last] - centers[last - 1]));
  return edges;
}

std::vector<PanelLayout> lay_out(const Figure& figure) {
  const auto columns = static_cast<std::size_t>(std::max(1, figure.columns));
  std::vector<PanelLayout> layouts;
  for (const Panel& panel : figure.panels)
    layouts.push_back(sides(panel, figure.panel_width, figure.panel_height));
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    for (std::size_t j = i % columns; j < layouts.size(); j += columns) {
      layouts[i].margins.left = std::max(layouts[i].margins.left, layouts[j].margins.left);
      layouts[i].margins.right = std::max(layouts[i].margins.right, layouts[j].margins.right);
    }
  }
  for (std::size_t i = 0; i < layouts.size(); ++i) place_ends(figure.panels[i], layouts[i]);
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const std::size_t begin = i / columns * columns;
    const std::size_t end = std::min(begin + columns, layouts.size());
    for (std::size_t j = begin; j < end; ++j) {
      layouts[i].margins.top = std::max(layouts[i].margins.top, layouts[j].margins.top);
      layouts[i].margins.bottom = std::max(layouts[i].margins.bottom, layouts[j].margins.bottom);
    }
  }
  return layouts;
}

}  // namespace pomlux::figures
