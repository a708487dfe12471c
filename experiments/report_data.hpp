// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>     // seeds
#include <filesystem>  // folders
#include <pomlux/core/types.hpp>
#include <pomlux/experiments/report_table.hpp>
#include <string>   // names
#include <utility>  // key and value
#include <vector>   // seeds

namespace pomlux {

/// One seed of an experiment, as far as it got.
struct SeedResult {
  std::uint64_t seed = 0;
  std::string folder;           ///< "seed-0007"
  std::string status;           ///< as in the manifest; "unknown" if it does not say
  std::string reason;           ///< likewise, may be empty
  bool is_complete = false;     ///< ended as it should, and all its steps are there
  std::size_t evaluations = 0;  ///< that its steps must have, by the manifest
  std::size_t candidates = 0;   ///< that its posterior must have, by the manifest
  ResultTable steps;
};

/// A results folder in memory, but for the posteriors, which are read one at a time.
struct RunResult {
  std::filesystem::path folder;
  std::string name;
  std::string objective;
  Sense sense = Sense::kMaximize;
  bool is_estimation = false;  ///< of that type
  std::string configuration;   ///< experiment.yaml, verbatim; empty if there is none
  std::vector<SeedResult> seeds;
  std::vector<std::string> warnings;
  /// Seconds per part as in the manifest, its total left out; then the total, NaN if unknown.
  std::vector<std::pair<std::string, double>> seconds;
  double total_seconds = 0.0;
  /// What made the results: pairs to be shown.
  std::vector<std::pair<std::string, std::string>> provenance;

  /// Mean and so on of every candidate for one seed; empty if it was not written. What is missing
  /// though the manifest says that it was written is a warning.
  [[nodiscard]] ResultTable posterior(const SeedResult& seed, std::vector<std::string>& into) const;
};

/// @throws InvalidArgument if the folder is missing or holds none of a run's files.
[[nodiscard]] RunResult read_run(const std::filesystem::path& folder);

/// "maximiser" or "minimiser".
[[nodiscard]] std::string optimum_noun(Sense sense);
/// Names of the estimators of which a table has columns "<prefix><name>".
[[nodiscard]] std::vector<std::string> estimators_of(const ResultTable& table,
                                                     const std::string& prefix);

}  // namespace pomlux
