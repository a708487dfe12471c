// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <pomlux/core/parallel.hpp>
#include <pomlux/experiments/progress.hpp>
#include <pomlux/experiments/run_session.hpp>
#include <pomlux/experiments/signals.hpp>

namespace pomlux {

void choose_parallelism(int jobs, int threads, std::size_t seeds, RunOptions& options) {
  const int cores = available_threads();
  options.jobs = jobs;
  options.threads = threads;
  if (options.jobs == 0 && options.threads > 0) options.jobs = 1;
  if (options.jobs == 0) options.jobs = static_cast<int>(std::min<std::size_t>(seeds, cores));
  if (options.threads == 0) options.threads = std::max(1, cores / options.jobs);
}

RunOutcome run_with_progress(const Experiment& experiment,
                             const std::filesystem::path& folder,
                             FolderUse use,
                             const RunOptions& options) {
  Progress progress(experiment.config.at("name").get<std::string>(), experiment.seeds.size());
  RunHooks hooks;
  hooks.should_stop = [] { return received_signal() != 0; };
  hooks.on_step = [&](const StepProgress& step) { progress.step(step); };
  hooks.on_seed = [&](const SeedOutcome& seed) { progress.seed(seed); };
  hooks.on_note = [&](const std::string& note) { progress.note(note); };
  RunOutcome outcome = run_experiment(experiment, folder, use, options, hooks);
  progress.clear();
  return outcome;
}

}  // namespace pomlux
