// SPDX-License-Identifier: MIT
#pragma once

#include <functional>  // the function
#include <pomlux/core/objective.hpp>

namespace pomlux {

/// A function of the embedding program as an objective.
class CallbackObjective final : public Objective {
 public:
  /// The value at one point [d]. It is called one row at a time, in order; from several threads at
  /// once only if the objective is.
  using Function = std::function<double(const PointRef& point)>;

  /// @throws InvalidArgument if dimension < 1 or the function is empty.
  CallbackObjective(Index dimension, Function function, Sense sense = Sense::kMaximize);
  [[nodiscard]] Index dimension() const override { return dimension_; }
  [[nodiscard]] Sense sense() const override { return sense_; }
  /// What the function throws reaches the caller unchanged.
  /// @throws InvalidArgument for points of another dimension; EvaluationFailed with the point for a
  /// value that is not finite.
  [[nodiscard]] Vector evaluate(const PointsRef& points, Rng& rng) const override;
  /// Not known.
  [[nodiscard]] std::optional<Vector> true_values(const PointsRef& points) const override;

 private:
  Index dimension_;
  Function function_;
  Sense sense_;
};

}  // namespace pomlux
