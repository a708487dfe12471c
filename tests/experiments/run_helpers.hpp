// SPDX-License-Identifier: MIT
#pragma once
// Runs of the tests and what they left.

#include <experiments/temporary_folder.hpp>
#include <filesystem>  // files
#include <pomlux/core/csv.hpp>
#include <pomlux/experiments/runner.hpp>
#include <string>  // cells
#include <vector>  // rows

namespace pomlux::test {

/// Into the folder "r" of a temporary one.
inline RunOutcome run_into(const Experiment& experiment,
                           const TemporaryFolder& folder,
                           int jobs = 1,
                           int threads = 1,
                           const RunHooks& hooks = {}) {
  RunOptions options;
  options.jobs = jobs;
  options.threads = threads;
  return run_experiment(experiment, folder.path() / "r", FolderUse::kNew, options, hooks);
}

/// Cells of a file without the columns named *_seconds.
inline std::vector<std::vector<std::string>> lasting_cells(const std::filesystem::path& file) {
  const CsvTable table = read_csv_file(file);
  std::vector<std::vector<std::string>> result;
  for (const auto& row : table.rows) {
    result.emplace_back();
    for (std::size_t c = 0; c < table.width; ++c) {
      if (!table.columns[c].ends_with("_seconds")) result.back().push_back(row[c]);
    }
  }
  return result;
}

}  // namespace pomlux::test
