// SPDX-License-Identifier: MIT
// Runs that stop and go on, compared with runs that did not.
#include <catch.hpp>
#include <experiments/run_helpers.hpp>
#include <experiments/temporary_folder.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/journal.hpp>
#include <pomlux/experiments/runner.hpp>
#include <stdexcept>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using test::lasting_cells;
using test::make_file;
using test::read_file;
using test::TemporaryFolder;
namespace fs = std::filesystem;

const std::string kResumable =
    "name: trial\n"
    "objective: {type: drop_wave, noise_stddev: 0.1, on_failure: skip}\n"
    "domain: {type: grid, lower: [-2.5, -2.5], upper: [2, 2], points: [7, 7]}\n"
    "model: {kernel: {type: matern52}, standardize: true, fit: {every: 2}}\n"
    "budget: {initial: 3, steps: 5}\n"
    "track: {estimators: [f_lite, {type: ts_mc, samples: 50}]}\n"
    "seeds: [3]\n";

Experiment resumable(const std::vector<std::string>& sets = {}) {
  return parse_experiment(kResumable, "trial.yaml", ".", parse_overrides(sets));
}

/// -|x|² plus noise; without water where the noise is small, if it `fails`.
class Tap final : public Objective {
 public:
  Tap(int& evaluations, bool fails) : evaluations_(evaluations), fails_(fails) {}
  Index dimension() const override { return 2; }
  Vector evaluate(const PointsRef& points, Rng& rng) const override {
    ++evaluations_;
    const double noise = draw_uniform(rng);
    if (fails_ && noise < 0.3) throw std::runtime_error("the bench has no water");
    return Vector::Constant(1, noise - points.squaredNorm());
  }
  std::optional<Vector> true_values(const PointsRef&) const override { return std::nullopt; }

 private:
  int& evaluations_;
  bool fails_;
};

/// Counts evaluations, and stops the run after `steps_until_stop` of them.
struct Bench {
  int evaluations = 0;
  int steps_until_stop = -1;
  RunHooks hooks(bool fails) {
    RunHooks result;
    result.should_stop = [this] { return steps_until_stop == 0; };
    result.on_step = [this](const StepProgress&) {
      if (steps_until_stop > 0) --steps_until_stop;
    };
    result.make_objective = [this, fails](const Domain&, std::uint64_t) {
      return std::make_unique<Tap>(evaluations, fails);
    };
    return result;
  }
};

RunOutcome run_in(const fs::path& folder,
                  const Experiment& experiment,
                  FolderUse use,
                  const RunHooks& hooks = {}) {
  return run_experiment(experiment, folder, use, {}, hooks);
}

void check_equal_results(const fs::path& a, const fs::path& b) {
  for (const char* file :
       {"seed-0003/steps.csv", "seed-0003/pom.csv", "seed-0003/posterior.csv", "summary.csv"}) {
    CAPTURE(file);
    CHECK(lasting_cells(a / file) == lasting_cells(b / file));
  }
}

}  // namespace

TEST_CASE("A journal gives back what was written and knows a torn line", "[experiments][journal]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "journal.jsonl";
  const std::vector<Json> events{{{"event", "journal"}, {"format", 1}},
                                 {{"event", "told"}, {"value", 0.1}, {"text", "ä \"quoted\""}},
                                 {{"event", "told"}, {"value", -1e-300}}};
  {
    Journal journal(path, {});
    for (const Json& event : events) journal.append(event);
  }
  const std::string whole = read_file(path);
  CHECK(whole.starts_with(R"({"n":0,"event":"journal","format":1,"crc32":")"));
  const JournalText text = read_journal(path);
  CHECK(text.events == events);
  CHECK(text.torn == 0);
  CHECK(text.size == whole.size());
  // Cut anywhere, the whole lines are there, and writing goes on after them.
  for (std::size_t length = 0; length < whole.size(); ++length) {
    make_file(path, whole.substr(0, length));
    const JournalText cut = read_journal(path);
    CHECK(cut.size + cut.torn == length);
    std::size_t lines = 0;
    for (const char c : whole.substr(0, length)) lines += c == '\n' ? 1U : 0U;
    REQUIRE(cut.events.size() == lines);
    Journal journal(path, cut);
    for (std::size_t i = lines; i < events.size(); ++i) journal.append(events[i]);
    REQUIRE(read_file(path) == whole);
  }
  // Any changed byte of a whole line is found.
  for (std::size_t at = 0; at + 1 < whole.size(); at += 3) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    if (damaged[at] == '\n' || whole[at] == '\n') continue;
    make_file(path, damaged);
    CHECK_THROWS_AS(read_journal(path), InvalidArgument);
  }
  const std::size_t first_end = whole.find('\n') + 1;
  make_file(path, whole.substr(first_end));
  CHECK_THROWS_WITH(read_journal(path), Contains("journal.jsonl:1") && Contains("line is missing"));
}

TEST_CASE("The checksum of a journal's line is that of zlib", "[experiments][journal]") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "journal.jsonl";
  Journal(path, {}).append({{"event", "journal"}, {"format", 1}});
  // python3 -c "import zlib; print('%08x' %
  // zlib.crc32(b'{\"n\":0,\"event\":\"journal\",\"format\":1'))"
  CHECK(read_file(path) == "{\"n\":0,\"event\":\"journal\",\"format\":1,\"crc32\":\"6ac4ebcf\"}\n");
}

TEST_CASE("A run stopped after any step goes on to the same results", "[experiments][resume]") {
  for (const std::string acquisition : {"ei", "ts", "ucb"}) {
    for (const std::string policy : {"skip", "penalise"}) {
      const std::string method = acquisition == "ucb" ? "adam" : "lbfgs";
      CAPTURE(acquisition, policy, method);
      const Experiment experiment =
          resumable({"acquisition.type=" + acquisition,
                     "model.fit.method=" + method,
                     "objective.on_failure=" + policy,
                     policy == "skip" ? "objective.penalty=null" : "objective.penalty=-20"});
      const TemporaryFolder folder;
      Bench whole_bench;
      const RunOutcome whole =
          run_in(folder.path() / "whole", experiment, FolderUse::kNew, whole_bench.hooks(true));
      REQUIRE(whole.is_finished());
      CHECK(whole.seeds[0].failed_evaluations > 0);
      // One run that is stopped after every single step.
      const fs::path parts = folder.path() / "parts";
      Bench bench;
      RunOutcome outcome;
      do {
        bench.steps_until_stop = 1;
        outcome = run_in(parts, experiment, FolderUse::kResume, bench.hooks(true));
      } while (!outcome.is_finished());
      CHECK(bench.evaluations == whole_bench.evaluations);  // none was made again
      CHECK(outcome.seeds[0].warnings == whole.seeds[0].warnings);
      check_equal_results(folder.path() / "whole", parts);
    }
  }
}

TEST_CASE("A journal cut anywhere goes on to the same results", "[experiments][resume]") {
  const Experiment experiment = resumable();
  const TemporaryFolder folder;
  const fs::path whole = folder.path() / "whole";
  REQUIRE(run_in(whole, experiment, FolderUse::kNew).is_finished());
  const std::string journal = read_file(whole / "seed-0003" / "journal.jsonl");
  const fs::path cut = folder.path() / "cut";
  for (std::size_t length = 0; length < journal.size(); length += journal.size() / 23) {
    CAPTURE(length);
    fs::remove_all(cut);
    fs::copy(whole, cut, fs::copy_options::recursive);
    fs::remove(cut / "manifest.json");
    make_file(cut / "seed-0003" / "journal.jsonl", journal.substr(0, length));
    std::vector<std::string> notes;
    RunHooks hooks;
    hooks.on_note = [&](const std::string& note) { notes.push_back(note); };
    const bool has_answers =
        journal.substr(0, length).rfind('\n') > journal.find("\"event\":\"told\"");
    const RunOutcome outcome = run_in(cut, experiment, FolderUse::kResume, hooks);
    REQUIRE(outcome.is_finished() == (length > 0 && has_answers));
    if (!outcome.is_finished()) continue;  // refused: see below
    check_equal_results(whole, cut);
    const bool is_torn = length > 0 && journal[length - 1] != '\n';
    CHECK((!notes.empty() && notes[0].find("not written to its end") != std::string::npos) ==
          is_torn);
  }
}

TEST_CASE("A finished seed is not run again", "[experiments][resume]") {
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "r";
  Bench bench;
  run_in(results, resumable(), FolderUse::kNew, bench.hooks(false));
  const std::string summary = read_file(results / "summary.csv");
  const int evaluations = bench.evaluations;
  const RunOutcome again = run_in(results, resumable(), FolderUse::kResume, bench.hooks(false));
  CHECK(bench.evaluations == evaluations);
  CHECK(read_file(results / "summary.csv") == summary);
  CHECK(again.is_finished());
}

TEST_CASE("More steps and more seeds go on with earlier results", "[experiments][resume]") {
  const TemporaryFolder folder;
  const fs::path grown = folder.path() / "grown", whole = folder.path() / "whole";
  const std::vector<std::string> more{"budget.steps=9", "seeds=[3, 8]"};
  Bench bench, whole_bench;
  run_in(grown, resumable(), FolderUse::kNew, bench.hooks(true));
  CHECK_THROWS_WITH(run_in(grown, resumable(more), FolderUse::kNew),
                    Contains("budget.steps: 5 there, 9 here") && Contains("--resume"));
  run_in(grown, resumable(more), FolderUse::kResume, bench.hooks(true));
  run_in(whole, resumable(more), FolderUse::kNew, whole_bench.hooks(true));
  CHECK(bench.evaluations == whole_bench.evaluations);
  check_equal_results(whole, grown);
  CHECK(lasting_cells(whole / "seed-0008" / "steps.csv") ==
        lasting_cells(grown / "seed-0008" / "steps.csv"));
  // Fewer are other results.
  CHECK_THROWS_WITH(run_in(grown, resumable(), FolderUse::kResume),
                    Contains("budget.steps: 9 there, 5 here"));
}

TEST_CASE("A changed configuration is not resumed", "[experiments][resume]") {
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "r";
  Bench bench;
  bench.steps_until_stop = 2;
  run_in(results, resumable(), FolderUse::kNew, bench.hooks(false));
  const std::string steps = read_file(results / "seed-0003" / "steps.csv");
  CHECK_THROWS_WITH(run_in(results, resumable({"model.kernel.type=matern32"}), FolderUse::kResume),
                    Contains("model.kernel.type: matern52 there, matern32 here"));
  CHECK_THROWS_WITH(
      run_in(results, resumable({"acquisition={type: ucb, beta: 4}"}), FolderUse::kResume),
      Contains("acquisition.type: ei there, ucb here") && Contains("absent here"));
  CHECK(read_file(results / "seed-0003" / "steps.csv") == steps);
}

TEST_CASE("Files that lost rows are made again from the journal", "[experiments][resume]") {
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "r", whole = folder.path() / "whole";
  Bench whole_bench;
  run_in(whole, resumable(), FolderUse::kNew, whole_bench.hooks(true));
  for (const std::size_t kept : {0U, 1U, 300U, 600U, 900U, 1200U}) {
    CAPTURE(kept);
    fs::remove_all(results);
    Bench bench;
    bench.steps_until_stop = 6;
    run_in(results, resumable(), FolderUse::kNew, bench.hooks(true));
    const char* file = kept % 600 == 0 ? "pom.csv" : "steps.csv";
    const fs::path path = results / "seed-0003" / file;
    make_file(path, read_file(path).substr(0, kept));
    for (const int more : {1, -1}) {  // and once more in between
      bench.steps_until_stop = more;
      run_in(results, resumable(), FolderUse::kResume, bench.hooks(true));
    }
    CHECK(bench.evaluations == whole_bench.evaluations);
    check_equal_results(whole, results);
  }
}

TEST_CASE("A finished seed whose files are gone or damaged is made again from its journal",
          "[experiments][resume]") {
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "r", whole = folder.path() / "whole";
  for (const char* file : {"steps.csv", "pom.csv", "posterior.csv"}) {
    CAPTURE(file);
    fs::remove_all(folder.path() / "r");
    fs::remove_all(whole);
    Bench bench;
    run_in(results, resumable(), FolderUse::kNew, bench.hooks(true));
    const int evaluations = bench.evaluations;
    fs::copy(results, whole, fs::copy_options::recursive);
    fs::remove(results / "seed-0003" / file);
    run_in(results, resumable(), FolderUse::kResume, bench.hooks(true));
    CHECK(bench.evaluations == evaluations);
    check_equal_results(whole, results);
    if (file == std::string("posterior.csv")) continue;
    std::string text = read_file(results / "seed-0003" / file);
    text[text.find(',', text.size() / 2)] = ';';  // a row with a cell too few
    make_file(results / "seed-0003" / file, text);
    run_in(results, resumable(), FolderUse::kResume, bench.hooks(true));
    CHECK(bench.evaluations == evaluations);
    check_equal_results(whole, results);
  }
}

TEST_CASE("Results without their journal are not overwritten", "[experiments][resume]") {
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "r";
  Bench bench;
  bench.steps_until_stop = 5;
  run_in(results, resumable(), FolderUse::kNew, bench.hooks(false));
  const int evaluations = bench.evaluations;
  const fs::path seed = results / "seed-0003";
  const std::string steps = read_file(seed / "steps.csv"),
                    journal = read_file(seed / "journal.jsonl");
  bench.steps_until_stop = -1;
  for (const std::string& rest : {std::string(), journal.substr(0, journal.find('\n') + 1)}) {
    make_file(seed / "journal.jsonl", rest);
    const RunOutcome outcome = run_in(results, resumable(), FolderUse::kResume, bench.hooks(false));
    CHECK(outcome.seeds[0].status == SeedStatus::kFailed);
    CHECK_THAT(outcome.seeds[0].reason, Contains("journal.jsonl") && Contains("--overwrite"));
    CHECK(read_file(seed / "steps.csv") == steps);
    CHECK(bench.evaluations == evaluations);
  }
  make_file(seed / "journal.jsonl", journal);
  CHECK(run_in(results, resumable(), FolderUse::kResume, bench.hooks(false)).is_finished());
}

TEST_CASE("A step that stopped the run is tried again", "[experiments][resume]") {
  const Experiment experiment = resumable({"objective.on_failure=stop"});
  const TemporaryFolder folder;
  const fs::path results = folder.path() / "r", whole = folder.path() / "whole";
  Bench bench, sound;
  const RunOutcome failed = run_in(results, experiment, FolderUse::kNew, bench.hooks(true));
  REQUIRE(failed.seeds[0].status == SeedStatus::kFailed);
  CHECK_THAT(failed.seeds[0].reason, Contains("no water"));
  const Index done = failed.seeds[0].evaluations;
  Bench mended;
  const RunOutcome outcome = run_in(results, experiment, FolderUse::kResume, mended.hooks(false));
  CHECK(outcome.is_finished());
  CHECK(mended.evaluations == 8 - done);
  run_in(whole, experiment, FolderUse::kNew, sound.hooks(false));
  check_equal_results(whole, results);
}

TEST_CASE("A run over a box goes on to the same results", "[experiments][resume]") {
  for (const std::string acquisition : {"ei", "ts"}) {
    CAPTURE(acquisition);
    const Experiment experiment =
        resumable({"domain={type: box, lower: [-1, -2], upper: [2, 1], candidates: 40, around: 8}",
                   "acquisition.type=" + acquisition});
    const TemporaryFolder folder;
    Bench whole_bench, bench;
    run_in(folder.path() / "whole", experiment, FolderUse::kNew, whole_bench.hooks(true));
    RunOutcome outcome;
    do {
      bench.steps_until_stop = 2;
      outcome = run_in(folder.path() / "parts", experiment, FolderUse::kResume, bench.hooks(true));
    } while (!outcome.is_finished());
    CHECK(bench.evaluations == whole_bench.evaluations);
    check_equal_results(folder.path() / "whole", folder.path() / "parts");
  }
}
