// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <experiments/run_helpers.hpp>
#include <pomlux/experiments/catalogue.hpp>
#include <pomlux/experiments/config.hpp>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;

Experiment entropy_search_experiment(const std::string& acquisition) {
  return parse_experiment(
      "schema: 1\n"
      "name: trial\n"
      "objective: {type: drop_wave, noise_stddev: 0.1}\n"
      "domain: {type: grid, lower: [-1, -1], upper: [1, 1], points: [5, 5]}\n"
      "model: {noise_stddev: 0.1, fit: {method: none}}\n"
      "acquisition:\n  type: entropy_search\n" +
          acquisition +
          "budget: {initial: 2, steps: 3}\n"
          "track: {estimators: []}\n"
          "seeds: [0]\n",
      "a.yaml",
      ".",
      {});
}

TEST_CASE("Entropy search is resolved with the defaults of its estimator and hypotheses",
          "[experiments][config]") {
  const Experiment experiment = entropy_search_experiment("");
  const Json& acquisition = experiment.config.at("acquisition");
  CHECK(acquisition.at("estimator").at("type") == "f_lite");
  CHECK(acquisition.at("estimator").at("epsilon") == 1e-10);
  CHECK(acquisition.at("hypotheses").at("type") == "quadrature");
  CHECK(acquisition.at("hypotheses").at("nodes") == 25);
  CHECK(acquisition.at("shortlist").is_null());
  const std::string resolved = to_yaml(experiment.config);
  CHECK(to_yaml(parse_experiment(resolved, "b.yaml", ".", {}).config) == resolved);
}

TEST_CASE("A fault of entropy search is refused with its line and key", "[experiments][config]") {
  const auto [lines, message] = GENERATE(table<std::string, std::string>({
      {"  estimator: {type: f-lite}\n",
       "a.yaml:8: acquisition.estimator.type: found 'f-lite'; allowed: one of f_lite"},
      {"  estimator: {type: f_lite, samples: 10}\n", "it belongs to ts_mc"},
      {"  estimator: f_lite\n", "here {type: f_lite}"},
      {"  estimator: {epsilon: 2}\n", "a.yaml:8: acquisition.estimator.epsilon: found '2'"},
      {"  estimator: {type: ts_mc, target_error: 0.1}\n",
       "a.yaml:8: acquisition.estimator: entropy_search: the estimator ts_mc has target_error"},
      {"  estimator: {type: ts_mc, memory_limit: 10}\n", "a.yaml:8: acquisition.estimator: "},
      {"  hypotheses: {type: draws, nodes: 5}\n", "it belongs to quadrature"},
      {"  hypotheses: {type: draws, draws: 0}\n", "a.yaml:8: acquisition.hypotheses.draws: found"},
      {"  hypotheses: {nodes: 1}\n", "a.yaml:8: acquisition.hypotheses.nodes: found '1'"},
      {"  shortlist: 0\n", "a.yaml:8: acquisition.shortlist: found '0'"},
      {"  incumbent: best_mean\n", "it belongs to ei"},
  }));
  CAPTURE(lines);
  CHECK_THROWS_WITH(entropy_search_experiment(lines), Contains(message));
}

TEST_CASE("Entropy search runs from a configuration, the same on one thread and on two",
          "[experiments][runner]") {
  for (const std::string lines :
       {"",
        "  estimator: {type: a_lite}\n  shortlist: 4\n",
        "  estimator: {type: ts_mc, samples: 20}\n  hypotheses: {type: draws}\n"}) {
    CAPTURE(lines);
    const Experiment experiment = entropy_search_experiment(lines);
    const test::TemporaryFolder one, two;
    CHECK(test::run_into(experiment, one, 1, 1).is_finished());
    CHECK(test::run_into(experiment, two, 1, 2).is_finished());
    const auto steps = test::lasting_cells(one.path() / "r/seed-0000/steps.csv");
    CHECK(steps.size() == 5);
    CHECK(steps == test::lasting_cells(two.path() / "r/seed-0000/steps.csv"));
  }
}

TEST_CASE("The catalogue shows entropy search with what it nests", "[experiments][config]") {
  const std::string text = catalogue("acquisition");
  CHECK_THAT(text, Contains("entropy_search"));
  CHECK_THAT(catalogue("acquisition.estimator"), Contains("f_lite (default)"));
  CHECK_THAT(catalogue("hypotheses"), Contains("quadrature (default)"));
}

}  // namespace
