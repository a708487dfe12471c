// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch.hpp>
#include <experiments/run_helpers.hpp>
#include <experiments/temporary_folder.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/report.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <pomlux/experiments/runner.hpp>
#include <string>

namespace {

using namespace pomlux;
using test::lasting_cells;
using test::make_file;
using test::read_file;
using test::run_into;
using test::TemporaryFolder;

const std::string kConfig =
    "name: trial\n"
    "objective: {type: drop_wave, noise_stddev: 0.1}\n"
    "domain: {type: grid, lower: [-2.5, -2.5], upper: [2, 2], points: [9, 9]}\n"
    "model: {kernel: {type: matern52}}\n"
    "budget: {initial: 5, steps: 6, repeats: true}\n"
    "track: {estimators: [f_lite]}\n"
    "seeds: [3, 4]\n";

Experiment small_run(const std::vector<std::string>& sets = {}) {
  const std::vector<Override> overrides = parse_overrides(sets);
  return parse_experiment(kConfig, "trial.yaml", ".", overrides);
}

CsvTable steps(const TemporaryFolder& folder, const char* seed = "seed-0003") {
  return read_csv_file(folder.path() / "r" / seed / "steps.csv");
}

TEST_CASE("A run leaves one row per evaluation and a summary", "[experiments][runner]") {
  const TemporaryFolder folder;
  const RunOutcome outcome = run_into(small_run(), folder);
  CHECK(outcome.is_finished());
  REQUIRE(steps(folder).rows.size() == 11);
  CHECK(std::filesystem::exists(folder.path() / "r" / "manifest.json"));
  CHECK(read_csv_file(folder.path() / "r" / "summary.csv").rows.size() == 2);
}

TEST_CASE("Jobs and threads change no value", "[experiments][runner]") {
  const TemporaryFolder one, many;
  run_into(small_run(), one, 1, 1);
  run_into(small_run(), many, 2, 8);
  for (const char* file :
       {"seed-0003/steps.csv", "seed-0004/steps.csv", "seed-0004/posterior.csv", "summary.csv"}) {
    CAPTURE(file);
    CHECK(lasting_cells(one.path() / "r" / file) == lasting_cells(many.path() / "r" / file));
  }
}

TEST_CASE("Equal candidates without noise can be sampled", "[experiments][runner]") {
  const TemporaryFolder folder;
  const RunOutcome outcome =
      run_into(small_run({"domain={type: list, points: [[0, 0], [0, 0], [1, 1], [0, 0]]}",
                          "model.kernel.type=squared_exponential",
                          "model.noise_stddev=0",
                          "model.fit={method: none}",
                          "acquisition={type: ts}",
                          "track.estimators=[{type: ts_mc, samples: 200}]"}),
               folder);
  CHECK(outcome.is_finished());
  CHECK(steps(folder).rows.size() == 11);
}

TEST_CASE("Tracking more estimators does not change the path", "[experiments][runner]") {
  const TemporaryFolder one, two;
  run_into(small_run(), one);
  run_into(small_run({"track.estimators=[{type: ts_mc, samples: 200}, f_lite]"}), two);
  const CsvTable a = steps(one), b = steps(two);
  for (std::size_t row = 0; row < a.rows.size(); ++row) {
    CHECK(a.rows[row][*a.column("candidate")] == b.rows[row][*b.column("candidate")]);
    CHECK(a.rows[row][*a.column("value")] == b.rows[row][*b.column("value")]);
  }
}

TEST_CASE("The resolved configuration runs to the same values", "[experiments][runner]") {
  const TemporaryFolder one, two;
  const Experiment experiment = small_run();
  run_into(experiment, one);
  run_into(parse_experiment(to_yaml(experiment.config), "resolved.yaml", ".", {}), two);
  CHECK(lasting_cells(one.path() / "r/seed-0003/steps.csv") ==
        lasting_cells(two.path() / "r/seed-0003/steps.csv"));
}

TEST_CASE("An exhausted domain ends a seed, each point evaluated once", "[experiments][runner]") {
  const TemporaryFolder folder;
  const RunOutcome outcome =
      run_into(small_run({"domain={type: list, points: [[0, 0], [0.5, 0], [1, 1], [2, 2]]}",
                          "budget={initial: 1, steps: 10}"}),
               folder);
  CHECK(outcome.is_finished());
  CHECK(outcome.seeds[0].status == SeedStatus::kExhausted);
  std::vector<std::string> candidates;
  const CsvTable table = steps(folder);
  for (const auto& row : table.rows) candidates.push_back(row[*table.column("candidate")]);
  std::sort(candidates.begin(), candidates.end());
  CHECK(candidates == std::vector<std::string>{"0", "1", "2", "3"});
}

/// Throws at its third evaluation.
class Breaking final : public Objective {
 public:
  [[nodiscard]] Index dimension() const override { return 2; }
  [[nodiscard]] Vector evaluate(const PointsRef& points, Rng& /*rng*/) const override {
    if (++calls_ == 3) throw std::runtime_error("the bench is on fire");
    return Vector::Zero(points.rows());
  }
  [[nodiscard]] std::optional<Vector> true_values(const PointsRef& /*points*/) const override {
    return std::nullopt;
  }

 private:
  mutable int calls_ = 0;
};

TEST_CASE("An objective that throws ends its seed and loses nothing", "[experiments][runner]") {
  const TemporaryFolder folder;
  RunHooks hooks;
  hooks.make_objective = [](const Domain&, std::uint64_t) { return std::make_unique<Breaking>(); };
  const RunOutcome outcome = run_into(small_run(), folder, 1, 1, hooks);
  CHECK(outcome.has_failed());
  CHECK(outcome.seeds[0].status == SeedStatus::kFailed);
  CHECK_THAT(outcome.seeds[0].reason, Catch::Matchers::Contains("the bench is on fire"));
  CHECK(steps(folder).rows.size() == 2);
}

TEST_CASE("A stop request ends between two evaluations", "[experiments][runner]") {
  const TemporaryFolder folder;
  RunHooks hooks;
  int steps_done = 0;
  hooks.on_step = [&](const StepProgress&) { ++steps_done; };
  hooks.should_stop = [&] { return steps_done >= 4; };
  const RunOutcome outcome = run_into(small_run(), folder, 1, 1, hooks);
  CHECK(outcome.is_interrupted());
  CHECK(steps(folder).rows.size() == 4);
}

TEST_CASE("The manifest is right after every end, however many seeds there were",
          "[experiments][runner]") {
  const auto statuses = [](const TemporaryFolder& folder) {
    const CsvTable summary = read_csv_file(folder.path() / "r" / "summary.csv");
    std::vector<std::string> found;
    for (const auto& row : summary.rows) found.push_back(row[*summary.column("status")]);
    return found;
  };
  const std::vector<std::string> brief{"seeds=[1, 2, 3]", "budget={initial: 1, steps: 0}"};
  const TemporaryFolder done;
  run_into(small_run(brief), done);
  CHECK(statuses(done) == std::vector<std::string>{"done", "done", "done"});
  const TemporaryFolder stopped;
  int ended = 0;
  RunHooks hooks;
  hooks.on_seed = [&](const SeedOutcome&) { ++ended; };
  hooks.should_stop = [&] { return ended >= 1; };
  run_into(small_run(brief), stopped, 1, 1, hooks);
  CHECK(statuses(stopped) == std::vector<std::string>{"done", "interrupted", "interrupted"});
  const TemporaryFolder broken;
  hooks.should_stop = nullptr;
  hooks.on_seed = [&](const SeedOutcome& seed) {
    if (seed.seed == 1) make_file(broken.path() / "r" / "seed-0002", "");
  };
  CHECK_THROWS_AS(run_into(small_run(brief), broken, 1, 1, hooks), WriteError);
  CHECK(statuses(broken) == std::vector<std::string>{"done", "failed", "pending"});
}

TEST_CASE("A folder with results is not written to", "[experiments][runner]") {
  const TemporaryFolder folder;
  run_into(small_run(), folder);
  CHECK_THROWS_AS(run_into(small_run({"budget.steps=7"}), folder), InvalidArgument);
}

TEST_CASE("Overwriting removes what runs and reports wrote, and nothing else",
          "[experiments][runner]") {
  const TemporaryFolder folder;
  const std::filesystem::path results = folder.path() / "r";
  RunHooks hooks;  // an objective without a known optimum has other figures
  hooks.make_objective = [](const Domain&, std::uint64_t) { return std::make_unique<Breaking>(); };
  for (const RunHooks& of_run : {RunHooks(), hooks}) {
    run_experiment(small_run(), results, FolderUse::kOverwrite, {}, of_run);
    const ReportSummary report = render_report(results, {.makes_pdf = false});
    CHECK(report.figures.size() >= 4);
  }
  for (const char* name : {"time.pdf", "posterior_seed-0003.pdf.partial", "time.svg.part"})
    make_file(results / "figures" / name, "");
  const std::vector<std::string> of_the_user{"notes.md",
                                             "seed-notes/a.txt",
                                             "seed-7/steps.csv",
                                             "seed-0003/remarks.txt",
                                             "seed-0003/old/steps.csv",
                                             "figures/poster.svg",
                                             "figures/posterior_of_mine.csv",
                                             "summary.csv.bak"};
  for (const std::string& name : of_the_user) make_file(results / name, "mine");
  const auto files = [&] {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(results)) {
      const bool is_file = !entry.is_directory();
      if (is_file) names.push_back(entry.path().lexically_relative(results).string());
    }
    return names;
  };
  { const ResultsFolder again(results, small_run({"seeds=[9]"}), FolderUse::kOverwrite); }
  std::vector<std::string> expected = of_the_user;
  expected.emplace_back("experiment.yaml");
  CHECK_THAT(files(), Catch::Matchers::UnorderedEquals(expected));
  for (const std::string& name : of_the_user) CHECK(read_file(results / name) == "mine");
}

TEST_CASE("A folder is known by what runs write, whenever the run died", "[experiments][runner]") {
  const TemporaryFolder folder;
  const std::filesystem::path results = folder.path() / "r";
  const Experiment experiment = small_run();
  const auto state = [&] { return inspect_folder(results, experiment).state; };
  CHECK(state() == FolderState::kFree);
  make_file(results / ".lock", "");
  CHECK(state() == FolderState::kFree);
  make_file(results / "experiment.yaml.part", "# Reso");
  CHECK(state() == FolderState::kUnfinished);
  make_file(results / "experiment.yaml", experiment_text(experiment));
  make_file(results / "seed-0003/steps.csv", "");
  CHECK(state() == FolderState::kUnfinished);
  CHECK_THROWS_WITH(run_experiment(experiment, results, FolderUse::kNew, {}),
                    Catch::Matchers::Contains("not finished (no manifest.json"));
  CHECK(inspect_folder(results, small_run({"budget.steps=7"})).state == FolderState::kShorter);
  make_file(results / "thesis.tex", "");
  CHECK(state() == FolderState::kForeign);
  std::filesystem::remove(results / "thesis.tex");
  make_file(results / "experiment.yaml", "name: written by hand\n");
  CHECK(state() == FolderState::kForeign);
  std::filesystem::remove(results / "experiment.yaml");
  make_file(results / "candidates.csv", "x\n1\n");
  CHECK(state() == FolderState::kForeign);
  std::filesystem::remove_all(results);
  make_file(results / "experiment.yaml", experiment_text(experiment));
  CHECK(run_experiment(experiment, results, FolderUse::kOverwrite, {}).is_finished());
  CHECK(state() == FolderState::kFinished);
  std::filesystem::remove(results / "experiment.yaml");
  CHECK_THROWS_WITH(
      run_experiment(experiment, results, FolderUse::kResume, {}),
      Catch::Matchers::Contains("an unknown configuration (experiment.yaml is missing); give "
                                "another folder with --out, or remove this one"));
}

TEST_CASE("A manifest of other types than ours is not one of a finished run",
          "[experiments][runner]") {
  const TemporaryFolder folder;
  const std::filesystem::path results = folder.path() / "r";
  const Experiment experiment = small_run();
  make_file(results / "experiment.yaml", experiment_text(experiment));
  const std::string head = R"({"format": 1, "pomlux_version": "0", "finished": "now", "seeds": )";
  for (const char* seeds : {"3}", "[3]}", "{}}", "[{}]}", R"([{"status": 3}]})", "[null"}) {
    CAPTURE(seeds);
    make_file(results / "manifest.json", head + seeds);
    CHECK(inspect_folder(results, experiment).state == FolderState::kUnfinished);
  }
  make_file(results / "manifest.json", head + R"([{"status": "done"}]})");
  CHECK(inspect_folder(results, experiment).state == FolderState::kFinished);
}

TEST_CASE("Candidates with columns named as ours are told apart in every file",
          "[experiments][runner]") {
  const TemporaryFolder folder;
  const std::vector<std::string> files{
      "r/seed-0003/steps.csv", "r/seed-0003/posterior.csv", "r/summary.csv"};
  run_into(small_run({"track.estimators=[f_lite]"}), folder);
  std::vector<std::string> ours;
  for (const std::string& file : files) {
    for (const std::string& name : read_csv_file(folder.path() / file).columns) {
      if (!name.starts_with("x_") && std::count(ours.begin(), ours.end(), name) == 0)
        ours.push_back(name);
    }
  }
  REQUIRE(ours.size() > 30);
  ours.emplace_back("width");
  std::string names;
  for (const std::string& name : ours) names += (names.empty() ? "" : ", ") + name;
  std::string point = "[0";
  for (std::size_t k = 1; k < ours.size(); ++k) point += ", 0";
  std::filesystem::remove_all(folder.path() / "r");
  run_into(small_run({"objective={type: random_linear}",
                      "domain={type: list, points: [" + point + "]], names: [" + names + "]}",
                      "budget={initial: 1, steps: 1, repeats: true}"}),
           folder);
  for (const std::string& file : files) {
    CAPTURE(file);
    std::vector<std::string> columns = read_csv_file(folder.path() / file).columns;
    CHECK(std::count(columns.begin(), columns.end(), "width") == 1);
    CHECK(std::count(columns.begin(), columns.end(), "x_jitter") == 1);
    std::sort(columns.begin(), columns.end());
    CHECK(std::adjacent_find(columns.begin(), columns.end()) == columns.end());
  }
}

TEST_CASE("Minimising keeps the user's sign and minimises", "[experiments][runner]") {
  const TemporaryFolder folder;
  run_into(small_run({"objective.sense=minimize"}), folder);
  const CsvTable table = steps(folder);
  double lowest = 1e300;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    lowest = std::min(lowest, table.number(row, *table.column("value")));
    CHECK(table.number(row, *table.column("best_observed")) == lowest);
    CHECK(table.number(row, *table.column("regret")) >= 0.0);
  }
}

}  // namespace
