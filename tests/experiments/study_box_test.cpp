// SPDX-License-Identifier: MIT
// Studies over boxes: categories by their labels.
#include <catch.hpp>
#include <cmath>
#include <experiments/study_helpers.hpp>
#include <filesystem>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/make_optimizer.hpp>
#include <pomlux/experiments/predict_command.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/study_commands.hpp>
#include <sstream>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using test::kStudy;
using test::make_file;
using test::read_file;
using test::StudyFolder;
using test::tell;
using test::Written;
namespace fs = std::filesystem;

}  // namespace

TEST_CASE("A study over a box takes any point and labels of categories", "[experiments][study]") {
  const StudyFolder folder(
      "name: lab\nobjective: {type: manual}\nbudget: {initial: 2}\nseeds: 3\n"
      "domain: {type: box, candidates: 60, around: 12, axes: [{name: heat, lower: 0, upper: 100}, "
      "{name: solvent, categories: [water, ethanol]}]}\n");
  tell(folder, {.arguments = {"12.5,ethanol", "3"}});
  tell(folder, {.arguments = {"70,0", "5"}});
  std::vector<Suggestion> asked;
  for (int i = 0; i < 5; ++i) {
    const Suggestion one = folder.open().ask(1).at(0);
    asked.push_back(one);
    // A value copied from the screen is the pending point.
    tell(folder,
         {.arguments = {format_number(one.point(0) + (one.point(0) < 50.0 ? 1e-9 : -1e-9)) + "," +
                            format_number(one.point(1)),
                        format_number(one.point(0))}});
  }
  Study study = folder.open(Study::Access::kRead);
  const std::vector<Trial>& trials = study.optimizer().trials();
  REQUIRE(trials.size() == 7);
  CHECK(trials[0].point == Eigen::RowVector2d(12.5, 1.0));
  for (std::size_t i = 0; i < asked.size(); ++i) {
    CHECK(trials[i + 2].point == asked[i].point);
    CHECK(trials[i + 2].state == TrialState::kTold);
  }
  const auto refuses = [&](const char* point, const char* text) {
    CHECK_THROWS_WITH(tell(folder, {.arguments = {point, "1"}}), Contains(text));
  };
  refuses("101,0", "heat");
  refuses("5,acetone", "ethanol");
  refuses("5,0.5", "solvent");
  CHECK_THROWS_WITH(tell(folder, {.arguments = {"1"}, .candidate = 7}), Contains("over a box"));
  Written written;
  run_status(study, OutputFormat::kTable, written.output());
  CHECK_THAT(written.printed, Contains("best by model"));
  Study writer = folder.open();
  Written table;
  run_ask(writer, 1, OutputFormat::kTable, table.output());
  CHECK((table.printed.find("water") != std::string::npos ||
         table.printed.find("ethanol") != std::string::npos));
}

namespace {

/// A study over a number and one of three categories.
std::string with_categories(const std::string& categories) {
  return "name: lab\nobjective: {type: manual}\nbudget: {initial: 2}\nseeds: 3\n"
         "domain: {type: box, candidates: 60, around: 12, axes: [{name: heat, lower: 0, upper: "
         "100}, "
         "{name: batch, categories: " +
         categories + "}]}\n";
}

double told_batch(const StudyFolder& folder, const std::string& point) {
  tell(folder, {.arguments = {point, "3"}});
  return folder.open(Study::Access::kRead).optimizer().trials().back().point(1);
}

}  // namespace

TEST_CASE("What rounding puts outside a box is told at its end", "[experiments][study]") {
  const StudyFolder folder(
      "name: lab\nobjective: {type: manual}\nbudget: {initial: 2}\nseeds: 3\n"
      "domain: {type: box, lower: [0], upper: [0.3], names: [x]}\n");
  tell(folder, {.arguments = {"0.30000000000000004", "1"}});
  tell(folder, {.arguments = {"-1e-17", "2"}});
  CHECK_THROWS_WITH(tell(folder, {.arguments = {"0.300001", "1"}}), Contains("[0, 0.3]"));
  Study study = folder.open(Study::Access::kRead);
  REQUIRE(study.optimizer().trials().size() == 2);
  CHECK(study.optimizer().trials()[0].point(0) == 0.3);
  CHECK(study.optimizer().trials()[1].point(0) == 0.0);
}

TEST_CASE("Labels that look like numbers are labels", "[experiments][study]") {
  // Unquoted, they are the same labels.
  const StudyFolder folder(with_categories(GENERATE("[\"1\", \"2\", \"3\"]", "[1, 2, 3]")));
  CHECK(told_batch(folder, "5,2") == 1.0);
  CHECK(told_batch(folder, "6,3") == 2.0);
  CHECK(told_batch(folder, "7, \"1\"") == 0.0);
  CHECK_THROWS_WITH(tell(folder, {.arguments = {"5,0", "3"}}),
                    "POINT: batch: found '0'; allowed: 1, 2, 3");
  tell(folder, {.data = "-"}, "heat,batch,value\n1,1,2\n2,3,4\n");
  Study study = folder.open(Study::Access::kRead);
  const std::vector<Trial>& trials = study.optimizer().trials();
  REQUIRE(trials.size() == 5);
  CHECK(trials[3].point == Eigen::RowVector2d(1.0, 0.0));
  CHECK(trials[4].point == Eigen::RowVector2d(2.0, 2.0));
  CHECK_THROWS_WITH(tell(folder, {.data = "-"}, "heat,batch,value\n1,1,2\n2,0,4\n"),
                    "standard input:3: column batch: found '0'; allowed: 1, 2, 3");
}

TEST_CASE("A label may hold commas, and a number stand for a label that is none",
          "[experiments][study]") {
  const StudyFolder folder(with_categories("[\"a,b\", c, 'say \"x\"']"));
  CHECK(told_batch(folder, "5,\"a,b\"") == 0.0);
  CHECK(told_batch(folder, "6,c") == 1.0);
  CHECK(told_batch(folder, "7,\"say \"\"x\"\"\"") == 2.0);
  CHECK(told_batch(folder, "8,2") == 2.0);
  CHECK_THROWS_WITH(tell(folder, {.arguments = {"5,a,b", "1"}}),
                    Contains("3 coordinates") && Contains("in double quotes"));
  CHECK_THROWS_WITH(tell(folder, {.arguments = {"5,\"a,b", "1"}}), Contains("POINT: open quote"));
  CHECK_THROWS_WITH(tell(folder, {.data = "-"}, "heat,batch,value\n1,a,2\n"),
                    "standard input:2: column batch: found 'a'; allowed: \"a,b\", c, "
                    "\"say \"\"x\"\"\", or their numbers 0 to 2");
}

TEST_CASE("What a study shows of categories are labels that it takes", "[experiments][study]") {
  const StudyFolder folder(with_categories("[\"2\", \"a,b\", \"0\"]"));
  Study study = folder.open();
  std::istringstream none;
  const auto shown = [&](const auto& run) {
    Written written;
    run(written.output());
    return written.printed + written.said;
  };
  CHECK_THAT(shown([&](const CommandOutput& output) {
               run_tell(study, {.arguments = {"5,\"a,b\"", "3"}}, none, output);
             }),
             Contains("trial 0 (heat = 5, batch = \"a,b\"): 3"));
  const Box& box = *study.optimizer().box();
  for (const OutputFormat format :
       {OutputFormat::kTable, OutputFormat::kCsv, OutputFormat::kJson}) {
    const std::string text =
        shown([&](const CommandOutput& output) { run_ask(study, 1, format, output); });
    const Point point = study.optimizer().trials().back().point;
    const std::string label = box.text(1, point(1));
    std::string cell;
    if (format == OutputFormat::kJson) {
      const Json coordinates = Json::parse(text).at("suggestions")[0].at("point");
      CHECK(coordinates == Json::array({point(0), label}));
      cell = csv_cell(label);
    } else if (format == OutputFormat::kCsv) {
      std::istringstream stream(text);
      const CsvTable table = read_csv(stream, "asked");
      CHECK(table.rows[0][3] == label);
      cell = csv_cell(table.rows[0][3]);
    } else {
      CHECK_THAT(text, Contains("  " + csv_cell(label) + "  "));
      cell = csv_cell(label);
    }
    // What was shown is taken, and is the point that was asked.
    CHECK(study.optimizer().trials().back().state == TrialState::kAsked);
    run_tell(study,
             {.arguments = {format_number(point(0)) + "," + cell, "1"}},
             none,
             Written().output());
    CHECK(study.optimizer().trials().back().state == TrialState::kTold);
  }
  CHECK_THAT(
      shown([&](const CommandOutput& output) { run_status(study, OutputFormat::kTable, output); }),
      Contains("heat = 5, batch = \"a,b\""));
  const Json status = Json::parse(
      shown([&](const CommandOutput& output) { run_status(study, OutputFormat::kJson, output); }));
  CHECK(status.at("best_observed").at("point") == Json::array({5.0, "a,b"}));
}
