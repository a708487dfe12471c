// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/objective.hpp>

namespace pomlux {

/// f(x) = (1 + cos(12 r)) / (r² / 2 + 2), r = |x|, in two dimensions; maximum 1 at the origin.
/// Error: 1e-13 max(1, |f|), asserted against tests/oracles/test_functions.json.
/// Source: Surjanovic and Bingham, Virtual Library of Simulation Experiments (there negated and
/// minimised).
[[nodiscard]] double drop_wave(double x0, double x1);

class DropWave final : public Objective {
 public:
  /// @param noise_stddev of evaluate(), >= 0.
  explicit DropWave(double noise_stddev = 0.0);
  [[nodiscard]] Index dimension() const override { return 2; }
  [[nodiscard]] double noise_stddev() const override { return noise_stddev_; }
  /// @throws InvalidArgument for points of another dimension or with a coordinate that is not
  /// finite.
  [[nodiscard]] Vector evaluate(const PointsRef& points, Rng& rng) const override;
  [[nodiscard]] std::optional<Vector> true_values(const PointsRef& points) const override;

 private:
  double noise_stddev_;
};

}  // namespace pomlux
