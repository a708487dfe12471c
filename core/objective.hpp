// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // known optimum
#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>

namespace pomlux {

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
  /// @throws InvalidArgument for a point of another dimension or outside the objective's domain.
  [[nodiscard]] virtual Vector evaluate(const PointsRef& points, Rng& rng) const = 0;
  /// Noise-free values [n] where they are known (simulated objectives): they make regret
  /// computable.
  [[nodiscard]] virtual std::optional<Vector> true_values(const PointsRef& points) const = 0;
};

}  // namespace pomlux
