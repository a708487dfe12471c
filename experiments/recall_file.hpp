// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // paths
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/pom_file.hpp>
#include <string>  // names
#include <vector>  // curves

namespace pomlux {

/// Expected recall, by the truth's probabilities, of the first floor(n j / 19) arms of an order, j
/// = 0 ... 19.
struct RecallCurve {
  static constexpr Index kPoints = 20;
  std::string method;
  Vector recall;  ///< [kPoints]
};

/// A curve for every record, by descending probability, and for three orders without a PoM:
///   mean          by descending mean of `f`
///   ts            repeated Thompson sampling: the largest arm of a fresh joint sample that is not
///                 yet picked, n times
///   ts_reference  the same with two slips of the paper's public code: the covariance stands where
///                 its square root should, and a place that is not yet filled holds the last arm,
///                 so that this one is never picked and stands first
/// `f` is to be maximised. O(n^3).
[[nodiscard]] std::vector<RecallCurve> recall_curves(const GaussianVector& f,
                                                     const std::vector<PomRecord>& poms,
                                                     const Pom& truth,
                                                     Rng& rng);

/// recall.csv of one seed: step, method, fraction, recall; kPoints rows per step and method.
class RecallFile {
 public:
  /// @param kept bytes of an earlier file to go on after; 0: a new file.
  explicit RecallFile(const std::filesystem::path& path, std::uintmax_t kept = 0);
  void append(Index step, const std::vector<RecallCurve>& curves);
  [[nodiscard]] std::uintmax_t size() const { return file_.size(); }
  void sync() { file_.sync(); }

 private:
  CsvWriter file_;
};

}  // namespace pomlux
