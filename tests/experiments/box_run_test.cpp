// SPDX-License-Identifier: MIT
// Experiments over a box, from the configuration to the files.
#include <catch.hpp>
#include <experiments/run_helpers.hpp>
#include <experiments/temporary_folder.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/registry.hpp>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using test::lasting_cells;
using test::make_file;
using test::read_file;
using test::run_into;
using test::TemporaryFolder;

const std::string kMixed =
    "domain:\n"
    "  type: box\n"
    "  axes:\n"
    "    - {name: x, lower: -1, upper: 1}\n"
    "    - {name: n, lower: 1, upper: 6, integer: true}\n"
    "    - {name: rate, lower: 1e-3, upper: 1, scale: log}\n"
    "    - {name: kind, categories: [fast, \"very slow\"]}\n"
    "  candidates: 50\n"
    "  around: 10\n"
    "budget: {initial: 3, steps: 3}\n"
    "track: {estimators: [f_lite]}\n"
    "seeds: [3]\n";

Experiment parse_box(const std::string& text, const std::filesystem::path& folder = ".") {
  return parse_experiment(text, "a.yaml", folder, {});
}

std::string refusal_of(const std::string& text) {
  try {
    static_cast<void>(parse_box(text));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("A box is searched from a configuration to its files", "[experiments][box]") {
  const Experiment experiment = parse_box(
      "objective: {type: branin}\ndomain: {type: box, candidates: 60, around: 20}\n"
      "budget: {initial: 4, steps: 4}\ntrack: {estimators: [f_lite]}\nseeds: [0]\n");
  CHECK(experiment.config.at("domain").at("upper") == Json({10.0, 15.0}));
  const std::string resolved = to_yaml(experiment.config);
  CHECK(to_yaml(parse_box(resolved).config) == resolved);
  const TemporaryFolder first, second;
  const SeedOutcome outcome = run_into(experiment, first).seeds.at(0);
  CHECK(outcome.status == SeedStatus::kDone);
  CHECK(outcome.simple_regret > 0.0);
  static_cast<void>(run_into(experiment, second, 1, 2));
  for (const char* file : {"r/seed-0000/steps.csv", "r/seed-0000/posterior.csv"}) {
    CHECK(lasting_cells(first.path() / file) == lasting_cells(second.path() / file));
  }
  const CsvTable steps = read_csv_file(first.path() / "r/seed-0000/steps.csv");
  REQUIRE(steps.rows.size() == 8);
  CHECK(steps.rows[7][*steps.column("candidate")] == "7");
  const CsvTable posterior = read_csv_file(first.path() / "r/seed-0000/posterior.csv");
  CHECK(posterior.rows.size() == 68);
  double sum = 0.0;
  for (std::size_t i = 0; i < posterior.rows.size(); ++i) {
    sum += posterior.number(i, *posterior.column("pom_f_lite"));
    CHECK(posterior.rows[i][*posterior.column("evaluations")] == (i < 8 ? "1" : "0"));
  }
  CHECK_THAT(sum, WithinAbs(1.0, 1e-9));
}

TEST_CASE("A command gets the labels of a box's categories", "[experiments][box]") {
  const TemporaryFolder folder;
  make_file(folder.path() / "simulate.sh",
            "#!/bin/sh\nprintf '%s|' \"$@\" >>calls\necho >>calls\necho \"$2\"\n");
  std::filesystem::permissions(folder.path() / "simulate.sh", std::filesystem::perms::owner_all);
  const SeedOutcome outcome =
      run_into(parse_box("objective: {type: command, command: [./simulate.sh]}\n" + kMixed,
                         folder.path()),
               folder)
          .seeds.at(0);
  CHECK(outcome.status == SeedStatus::kDone);
  const CsvTable steps = read_csv_file(folder.path() / "r/seed-0003/steps.csv");
  const std::string calls = read_file(folder.path() / "calls");
  for (const auto& row : steps.rows) {
    const std::string kind = row[*steps.column("kind")] == "0" ? "fast" : "very slow";
    CHECK_THAT(calls,
               Contains("|" + row[*steps.column("n")] + "|" + row[*steps.column("rate")] + "|" +
                        kind + "|"));
  }
}

TEST_CASE("A command reads the labels of a box's categories as JSON", "[experiments][box]") {
  const TemporaryFolder folder;
  make_file(folder.path() / "simulate.sh", "#!/bin/sh\ncat >>calls\necho 1\n");
  std::filesystem::permissions(folder.path() / "simulate.sh", std::filesystem::perms::owner_all);
  static_cast<void>(run_into(
      parse_box("objective: {type: command, command: [./simulate.sh], input: json}\n" + kMixed,
                folder.path()),
      folder));
  CHECK_THAT(read_file(folder.path() / "calls"),
             Contains("\"kind\": \"fast\"") || Contains("\"kind\": \"very slow\""));
}

TEST_CASE("A faulty box is refused with its key", "[experiments][box]") {
  const auto [objective,
              domain,
              budget,
              message] = GENERATE(table<std::string, std::string, std::string, std::string>({
      {"{type: gp_sample}", "lower: [0], upper: [1]", "{}", "known at the candidates"},
      {"{type: random_linear}", "lower: [0], upper: [1]", "{}", "objective.type: found random_l"},
      {"{type: branin}", "lower: [0, 0], upper: [1, -1]", "{}", "domain.upper[1]: found -1"},
      {"{type: branin}", "axes: [{name: x, lower: 1, upper: 0}]", "{}", "axis x has bounds [1, 0]"},
      {"{type: branin}", "axes: [{name: x, lower: 1}]", "{}", "axis x: needs lower and upper"},
      {"{type: branin}", "axes: [{name: x, categories: [a]}]", "{}", "one category, a"},
      {"{type: branin}",
       "axes: [{name: x, lower: 0, upper: 1, scale: log}]",
       "{}",
       "lower bound 0"},
      {"{type: branin}",
       "axes: [{name: x, lower: 0, upper: 1}], lower: [0]",
       "{}",
       "domain.lower: found together with axes"},
      {"{type: branin}", "axes: [{name: x, lower: 0, upper: 1}]", "{}", "dimension 1; allowed: 2"},
      {"{type: branin}",
       "candidates: 5, around: 64",
       "{}",
       "a.yaml:2: domain.around: found 64; allowed: 0 to candidates = 5"},
      {"{type: branin}", "names: [1, 2]", "{}", "domain.names[0]: found '1', which is a number"},
      {"{type: branin}", "names: [nan, inf]", "{}", "domain.names[1]: found 'inf', which is a"},
      {"{type: branin}", "names: [\"a\\nb\", c]", "{}", "found 'a\\x0ab', which has a control"},
      {"{type: branin}",
       "names: [a, \"\\u200B\"]",
       "{}",
       "domain.names[1]: found '\\xe2\\x80\\x8b'"},
      {"{type: branin}", "names: [\"\\uFEFFa\", b]", "{}", "which has a control or invisible"},
      {"{type: branin}", "names: [a, a]", "{}", "domain.names[1]: found 'a' again, after domain.n"},
      {"{type: manual}",
       "axes: [{name: 7, lower: 0, upper: 1}]",
       "{}",
       "domain.axes[0].name: found '7', which is a number"},
      {"{type: manual}",
       "axes: [{name: x, categories: [a, b], integer: true}]",
       "{}",
       "domain.axes[0].integer: found true together with categories; allowed: false"},
      {"{type: manual}",
       "axes: [{name: x, categories: [a, b], scale: log}]",
       "{}",
       "domain.axes[0].scale: found log together with categories; allowed: linear"},
      {"{type: branin}", "subset: {size: 3}", "{}", "domain.subset"},
      {"{type: branin}",
       "candidates: 100",
       "{initial: 1, initial_candidates: [1], steps: 1}",
       "budget.initial_candidates"},
  }));
  CAPTURE(domain);
  CHECK_THAT(refusal_of("objective: " + objective + "\ndomain: {type: box, " + domain +
                        "}\nbudget: " + budget + "\n"),
             Contains(message));
}

TEST_CASE("A box of few candidates needs no word on those around the best", "[experiments][box]") {
  const Experiment experiment = parse_box(
      "objective: {type: branin}\ndomain: {type: box, candidates: 10}\nbudget: {steps: 1}\n");
  CHECK(experiment.config.at("domain").at("around") == 10);
  const Experiment many =
      parse_box("objective: {type: branin}\ndomain: {type: box}\nbudget: {steps: 1}\n");
  CHECK(many.config.at("domain").at("around") == 64);
}

TEST_CASE("Regret over a box needs an optimiser in it", "[experiments][box]") {
  const Json branin = Json{{"type", "branin"}};
  const Box whole(Eigen::Vector2d(-5, 0), Eigen::Vector2d(10, 15));
  const Box corner(Eigen::Vector2d(-5, 0), Eigen::Vector2d(-4, 1));
  CHECK_THAT(known_optimum(branin, whole).value(), WithinAbs(0.39788735772973816, 1e-12));
  CHECK_FALSE(known_optimum(branin, corner));
  CHECK_FALSE(known_optimum(Json{{"type", "command"}}, whole));
}

}  // namespace
