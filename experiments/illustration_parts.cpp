// SPDX-License-Identifier: MIT
#include <memory>  // copies of models
#include <pomlux/acquisition/joint_sampler.hpp>
#include <pomlux/experiments/illustration_parts.hpp>
#include <pomlux/experiments/svg_palette.hpp>
#include <utility>  // std::move

namespace pomlux::illustration {

using figures::Dash;
using figures::Figure;
using figures::HeatMap;
using figures::Line;
using figures::Panel;
using figures::Scatter;
using figures::series_color;

std::vector<double> numbers_of(const VectorRef& values, double factor) {
  const Vector scaled = factor * values;
  return {scaled.begin(), scaled.end()};
}

Domain unit_grid(Index dimension, Index count) {
  const std::vector<Index> counts(static_cast<std::size_t>(dimension), count);
  const double last = static_cast<double>(count - 1) / static_cast<double>(count);
  return Domain::grid(Vector::Zero(dimension), Vector::Constant(dimension, last), counts);
}

GaussianProcess isotropic_model(
    Index dimension, KernelType type, double length_scale, double amplitude, double noise) {
  return {dimension,
          make_kernel(type, Vector::Constant(1, length_scale), amplitude),
          {.noise_stddev = noise, .fit = {.parameters = {}}}};
}

Vector sampled_function(const GaussianProcess& prior, const Domain& domain, std::uint64_t seed) {
  Rng rng = make_stream(seed, "illustration_function");
  const std::unique_ptr<Surrogate> copy = prior.clone();
  const JointSampler sampler(
      copy->posterior(domain), rng, {.method = SamplingMethod::kExact, .max_rank = domain.size()});
  return sampler.draw(1, rng).col(0);
}

Panel belief_on_line(const std::string& title,
                     const Domain& domain,
                     const Vector& truth,
                     const GaussianVector& belief,
                     const SeenValues& observations) {
  Panel panel;
  panel.title = title;
  panel.x.label = "x";
  panel.y = {.label = "f(x)", .pads = true};
  const std::vector<double> x = numbers_of(domain.points().col(0));
  const Vector mean = belief.mean(), stddev = belief.stddev();
  panel.bands.push_back({"mean \u00b1 2 standard deviations",
                         x,
                         numbers_of(mean - 2.0 * stddev),
                         numbers_of(mean + 2.0 * stddev),
                         series_color(0)});
  panel.lines.push_back({"mean", "", x, numbers_of(mean), series_color(0)});
  Line function{"true function", "", x, numbers_of(truth), figures::kInk, 1.2};
  function.dash = Dash::kDashed;
  panel.lines.push_back(std::move(function));
  Scatter seen;
  seen.label = "observed";
  seen.color = series_color(1);
  seen.y = observations.values;
  for (const Index i : observations.candidates) seen.x.push_back(x[static_cast<std::size_t>(i)]);
  panel.scatters.push_back(std::move(seen));
  return panel;
}

Panel map_on_square(const std::string& title,
                    const Domain& domain,
                    const Vector& values,
                    std::optional<double> low,
                    std::optional<double> high) {
  const Index rows = domain.grid_counts()[0], columns = domain.grid_counts()[1];
  Panel panel;
  panel.title = title;
  panel.x.label = "x\u2081";
  panel.y.label = "x\u2082";
  panel.value.low = low;
  panel.value.high = high;
  HeatMap map;
  for (Index i = 0; i < rows; ++i) map.x.push_back(domain.points()(i * columns, 0));
  for (Index j = 0; j < columns; ++j) map.y.push_back(domain.points()(j, 1));
  for (Index j = 0; j < columns; ++j) {
    for (Index i = 0; i < rows; ++i) map.values.push_back(values(i * columns + j));
  }
  panel.map = std::move(map);
  return panel;
}

void mark_seen(Panel& panel, const Domain& domain, const SeenValues& observations) {
  Scatter seen;
  seen.label = "observed";
  seen.color = "#ffffff";
  for (const Index i : observations.candidates) {
    seen.x.push_back(domain.points()(i, 0));
    seen.y.push_back(domain.points()(i, 1));
  }
  panel.scatters.push_back(std::move(seen));
}

Figure panels_of_size(const std::string& name,
                      const std::string& description,
                      int columns,
                      double height) {
  Figure figure;
  figure.name = name;
  figure.description = description;
  figure.columns = columns;
  figure.panel_width = 1120.0 / columns;
  figure.panel_height = height;
  return figure;
}

}  // namespace pomlux::illustration
