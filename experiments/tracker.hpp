// SPDX-License-Identifier: MIT
#pragma once

#include <functional>  // where an estimate comes from
#include <memory>      // estimators
#include <optional>    // no truth
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/pom_estimator.hpp>
#include <pomlux/experiments/json.hpp>
#include <pomlux/experiments/pom_file.hpp>
#include <string>  // names
#include <vector>  // records

namespace pomlux {

/// The section `track` of one seed: which estimators look at which posteriors. It never changes the
/// path of a run: every estimator draws from its own stream (seed, "track:<name>", step), recall
/// curves from (seed, "track:ts", step).
class Tracker {
 public:
  Tracker(const Json& track, std::uint64_t seed);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::optional<std::string>& truth() const { return truth_; }
  [[nodiscard]] bool has_entropy() const { return has_entropy_; }
  [[nodiscard]] bool has_recall() const { return has_recall_; }
  /// Estimates whose status was neither kConverged nor kRoundingLimited, so far or before.
  [[nodiscard]] Index unconverged() const { return unconverged_; }
  void go_on_after(Index unconverged) { unconverged_ = unconverged; }

  /// Is the posterior before this query of the acquisition, from 0, looked at?
  [[nodiscard]] bool looks_at(Index query) const;
  /// What the final posterior is given: with chosen steps, the truth is only for them.
  [[nodiscard]] bool is_final(const std::string& name) const;

  /// Answers of a caller that has the posterior.
  using Estimate = std::function<Pom(const PomEstimator&, Rng&)>;
  /// @param step names the streams. @param wants chooses estimators by name; empty: all.
  std::vector<PomRecord> estimate(Index step,
                                  const Estimate& answer,
                                  const std::function<bool(const std::string&)>& wants = {});

 private:
  std::uint64_t seed_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<PomEstimator>> estimators_;
  std::optional<std::string> truth_;
  std::optional<std::vector<Index>> steps_;  // ascending
  bool has_entropy_;
  bool has_recall_;
  Index unconverged_ = 0;
};

/// Seconds of all records.
[[nodiscard]] double estimate_seconds(const std::vector<PomRecord>& records);

}  // namespace pomlux
