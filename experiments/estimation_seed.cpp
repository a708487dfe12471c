// SPDX-License-Identifier: MIT
#include <exception>  // whatever ends a seed
#include <new>        // std::bad_alloc
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/estimation_seed.hpp>
#include <pomlux/experiments/estimation_spec.hpp>
#include <pomlux/experiments/evaluation.hpp>
#include <pomlux/experiments/pom_file.hpp>
#include <pomlux/experiments/seed_journal.hpp>
#include <pomlux/experiments/stopwatch.hpp>
#include <pomlux/experiments/tracker.hpp>
#include <pomlux/objectives/synthetic.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

/// The vectors of one seed and what comes of them.
class EstimationSeed {
 public:
  EstimationSeed(const Json& config, const std::filesystem::path& folder, SeedOutcome& outcome)
      : outcome_(outcome),
        tracker_(config.at("track"), outcome.seed),
        poms_(folder / "pom.csv", tracker_.truth()),
        steps_(folder / "steps.csv", columns()) {
    for (const std::string& name : tracker_.names()) {
      if (name != tracker_.truth()) sums_.emplace_back(name, 0.0);
    }
  }

  /// @return entropy by the first estimator.
  double step(const GaussianVector& f) {
    const std::vector<PomRecord> poms =
        tracker_.estimate(outcome_.evaluations,
                          [&f](const PomEstimator& one, Rng& rng) { return one.estimate(f, rng); });
    std::vector<std::string> cells{format_number(outcome_.evaluations), format_number(f.size())};
    for (const PomRecord& one : poms) {
      if (tracker_.has_entropy()) cells.push_back(format_number(one.pom.entropy()));
    }
    const double seconds = estimate_seconds(poms);
    cells.push_back(format_number(seconds));
    outcome_.seconds.estimator += seconds;
    const PomRecord& truth = *find_record(poms, *tracker_.truth());
    for (auto& [name, sum] : sums_) {
      sum += find_record(poms, name)->pom.total_variation(truth.pom);
    }
    const Stopwatch writing;
    poms_.append(outcome_.evaluations, poms);
    steps_.append(cells);
    outcome_.seconds.writing += writing.seconds();
    ++outcome_.evaluations;
    return poms.front().pom.entropy();
  }

  void finish() {
    outcome_.total_variations = sums_;
    for (auto& [name, mean] : outcome_.total_variations)
      mean /= static_cast<double>(outcome_.evaluations);
    if (tracker_.unconverged() > 0) {
      outcome_.warnings.push_back(format_number(tracker_.unconverged()) +
                                  " estimates did not reach their accuracy; see pom.csv");
    }
  }

 private:
  [[nodiscard]] std::vector<std::string> columns() const {
    std::vector<std::string> names{"step", "candidates"};
    for (const std::string& name : tracker_.names()) {
      if (tracker_.has_entropy()) names.push_back("entropy_" + name);
    }
    names.emplace_back("estimator_seconds");
    return names;
  }

  SeedOutcome& outcome_;
  Tracker tracker_;
  PomFile poms_;
  CsvWriter steps_;
  std::vector<std::pair<std::string, double>> sums_;  // total variations, by estimator
};

void run_all_sizes(const Json& config,
                   const std::filesystem::path& folder,
                   const RunHooks& hooks,
                   SeedOutcome& outcome) {
  const Json& vectors = config.at("vectors");
  const SyntheticRanges ranges = to_synthetic_ranges(vectors);
  const auto sizes = vectors.at("sizes").get<std::vector<Index>>();
  const auto count = static_cast<Index>(sizes.size());
  EstimationSeed run(config, folder, outcome);
  outcome.status = SeedStatus::kDone;
  outcome.reason = "all " + format_number(count) + " vectors done";
  for (const Index n : sizes) {
    if (hooks.should_stop && hooks.should_stop()) {
      outcome.status = SeedStatus::kInterrupted;
      outcome.reason = "interrupted after " + format_number(outcome.evaluations) + " of " +
                       format_number(count) + " vectors";
      break;
    }
    const double entropy = run.step(draw_synthetic(ranges, n, outcome.seed));
    if (hooks.on_step) hooks.on_step({outcome.seed, outcome.evaluations, count, {}, entropy});
  }
  if (outcome.evaluations > 0) run.finish();
}

}  // namespace

SeedOutcome run_estimation_seed(const Experiment& experiment,
                                std::uint64_t seed,
                                const std::filesystem::path& folder,
                                const RunHooks& hooks,
                                bool resumes) {
  const Stopwatch watch;
  SeedOutcome outcome;
  outcome.seed = seed;
  try {
    SeedJournal journal(folder, seed, resumes);
    if (std::optional<SeedOutcome> finished = journal.finished()) return std::move(*finished);
    run_all_sizes(experiment.config, folder, hooks, outcome);
    outcome.seconds.total = watch.seconds();
    if (outcome.status == SeedStatus::kDone) journal.finish(outcome);
  } catch (...) {
    outcome.status = SeedStatus::kFailed;
    outcome.reason = "after " + format_number(outcome.evaluations) +
                     " vectors: " + message_of(std::current_exception());
  }
  outcome.seconds.total = watch.seconds();
  return outcome;
}

}  // namespace pomlux
