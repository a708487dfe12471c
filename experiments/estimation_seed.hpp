// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/outcome.hpp>
#include <pomlux/experiments/runner.hpp>

namespace pomlux {

/// One seed of an experiment of type estimation: a vector of every size, every tracked estimator on
/// each. Writes, a step per size in the order of the sizes,
///   steps.csv  step, candidates (arms), entropy_<estimator> ..., estimator_seconds
///   pom.csv    as PomFile
/// to `folder`. The outcome's evaluations are the steps that were done, its total variations the
/// averages over them. An estimator that draws has the stream (seed, "track:<name>", step).
/// Ends with an outcome whatever happens; an error is its reason. `hooks.should_stop` is asked
/// before every step; `hooks.make_objective` is not used. Resumed, a seed that was finished is not
/// run again, and another one from its beginning.
[[nodiscard]] SeedOutcome run_estimation_seed(const Experiment& experiment,
                                              std::uint64_t seed,
                                              const std::filesystem::path& folder,
                                              const RunHooks& hooks = {},
                                              bool resumes = false);

}  // namespace pomlux
