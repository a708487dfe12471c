// SPDX-License-Identifier: MIT
#include <algorithm>   // std::any_of
#include <cmath>       // std::isfinite
#include <functional>  // visitors
#include <limits>      // absent numbers
#include <pomlux/core/csv.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/figures_export.hpp>
#include <pomlux/experiments/svg.hpp>
#include <pomlux/experiments/svg_layout.hpp>
#include <pomlux/experiments/svg_palette.hpp>
#include <pomlux/experiments/svg_text.hpp>

namespace pomlux::figures {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr double kPixelsPerInch = 96.0;

std::string number(std::size_t value) { return format_number(static_cast<std::int64_t>(value)); }

std::string cell(double value) { return std::isfinite(value) ? format_number(value) : ""; }

/// Starts a block of the CSV and writes its rows.
class BlockWriter {
 public:
  explicit BlockWriter(std::string panel) : panel_(csv_cell(panel)) {}
  void begin(const std::string& series, const std::string& kind) {
    prefix_ = panel_ + "," + csv_cell(series) + "," + kind;
    text += "\n\n";
  }
  void row(double x, double y, double low, double high, double value) {
    text += prefix_;
    for (const double entry : {x, y, low, high, value}) text += "," + cell(entry);
    text += "\n";
  }
  std::string text;

 private:
  std::string panel_;
  std::string prefix_;
};

std::string label_or(const std::string& label, const std::string& name, std::size_t index) {
  if (!label.empty()) return label;
  return name.empty() ? "series " + number(index + 1) : name;
}

std::string panel_blocks(const Panel& panel, std::size_t index) {
  BlockWriter out(panel.title.empty() ? "panel " + number(index + 1) : panel.title);
  if (panel.map) {
    const HeatMap& map = *panel.map;
    out.begin(panel.value.label, "map");
    for (std::size_t i = 0; i < map.values.size(); ++i)
      out.row(map.x[i % map.x.size()], map.y[i / map.x.size()], kAbsent, kAbsent, map.values[i]);
  }
  for (std::size_t k = 0; k < panel.bands.size(); ++k) {
    const Band& band = panel.bands[k];
    out.begin(label_or(band.label, "", k), "band");
    for (std::size_t i = 0; i < band.x.size(); ++i)
      out.row(band.x[i], kAbsent, band.low[i], band.high[i], kAbsent);
  }
  for (std::size_t k = 0; k < panel.lines.size(); ++k) {
    const Line& line = panel.lines[k];
    out.begin(label_or(line.label, line.name, k), "line");
    for (std::size_t i = 0; i < line.x.size(); ++i)
      out.row(line.x[i], line.y[i], kAbsent, kAbsent, kAbsent);
  }
  for (std::size_t k = 0; k < panel.scatters.size(); ++k) {
    const Scatter& scatter = panel.scatters[k];
    out.begin(label_or(scatter.label, "", k), "scatter");
    for (std::size_t i = 0; i < scatter.x.size(); ++i) {
      const double value = scatter.values.empty() ? kAbsent : scatter.values[i];
      out.row(scatter.x[i], scatter.y[i], kAbsent, kAbsent, value);
    }
  }
  if (panel.bars) {
    // One block per bar, as the series holds its name.
    for (std::size_t i = 0; i < panel.bars->names.size(); ++i) {
      out.begin(panel.bars->names[i], "bars");
      out.row(panel.bars->values[i], static_cast<double>(i), kAbsent, kAbsent, kAbsent);
    }
  }
  return out.text;
}

/// A single-quoted gnuplot string.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + "'";
}

bool has_point(const std::vector<double>& x, const std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::isfinite(x[i]) && std::isfinite(y[i])) return true;
  return false;
}

bool is_even(const std::vector<double>& centers) {
  if (centers.size() < 2) return false;
  const double step = (centers.back() - centers.front()) / static_cast<double>(centers.size() - 1);
  for (std::size_t i = 1; i < centers.size(); ++i)
    if (std::abs(centers[i] - centers[i - 1] - step) > 1e-6 * step) return false;
  return true;
}

std::string title_clause(const std::string& label) {
  return label.empty() ? " notitle" : " title " + quoted(label) + " noenhanced";
}

/// The plot clauses of one panel, one per block of the CSV that has something to show.
class PlotClauses {
 public:
  PlotClauses(std::string file, std::size_t& block) : file_(std::move(file)), block_(block) {}
  void add(bool is_shown, const std::vector<std::string>& clauses) {
    ++block_;
    for (const std::string& clause : clauses)
      if (is_shown) append(clause);
  }
  std::string text;

 private:
  void append(const std::string& clause) {
    text += text.empty() ? "plot " : ", \\\n     ";
    text += file_ + " index " + number(block_) + " " + clause;
  }

  std::string file_;
  std::size_t& block_;
};

std::string map_clause(const HeatMap& map) {
  const bool is_full = std::all_of(
      map.values.begin(), map.values.end(), [](double value) { return std::isfinite(value); });
  if (is_full && is_even(map.x) && is_even(map.y)) return "using 4:5:8 with image notitle";
  const auto half = [](const std::vector<double>& centers) {
    const auto cells = static_cast<double>(std::max<std::size_t>(1, centers.size() - 1));
    return centers.size() < 2 ? 0.5 : 0.5 * (centers.back() - centers.front()) / cells;
  };
  const std::string dx = format_number(half(map.x));
  const std::string dy = format_number(half(map.y));
  return "using 4:5:($4-" + dx + "):($4+" + dx + "):($5-" + dy + "):($5+" + dy +
         "):8 with boxxyerror fs solid noborder lc palette notitle";
}

std::string line_clause(const Line& line) {
  // gnuplot reads #aarrggbb with alpha 0 as opaque.
  constexpr const char* kHex = "0123456789abcdef";
  const auto alpha =
      static_cast<std::size_t>(std::lround(255.0 * (1.0 - std::clamp(line.opacity, 0.0, 1.0))));
  const std::string color = std::string("#") + kHex[alpha / 16] + kHex[alpha % 16] +
                            (line.color.empty() ? "000000" : line.color.substr(1));
  return "using 4:($5) with lines lw " + pixel(line.width) + " lc rgb " + quoted(color) +
         (line.dash == Dash::kDashed   ? " dt 2"
          : line.dash == Dash::kDotted ? " dt 3"
                                       : "") +
         title_clause(line.label);
}

/// Filled marks; white ones get an edge of their own, drawn over them.
std::vector<std::string> scatter_clauses(const Scatter& scatter) {
  const bool is_diamond = scatter.marker == Marker::kDiamond;
  const std::string outline = is_diamond ? "12" : "6";
  const std::string filled = is_diamond ? "13" : "7";
  const std::string size = pixel(scatter.radius / 4.0);
  const std::string title = title_clause(scatter.label);
  const auto marks = [&](const std::string& type, const std::string& color) {
    const std::string columns = scatter.values.empty() ? "4:5" : "4:5:8";
    return "using " + columns + " with points pt " + type + " ps " + size + " lc " + color;
  };
  if (!scatter.values.empty()) return {marks(filled, "palette") + title};
  if (scatter.marker == Marker::kRing)
    return {marks(outline, "rgb " + quoted(scatter.color)) + title};
  if (scatter.color != "#ffffff") return {marks(filled, "rgb " + quoted(scatter.color)) + title};
  return {marks(filled, "rgb '#ffffff'") + " notitle",
          marks(outline, "rgb " + quoted(kInk)) + title};
}

std::string plot_command(const Figure& figure, const Panel& panel, std::size_t& block) {
  PlotClauses plot(quoted(figure.name + ".csv"), block);
  if (panel.map)
    plot.add(std::any_of(panel.map->values.begin(),
                         panel.map->values.end(),
                         [](double value) { return std::isfinite(value); }),
             {map_clause(*panel.map)});
  for (const Band& band : panel.bands)
    plot.add(has_point(band.low, band.high),
             {"using 4:6:7 with filledcurves fc rgb " + quoted(band.color) +
              " fs transparent solid 0.2 noborder" + title_clause(band.label)});
  for (const Line& line : panel.lines) plot.add(has_point(line.x, line.y), {line_clause(line)});
  for (const Scatter& scatter : panel.scatters)
    plot.add(has_point(scatter.x, scatter.y), scatter_clauses(scatter));
  if (panel.bars) {
    for (std::size_t i = 0; i < panel.bars->names.size(); ++i)
      plot.add(
          true,
          {"using 4:($5+0.5):(0):4:($5+0.2):($5+0.8) with boxxyerror fs solid noborder fc rgb " +
           quoted(panel.bars->color) + " notitle"});
  }
  return plot.text.empty() ? "plot NaN notitle" : plot.text;
}

/// Ends, scale and the ticks of the SVG.
std::string axis_commands(const std::string& axis, const ScaledAxis& scaled) {
  std::string text = "set " + axis + "range [" + format_number(scaled.low) + ":" +
                     format_number(scaled.high) + "]\n";
  if (scaled.scale == Scale::kLog) text += "set logscale " + axis + "\n";
  std::string ticks;
  for (const Tick& tick : scaled.ticks) {
    if (tick.label.empty()) continue;
    const std::string label =
        tick.exponent.empty() ? tick.label : tick.label + "^{" + tick.exponent + "}";
    ticks += (ticks.empty() ? "" : ", ") + quoted(label) + " " + format_number(tick.value);
  }
  return text + "set " + axis + "tics (" + ticks + ")\n";
}

std::string panel_script(const Figure& figure,
                         const Panel& panel,
                         const PanelLayout& layout,
                         std::size_t& block) {
  std::string script = "\nunset logscale\nunset colorbox\n";
  script += "set title " + quoted(panel.title) + " noenhanced\n";
  script += "set xlabel " + quoted(panel.x.label) + " noenhanced\n";
  script += "set ylabel " + quoted(panel.y.label) + " noenhanced\n";
  script += axis_commands("x", layout.x);
  if (panel.bars) {
    script += "set yrange [" + number(std::max<std::size_t>(1, panel.bars->names.size())) + ":0]\n";
    std::string names;
    for (std::size_t i = 0; i < panel.bars->names.size(); ++i)
      names += (i > 0 ? ", " : "") + quoted(panel.bars->names[i]) + " " +
               format_number(static_cast<double>(i) + 0.5);
    script += "set ytics (" + names + ")\n";
  } else {
    script += axis_commands("y", layout.y);
  }
  if (layout.value)
    script += "set colorbox\nset cblabel " + quoted(panel.value.label) + " noenhanced\n" +
              axis_commands("cb", *layout.value);
  return script + plot_command(figure, panel, block) + "\n";
}

std::string palette() {
  constexpr int kColors = 10;
  std::string text = "set palette defined (";
  for (int i = 0; i < kColors; ++i) {
    const double fraction = static_cast<double>(i) / (kColors - 1);
    text += (i > 0 ? ", " : "") + format_number(static_cast<std::int64_t>(i)) + " " +
            quoted(map_color(fraction));
  }
  return text + ")\n";
}

}  // namespace

std::string to_csv(const Figure& figure) {
  validate(figure);
  std::string text = "panel,series,kind,x,y,low,high,value\n";
  for (std::size_t i = 0; i < figure.panels.size(); ++i) text += panel_blocks(figure.panels[i], i);
  return text;
}

std::string to_gnuplot(const Figure& figure) {
  validate(figure);
  const auto columns = static_cast<std::size_t>(std::max(1, figure.columns));
  const std::size_t rows = std::max<std::size_t>(1, (figure.panels.size() + columns - 1) / columns);
  std::string script = "# " + figure.name + ": draws " + figure.name + ".csv into " + figure.name +
                       ".pdf; run with `gnuplot " + figure.name + ".gp` in this folder\n";
  script += "if (!exists('output_file')) output_file = " + quoted(figure.name + ".pdf") + "\n";
  script += "set encoding utf8\nset terminal pdfcairo size " +
            pixel(static_cast<double>(columns) * figure.panel_width / kPixelsPerInch) + "," +
            pixel(static_cast<double>(rows) * figure.panel_height / kPixelsPerInch) +
            " font 'Helvetica,9'\nset output output_file\n";
  script += "set datafile separator ','\nset tics nomirror out\nset border 3 lc rgb '" +
            std::string(kFrame) +
            "'\nset key at graph 0,1.02 left bottom horizontal reverse Left "
            "samplen 2\nset title offset 0,1.3 font ',10'\nset tmargin 4.5\n";
  script += palette();
  script += "set multiplot layout " + number(rows) + "," + number(columns) + "\n";
  const std::vector<PanelLayout> layouts = lay_out(figure);
  std::size_t block = 0;  // block 0 is the header
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    script += panel_script(figure, figure.panels[i], layouts[i], block);
  return script + "\nunset multiplot\nset output\n";
}

}  // namespace pomlux::figures
