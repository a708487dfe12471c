// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/registry_external.hpp>
#include <pomlux/experiments/registry_test_functions.hpp>
#include <pomlux/objectives/quadcopter.hpp>
#include <pomlux/objectives/tabulated.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

Field objective_noise() {
  return noise_field(0.0, "standard deviation of the Gaussian noise on every evaluation");
}

double noise_of(const Json& options) { return options.at("noise_stddev").get<double>(); }

/// The stream that draws the function itself.
Rng path_stream(const Json& options, std::uint64_t seed) {
  const Json& own = options.at("seed");
  return make_stream(own.is_null() ? seed : own.get<std::uint64_t>(), "objective_path");
}

std::unique_ptr<Objective> make_gp_path(const Json& options,
                                        const Domain& domain,
                                        std::uint64_t seed) {
  Rng rng = path_stream(options, seed);
  const std::unique_ptr<Kernel> kernel =
      make_kernel(options.at("kernel"), Vector::Ones(domain.dimension()));
  return std::make_unique<Tabulated>(
      make_gp_sample(domain, kernel->matrix(domain.points()), noise_of(options), rng));
}

void check_gp_path(const Json& options, const Domain& domain) {
  require_memory("gp_sample", domain.size(), domain.size());
  static_cast<void>(make_kernel(options.at("kernel"), Vector::Ones(domain.dimension())));
}

std::unique_ptr<Objective> make_linear(const Json& options,
                                       const Domain& domain,
                                       std::uint64_t seed) {
  Rng rng = path_stream(options, seed);
  return std::make_unique<Tabulated>(make_random_linear(domain, noise_of(options), rng));
}

std::unique_ptr<Objective> make_quadcopter(const Json& options, const Domain&, std::uint64_t seed) {
  const Json& own = options.at("disturbance");
  const quadcopter::Control disturbance =
      own.is_null() ? draw_quadcopter_disturbance(seed) : quadcopter::Control(to_vector(own));
  return std::make_unique<Quadcopter>(
      disturbance,
      QuadcopterOptions{.noise_stddev = noise_of(options),
                        .control_tolerance = options.at("control_tolerance").get<double>()});
}

void check_quadcopter(const Json& options, const Domain& domain) {
  if (domain.dimension() != quadcopter::kControls) {
    fail("quadcopter",
         "found a domain of dimension " + format_number(domain.dimension()) + "; allowed: 4");
  }
  const double smallest = domain.points().minCoeff();
  if (smallest < 0.0) {
    fail("quadcopter", "found " + format_number(smallest) + " in the domain; allowed: gains >= 0");
  }
  const std::size_t size = options.at("disturbance").size();
  if (!options.at("disturbance").is_null() && size != quadcopter::kControls) {
    fail("quadcopter", "disturbance has " + std::to_string(size) + " numbers; allowed: 4");
  }
}

ObjectivePlugin quadcopter_plugin() {
  Field disturbance = field("disturbance",
                            FieldType::kNumberList,
                            "4 numbers >= 0; null: squares of normals drawn with the run's seed",
                            at_least(0));
  return {{"quadcopter",
           "the flight of a quadcopter under 4 feedback gains against a disturbance, maximised on "
           "[0, 20]^4; Menet et al. 2025",
           {objective_noise(),
            nullable(std::move(disturbance)),
            number("control_tolerance",
                   QuadcopterOptions{}.control_tolerance,
                   above(0),
                   "gradient norm at which the nominal controls are optimal")}},
          make_quadcopter,
          check_quadcopter,
          false,
          [](const Json&, Index) -> std::optional<Corners> {
            return Corners{Vector::Zero(quadcopter::kControls),
                           Vector::Constant(quadcopter::kControls, 20.0)};
          }};
}

/// The test functions, then `rows`.
std::vector<ObjectivePlugin> with_test_functions(const std::vector<ObjectivePlugin>& rows) {
  std::vector<ObjectivePlugin> all = test_function_plugins();
  all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace

const std::vector<ObjectivePlugin>& objective_plugins() {
  static const std::vector<ObjectivePlugin> table = with_test_functions({
      {{"gp_sample",
        "a sample path of a Gaussian process with mean 0 over the domain; n^2 memory",
        {section_field("kernel", kernel_section(), "of the process"),
         objective_noise(),
         seed_field()}},
       make_gp_path,
       check_gp_path,
       true},
      {{"random_linear", "w'x with w ~ N(0, I)", {objective_noise(), seed_field()}},
       make_linear,
       {},
       true},
      quadcopter_plugin(),
      table_plugin(),
      command_plugin(),
      manual_plugin(),
  });
  return table;
}

}  // namespace pomlux
