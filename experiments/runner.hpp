// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <functional>  // hooks
#include <memory>      // objectives
#include <pomlux/core/objective.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/outcome.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <pomlux/experiments/run_files.hpp>
#include <string>  // names

namespace pomlux {

/// How far one seed is, after each evaluation.
struct StepProgress {
  std::uint64_t seed = 0;
  Index evaluations = 0;
  Index budget = 0;
  std::optional<double> best_observed;  ///< nothing without a success
  std::optional<double> entropy;        ///< of the first tracked estimator
};

/// What the caller of a run wants to hear and to decide. Everything may be empty. Hooks are called
/// one at a time, from any thread.
struct RunHooks {
  std::function<bool()> should_stop;  ///< asked before every evaluation
  std::function<void(const StepProgress&)> on_step;
  std::function<void(const SeedOutcome&)> on_seed;  ///< a seed has ended
  std::function<void(const std::string&)> on_note;  ///< where a resumed seed goes on
  /// Instead of the configured objective.
  std::function<std::unique_ptr<Objective>(const Domain&, std::uint64_t seed)> make_objective;
};

struct RunOptions {
  int jobs = 1;     ///< seeds at a time, >= 1
  int threads = 1;  ///< within one seed, >= 1
  std::string command_line;
};

/// One seed: the loop of ask, evaluate, tell, with its files written to `folder`. Ends with an
/// outcome whatever happens; an error of the objective or of writing is its reason.
/// @param resumes go on with what the folder's journal holds (see SeedJournal).
[[nodiscard]] SeedOutcome run_seed(const Experiment& experiment,
                                   std::uint64_t seed,
                                   const std::filesystem::path& folder,
                                   const RunHooks& hooks = {},
                                   bool resumes = false);

/// All seeds, into a folder that is free or holds earlier results (see FolderUse). A resumed run
/// leaves the files that an uninterrupted one would have left, columns named *_seconds and the
/// manifest's times apart. The files of a seed are the same for any `jobs` and `threads`, columns
/// named
/// *_seconds apart. manifest.json and summary.csv are replaced about once a second while there is
/// news, and at the end whatever it is.
/// @throws InvalidArgument, before anything is evaluated, if the folder cannot be used or written
/// to; WriteError if the common files can no longer be written.
RunOutcome run_experiment(const Experiment& experiment,
                          const std::filesystem::path& folder,
                          FolderUse use,
                          const RunOptions& options,
                          const RunHooks& hooks = {});

}  // namespace pomlux
