// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>  // states

namespace pomlux::quadcopter {

// A quadcopter of 0.18 kg as a rigid body, in SI units; world axes, z upwards.
//
// State, 12: position (x, y, z); velocity (vx, vy, vz); roll, pitch and yaw (phi, theta, psi); body
// rates w = (p, q, r). The attitude is R = Rz(psi) Rx(phi) Ry(theta), body to world.
// Control, 4: thrust F = u0 N and moments M = (2e-4 u1, 2e-4 u2, 1e-3 u3) N m, without limits.
//
//   position' = velocity
//   velocity' = (F / m) R e_z - g e_z
//   psi'      = (cos(theta) r - sin(theta) p) / cos(phi)
//   phi'      = cos(theta) p + sin(theta) r
//   theta'    = q - sin(phi) psi'
//   w'        = J⁻¹ (M - w x J w),  J = [Jxx 0 Jxz; 0 Jyy 0; Jxz 0 Jzz]
//
// Singular at phi = +-90 degrees: a flight that tumbles ends in huge numbers, infinities and NaN.
// Source: the benchmark of Menet et al., LITE, AISTATS 2025.

inline constexpr int kStates = 12;
inline constexpr int kControls = 4;
inline constexpr double kMass = 0.18;           ///< m, kg
inline constexpr double kGravity = 9.81;        ///< g, m/s^2
inline constexpr double kInertiaXx = 2.5e-4;    ///< kg m^2
inline constexpr double kInertiaYy = 2.32e-4;   ///< kg m^2
inline constexpr double kInertiaZz = 3.738e-4;  ///< kg m^2
inline constexpr double kInertiaXz = 2.55e-6;   ///< kg m^2
inline constexpr double kTimeStep = 0.03;       ///< s

// Unaligned: their layout does not depend on the instruction set a program is compiled for.
using State = Eigen::Matrix<double, kStates, 1, Eigen::DontAlign>;
using Control = Eigen::Matrix<double, kControls, 1, Eigen::DontAlign>;
using StateJacobian = Eigen::Matrix<double, kStates, kStates, Eigen::DontAlign>;
using ControlJacobian = Eigen::Matrix<double, kStates, kControls, Eigen::DontAlign>;

/// One explicit Euler step, state + kTimeStep state'. Any values; those not finite spread.
/// Error: kStepError (1 + |entry|), asserted against tests/oracles/quadcopter.json.
[[nodiscard]] State step(const State& state, const Control& control);
inline constexpr double kStepError = 1e-12;

/// Derivatives of step() in closed form.
/// Error: kJacobianError (1 + |entry|), asserted against the same file.
struct Linearization {
  StateJacobian state;      ///< d step / d state
  ControlJacobian control;  ///< d step / d control
};
[[nodiscard]] Linearization linearize(const State& state, const Control& control);
inline constexpr double kJacobianError = 1e-10;

/// Height that the flight is to end at and that feedback holds, m.
inline constexpr double kTargetHeight = 2.0;

/// Feedback k >= 0 on the errors of z, phi, theta and psi, one control each, critically damped, and
/// a disturbance d >= 0 that undoes as much of it (elementwise):
///
///   u + (d - k) (z - kTargetHeight, phi, theta, psi) + (2 sqrt(d) - 2 sqrt(k)) (vz, p, q, r)
///
/// With k = d it is u, bit for bit, as long as the state is finite.
struct Feedback {
  Control position;  ///< d - k
  Control rate;      ///< 2 sqrt(d) - 2 sqrt(k)
};
[[nodiscard]] Feedback make_feedback(const Control& disturbance, const Control& gains);
[[nodiscard]] Control with_feedback(const Control& control,
                                    const State& state,
                                    const Feedback& feedback);

}  // namespace pomlux::quadcopter
