// SPDX-License-Identifier: MIT
#include <cmath>      // std::abs
#include <exception>  // whatever objectives throw
#include <new>        // std::bad_alloc
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/evaluation.hpp>
#include <pomlux/gp/kernel.hpp>
#include <string>  // messages

namespace pomlux {
namespace {

// What is accepted here, the model must take.
static_assert(kLargestObservation <= kLargestHyperparameter);

/// Why a value with that noise cannot be told; empty if it can.
std::string fault_of(double value, const std::optional<double>& noise_stddev) {
  const std::string largest = format_number(kLargestObservation);
  if (!(std::abs(value) <= kLargestObservation)) {
    return "the value is '" + format_number(value) +
           "'; allowed: a finite number of size <= " + largest;
  }
  if (noise_stddev && !(*noise_stddev >= 0.0 && *noise_stddev <= kLargestObservation)) {
    return "the noise_stddev is '" + format_number(*noise_stddev) + "'; allowed: [0, " + largest +
           "]";
  }
  return "";
}

}  // namespace

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
}

Evaluation evaluate_once(const Objective& objective, const PointRef& point, Rng& rng) {
  Evaluation result;
  try {
    const Points block = point;
    const Observations observed = objective.observe(block, rng);
    require_same_size("objective", "values", observed.values.size(), "points", 1);
    const double value = observed.values(0);
    std::optional<double> noise_stddev;
    if (!observed.noise_stddev.empty()) noise_stddev = observed.noise_stddev.front();
    result.failure = fault_of(value, noise_stddev);
    if (result.failure.empty()) {
      result.value = value;
      result.noise_stddev = noise_stddev;
    }
  } catch (const InvalidArgument&) {
    throw;
  } catch (const EvaluationStopped&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    result.failure = message_of(std::current_exception());
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
