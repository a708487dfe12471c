// SPDX-License-Identifier: MIT
#include <cmath>  // std::isfinite
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/callback.hpp>
#include <utility>  // std::move

namespace pomlux {

CallbackObjective::CallbackObjective(Index dimension, Function function, Sense sense)
    : dimension_(dimension), function_(std::move(function)), sense_(sense) {
  if (dimension < 1) {
    fail("CallbackObjective", "dimension is " + format_number(dimension) + "; must be >= 1");
  }
  if (!function_) fail("CallbackObjective", "function is empty");
}

Vector CallbackObjective::evaluate(const PointsRef& points, Rng& /*rng*/) const {
  require_same_size(
      "CallbackObjective", "columns of points", points.cols(), "the dimension", dimension_);
  Vector values(points.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    values(i) = function_(points.row(i));
    if (std::isfinite(values(i))) continue;
    std::string coordinates;
    for (Index k = 0; k < dimension_; ++k) {
      coordinates += (k > 0 ? ", " : "") + format_number(points(i, k));
    }
    throw EvaluationFailed("the function returned " + format_number(values(i)) + " at (" +
                           coordinates + "); allowed: a finite number");
  }
  return values;
}

std::optional<Vector> CallbackObjective::true_values(const PointsRef& /*points*/) const {
  return std::nullopt;
}

}  // namespace pomlux
