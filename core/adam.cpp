// SPDX-License-Identifier: MIT
#include <cmath>   // std::sqrt
#include <limits>  // infinity
#include <pomlux/core/adam.hpp>

namespace pomlux {
namespace {

constexpr double kFirstDecay = 0.9;
constexpr double kSecondDecay = 0.999;
constexpr double kDenominatorFloor = 1e-8;
constexpr int kTestEvery = 100;
constexpr double kLeastFall = 1e-3;  // of the value, from the update after one test to the next

}  // namespace

void validate(const AdamOptions& options) {
  if (!(options.learning_rate > 0.0) || !std::isfinite(options.learning_rate)) {
    fail("AdamOptions",
         "learning_rate is " + format_number(options.learning_rate) + "; it must be > 0");
  }
  if (options.max_iterations < 1) {
    fail("AdamOptions",
         "max_iterations is " + format_number(options.max_iterations) + "; it must be >= 1");
  }
}

AdamResult minimize_by_adam(const ObjectiveWithGradient& f,
                            const VectorRef& start,
                            const AdamOptions& options) {
  validate(options);
  require_finite("minimize_by_adam", "start", start);
  AdamResult result;
  result.x = start;
  const Index d = start.size();
  if (d == 0) return result;

  Vector gradient = Vector::Zero(d), first = Vector::Zero(d), second = Vector::Zero(d);
  Vector best = start;
  double best_value = std::numeric_limits<double>::infinity();
  double compared = 0.0;  // f of the update after the last test
  double first_decayed = 1.0, second_decayed = 1.0;
  result.status = Status::kIterationLimit;
  for (int i = 0; i < options.max_iterations; ++i) {
    const double value = f(result.x, gradient);
    result.iterations = i + 1;
    if (!std::isfinite(value) || !gradient.allFinite()) {
      result.x = best;
      result.status = Status::kFellBack;
      return result;
    }
    if (value < best_value) {
      best_value = value;
      best = result.x;
    }
    first_decayed *= kFirstDecay;
    second_decayed *= kSecondDecay;
    first = kFirstDecay * first + (1.0 - kFirstDecay) * gradient;
    second = kSecondDecay * second + (1.0 - kSecondDecay) * gradient.cwiseAbs2();
    for (Index k = 0; k < d; ++k) {
      const double size = std::sqrt(second(k) / (1.0 - second_decayed)) + kDenominatorFloor;
      result.x(k) -= options.learning_rate * (first(k) / (1.0 - first_decayed)) / size;
    }
    if (i % kTestEvery == 1) compared = value;
    if (i > 0 && i % kTestEvery == 0 && value + kLeastFall > compared) {
      result.status = Status::kConverged;
      return result;
    }
  }
  return result;
}

}  // namespace pomlux
