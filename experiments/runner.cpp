// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <atomic>     // work queue
#include <mutex>      // hooks and common files
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/experiments/build_info.hpp>
#include <pomlux/experiments/estimation_seed.hpp>
#include <pomlux/experiments/estimation_table.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <pomlux/experiments/runner.hpp>
#include <pomlux/experiments/seed_files.hpp>
#include <pomlux/experiments/stopwatch.hpp>
#include <thread>   // seeds in parallel
#include <utility>  // std::move

namespace pomlux {
namespace {

/// Columns of the candidates' coordinates in summary.csv.
std::vector<std::string> coordinates_of(const Experiment& experiment) {
  const Domain domain = domain_of(experiment, experiment.seeds.at(0));
  std::vector<std::string> hyperparameters;
  const auto model = make_model(experiment.config.at("model"),
                                encoded_domain(experiment.config.at("domain"), domain));
  for (const Hyperparameter& one : model->hyperparameters()) hyperparameters.push_back(one.name);
  return coordinate_columns(domain, hyperparameters);
}

/// The state that the threads of one run share.
class Run {
 public:
  Run(const Experiment& experiment,
      const ResultsFolder& folder,
      const RunOptions& options,
      const RunHooks& hooks,
      bool resumes)
      : experiment_(experiment),
        folder_(folder),
        options_(options),
        hooks_(hooks),
        resumes_(resumes) {
    record_.command_line = options.command_line;
    record_.started = utc_now();
    record_.threads = options.threads;
    record_.jobs = options.jobs;
    if (!is_estimation(experiment)) coordinates_ = coordinates_of(experiment);
    for (const std::uint64_t seed : experiment.seeds) {
      SeedOutcome outcome;
      outcome.seed = seed;
      outcome_.seeds.push_back(std::move(outcome));
    }
  }

  /// Takes seeds from the queue until there are none.
  void work() {
    for (;;) {
      const std::size_t index = next_++;
      if (index >= experiment_.seeds.size()) return;
      try {
        run_one(index);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        keep_error();
        SeedOutcome& seed = outcome_.seeds[index];
        if (seed.status != SeedStatus::kRunning) return;
        seed.status = SeedStatus::kFailed;
        seed.reason = "the run ended with an error";
        return;
      }
    }
  }

  RunOutcome finish() {
    if (outcome_.is_finished()) record_.finished = utc_now();
    try {
      write();
    } catch (const WriteError&) {
      keep_error();
    }
    if (error_) std::rethrow_exception(error_);
    return std::move(outcome_);
  }

  void write() {
    outcome_.total_seconds = watch_.seconds();
    const Json content = manifest(experiment_, record_, outcome_);
    replace_file(folder_.path() / "summary.csv",
                 is_estimation(experiment_) ? estimation_summary(experiment_, outcome_)
                                            : summary_csv(coordinates_, outcome_));
    replace_file(folder_.path() / "manifest.json",
                 content.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }

 private:
  /// Of several errors the first explains the others.
  void keep_error() {
    if (!error_) error_ = std::current_exception();
  }

  /// Writes news about once a second, and for a tenth of the time at most: the files grow with the
  /// number of seeds, and so would the cost of each seed.
  void write_if_due() {
    constexpr double kInterval = 1.0;
    constexpr double kShare = 0.1;
    const double begin = watch_.seconds();
    if (!has_news_ || begin < next_write_) return;
    write();
    has_news_ = false;
    const double end = watch_.seconds();
    next_write_ = end + std::max(kInterval, (end - begin) / kShare);
  }

  /// Asked before every evaluation, so that news of one seed need not wait for the next.
  [[nodiscard]] bool should_stop() {
    const std::lock_guard lock(mutex_);
    try {
      write_if_due();
    } catch (const WriteError&) {
      keep_error();
    }
    return error_ || (hooks_.should_stop && hooks_.should_stop());
  }

  void run_one(std::size_t index) {
    const std::uint64_t seed = experiment_.seeds[index];
    if (should_stop()) {
      const std::lock_guard lock(mutex_);
      outcome_.seeds[index].status = SeedStatus::kInterrupted;
      outcome_.seeds[index].reason = "interrupted before its first evaluation";
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      outcome_.seeds[index].status = SeedStatus::kRunning;
      has_news_ = true;
      write_if_due();
    }
    RunHooks hooks;
    hooks.should_stop = [this] { return should_stop(); };
    hooks.make_objective = hooks_.make_objective;
    if (hooks_.on_step) {
      hooks.on_step = [this](const StepProgress& progress) {
        const std::lock_guard lock(mutex_);
        hooks_.on_step(progress);
      };
    }
    if (hooks_.on_note) {
      hooks.on_note = [this](const std::string& note) {
        const std::lock_guard lock(mutex_);
        hooks_.on_note(note);
      };
    }
    const std::filesystem::path seed_folder = folder_.make_seed_folder(seed);
    SeedOutcome outcome;
    const auto run = is_estimation(experiment_) ? run_estimation_seed : run_seed;
    with_threads(options_.threads,
                 [&] { outcome = run(experiment_, seed, seed_folder, hooks, resumes_); });
    const std::lock_guard lock(mutex_);
    outcome_.seeds[index] = std::move(outcome);
    if (hooks_.on_seed) hooks_.on_seed(outcome_.seeds[index]);
    has_news_ = true;
    write_if_due();
  }

  const Experiment& experiment_;
  const ResultsFolder& folder_;
  const RunOptions& options_;
  const RunHooks& hooks_;
  bool resumes_;
  RunRecord record_;
  std::vector<std::string> coordinates_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;  // guards what follows
  RunOutcome outcome_;
  std::exception_ptr error_;
  bool has_news_ = false;
  double next_write_ = 0.0;  // seconds of the watch
  Stopwatch watch_;
};

}  // namespace

RunOutcome run_experiment(const Experiment& experiment,
                          const std::filesystem::path& folder,
                          FolderUse use,
                          const RunOptions& options,
                          const RunHooks& hooks) {
  if (options.jobs < 1) fail("jobs", "found " + std::to_string(options.jobs) + "; allowed: >= 1");
  std::optional<ResultsFolder> results;
  std::optional<Run> run;
  try {
    results.emplace(folder, experiment, use);
    run.emplace(experiment, *results, options, hooks, use == FolderUse::kResume);
    run->write();
  } catch (const WriteError& error) {  // nothing is lost yet, and the caller can mend it
    throw InvalidArgument(std::string(error.what()) + "; give another folder with --out");
  }
  const auto jobs = std::min(static_cast<std::size_t>(options.jobs), experiment.seeds.size());
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < jobs; ++i) helpers.emplace_back([&run] { run->work(); });
    run->work();
  }
  return run->finish();
}

}  // namespace pomlux
