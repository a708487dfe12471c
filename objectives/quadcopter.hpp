// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>  // seeds
#include <pomlux/core/objective.hpp>
#include <pomlux/objectives/quadcopter_control.hpp>

namespace pomlux {

/// d with d_i = z_i², z ~ N(0, I_4): chi-square with one degree of freedom. Of the stream (seed,
/// "quadcopter_disturbance"); a pure function of the seed.
[[nodiscard]] quadcopter::Control draw_quadcopter_disturbance(std::uint64_t seed);

struct QuadcopterOptions {
  /// Of evaluate(), >= 0.
  double noise_stddev = 0.0;
  /// ControlOptions::tolerance of the nominal controls.
  double control_tolerance = 1e-8;
};

/// How well a quadcopter flies from (1, 1, 1) to (0, 0, 2) under feedback with the gains k, [4] >=
/// 0, where an unknown disturbance d acts (quadcopter_dynamics.hpp):
///
///   f(k) = -tanh((J(k) - 100) / 100)   in [-1, tanh(1)],   maximised
///
/// J the cost of the flight (flight_cost, quadcopter_control.hpp) with the nominal controls; a
/// flight whose cost is infinite or NaN counts -1. With k = d feedback and disturbance cancel:
/// f = 0.74329511. Usually optimised on [0, 20]^4.
///
/// Error: kQuadcopterError absolute for the exact nominal controls; with controls of tolerance 1e-8
/// kQuadcopterControlError. Both asserted against tests/oracles/quadcopter.json.
/// Cost: that of find_nominal_controls once; per point 100 steps, less than 25 microseconds; points
/// in parallel.
/// Source: Menet et al., LITE, AISTATS 2025 (there with a noise of 0.1, 400 points uniform on
/// [0, 20]^4, and a disturbance per seed as draw_quadcopter_disturbance draws it).
class Quadcopter final : public Objective {
 public:
  /// @param disturbance  [4], each >= 0 and finite.
  /// @throws InvalidArgument for a value out of range.
  explicit Quadcopter(const quadcopter::Control& disturbance,
                      const QuadcopterOptions& options = {});

  [[nodiscard]] const quadcopter::Control& disturbance() const { return disturbance_; }
  [[nodiscard]] const quadcopter::NominalControls& nominal() const { return nominal_; }
  [[nodiscard]] Index dimension() const override { return quadcopter::kControls; }
  [[nodiscard]] double noise_stddev() const override { return noise_stddev_; }
  /// @throws InvalidArgument for points of another dimension, or with a coordinate that is not
  /// finite or is negative.
  [[nodiscard]] Vector evaluate(const PointsRef& points, Rng& rng) const override;
  [[nodiscard]] std::optional<Vector> true_values(const PointsRef& points) const override;

  /// f of a cost J.
  [[nodiscard]] static double value_of(double cost);

 private:
  quadcopter::Control disturbance_;
  double noise_stddev_;
  quadcopter::NominalControls nominal_;
};

inline constexpr double kQuadcopterError = 1e-10;
inline constexpr double kQuadcopterControlError = 1e-6;

}  // namespace pomlux
