// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>   // seeds
#include <optional>  // what may be unknown
#include <pomlux/core/optimizer.hpp>
#include <pomlux/core/surrogate.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <string>   // names
#include <utility>  // name and value
#include <vector>   // seeds

namespace pomlux {

/// How one seed ended.
enum class SeedStatus {
  kPending,      ///< not begun
  kRunning,      ///< under way
  kDone,         ///< the budget was used
  kExhausted,    ///< no allowed candidate was left
  kFailed,       ///< stopped by an error; see the reason
  kInterrupted,  ///< stopped by a signal
};
/// "pending", "running", "done", "exhausted", "failed", "interrupted".
[[nodiscard]] std::string_view to_string(SeedStatus status);

/// Wall-clock seconds by part.
struct PartSeconds {
  double fit = 0.0;
  double posterior = 0.0;
  double acquisition = 0.0;
  double estimator = 0.0;
  double writing = 0.0;
  double total = 0.0;  ///< objective and everything else included
};

/// What one seed came to. Values are in the user's sign; model values are of the final posterior.
struct SeedOutcome {
  std::uint64_t seed = 0;
  SeedStatus status = SeedStatus::kPending;
  std::string reason;
  Index evaluations = 0;         ///< rows of steps.csv
  Index failed_evaluations = 0;  ///< of them, those without a value of the objective
  Index candidates = 0;          ///< rows of posterior.csv; 0 if it was not written
  std::optional<Incumbent> best_observed;
  std::optional<Point> best_observed_point;
  std::optional<Incumbent> best_mean;
  std::optional<double> simple_regret;     ///< of the best evaluated candidate
  std::optional<double> inference_regret;  ///< of the candidate with the best posterior mean
  std::vector<std::pair<std::string, double>> entropies;         ///< by estimator, nats
  std::vector<std::pair<std::string, double>> total_variations;  ///< type estimation; averages
  std::vector<Hyperparameter> hyperparameters;
  std::optional<double> log_likelihood;
  double jitter = 0.0;               ///< largest that was added to a covariance matrix
  std::vector<FitBound> fit_bounds;  ///< in force at the last fit; empty without a fit
  std::vector<std::string> warnings;
  PartSeconds seconds;
};

/// A whole experiment.
struct RunOutcome {
  std::vector<SeedOutcome> seeds;
  double total_seconds = 0.0;
  [[nodiscard]] bool is_finished() const;     ///< every seed is done or exhausted
  [[nodiscard]] bool has_failed() const;      ///< some seed failed
  [[nodiscard]] bool is_interrupted() const;  ///< some seed was stopped by a signal
};

}  // namespace pomlux
