// SPDX-License-Identifier: MIT
// The quadcopter as an objective of configurations.
#include <catch.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/objectives/quadcopter.hpp>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;

Experiment parse_flight(const std::string& options, const std::string& domain) {
  return parse_experiment("objective: {type: quadcopter" + options + "}\ndomain: " + domain +
                              "\nbudget: {initial: 2, steps: 1}\nseeds: [1, 2]\n",
                          "a.yaml",
                          ".");
}

}  // namespace

TEST_CASE("A quadcopter brings its box, and draws gains and disturbance anew for every seed",
          "[experiments][quadcopter]") {
  const Experiment experiment = parse_flight("", "{type: random, size: 400}");
  const Json& domain = experiment.config.at("domain");
  CHECK(domain.at("lower") == Json({0.0, 0.0, 0.0, 0.0}));
  CHECK(domain.at("upper") == Json({20.0, 20.0, 20.0, 20.0}));
  CHECK(experiment.config.at("objective").at("sense") == "maximize");
  const Domain first = domain_of(experiment, 1);
  const Domain second = domain_of(experiment, 2);
  CHECK(first.size() == 400);
  CHECK(first.points() != second.points());
  const Json& objective = experiment.config.at("objective");
  const auto values_of = [&](const Domain& points, std::uint64_t seed) {
    return *make_objective(objective, points, seed)->true_values(first.points());
  };
  CHECK(values_of(first, 1) ==
        *Quadcopter(draw_quadcopter_disturbance(1)).true_values(first.points()));
  CHECK(values_of(first, 2) ==
        *Quadcopter(draw_quadcopter_disturbance(2)).true_values(first.points()));
  CHECK(values_of(second, 2) == values_of(first, 2));
  CHECK(values_of(first, 1) != values_of(first, 2));
  const std::string resolved = to_yaml(experiment.config);
  CHECK(to_yaml(parse_experiment(resolved, "b.yaml", ".").config) == resolved);
  CHECK(parse_flight("", "{type: box}").config.at("domain").at("upper") == domain.at("upper"));
}

TEST_CASE("A quadcopter takes a disturbance, a noise and a tolerance of its controls",
          "[experiments][quadcopter]") {
  const Experiment experiment =
      parse_flight(", disturbance: [0.5, 1.2, 0.3, 2], noise_stddev: 0.1, control_tolerance: 1e-4",
                   "{type: list, points: [[10, 10, 10, 10], [0.5, 1.2, 0.3, 2]]}");
  const Domain domain = domain_of(experiment, 1);
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto objective = make_objective(experiment.config.at("objective"), domain, seed);
    CHECK(objective->noise_stddev() == 0.1);
    const Vector values = *objective->true_values(domain.points());
    // Values of the exact controls, and the largest error at this tolerance, from
    // tests/oracles/quadcopter.json; the controls differ, and so do the values.
    CHECK(std::abs(values(0) - 0.6547581315622449) < 6.1e-4);
    CHECK(values(0) !=
          (*Quadcopter(quadcopter::Control(0.5, 1.2, 0.3, 2.0)).true_values(domain.points()))(0));
    CHECK_THAT(values(1), Catch::Matchers::WithinAbs(0.7432951117658901, 1e-8));
  }
}

TEST_CASE("What does not fit a quadcopter is refused before it flies",
          "[experiments][quadcopter]") {
  const std::string gains = "{type: random, size: 5}";
  const auto [options, domain, message] =
      GENERATE_COPY(table<std::string, std::string, std::string>({
          {"",
           "{type: random, size: 5, lower: [0, 0], upper: [1, 1]}",
           "quadcopter: found a domain of dimension 2; allowed: 4"},
          {"",
           "{type: list, points: [[1, 1, 1, 1], [1, 1, -2, 1]]}",
           "quadcopter: found -2 in the domain; allowed: gains >= 0"},
          {", disturbance: [1, 2, 3]", gains, "quadcopter: disturbance has 3 numbers; allowed: 4"},
          {", disturbance: [1, 2, -3, 4]", gains, "objective.disturbance[2]: found '-3'"},
          {", disturbance: 1", gains, "objective.disturbance"},
          {", control_tolerance: 0", gains, "objective.control_tolerance: found '0'"},
          {", noise_stddev: -1", gains, "objective.noise_stddev: found '-1'"},
          {", disturbances: [1, 2, 3, 4]", gains, "unknown key 'disturbances'"},
          {"", "{type: grid, points: [2, 2, 2]}", "domain.points: found 3 values; allowed: 4"},
      }));
  CAPTURE(options, domain);
  CHECK_THROWS_WITH(parse_flight(options, domain), Contains("a.yaml:") && Contains(message));
}
