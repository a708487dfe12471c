// SPDX-License-Identifier: MIT
// Studies: an optimisation in a folder, asked and told by separate processes.
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

double value_at(const Point& x) { return x.squaredNorm() + 0.3 * std::sin(9.0 * x(0)); }

}  // namespace

TEST_CASE("A study opened anew for every call asks what one optimiser asks",
          "[experiments][study]") {
  for (const std::string rule : {"ei", "ts", "ucb"}) {
    CAPTURE(rule);
    const StudyFolder folder(kStudy + "acquisition: {type: " + rule + "}\n");
    std::optional<Optimizer> whole;
    {
      const Study study = folder.open();
      const Experiment& experiment = study.experiment();
      whole.emplace(make_optimizer(experiment.config, domain_of(experiment, 4), 4));
    }
    for (int i = 0; i < 8; ++i) {
      const std::vector<Suggestion> batch = folder.open().ask(2);
      const std::vector<Suggestion> expected = whole->ask(2);
      REQUIRE(batch.size() == 2);
      // Answered in turned order; one fails.
      for (const std::size_t k : {1U, 0U}) {
        REQUIRE(batch[k].candidate == expected[k].candidate);
        REQUIRE(batch[k].trial == expected[k].trial);
        if (i == 3 && k == 1) {
          folder.open().tell_failed(batch[k].point, "no water");
          whole->tell_failed(expected[k]);
        } else {
          folder.open().tell(batch[k].point, value_at(batch[k].point), std::nullopt);
          whole->tell(expected[k], value_at(batch[k].point));
        }
      }
    }
    Study again = folder.open(Study::Access::kRead);
    CHECK(again.optimizer().posterior().mean() == whole->posterior().mean());
    CHECK(again.optimizer().best_observed()->value == whole->best_observed()->value);
  }
}

TEST_CASE("A study says that contradicting values without noise are averaged",
          "[experiments][study]") {
  const StudyFolder folder(kStudy + "model: {noise_stddev: 0, fit: {method: none}}\n");
  const auto said_by_status = [&] {
    Study study = folder.open();
    Written written;
    run_status(study, OutputFormat::kTable, written.output());
    return written.said;
  };
  tell(folder, {.arguments = {"1"}, .candidate = 40});
  CHECK(said_by_status().empty());
  tell(folder, {.arguments = {"3"}, .candidate = 40});
  CHECK_THAT(said_by_status(), Contains("was added to its diagonal"));
  Study study = folder.open();
  CHECK(std::abs(study.optimizer().posterior().mean()(40) - 2.0) < 0.1);
  Written written;
  run_ask(study, 1, OutputFormat::kTable, written.output());
  CHECK_THAT(written.said, Contains("that contradict each other are averaged"));
}

TEST_CASE("A study is told by point, trial, candidate and file", "[experiments][study]") {
  const StudyFolder folder;
  const std::vector<Suggestion> asked = folder.open().ask(2);
  tell(folder, {.arguments = {"1.5"}, .trial = 1});
  tell(folder, {.arguments = {"-0.75,0.25", "-2e-1"}, .noise_stddev = 0.5});
  tell(folder, {.arguments = {"0.25"}, .candidate = 80});
  tell(folder, {.arguments = {"failed"}, .trial = 0, .reason = "pump"});
  tell(folder, {.data = "-"}, "flow,volt,value,noise_stddev\n1,0,3.5,\n0.25,0.5,4,0.125\n");
  Study study = folder.open(Study::Access::kRead);
  const std::vector<Trial>& trials = study.optimizer().trials();
  REQUIRE(trials.size() == 6);
  CHECK(trials[0].state == TrialState::kFailed);
  CHECK(trials[1].value == 1.5);
  CHECK(trials[1].candidate == asked[1].candidate);
  CHECK_FALSE(trials[1].is_foreign);
  CHECK(trials[2].value == -0.2);
  CHECK(trials[2].noise_stddev == 0.5);
  CHECK(trials[2].is_foreign);
  CHECK(trials[3].candidate == 80);
  CHECK(study.optimizer().domain().point(trials[4].candidate) == Eigen::RowVector2d(0.0, 1.0));
  CHECK_FALSE(trials[4].noise_stddev.has_value());
  CHECK(trials[5].noise_stddev == 0.125);

  Written table, json;
  run_status(study, OutputFormat::kTable, table.output());
  CHECK_THAT(table.printed, Contains("volt = -0.75, flow = 0.25") && Contains("entropy f_lite"));
  run_status(study, OutputFormat::kJson, json.output());
  const Json status = Json::parse(json.printed);
  CHECK(status.at("told") == 5);
  CHECK(status.at("failed") == 1);
  CHECK(status.at("best_observed").at("value") == -0.2);
}

TEST_CASE("What cannot be told leaves a study as it was", "[experiments][study]") {
  const StudyFolder folder;
  static_cast<void>(folder.open().ask(1));
  tell(folder, {.arguments = {"1"}, .trial = 0});
  const std::string journal = read_file(folder.path() / "journal.jsonl");
  const auto refuses = [&](const TellCommand& command, const char* text, const char* input = "") {
    CHECK_THROWS_WITH(tell(folder, command, input), Contains(text));
    CHECK(read_file(folder.path() / "journal.jsonl") == journal);
  };
  refuses({.arguments = {"0,1", "nan"}}, "VALUE: found 'nan'");
  refuses({.arguments = {"0,1", "12,5"}}, "VALUE: found '12,5'");
  refuses({.arguments = {"0,1", ""}}, "VALUE: found ''");
  refuses({.arguments = {"0,1", "1e200"}}, "VALUE: found '1e200'");
  refuses({.arguments = {"0", "1"}}, "found 1 coordinates");
  refuses({.arguments = {"0,1,2", "1"}}, "found 3 coordinates");
  refuses({.arguments = {"0;1", "1"}}, "found 1 coordinates in '0;1'");
  refuses({.arguments = {"0.01,1", "1"}}, "the nearest is (volt = 0, flow = 1)");
  refuses({.arguments = {"7,1", "1"}}, "is not a candidate");
  refuses({.arguments = {",1", "1"}}, "POINT: volt: found ''; allowed: a finite number");
  refuses({.arguments = {"1"}, .trial = 0}, "trial 0 is not pending: it was told");
  refuses({.arguments = {"1"}, .trial = 5}, "--trial: found 5; allowed: 0 to 0");
  refuses({.arguments = {"1"}, .trial = -1}, "--trial: found -1");
  refuses({.arguments = {"1"}, .candidate = 81}, "--candidate: found 81; allowed: 0 to 80");
  refuses({.arguments = {"failed"}, .candidate = 3}, "is not pending");
  refuses({.arguments = {"0,1", "1"}, .noise_stddev = -1.0}, "--noise-stddev: found -1");
  refuses({.arguments = {"0,1", "1"}, .reason = "why"}, "--reason");
  refuses({}, "found 0 arguments");
  refuses({.arguments = {"0,1", "1"}, .data = "-"}, "--data");
  refuses({.data = "-"}, "standard input:3", "volt,flow,value\n0,0,1\n0.1,0.1,2\n");
  refuses({.data = "-"}, "value", "volt,flow\n0,0\n");
  refuses({.data = "-"},
          "standard input:3: column noise_stddev",
          "volt,flow,value,noise_stddev\n0,0,1,0.1\n0,1,1,-1\n");
  refuses({.data = "-"}, "standard input:3: column value", "volt,flow,value\n0,0,1\n0,1,1e101\n");
  refuses({.data = "-"}, "standard input:2", "volt,flow,value\n0,0,inf\n");
}

TEST_CASE("A study is exhausted in words and in JSON", "[experiments][study]") {
  const StudyFolder folder(
      "name: small\nobjective: {type: manual}\ndomain: {type: list, points: [[0], [1], [2]]}\n"
      "budget: {initial: 0, repeats: false}\nseeds: 0\n");
  tell(folder, {.arguments = {"1", "5"}});
  Study study = folder.open();
  Written written;
  run_ask(study, 5, OutputFormat::kJson, written.output());
  const Json answer = Json::parse(written.printed);
  CHECK(answer.at("suggestions").size() == 2);
  CHECK(answer.at("is_exhausted") == true);
  CHECK_THAT(written.said, Contains("domain exhausted: 2 of 5"));
  Written none;
  run_ask(study, 1, OutputFormat::kCsv, none.output());
  CHECK(none.printed == "trial,candidate,x_0,phase\n");
}

TEST_CASE("A study refuses another configuration, candidates or journal", "[experiments][study]") {
  const StudyFolder folder;
  static_cast<void>(folder.open().ask(1));
  const auto refuses = [&](const char* text) {
    CHECK_THROWS_WITH(folder.open(), Contains(text));
    CHECK_THROWS_WITH(folder.open(Study::Access::kRead), Contains(text));
  };
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kStudy;
    return text.replace(text.find(from), from.size(), to);
  };
  make_file(folder.path() / "study.yaml", with("minimize", "maximize"));
  refuses("objective.sense: minimize there, maximize here");
  make_file(folder.path() / "study.yaml", with("seeds: 4", "seeds: [4, 5]"));
  refuses("found 2 seeds");
  make_file(folder.path() / "study.yaml", with("name", "nam"));
  refuses("nam");
  // What is only looked at may change.
  make_file(folder.path() / "study.yaml", kStudy + "track: {estimators: [a_lite]}\n");
  CHECK(folder.open().optimizer().trials().size() == 1);

  const fs::path journal = folder.path() / "journal.jsonl";
  const std::string whole = read_file(journal);
  make_file(journal, whole.substr(0, whole.size() - 20));
  {
    const Study torn = folder.open();
    CHECK_THAT(torn.notes().at(0), Contains("not written to its end"));
  }
  std::string damaged = whole;
  damaged[whole.size() - 40] ^= 1;
  make_file(journal, damaged);
  refuses("journal.jsonl:2");
  make_file(journal, "");
  refuses("journal.jsonl: is missing or empty, though experiment.yaml says");
  fs::remove(journal);
  refuses("bring it back, or remove experiment.yaml to begin anew");
}

TEST_CASE("A study that died while it began is begun anew", "[experiments][study]") {
  const StudyFolder folder(kStudy.substr(0, kStudy.find("seeds")));  // the seed is drawn
  static_cast<void>(folder.open());
  const fs::path resolved = folder.path() / "experiment.yaml";
  const std::string first = read_file(resolved);
  fs::remove(resolved);  // the last file to be written
  CHECK(folder.open(Study::Access::kRead).optimizer().trials().empty());
  CHECK(folder.open().ask(1).size() == 1);
  const std::vector<std::uint64_t> drawn = seeds_of_results(folder.path());
  REQUIRE(drawn.size() == 1);
  CHECK(folder.open().seed() == drawn[0]);
}

TEST_CASE("Candidates of a study's file must stay", "[experiments][study]") {
  const StudyFolder folder(
      "name: lab\nobjective: {type: manual}\ndomain: {type: file, path: arms.csv}\n"
      "budget: {initial: 1}\nseeds: 0\n");
  make_file(folder.path() / "arms.csv", "x\n1\n2\n3\n");
  static_cast<void>(folder.open().ask(1));
  make_file(folder.path() / "arms.csv", "x\n1\n2.5\n3\n");
  CHECK_THROWS_WITH(folder.open(), Contains("candidates were changed"));
}

TEST_CASE("A seed that was drawn stays that of the study", "[experiments][study]") {
  const StudyFolder folder(
      "name: lab\nobjective: {type: manual}\ndomain: {type: list, points: [[0], [1], [2], [3]]}\n"
      "budget: {initial: 1}\n");
  const std::uint64_t seed = folder.open().seed();
  CHECK(folder.open().seed() == seed);
  CHECK(folder.open(Study::Access::kRead).seed() == seed);
}

TEST_CASE("A study predicts with the probability of its points", "[experiments][study]") {
  const StudyFolder folder;
  tell(folder, {.data = "-"}, "volt,flow,value\n-1,0,3\n0,1,-1\n1,2,2\n0.5,0.5,0\n");
  Study study = folder.open(Study::Access::kRead);
  const fs::path at = folder.path() / "at.csv";
  make_file(at, "volt,flow\n-1,0\n0,1\n0.123,1.7\n");
  std::string text;
  std::istringstream none;
  PredictCommand command;
  command.points = at.string();
  command.format = OutputFormat::kJson;
  static_cast<void>(
      run_predict(command, study, none, [&](std::string_view part) { text += part; }));
  const Json answer = Json::parse(text);
  CHECK(answer.at("observations") == 4);
  double sum = 0.0;
  for (const Json& point : answer.at("points")) sum += point.at("pom").at("f_lite").get<double>();
  CHECK_THAT(sum, WithinRel(1.0, 1e-8));
  // Minimised: the lowest mean is the likeliest.
  CHECK(answer.at("points")[1].at("pom").at("f_lite") > 0.5);
}

TEST_CASE("One process at a time writes to a study", "[experiments][study]") {
  const StudyFolder folder;
  const Study writer = folder.open();
  CHECK_NOTHROW(folder.open(Study::Access::kRead));
  CHECK(fs::exists(folder.path() / ".lock"));
}
