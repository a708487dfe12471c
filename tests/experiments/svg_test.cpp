// SPDX-License-Identifier: MIT
#include <cmath>   // logarithms
#include <locale>  // hostile locales
#include <pomlux/core/errors.hpp>
#include <pomlux/core/types.hpp>
#include <pomlux/experiments/svg.hpp>
#include <pomlux/experiments/svg_layout.hpp>
#include <pomlux/experiments/svg_palette.hpp>
#include <pomlux/experiments/svg_text.hpp>
#include <pomlux/experiments/svg_ticks.hpp>
#include <sstream>  // hostile locales
#include <string>   // documents

#include "catch.hpp"
#include "experiments/markup.hpp"

using namespace pomlux::figures;
using pomlux::InvalidArgument;
using pomlux::kInfinity;
using pomlux::kNaN;
using pomlux::test::markup_fault;

namespace {

std::vector<std::string> labels(const ScaledAxis& axis) {
  std::vector<std::string> result;
  for (const Tick& tick : axis.ticks)
    if (!tick.label.empty())
      result.push_back(tick.label + (tick.exponent.empty() ? "" : "^" + tick.exponent));
  return result;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// One panel with every kind of layer.
Figure sample_figure() {
  Panel panel;
  panel.title = "a < b & \"c\" \x01\xff";
  panel.x.label = "<x>";
  panel.y.label = "y";
  panel.y.pads = true;
  panel.value.label = "v & w";
  panel.map = HeatMap{{0.0, 1.0, 2.0}, {0.0, 1.0}, {1.0, 2.0, kNaN, 2.0, 2.0, 3.0}};
  panel.bands.push_back({"band", {0.0, 1.0, 2.0}, {0.0, kNaN, 0.2}, {1.0, 1.0, 0.8}, "#0072b2"});
  panel.lines.push_back({"line", "", {0.0, 1.0, 2.0}, {0.5, kInfinity, 0.25}, "#0072b2"});
  panel.scatters.push_back({"dots", {0.5}, {0.5}, {}, "#ffffff", Marker::kDiamond, 3.0});
  Figure figure;
  figure.name = "sample";
  figure.description = "everything <at once>";
  figure.panels = {panel, panel};
  figure.columns = 2;
  return figure;
}

/// Groups digits and swaps the decimal point, like many users' locales.
struct GroupedNumbers : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST_CASE("linear ticks are round numbers with equal decimals", "[experiments][svg]") {
  CHECK(labels(linear_axis(0.0, 1.0, 5)) ==
        std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(labels(linear_axis(-2.5, 2.0, 5)) == std::vector<std::string>{"-2", "-1", "0", "1", "2"});
  CHECK(labels(linear_axis(0.0, 110.0, 6)) ==
        std::vector<std::string>{"0", "20", "40", "60", "80", "100"});
  CHECK(labels(linear_axis(0.0, 10.0, 4)) ==
        std::vector<std::string>{"0.0", "2.5", "5.0", "7.5", "10.0"});
  CHECK(labels(linear_axis(0.0, 10.0, 4, true)) == std::vector<std::string>{"0", "5", "10"});
  CHECK(labels(linear_axis(0.0, 2.0, 9, true)) == std::vector<std::string>{"0", "1", "2"});
  CHECK(labels(linear_axis(0.0, 3e-7, 3)) == std::vector<std::string>{"0", "1e-7", "2e-7", "3e-7"});
  CHECK(labels(linear_axis(0.0, 2e9, 4)) ==
        std::vector<std::string>{"0", "5e8", "1e9", "1.5e9", "2e9"});
}

TEST_CASE("ticks lie inside the axis and are distinct for any range", "[experiments][svg]") {
  const double ends[][2] = {{0.0, 0.0},
                            {3.0, 3.0},
                            {1.0, -1.0},
                            {kNaN, 1.0},
                            {-kInfinity, kInfinity},
                            {1e9, 1e9 + 1e-3},
                            {-1e308, 1e308},
                            {0.0, 5e-324},
                            {0.1, 0.1 + 1e-17},
                            {-7e200, 1e200},
                            {1e-300, 1e300}};
  for (const auto& end : ends) {
    for (const bool is_log : {false, true}) {
      CAPTURE(end[0], end[1], is_log);
      const ScaledAxis axis = is_log ? log_axis(end[0], end[1]) : linear_axis(end[0], end[1]);
      CHECK(std::isfinite(axis.low));
      CHECK(std::isfinite(axis.high));
      REQUIRE(axis.low < axis.high);
      if (is_log) CHECK(axis.low > 0.0);
      CHECK(axis.ticks.size() < 400);
      const double slack = 1e-6;
      double previous = -1.0;
      std::string previous_label;
      for (const Tick& tick : axis.ticks) {
        const double position = axis.position(tick.value);
        CHECK(position >= -slack);
        CHECK(position <= 1.0 + slack);
        CHECK(position > previous);
        previous = position;
        if (tick.label.empty()) continue;
        CHECK(tick.label + tick.exponent != previous_label);
        previous_label = tick.label + tick.exponent;
      }
    }
  }
}

TEST_CASE("log ticks are powers of ten, or 1, 2, 5 within two decades", "[experiments][svg]") {
  CHECK(labels(log_axis(1e-3, 1.0)) ==
        std::vector<std::string>{"10^\u22123", "10^\u22122", "10^\u22121", "1"});
  CHECK(labels(log_axis(0.1, 2.0)) == std::vector<std::string>{"0.1", "0.2", "0.5", "1", "2"});
  CHECK(log_axis(0.0, 1.0).low == 1e-3);
  const ScaledAxis axis = log_axis(1.0, 100.0);
  CHECK_THAT(axis.position(10.0), WithinAbs(0.5, 1e-14));
  CHECK(axis.position(0.0) == 0.0);
  CHECK(axis.position(-1.0) == 0.0);
}

TEST_CASE("text is escaped and repaired to UTF-8", "[experiments][svg]") {
  CHECK(escape_xml("<a href='x'>&\"") == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
  CHECK(escape_xml("d\u00e9j\u00e0 \u2013 \U0001F600") == "d\u00e9j\u00e0 \u2013 \U0001F600");
  CHECK(escape_xml("a\tb\n") == "a\tb\n");
  for (const std::string bad : {"\x01", "\x7f", "\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80"}) {
    CAPTURE(bad);
    CHECK(escape_xml("x" + bad).starts_with("x\uFFFD"));
    CHECK(escape_xml("x" + bad).find(bad) == std::string::npos);
  }
  CHECK(escape_xml(std::string("\0", 1)) == "\uFFFD");
}

TEST_CASE("numbers for readers are short and plain", "[experiments][svg]") {
  CHECK(short_number(0.93545501) == "0.9355");
  CHECK(short_number(-742.4031, 5) == "-742.4");
  CHECK(short_number(625.0) == "625");
  CHECK(short_number(99999.9, 4) == "100000");
  CHECK(short_number(1234567.0) == "1.235e6");
  CHECK(short_number(1e-12) == "1e-12");
  CHECK(short_number(0.0) == "0");
  CHECK(short_number(-0.0) == "0");
  CHECK(short_number(kInfinity) == "inf");
  CHECK(short_number(kNaN) == "\u2013");
  CHECK(pixel(12.3456) == "12.35");
  CHECK(pixel(-0.001) == "0");
  CHECK(pixel(kNaN) == "0");
}

TEST_CASE("the colour map runs from its first to its last colour", "[experiments][svg]") {
  CHECK(map_color(0.0) == "#440154");
  CHECK(map_color(1.0) == "#fde725");
  CHECK(map_color(-3.0) == map_color(0.0));
  CHECK(map_color(7.0) == map_color(1.0));
  CHECK(map_color(3.0 / 9.0) == "#31688e");
  CHECK(series_color(0) != series_color(1));
  CHECK(series_color(7) == series_color(0));
}

TEST_CASE("a figure with every layer is well-formed SVG without references", "[experiments][svg]") {
  const std::string svg = to_svg(sample_figure());
  CHECK(markup_fault(svg) == "");
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(count(svg, "http") == 1);
  CHECK(count(svg, "<script") == 0);
  CHECK(count(svg, "href") == 0);
  CHECK(count(svg, "nan") == 0);
  CHECK(count(svg, "inf") == 0);
  CHECK(count(svg, "<clipPath id=\"sample-clip-") == 2);
  CHECK_THAT(svg, ContainsSubstring("a &lt; b &amp; &quot;c&quot; \uFFFD\uFFFD"));
  CHECK_THAT(svg, ContainsSubstring("everything &lt;at once&gt;"));
}

TEST_CASE("equal figures give equal bytes under any locale", "[experiments][svg]") {
  const std::string expected = to_svg(sample_figure());
  const std::locale previous =
      std::locale::global(std::locale(std::locale::classic(), new GroupedNumbers));
  const std::string found = to_svg(sample_figure());
  std::locale::global(previous);
  CHECK(found == expected);
}

TEST_CASE("figures without data, with one point and with constants are drawn",
          "[experiments][svg]") {
  Figure figure;
  figure.name = "edge";
  CHECK(markup_fault(to_svg(figure)) == "");
  Panel empty;
  empty.y.scale = Scale::kLog;
  Panel point;
  point.lines.push_back({"", "", {1.0}, {0.0}, "#0072b2"});
  point.y.low = 0.0;
  Panel constant;
  constant.map = HeatMap{{1.0}, {1.0, 2.0}, {5.0, 5.0}};
  Panel blank;
  blank.map = HeatMap{{1.0}, {1.0}, {kNaN}};
  Panel huge;
  huge.lines.push_back({"", "", {0.0, 1.0}, {-1e308, 1e308}, "#0072b2"});
  Panel bars;
  bars.bars = Bars{{"a", "b"}, {0.0, 0.0}, "#0072b2"};
  figure.panels = {empty, point, constant, blank, huge, bars};
  const std::string svg = to_svg(figure);
  CHECK(markup_fault(svg) == "");
  CHECK(count(svg, "nan") == 0);
  CHECK(count(svg, "inf") == 0);
  CHECK(count(svg, "<circle") == 1);  // the lone point
}

TEST_CASE("panels of a column share their plot area and labels keep apart", "[experiments][svg]") {
  Figure figure;
  figure.name = "columns";
  Panel small;
  small.lines.push_back({"", "", {0.0, 1.0}, {0.0, 1.0}, "#0072b2"});
  Panel large;
  large.lines.push_back({"", "", {1e9, 1e9 + 1.0}, {0.0, 123456.0}, "#0072b2"});
  figure.panels = {small, large};
  figure.panel_width = 220.0;
  const std::vector<PanelLayout> layouts = lay_out(figure);
  CHECK(layouts[0].margins.left == layouts[1].margins.left);
  CHECK(layouts[0].plot_width() > 50.0);
  double previous_end = -kInfinity;
  for (const Tick& tick : layouts[1].x.ticks) {
    const double half = 0.5 * text_width(tick.label, kTickSize);
    CHECK(layouts[1].px(tick.value) - half > previous_end);
    previous_end = layouts[1].px(tick.value) + half;
  }
}

TEST_CASE("a long legend wraps inside the panel", "[experiments][svg]") {
  Figure figure;
  figure.name = "legend";
  Panel panel;
  for (int i = 0; i < 8; ++i)
    panel.lines.push_back(
        {"a rather long label " + std::to_string(i), "", {0.0, 1.0}, {0.0, 1.0}, "#0072b2"});
  figure.panels = {panel};
  const PanelLayout layout = lay_out(figure).front();
  REQUIRE(layout.legend.size() == 8);
  CHECK(layout.legend.back().row > 0);
  for (const LegendItem& item : layout.legend)
    CHECK(item.x + kLegendSwatch + text_width(item.label, kTickSize) < layout.plot_width() + 1.0);
  CHECK(layout.margins.top > (layout.legend.back().row + 1) * kLegendRow);
}

TEST_CASE("cell edges lie half-way between centres", "[experiments][svg]") {
  CHECK(cell_edges({}).empty());
  CHECK(cell_edges({3.0}) == std::vector<double>{2.5, 3.5});
  CHECK(cell_edges({0.0, 1.0, 3.0}) == std::vector<double>{-0.5, 0.5, 2.0, 4.0});
}

TEST_CASE("layers with unequal sizes and names that are no file stem are refused",
          "[experiments][svg]") {
  Figure figure = sample_figure();
  figure.panels[0].lines[0].y.pop_back();
  CHECK_THROWS_AS(to_svg(figure), InvalidArgument);
  figure = sample_figure();
  figure.panels[0].map->values.pop_back();
  CHECK_THROWS_WITH(to_svg(figure), ContainsSubstring("5 values for 6"));
  figure = sample_figure();
  for (const std::string name : {"", "a/b", "..", "a b"}) {
    figure.name = name;
    CHECK_THROWS_AS(to_svg(figure), InvalidArgument);
  }
}
