// SPDX-License-Identifier: MIT
// Every acquisition that a configuration can name.
#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <experiments/run_helpers.hpp>
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/catalogue.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/registry.hpp>
#include <set>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;

/// Ten evaluations of a test function on 56 candidates.
Experiment acquisition_run(const std::string& acquisition, const std::string& sense) {
  return parse_experiment(
      "name: trial\n"
      "objective: {type: branin, sense: " +
          sense +
          "}\n"
          "domain: {type: grid, points: [8, 7]}\n"
          "model: {kernel: {type: matern52}, fit: {every: 4}}\n"
          "acquisition: " +
          acquisition +
          "\n"
          "budget: {initial: 4, steps: 6}\n"
          "track: {estimators: []}\n"
          "seeds: [1]\n",
      "trial.yaml",
      ".",
      {});
}

/// The acquisition section as it is resolved.
Json resolved(const std::string& acquisition) {
  return acquisition_run(acquisition, "minimize").config.at("acquisition");
}

std::vector<std::string> candidates_of(const Experiment& experiment) {
  const test::TemporaryFolder folder;
  CHECK(test::run_into(experiment, folder).is_finished());
  const CsvTable table = read_csv_file(folder.path() / "r" / "seed-0001" / "steps.csv");
  std::vector<std::string> result;
  for (const auto& row : table.rows) result.push_back(row[*table.column("candidate")]);
  return result;
}

}  // namespace

TEST_CASE("Every acquisition runs from a configuration, in both directions",
          "[experiments][acquisition]") {
  std::vector<std::string> sections = {
      "{type: ei, incumbent: given, incumbent_value: 3}",
      "{type: pi, incumbent: best_mean}",
      "{type: ts, method: low_rank, max_rank: 5}",
      "{type: mes, maximum: independent, samples: 4}",
      "{type: mes, maximum: gumbel}",
      "{type: pom, rule: sample, estimator: {type: independence, epsilon: 1e-6}}",
      "{type: pom, estimator: {type: ts_mc, samples: 500}}"};
  for (const AcquisitionPlugin& plugin : acquisition_plugins()) {
    sections.push_back("{type: " + plugin.variant.name + "}");
  }
  for (const std::string& section : sections) {
    for (const std::string sense : {"minimize", "maximize"}) {
      CAPTURE(section, sense);
      const std::vector<std::string> asked = candidates_of(acquisition_run(section, sense));
      REQUIRE(asked.size() == 10);
      CHECK(std::set<std::string>(asked.begin(), asked.end()).size() == 10);
    }
  }
}

TEST_CASE("A given incumbent is in the direction of the objective", "[experiments][acquisition]") {
  const Json section = resolved("{type: ei, incumbent: given, incumbent_value: 1.5}");
  const IndependentGaussian f(Eigen::Vector2d(-2.0, 1.0), Eigen::Vector2d(1.0, 0.5));
  const AcquisitionContext context{f, 7.0, 1.0, 0.1, 1};
  for (const Sense sense : {Sense::kMinimize, Sense::kMaximize}) {
    Rng rng = make_stream(1, "test");
    const Vector scores = make_acquisition(section, sense)->score(context, rng);
    for (Index x = 0; x < 2; ++x) {
      CHECK(scores(x) ==
            log_expected_improvement(f.mean()(x), f.stddev()(x), sign_of(sense) * 1.5));
    }
  }
}

TEST_CASE("Faults of an acquisition are refused with key and what is allowed",
          "[experiments][acquisition]") {
  const auto [section, message] = GENERATE(table<std::string, std::string>({
      {"{type: ei, incumbent: given}", "acquisition.incumbent_value: is missing"},
      {"{type: pi, incumbent_value: 1.5}",
       "acquisition.incumbent_value: found 1.5; allowed: null, or incumbent: given"},
      {"{type: ei, incumbent: given, incumbent_value: .inf}", "acquisition.incumbent_value"},
      {"{type: mes, samples: 0}", "acquisition.samples: found '0'"},
      {"{type: mes, maximum: joined}", "did you mean 'joint'"},
      {"{type: ts, method: exact, memory_limit: 1000}", "acquisition: ts"},
      {"{type: mes, method: exact, memory_limit: 1000}", "acquisition: mes"},
      {"{type: pom, estimator: {type: flite}}", "did you mean 'f_lite'"},
      {"{type: pom, estimator: {type: f_lite, epsilom: 1}}",
       "acquisition.estimator: unknown key 'epsilom'"},
      {"{type: pom, estimator: {type: f_lite, epsilon: 2}}", "acquisition.estimator.epsilon"},
      {"{type: pom, estimator: {type: ts_mc, memory_limit: 1000}}", "acquisition.estimator: ts_mc"},
      {"{type: pom, samples: 3}", "it belongs to mes"},
      {"{type: information_gain, beta: 2}", "beta"},
  }));
  CAPTURE(section);
  CHECK_THROWS_WITH(acquisition_run(section, "minimize"),
                    Contains("trial.yaml:") && Contains(message));
}

TEST_CASE("An acquisition section is resolved with its defaults", "[experiments][acquisition]") {
  CHECK(resolved("{type: pom}").at("estimator").at("type") == "f_lite");
  CHECK(resolved("{type: pom}").at("rule") == "argmax");
  CHECK(resolved("{type: ei}").at("incumbent_value").is_null());
  CHECK(resolved("{type: ts}").at("method") == "automatic");
  CHECK(resolved("{type: mes}").at("samples") == 32);
}
