// SPDX-License-Identifier: MIT
// The numbers of figures that need no results.
#include <catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/experiments/figures_export.hpp>
#include <pomlux/experiments/reproduce_illustrations.hpp>
#include <pomlux/experiments/svg.hpp>
#include <set>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using figures::Figure;
using figures::Line;
using figures::Panel;

constexpr IllustrationOptions kSmall{.fidelity = Fidelity::kSmoke};

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// By the trapezoid rule.
double area_under(const Line& line) {
  double sum = 0.0;
  for (std::size_t i = 1; i < line.x.size(); ++i) {
    sum += 0.5 * (line.y[i] + line.y[i - 1]) * (line.x[i] - line.x[i - 1]);
  }
  return sum;
}

/// The ordinate at an abscissa that is one of the line's.
double ordinate(const Line& line, double x) {
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if (std::abs(line.x[i] - x) < 1e-12) return line.y[i];
  }
  throw std::runtime_error("no point at " + std::to_string(x));
}

}  // namespace

TEST_CASE("fig-maxima shows densities and moments of maxima", "[experiments][illustrations]") {
  const Figure figure = maxima_figure().figure;
  REQUIRE(figure.panels.size() == 2);
  const std::vector<Line>& densities = figure.panels[0].lines;
  REQUIRE(densities.size() == 20);
  for (const Line& line : densities) {
    CAPTURE(line.name);
    CHECK_THAT(area_under(line), WithinAbs(1.0, 1e-5));
    CHECK(line.x.front() >= -5.0);
    CHECK(line.x.back() < 20.0);
    CHECK(line.x.size() == 401);
  }
  CHECK_THAT(ordinate(densities[0], -5.0), WithinRel(normal_pdf(5.0), 1e-12));
  const Line& mean = figure.panels[1].lines[0];
  const Line& stddev = figure.panels[1].lines[1];
  REQUIRE(mean.y.size() == 250);
  REQUIRE(stddev.y.size() == 250);
  CHECK_THAT(mean.y.front(), WithinAbs(0.0, 1e-12));
  CHECK_THAT(stddev.y.front(), WithinAbs(1.0, 1e-12));
  CHECK_THAT(mean.y.back(), WithinAbs(14.9715, 5.1e-5));
  CHECK_THAT(stddev.y.back(), WithinAbs(0.0850, 5.1e-5));
  CHECK(std::is_sorted(mean.y.begin(), mean.y.end()));
  CHECK(std::is_sorted(stddev.y.rbegin(), stddev.y.rend()));
}

TEST_CASE("fig-phi shows asymptotes that bound what they approach",
          "[experiments][illustrations]") {
  const Figure figure = normal_asymptotes_figure().figure;
  REQUIRE(figure.panels.size() == 2);
  const std::vector<Line>& phi = figure.panels[0].lines;
  const std::vector<Line>& inverse = figure.panels[1].lines;
  for (std::size_t i = 0; i < phi[0].x.size(); ++i) CHECK(phi[0].y[i] <= phi[1].y[i]);
  for (std::size_t i = 0; i < inverse[0].x.size(); ++i) CHECK(inverse[0].y[i] >= inverse[1].y[i]);
  CHECK_THAT(ordinate(phi[0], -1.0), WithinRel(0.15865525393145705, 1e-14));
  CHECK_THAT(ordinate(phi[1], -1.0), WithinRel(0.24197072451914337, 1e-14));
  CHECK(phi[0].y.back() == 0.5);
  CHECK_THAT(inverse[0].y.front(), WithinRel(-9.262340089798408, 1e-13));  // Phi^-1(1e-20)
  CHECK_THAT(inverse[1].y.front(), WithinRel(-std::sqrt(40.0 * std::log(10.0)), 1e-13));
  CHECK(figure.panels[1].x.scale == figures::Scale::kLog);
}

TEST_CASE("fig-alite shows what the text says of A-LITE", "[experiments][illustrations]") {
  const Figure figure = a_lite_figure().figure;
  REQUIRE(figure.panels.size() == 2);
  std::map<std::string, Line> lines;
  for (const Panel& panel : figure.panels) {
    for (const Line& line : panel.lines) lines[line.label] = line;
  }
  const Line& wide = lines.at("m = 0.5, s = 2");
  const Line& narrow = lines.at("m = 0.5, s = 0.1");
  CHECK_THAT(wide.y.front(), WithinRel(normal_cdf(-1.75) / normal_cdf(-3.0), 1e-12));
  CHECK(*std::min_element(wide.y.begin(), wide.y.end()) > 0.25);
  CHECK(*std::max_element(wide.y.begin(), wide.y.end()) == wide.y.front());
  CHECK(narrow.y.front() < 0.25);
  CHECK(*std::max_element(narrow.y.begin(), narrow.y.end()) > 0.75);
  CHECK_THAT(narrow.y.back(), WithinAbs(1.0, 1e-4));

  const std::vector<Line>& products = figure.panels[1].lines;
  REQUIRE(products.size() == 3);
  CHECK_THAT(ordinate(products[0], 0.0), WithinRel(normal_cdf(-1.0) / 1024.0, 1e-12));
  CHECK_THAT(ordinate(products[1], 0.0), WithinRel(1.0 / 1024.0, 1e-12));
  CHECK_THAT(ordinate(products[2], 0.0), WithinRel(normal_cdf(-1.0) / 512.0, 1e-12));
  double likely = 0.0, unlikely = 0.0;  // largest distance of g from both
  for (std::size_t i = 0; i < products[0].y.size(); ++i) {
    likely = std::max(likely, products[1].y[i] - products[0].y[i]);
    unlikely = std::max(unlikely, products[2].y[i] - products[0].y[i]);
  }
  CHECK(likely > 3.0 * unlikely);
  CHECK_THAT(figures::to_svg(figure), Contains("stroke-dasharray=\"1.5 3\""));  // dotted
  CHECK_THAT(figures::to_gnuplot(figure), Contains(" dt 3"));
}

TEST_CASE("fig-samples counts one stream of samples at four lengths",
          "[experiments][illustrations]") {
  const Figure figure = sample_number_figure(kSmall).figure;
  REQUIRE(figure.panels.size() == 6);
  const std::vector<std::pair<std::string, double>> counts{
      {"256 samples", 256}, {"6 400 samples", 6400}, {"40 000 samples", 40000}};
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const Panel& panel = figure.panels[2 + k];
    CHECK_THAT(panel.title, Contains(counts[k].first));
    CHECK_THAT(sum_of(panel.map->values), WithinRel(400.0 * 1.0, 1e-12));
    // Multiples of n / samples.
    for (const double value : panel.map->values) {
      const double share = value / 400.0 * counts[k].second;
      CHECK_THAT(share, WithinAbs(std::round(share), 1e-9));
    }
    CHECK(panel.value.low == 0.0);
    CHECK(panel.value.high == figure.panels.back().value.high);
  }
  CHECK(figure.panels[0].scatters[0].x.size() == 10);
  // The last observation is clamped to the last candidate.
  CHECK(figure.panels[0].scatters[0].x.back() == figure.panels[0].map->x.back());
  CHECK(figure.panels[0].scatters[0].y.back() == figure.panels[0].map->y.back());
  Figure again;
  with_threads(1, [&] { again = sample_number_figure(kSmall).figure; });
  CHECK(figures::to_csv(again) == figures::to_csv(figure));
}

TEST_CASE("fig-independence-bias shows belief and both estimates", "[experiments][illustrations]") {
  const Figure figure = independence_bias_figure(kSmall).figure;
  REQUIRE(figure.panels.size() == 8);
  const std::size_t observed[] = {4, 8, 16, 32};
  for (std::size_t k = 0; k < 4; ++k) {
    CAPTURE(observed[k]);
    const std::size_t row = k / 2 * 4 + k % 2;
    const Panel& belief = figure.panels[row];
    const Panel& pom = figure.panels[row + 2];
    CHECK(belief.scatters[0].x.size() == observed[k]);
    REQUIRE(pom.lines.size() == 2);
    for (const Line& line : pom.lines) CHECK_THAT(sum_of(line.y), WithinRel(200.0, 1e-9));
    CHECK_THAT(pom.title, Contains(std::to_string(observed[k])));
  }
  // Four observations ten length scales apart do not know of each other: the band at each is
  // sqrt(0.25 / 4.25) of the prior's, as in the published panels.
  const figures::Band& band = figure.panels[0].bands[0];
  for (const std::size_t i : {40U, 80U, 120U, 160U}) {
    CHECK_THAT((band.high[i] - band.low[i]) / 8.0, WithinAbs(std::sqrt(0.25 / 4.25), 1e-9));
  }
  const IllustrationOptions other{.fidelity = Fidelity::kSmoke, .seed = 1};
  CHECK(figures::to_csv(independence_bias_figure(other).figure) != figures::to_csv(figure));
}

TEST_CASE("fig-setups shows posteriors in the course of runs", "[experiments][illustrations]") {
  const std::vector<CaptionedFigure> setups = setup_figures(kSmall);
  REQUIRE(setups.size() == 3);
  const Figure& line = setups[0].figure;
  REQUIRE(line.panels.size() == 2);
  CHECK(line.panels[0].scatters[0].x.size() == 20);
  REQUIRE(line.panels[1].lines.size() == 6);
  for (const Line& pom : line.panels[1].lines) {
    CAPTURE(pom.label);
    CHECK(pom.x.size() == 300);
    CHECK_THAT(sum_of(pom.y), WithinRel(1.0, 1e-9));
  }
  const Figure& wave = setups[1].figure;
  REQUIRE(wave.panels.size() == 9);
  const std::vector<double>& truth = wave.panels[0].map->values;
  CHECK(*std::max_element(truth.begin(), truth.end()) <= 1.0);
  CHECK(wave.panels[0].scatters[0].x.size() == 20);
  for (std::size_t k = 3; k < 9; ++k) {
    CHECK_THAT(sum_of(wave.panels[k].map->values), WithinRel(1.0, 1e-9));
  }
  const Figure& square = setups[2].figure;
  REQUIRE(square.panels.size() == 4);
  for (const std::size_t k : {2U, 3U}) {
    CHECK_THAT(sum_of(square.panels[k].map->values), WithinRel(1.0, 1e-9));
  }
  std::set<std::string> names;
  for (const CaptionedFigure& one : setups) {
    CHECK(figures::to_svg(one.figure).ends_with("</svg>\n"));
    CHECK_FALSE(one.caption.empty());
    names.insert(one.figure.name);
  }
  CHECK(names.size() == 3);
}

TEST_CASE("Illustrations are known by the names of the paper's figures",
          "[experiments][illustrations]") {
  CHECK(illustration_names().size() == 6);
  for (const char* name : {"fig-maxima", "fig-phi", "fig-alite"}) {
    CHECK(std::count(illustration_names().begin(), illustration_names().end(), name) == 1);
    const std::vector<CaptionedFigure> made = illustrations(name);
    REQUIRE(made.size() == 1);
    std::string stem = name;
    std::replace(stem.begin(), stem.end(), '-', '_');
    CHECK(made[0].figure.name == stem);
    CHECK_FALSE(made[0].caption.empty());
  }
  CHECK_THROWS_WITH(illustrations("fig-minima"), Contains("fig-minima") && Contains("fig-maxima"));
}
