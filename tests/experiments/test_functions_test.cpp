// SPDX-License-Identifier: MIT
// The test functions as objectives of configurations.
#include <catch.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/objectives/test_function.hpp>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;

Experiment parse(const std::string& objective, const std::string& domain) {
  return parse_experiment("objective: " + objective + "\ndomain: " + domain +
                              "\nbudget: {initial: 2, steps: 1}\nseeds: [1]\n",
                          "a.yaml",
                          ".");
}

}  // namespace

TEST_CASE("Every test function is an objective in its own direction on its own box",
          "[experiments][test_function]") {
  for (const TestFunctionRow& row : test_function_table()) {
    CAPTURE(row.name);
    const std::string dimension =
        row.is_scalable() ? ", dimension: " + std::to_string(row.smallest_dimension) : "";
    const Experiment experiment =
        parse("{type: " + row.name + dimension + "}", "{type: latin_hypercube, size: 5, seed: 3}");
    const Json& objective = experiment.config.at("objective");
    CHECK(to_sense(objective) == row.sense);
    const TestFunction function(row.name);
    CHECK(to_vector(experiment.config.at("domain").at("lower")) == function.lower());
    CHECK(to_vector(experiment.config.at("domain").at("upper")) == function.upper());
    const Domain domain = make_domain(experiment.config.at("domain"), 1);
    const auto made = make_objective(objective, domain, 1);
    CHECK(made->sense() == row.sense);
    CHECK(*made->true_values(domain.points()) == *function.true_values(domain.points()));
    const std::string resolved = to_yaml(experiment.config);
    CHECK(to_yaml(parse_experiment(resolved, "b.yaml", ".").config) == resolved);
  }
}

TEST_CASE("A grid takes its dimension and the box from its points and the function",
          "[experiments][test_function]") {
  const Experiment ackley = parse("{type: ackley}", "{type: grid, points: [2, 3, 2]}");
  CHECK(ackley.config.at("domain").at("upper") == Json({32.768, 32.768, 32.768}));
  const Experiment branin = parse("{type: branin}", "{type: grid, points: [3, 2]}");
  CHECK(branin.config.at("domain").at("lower") == Json({-5.0, 0.0}));
  CHECK(branin.config.at("domain").at("upper") == Json({10.0, 15.0}));
  const Experiment turned = parse("{type: branin, sense: maximize}",
                                  "{type: grid, lower: [0, 0], upper: [1, 1], points: [3, 2]}");
  CHECK(turned.config.at("objective").at("sense") == "maximize");
  CHECK(turned.config.at("domain").at("lower") == Json({0.0, 0.0}));
}

TEST_CASE("A domain that does not fit a test function is refused with both dimensions",
          "[experiments][test_function]") {
  const std::string cube = "{type: grid, lower: [0, 0, 0], upper: [1, 1, 1], points: [2, 2, 2]}";
  const auto [objective,
              domain,
              message] = GENERATE_COPY(table<std::string, std::string, std::string>({
      {"{type: branin}", cube, "branin: found a domain of dimension 3; allowed: 2"},
      {"{type: ackley, dimension: 5}",
       cube,
       "found a domain of dimension 3; allowed: 5, as objective.dimension says"},
      {"{type: sphere_shifted}",
       "{type: list, points: [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]]}",
       "found a domain of dimension 5; allowed: from 1 to 4"},
      {"{type: rosenbrock, dimension: 1}", cube, "objective.dimension: found '1'"},
      {"{type: branin, dimension: 2}", cube, "unknown key 'dimension'"},
      {"{type: branin}",
       "{type: grid, points: [2, 2, 2]}",
       "domain.points: found 3 values; allowed: 2"},
      {"{type: branin}", "{type: grid, lower: [0, 0], points: [2, 2]}", "domain.upper: is missing"},
      {"{type: branin}", "{type: sobol, upper: [0, 0], size: 9}", "domain.lower: is missing"},
      {"{type: levy}", "{type: sobol, size: 9}", "domain.lower: is missing"},
      {"{type: michalewicz}",
       "{type: grid, points: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}",
       "domain.lower: is missing"},
      {"{type: random_linear}", "{type: grid, points: [2, 2]}", "domain.lower: is missing"},
  }));
  CAPTURE(objective, domain);
  CHECK_THROWS_WITH(parse(objective, domain), Contains("a.yaml:") && Contains(message));
}
