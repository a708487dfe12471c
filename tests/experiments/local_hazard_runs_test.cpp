// SPDX-License-Identifier: MIT
// local_hazard wherever a configuration or a command can name an estimator.
#include <catch.hpp>
#include <experiments/run_helpers.hpp>
#include <fstream>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/json.hpp>
#include <pomlux/experiments/pom_command.hpp>
#include <sstream>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;

Experiment hazard_run(const std::string& acquisition, const std::string& estimators) {
  return parse_experiment(
      "name: trial\n"
      "objective: {type: drop_wave, noise_stddev: 0.1}\n"
      "domain: {type: grid, lower: [-1, -1], upper: [1, 1], points: [6, 6]}\n"
      "model: {noise_stddev: 0.1, fit: {method: none}}\n"
      "acquisition: " +
          acquisition +
          "\n"
          "budget: {initial: 3, steps: 2}\n"
          "track: {estimators: " +
          estimators +
          "}\n"
          "seeds: [0]\n",
      "trial.yaml",
      ".",
      {});
}

TEST_CASE("Local hazard is tracked with its model error", "[experiments][local_hazard]") {
  const test::TemporaryFolder folder;
  const std::string track = "[{type: local_hazard, neighbours: 8}, f_lite]";
  REQUIRE(test::run_into(hazard_run("{type: ei}", track), folder).is_finished());
  const CsvTable table = read_csv_file(folder.path() / "r" / "seed-0000" / "pom.csv");
  int rows = 0;
  for (const auto& row : table.rows) {
    if (row[*table.column("estimator")] != "local_hazard") continue;
    ++rows;
    const double error = std::stod(row[*table.column("model_error")]);
    CHECK(error > 0.0);
    CHECK(error < 0.2);
    CHECK(row[*table.column("status")] == (error > 0.03 ? "inaccurate" : "converged"));
  }
  CHECK(rows >= 2);
}

TEST_CASE("Local hazard stands behind acquisitions", "[experiments][local_hazard]") {
  for (const std::string acquisition :
       {"{type: pom, estimator: {type: local_hazard}}",
        "{type: pom, rule: sample, estimator: {type: local_hazard, regime: local}}",
        "{type: entropy_search, estimator: {type: local_hazard, neighbours: 4}, hypotheses: "
        "{nodes: 3}}"}) {
    CAPTURE(acquisition);
    const test::TemporaryFolder one, two;
    REQUIRE(test::run_into(hazard_run(acquisition, "[]"), one).is_finished());
    REQUIRE(test::run_into(hazard_run(acquisition, "[]"), two, 1, 2).is_finished());
    const std::filesystem::path file = std::filesystem::path("r") / "seed-0000" / "steps.csv";
    CHECK(test::lasting_cells(one.path() / file) == test::lasting_cells(two.path() / file));
  }
}

TEST_CASE("The pom command gives local hazard the covariance and passes its warning on",
          "[experiments][local_hazard]") {
  const test::TemporaryFolder folder;
  const auto run = [&](const std::string& means, const std::string& covariance) {
    PomCommand command;
    command.estimators = {"local_hazard"};
    command.format = OutputFormat::kJson;
    command.covariance = (folder.path() / "covariance.csv").string();
    std::ofstream(command.covariance, std::ios::binary) << covariance;
    std::istringstream input("mean\n" + means);
    std::string output;
    const auto notes = run_pom(command, input, [&](std::string_view block) { output += block; });
    return std::pair(Json::parse(output).at("estimators").at("local_hazard"), notes);
  };
  const auto [pom, quiet] = run("0\n0.3\n", "1,0.9\n0.9,1\n");
  CHECK_THAT(pom.at("p").at(0).get<double>(), WithinAbs(0.251167, 0.005));
  CHECK(pom.at("model_error").get<double>() < 0.02);
  CHECK(pom.at("status") == "converged");
  CHECK(quiet.empty());
  const auto [singular, notes] = run("0\n0\n0\n0\n", "1,2,3,4\n2,4,6,8\n3,6,9,12\n4,8,12,16\n");
  CHECK(singular.at("status") == "inaccurate");
  REQUIRE_FALSE(notes.empty());
  CHECK_THAT(notes.back(), Contains("local_hazard ended with status inaccurate"));
}

TEST_CASE("Options of local hazard out of range are refused", "[experiments][local_hazard]") {
  CHECK_THROWS_WITH(hazard_run("{type: ei}", "[{type: local_hazard, neighbours: 65}]"),
                    Contains("neighbours: found '65'"));
  CHECK_THROWS_WITH(hazard_run("{type: ei}", "[{type: local_hazard, regime: tilted}]"),
                    Contains("regime"));
}

}  // namespace
