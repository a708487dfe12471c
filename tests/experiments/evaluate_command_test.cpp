// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <experiments/temporary_folder.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/evaluate_command.hpp>
#include <pomlux/objectives/test_function.hpp>
#include <sstream>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;

struct Answer {
  std::string text;
  std::vector<std::string> failures;
};

/// `pomlux evaluate` of a configuration with this objective at points from standard input.
Answer evaluate(
    const std::string& objective,
    const std::string& points,
    EvaluateCommand command = {},
    const std::string& domain = "{type: grid, lower: [0, 0], upper: [1, 1], points: [11, 11]}") {
  const Experiment experiment = parse_experiment(
      "objective: " + objective + "\ndomain: " + domain + "\nbudget: {steps: 1}\nseeds: [3]\n",
      "e.yaml",
      ".");
  std::istringstream input(points);
  Answer answer;
  answer.failures =
      run_evaluate(
          command, experiment, input, {[&](std::string_view text) { answer.text += text; }})
          .failures;
  return answer;
}

const std::string kSumCommand =
    "{type: command, shell: true, command: 'awk -v a=$1 -v b=$2 \"BEGIN { print a + b }\"'}";

}  // namespace

TEST_CASE("evaluate shows noise-free values where they are known", "[experiments][evaluate]") {
  const Answer answer = evaluate("{type: drop_wave, noise_stddev: 5}",
                                 "x_1,remark,x_0\n0.5,a,0.125\n7,b,0\n",
                                 {.format = OutputFormat::kCsv});
  CHECK(answer.failures.empty());
  std::istringstream text(answer.text);
  const CsvTable table = read_csv(text, "output");
  CHECK(table.columns == std::vector<std::string>{"x_0", "x_1", "true_value"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.number(0, 2) == TestFunction("drop_wave").value(Eigen::RowVector2d(0.125, 0.5)));
  CHECK(table.number(1, 2) ==
        TestFunction("drop_wave")
            .value(Eigen::RowVector2d(0.0, 7.0)));  // no candidate, and no need to be one
}

TEST_CASE("evaluate evaluates once where they are not known", "[experiments][evaluate]") {
  const std::string points = "0.1,0.2\n0.25,3\n";
  const Answer table = evaluate(kSumCommand, points);
  CHECK_THAT(
      table.text,
      Contains("one evaluation each, 2 points\n") && Contains("0.25    3   3.25             -\n"));
  const Answer csv = evaluate(kSumCommand, points, {.jobs = 2, .format = OutputFormat::kCsv});
  CHECK(csv.text == "x_0,x_1,value,noise_stddev\n0.1,0.2,0.3,\n0.25,3,3.25,\n");
  const Answer json = evaluate(kSumCommand, points, {.seed = 9, .format = OutputFormat::kJson});
  const nlohmann::json content = nlohmann::json::parse(json.text);
  CHECK(content.at("values") == "one_evaluation_each");
  CHECK(content.at("seed") == 9);
  CHECK(content.at("points").at(1).at("value") == 3.25);
  CHECK(content.at("points").at(1).at("line") == 2);
}

TEST_CASE("evaluate shows what was done when it is stopped", "[experiments][evaluate]") {
  const auto [format, wanted] = GENERATE(table<OutputFormat, std::string>({
      {OutputFormat::kCsv, "x_0,x_1,value,noise_stddev\n0,1,1,\n2,3,5,\n"},
      {OutputFormat::kTable, "one evaluation each, 2 of 4 points\n"},
      {OutputFormat::kJson, R"("line":2,"point":[2.0,3.0],"value":5.0,"noise_stddev":null}])"},
  }));
  const test::TemporaryFolder folder;  // the third evaluation leaves a file there, and hangs
  const Experiment experiment = parse_experiment(
      "objective: {type: command, shell: true, command: '[ $1 != 4 ] || { touch third; sleep 60; "
      "}; echo $(($1 + $2))'}\n"
      "domain: {type: grid, lower: [0, 0], upper: [1, 1], points: [11, 11]}\n"
      "budget: {steps: 1}\nseeds: [3]\n",
      "e.yaml",
      folder.path());
  std::istringstream input("0,1\n2,3\n4,5\n6,7\n");
  std::string text;
  const EvaluateHooks hooks{[&](std::string_view part) { text += part; },
                            [&] { return std::filesystem::exists(folder.path() / "third"); }};
  const EvaluateOutcome outcome = run_evaluate({.format = format}, experiment, input, hooks);
  CHECK(outcome.points == 4);
  CHECK(outcome.done == 2);
  CHECK(outcome.failures.empty());
  CHECK_THAT(text, Contains(wanted));
  CHECK(progress_text(outcome) == "2 of 4 points");
}

TEST_CASE("evaluate finds many columns by their names", "[experiments][evaluate]") {
  constexpr int kMany = 300;
  std::string names, numbers, header, row;
  for (int k = 0; k < kMany; ++k) {
    const std::string comma = k == 0 ? "" : ",";
    names += comma + "c" + std::to_string(k);
    numbers += comma + "0";
    header += comma + "c" + std::to_string(kMany - 1 - k);
    row += comma + std::to_string(kMany - 1 - k);
  }
  const std::string domain = "{type: list, names: [" + names + "], points: [[" + numbers + "]]}";
  const Answer answer =
      evaluate("{type: command, command: [sh, -c, 'echo $(($1 - 2 * $2))', sh, '{c299}', '{c7}']}",
               header + "\n" + row + "\n",
               {.format = OutputFormat::kJson},
               domain);
  const nlohmann::json point = nlohmann::json::parse(answer.text).at("points").at(0);
  CHECK(point.at("value") == 299 - 2 * 7);
  for (int k = 0; k < kMany; ++k) CHECK(point.at("point").at(k) == k);
}

TEST_CASE("evaluate goes on after a failure and names its line", "[experiments][evaluate]") {
  const Answer answer = evaluate(
      "{type: command, shell: true, command: '[ $1 != 0 ] && echo \"{\\\"value\\\": 1, "
      "\\\"noise_stddev\\\": 2}\"'}",
      "# points\nx_0,x_1\n0,0\n1,0\n",
      {.format = OutputFormat::kCsv});
  CHECK(answer.text == "x_0,x_1,value,noise_stddev\n0,0,,\n1,0,1,2\n");
  REQUIRE(answer.failures.size() == 1);
  CHECK_THAT(answer.failures[0], Contains("standard input:3: ") && Contains("exit code 1"));
}

TEST_CASE("evaluate of an objective over its domain takes decimals for candidates",
          "[experiments][evaluate]") {
  const std::string domain = "{type: grid, lower: [0], upper: [1], points: [11]}";
  const Answer answer = evaluate("{type: random_linear}", "0.3\n0.6\n", {}, domain);
  CHECK_THAT(answer.text, Contains("noise-free values, 2 points"));
  CHECK_THROWS_WITH(evaluate("{type: random_linear}", "x_0\n0.3\n0.35\n", {}, domain),
                    Contains("standard input:3: "));
  const Answer other = evaluate("{type: random_linear}", "0.3\n0.6\n", {.seed = 4}, domain);
  CHECK(other.text != answer.text);
}

TEST_CASE("evaluate refuses bad points with file and line", "[experiments][evaluate]") {
  CHECK_THROWS_WITH(evaluate(kSumCommand, ""), Contains("standard input: holds no points"));
  CHECK_THROWS_WITH(evaluate(kSumCommand, "x_0,x_1\n1,2\n1,abc\n"),
                    Contains("standard input:3: column x_1: found 'abc'"));
  CHECK_THROWS_WITH(evaluate(kSumCommand, "a,b,c\n1,2,3\n"),
                    Contains("needs the coordinates x_0, x_1"));
  CHECK_THROWS_WITH(evaluate(kSumCommand, "1,2\n", {.points = "nowhere.csv"}),
                    Contains("nowhere.csv"));
  CHECK_THROWS_WITH(evaluate(kSumCommand, "1,2\n", {.jobs = 0}), Contains("--jobs"));
}
