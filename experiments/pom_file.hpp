// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // paths
#include <optional>    // no truth
#include <pomlux/core/pom.hpp>
#include <pomlux/experiments/files.hpp>
#include <string>  // names
#include <vector>  // estimators

namespace pomlux {

/// A tracked estimator's answer at one step.
struct PomRecord {
  std::string estimator;
  Pom pom;
  double seconds = 0.0;
};

/// pom.csv of one seed: a row per step and estimator with its entropy, total variation to the
/// truth, average total variation to the truth's batches (tv_batch, if it has any: what tv would be
/// with fewer samples) and relative error of the entropy (all empty for the truth itself, and
/// without one), errors, iterations, status and time.
class PomFile {
 public:
  /// @param truth name of the estimator that the others are compared with.
  /// @param kept bytes of an earlier file to go on after; 0: a new file.
  PomFile(const std::filesystem::path& path,
          std::optional<std::string> truth,
          std::uintmax_t kept = 0);
  void append(Index step, const std::vector<PomRecord>& poms);
  [[nodiscard]] std::uintmax_t size() const { return file_.size(); }
  void sync() { file_.sync(); }

 private:
  std::optional<std::string> truth_;
  CsvWriter file_;
};

/// The record of this estimator, or nullptr.
[[nodiscard]] const PomRecord* find_record(const std::vector<PomRecord>& poms,
                                           const std::string& name);

}  // namespace pomlux
