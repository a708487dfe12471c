// SPDX-License-Identifier: MIT
#pragma once

#include <exception>  // caught exceptions
#include <optional>   // values
#include <pomlux/core/objective.hpp>
#include <pomlux/experiments/json.hpp>
#include <string>       // failures
#include <string_view>  // names

namespace pomlux {

/// How one evaluation came out.
struct Evaluation {
  std::optional<double> value;         ///< absent if it failed
  std::optional<double> noise_stddev;  ///< where the objective reports it
  std::string failure;                 ///< what happened; empty if there is a value
};

/// What a caught exception says; "out of memory" for std::bad_alloc.
[[nodiscard]] std::string message_of(const std::exception_ptr& error);

/// Evaluates one point. A failure is what the objective throws, InvalidArgument, EvaluationStopped
/// and std::bad_alloc apart, which pass through, and a value or noise that is not finite, or beyond
/// kLargestObservation in size.
[[nodiscard]] Evaluation evaluate_once(const Objective& objective, const PointRef& point, Rng& rng);

/// What a run does about a failed evaluation: `on_failure` and `penalty` of an objective's section.
struct FailurePolicy {
  enum class Kind {
    kStop,      ///< end the seed
    kSkip,      ///< go on without a value; the candidate is not asked again
    kPenalise,  ///< tell the penalty
  };
  Kind kind = Kind::kStop;
  double penalty = 0.0;
};
[[nodiscard]] FailurePolicy failure_policy(const Json& objective_section);

/// What became of a step, as in the column `state` of steps.csv.
enum class StepState {
  kTold,       ///< the value was told
  kFailed,     ///< there is no value
  kPenalised,  ///< there is none, and the penalty was told
};
/// "told", "failed", "penalised".
[[nodiscard]] std::string_view to_string(StepState state);

}  // namespace pomlux
