// SPDX-License-Identifier: MIT
#pragma once

#include <functional>  // stop requests
#include <optional>    // known optimum
#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>
#include <stdexcept>  // std::runtime_error
#include <vector>     // noise per value

namespace pomlux {

/// An evaluation that came to no value: a simulator that crashed, a bench that was busy. The
/// message says what happened. Unlike InvalidArgument, the caller made no mistake, and another
/// point may do.
class EvaluationFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An evaluation given up because the question of Objective::stop_when was answered with yes.
class EvaluationStopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Observed values, and the noise of those that came with their own.
struct Observations {
  Vector values;  ///< [n], user's sign
  /// [n] standard deviations >= 0, each absent where it is not known; or empty.
  std::vector<std::optional<double>> noise_stddev{};
};

/// Seam: what is optimised. Called on blocks of points; values are in the user's own sign.
class Objective {
 public:
  virtual ~Objective() = default;

  [[nodiscard]] virtual Index dimension() const = 0;
  /// The direction that counts as better unless the user says otherwise.
  [[nodiscard]] virtual Sense sense() const { return Sense::kMaximize; }
  /// Standard deviation of the Gaussian noise that evaluate() adds; 0 if there is none or it is not
  /// known.
  [[nodiscard]] virtual double noise_stddev() const { return 0.0; }
  /// One observation per row of `points` [n, d]. Noise comes from `rng`.
  /// @throws InvalidArgument for a point of another dimension or outside the objective's domain;
  /// EvaluationFailed, or whatever its evaluation throws.
  [[nodiscard]] virtual Vector evaluate(const PointsRef& points, Rng& rng) const = 0;
  /// The same with the noise of each value, for objectives that report it.
  [[nodiscard]] virtual Observations observe(const PointsRef& points, Rng& rng) const {
    return {evaluate(points, rng)};
  }
  /// Noise-free values [n] where they are known (simulated objectives): they make regret
  /// computable.
  [[nodiscard]] virtual std::optional<Vector> true_values(const PointsRef& points) const = 0;
  /// Hands over a question that an evaluation asks while it waits for something: once the answer is
  /// yes, it gives up with EvaluationStopped. Objectives that never wait ignore it.
  virtual void stop_when(std::function<bool()> /*should_stop*/) {}
};

}  // namespace pomlux
