// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/runner.hpp>

namespace pomlux {

/// jobs x threads is at most the number of cores, unless both are given. With threads alone, seeds
/// run one after the other: --threads 1 uses one core. 0: not given.
void choose_parallelism(int jobs, int threads, std::size_t seeds, RunOptions& options);

/// A run of the program: with a progress line, and stopped by signals (catch_signals).
[[nodiscard]] RunOutcome run_with_progress(const Experiment& experiment,
                                           const std::filesystem::path& folder,
                                           FolderUse use,
                                           const RunOptions& options);

}  // namespace pomlux
