// SPDX-License-Identifier: MIT
// Runs whose objective is somebody else's program, and what becomes of its failures.
#include <catch.hpp>
#include <experiments/temporary_folder.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/evaluation.hpp>
#include <pomlux/experiments/report.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <pomlux/experiments/runner.hpp>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using test::make_file;
using test::read_file;
using test::TemporaryFolder;

/// A folder with a simulator that does something else at its fifth call: $1 is what.
class Laboratory {
 public:
  explicit Laboratory(const std::string& at_fifth_call = ":") {
    make_file(folder_.path() / "simulate.sh",
              "#!/bin/sh\necho \"$@\" >>calls\n"
              "[ $(wc -l <calls) != 5 ] || { " +
                  at_fifth_call +
                  "; }\n"
                  "awk -v x=\"$1\" -v y=\"$2\" 'BEGIN { print -(x - 0.5)^2 - y * y }'\n");
    std::filesystem::permissions(folder_.path() / "simulate.sh", std::filesystem::perms::owner_all);
  }

  [[nodiscard]] Experiment experiment(const std::vector<std::string>& sets = {}) const {
    const std::vector<Override> overrides = parse_overrides(sets);
    return parse_experiment(
        "objective: {type: command, command: [./simulate.sh]}\n"
        "domain: {type: grid, lower: [0, -1], upper: [1, 1], points: [5, 5]}\n"
        "budget: {initial: 3, steps: 5}\n"
        "seeds: [3]\n",
        "lab.yaml",
        folder_.path(),
        overrides);
  }
  [[nodiscard]] SeedOutcome run(const std::vector<std::string>& sets = {},
                                const RunHooks& hooks = {}) const {
    return run_experiment(experiment(sets), results(), FolderUse::kNew, {}, hooks).seeds.at(0);
  }
  [[nodiscard]] CsvTable steps() const { return read_csv_file(results() / "seed-0003/steps.csv"); }
  [[nodiscard]] std::vector<std::string> column(const std::string& name) const {
    const CsvTable table = steps();
    std::vector<std::string> cells;
    for (const auto& row : table.rows) cells.push_back(row.at(*table.column(name)));
    return cells;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  [[nodiscard]] std::filesystem::path results() const { return folder_.path() / "r"; }

 private:
  TemporaryFolder folder_;
};

using Cells = std::vector<std::string>;

TEST_CASE("A command is run at the points that are told", "[experiments][command]") {
  const Laboratory lab;
  const SeedOutcome outcome = lab.run();
  CHECK(outcome.status == SeedStatus::kDone);
  CHECK(outcome.evaluations == 8);
  CHECK(outcome.failed_evaluations == 0);
  std::string calls;
  const Cells x = lab.column("x_0"), y = lab.column("x_1");
  for (std::size_t i = 0; i < x.size(); ++i) calls += x[i] + " " + y[i] + "\n";
  CHECK(read_file(lab.path() / "calls") == calls);
  CHECK(lab.column("state") == Cells(8, "told"));
  CHECK(lab.column("failure") == Cells(8, ""));
}

TEST_CASE("A failed evaluation stops a seed and loses nothing", "[experiments][command]") {
  const Laboratory lab("echo no coolant >&2; exit 3");
  const SeedOutcome outcome = lab.run();
  CHECK(outcome.status == SeedStatus::kFailed);
  CHECK(lab.column("value").size() == 4);
  CHECK(outcome.evaluations == 4);
  CHECK_THAT(outcome.reason,
             Contains("step 4 (candidate ") && Contains(": x_0 = ") && Contains(", x_1 = ") &&
                 Contains("exit code 3") && Contains("'no coolant'"));
}

TEST_CASE("A failed evaluation can be skipped", "[experiments][command]") {
  const Laboratory lab("exit 3");
  const SeedOutcome outcome = lab.run({"objective.on_failure=skip"});
  CHECK(outcome.status == SeedStatus::kDone);
  CHECK(outcome.evaluations == 8);
  CHECK(outcome.failed_evaluations == 1);
  REQUIRE(outcome.warnings.size() >= 1);
  CHECK_THAT(outcome.warnings[0],
             Contains("1 of 8 evaluations failed; the first: step 4") && Contains("exit code 3"));
  Cells states(8, "told");
  states[4] = "failed";
  CHECK(lab.column("state") == states);
  CHECK(lab.column("value")[4].empty());
  CHECK(lab.column("best_observed")[4] == lab.column("best_observed")[3]);
  CHECK_THAT(lab.column("failure")[4], Contains("exit code 3"));
  const Cells candidates = lab.column("candidate");
  CHECK(std::count(candidates.begin(), candidates.end(), candidates[4]) == 1);
  CHECK_THAT(read_file(lab.results() / "manifest.json"),
             Contains("\"failed_evaluations\": 1") && Contains("1 of 8 evaluations failed"));
  CHECK(inspect_folder(lab.results(), lab.experiment({"objective.on_failure=skip"})).state ==
        FolderState::kFinished);
  const ReportSummary report = render_report(lab.results(), {.makes_pdf = false});
  CHECK(report.warnings.size() == outcome.warnings.size());
  CHECK_THAT(read_file(lab.results() / "figures/posterior_seed-0003.svg"), Contains(">failed<"));
}

TEST_CASE("A value or noise that the model cannot take is a failed evaluation",
          "[experiments][command]") {
  const Laboratory lab("echo 1e150; exit 0");
  const SeedOutcome outcome = lab.run({"objective.on_failure=skip"});
  CHECK(outcome.status == SeedStatus::kDone);
  CHECK(outcome.failed_evaluations == 1);
  CHECK(lab.column("state")[4] == "failed");
  CHECK_THAT(lab.column("failure")[4], Contains("'1e150'") && Contains("1e+100"));

  /// Says the same everywhere.
  class Constant final : public Objective {
   public:
    Constant(double value, double noise) : value_(value), noise_(noise) {}
    [[nodiscard]] Index dimension() const override { return 1; }
    [[nodiscard]] Vector evaluate(const PointsRef& points, Rng&) const override {
      return Vector::Constant(points.rows(), value_);
    }
    [[nodiscard]] Observations observe(const PointsRef& points, Rng& rng) const override {
      return {evaluate(points, rng), {noise_}};
    }
    [[nodiscard]] std::optional<Vector> true_values(const PointsRef&) const override {
      return std::nullopt;
    }

   private:
    double value_, noise_;
  };
  Rng rng = make_stream(1, "test");
  const auto evaluated = [&](double value, double noise) {
    return evaluate_once(Constant(value, noise), Point::Zero(1), rng);
  };
  CHECK(evaluated(-kLargestObservation, kLargestObservation).value == -kLargestObservation);
  CHECK_THAT(evaluated(1e101, 0.0).failure,
             Contains("the value is '1e+101'") && Contains("size <= 1e+100"));
  CHECK_THAT(evaluated(kNaN, 0.0).failure, Contains("the value is 'nan'"));
  CHECK_THAT(evaluated(1.0, 1e101).failure,
             Contains("the noise_stddev is '1e+101'; allowed: [0, 1e+100]"));
  CHECK(!evaluated(1.0, kNaN).value);
}

TEST_CASE("A failed evaluation can be told as a penalty", "[experiments][command]") {
  const Laboratory lab("echo 12,5; exit 0");
  const SeedOutcome outcome = lab.run({"objective.on_failure=penalise", "objective.penalty=-7.5"});
  CHECK(outcome.status == SeedStatus::kDone);
  CHECK(outcome.failed_evaluations == 1);
  CHECK(lab.column("state")[4] == "penalised");
  CHECK(lab.column("value_noise_stddev")[4].empty());  // the model's noise
  CHECK(lab.column("value")[4] == "-7.5");
  CHECK_THAT(lab.column("failure")[4], Contains("printed '12,5"));
  CHECK_THAT(outcome.warnings.at(0), Contains("told as -7.5"));
}

TEST_CASE("A run in which every evaluation fails ends with an error", "[experiments][command]") {
  for (const Cells& policy : {Cells{"objective.on_failure=skip"},
                              Cells{"objective.on_failure=penalise", "objective.penalty=0"}}) {
    const Laboratory lab;
    make_file(lab.path() / "simulate.sh", "#!/bin/sh\nexit 4\n");
    const SeedOutcome outcome = lab.run(policy);
    CHECK(outcome.status == SeedStatus::kFailed);
    CHECK_THAT(outcome.reason, Contains("all 8 evaluations failed; the first: step 0"));
    CHECK(outcome.failed_evaluations == 8);
  }
  const Laboratory small;
  make_file(small.path() / "simulate.sh", "#!/bin/sh\nexit 4\n");
  const SeedOutcome outcome = small.run({"objective.on_failure=skip",
                                         "domain.points=[2, 1]",
                                         "budget={initial: 1, steps: 30, repeats: true}"});
  CHECK_THAT(outcome.reason, Contains("all 2 evaluations failed"));
}

TEST_CASE("Failures do not change the noise of other steps", "[experiments][command]") {
  /// Fails at its third evaluation, if it is to; the value is the noise.
  class Noisy final : public Objective {
   public:
    explicit Noisy(bool fails) : fails_(fails) {}
    [[nodiscard]] Index dimension() const override { return 2; }
    [[nodiscard]] Vector evaluate(const PointsRef& points, Rng& rng) const override {
      if (++calls_ == 3 && fails_) throw std::runtime_error("the bench is on fire");
      return draw_normals(rng, points.rows());
    }
    [[nodiscard]] std::optional<Vector> true_values(const PointsRef&) const override {
      return std::nullopt;
    }

   private:
    bool fails_;
    mutable int calls_ = 0;
  };
  Cells values[2];
  for (const bool fails : {false, true}) {
    const Laboratory lab;
    RunHooks hooks;
    hooks.make_objective = [&](const Domain&, std::uint64_t) {
      return std::make_unique<Noisy>(fails);
    };
    static_cast<void>(lab.run({"objective.on_failure=skip"}, hooks));
    values[fails ? 1 : 0] = lab.column("value");
  }
  CHECK(values[1][2].empty());
  values[0][2].clear();
  CHECK(values[0] == values[1]);
}

TEST_CASE("The noise that a command reports is told with its value", "[experiments][command]") {
  const Laboratory lab;
  make_file(lab.path() / "simulate.sh",
            "#!/bin/sh\ncat >>points\necho '{\"value\": 2, \"noise_stddev\": 0.5}'\n");
  const SeedOutcome outcome = lab.run({"objective.input=json", "budget={initial: 2, steps: 0}"});
  CHECK(outcome.status == SeedStatus::kDone);
  CHECK(lab.column("value_noise_stddev") == Cells(2, "0.5"));
  CHECK_THAT(read_file(lab.path() / "points"), Contains("{\"x_0\": " + lab.column("x_0")[0]));
}

TEST_CASE("A stop request ends a command that is under way", "[experiments][command]") {
  const Laboratory lab("exec sleep 60");
  RunHooks hooks;
  int steps = 0;
  hooks.on_step = [&](const StepProgress&) { ++steps; };
  hooks.should_stop = [&] { return steps >= 4 && read_file(lab.path() / "calls").size() > 4; };
  const SeedOutcome outcome = lab.run({}, hooks);
  CHECK(outcome.status == SeedStatus::kInterrupted);
  CHECK(outcome.evaluations == 4);
}

TEST_CASE("Faults of a command are faults of the configuration", "[experiments][command]") {
  const Laboratory lab;
  const auto refused = [&](const std::vector<std::string>& sets, const std::string& message) {
    CAPTURE(message);
    CHECK_THROWS_WITH(lab.experiment(sets), Contains(message));
  };
  refused({"objective.command=[nowhere]"},
          "objective.command: the program 'nowhere' is not in PATH");
  refused({"objective.command=[simulate.sh]"}, "named with its folder, ./simulate.sh");
  refused({"objective.command=./simulate.sh"}, "allowed: a list [program, argument, ...]");
  refused({"objective.command=[./simulate.sh, '{x}']"}, "{x}; allowed: {x_0}, {x_1}, {point}");
  refused({"objective.working_directory=nowhere"}, "nowhere is no folder");
  refused({"objective.environment=[A]"}, "allowed: NAME=value");
  refused({"objective.timeout=0"}, "objective.timeout: found '0'");
  refused({"objective.on_failure=ignore"}, "objective.on_failure: found 'ignore'");
  refused({"objective.on_failure=penalise"}, "objective.penalty: is missing");
  refused({"objective.penalty=3"}, "objective.penalty: found 3; allowed: null");
  refused({"objective.on_failure=penalise", "objective.penalty=1e150"},
          "objective.penalty: found 1e+150");
  const Experiment shell = lab.experiment(
      {"objective.shell=true", "objective.command=./simulate.sh {point} | tail -n 1"});
  CHECK(shell.config.at("objective").at("working_directory") ==
        (lab.path() / ".").lexically_normal().string());
}

}  // namespace
