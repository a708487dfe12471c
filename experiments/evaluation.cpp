// SPDX-License-Identifier: MIT
#include <cmath>      // std::isfinite
#include <exception>  // whatever objectives throw
#include <new>        // std::bad_alloc
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/evaluation.hpp>

namespace pomlux {

Evaluation evaluate_once(const Objective& objective, const PointRef& point, Rng& rng) {
  Evaluation result;
  try {
    const Points block = point;
    const Observations observed = objective.observe(block, rng);
    require_same_size("objective", "values", observed.values.size(), "points", 1);
    const double value = observed.values(0);
    if (std::isfinite(value)) {
      result.value = value;
      if (!observed.noise_stddev.empty()) result.noise_stddev = observed.noise_stddev.front();
    } else {
      result.failure = "the value is " + format_number(value) + "; allowed: a finite number";
    }
  } catch (const InvalidArgument&) {
    throw;
  } catch (const EvaluationStopped&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    result.failure = error.what();
  } catch (...) {
    result.failure = "an exception that is not a std::exception";
  }
  if (!result.value && result.failure.empty()) result.failure = "no reason is given";
  return result;
}

FailurePolicy failure_policy(const Json& objective_section) {
  const Json& kind = objective_section.at("on_failure");
  if (kind == "skip") return {FailurePolicy::Kind::kSkip};
  if (kind != "penalise") return {};
  return {FailurePolicy::Kind::kPenalise, objective_section.at("penalty").get<double>()};
}

std::string_view to_string(StepState state) {
  switch (state) {
    case StepState::kTold:
      return "told";
    case StepState::kFailed:
      return "failed";
    case StepState::kPenalised:
      return "penalised";
  }
  return "";
}

}  // namespace pomlux
