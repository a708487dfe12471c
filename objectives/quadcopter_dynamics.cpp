// SPDX-License-Identifier: MIT
#include <cmath>  // sines
#include <pomlux/objectives/quadcopter_dynamics.hpp>

namespace pomlux::quadcopter {
namespace {

constexpr double kThrustUnit = 1.0;  // N
constexpr double kRollUnit = 2e-4;   // N m
constexpr double kPitchUnit = 2e-4;  // N m
constexpr double kYawUnit = 1e-3;    // N m
constexpr double kInertiaDeterminant = kInertiaXx * kInertiaZz - kInertiaXz * kInertiaXz;

// Places in a state.
enum : Eigen::Index { kX, kY, kZ, kVx, kVy, kVz, kPhi, kTheta, kPsi, kP, kQ, kR };

/// What values and derivatives share.
struct Attitude {
  explicit Attitude(const State& s)
      : sin_phi(std::sin(s(kPhi))),
        cos_phi(std::cos(s(kPhi))),
        sin_theta(std::sin(s(kTheta))),
        cos_theta(std::cos(s(kTheta))),
        sin_psi(std::sin(s(kPsi))),
        cos_psi(std::cos(s(kPsi))),
        thrust_x(cos_psi * sin_theta + cos_theta * sin_phi * sin_psi),
        thrust_y(sin_psi * sin_theta - cos_psi * cos_theta * sin_phi),
        thrust_z(cos_phi * cos_theta),
        phi_rate(cos_theta * s(kP) + sin_theta * s(kR)),
        psi_rate((cos_theta * s(kR) - sin_theta * s(kP)) / cos_phi),
        theta_rate(s(kQ) - sin_phi * psi_rate) {}

  double sin_phi, cos_phi, sin_theta, cos_theta, sin_psi, cos_psi;
  double thrust_x, thrust_y, thrust_z;  // R e_z
  double phi_rate, psi_rate, theta_rate;
};

/// J⁻¹ of a moment.
struct Spin {
  double p, q, r;
};
Spin spin(double mx, double my, double mz) {
  return {(kInertiaZz * mx - kInertiaXz * mz) / kInertiaDeterminant,
          my / kInertiaYy,
          (kInertiaXx * mz - kInertiaXz * mx) / kInertiaDeterminant};
}

}  // namespace

State step(const State& s, const Control& u) {
  const Attitude a(s);
  const double lift = kThrustUnit * u(0) / kMass;
  const double p = s(kP), q = s(kQ), r = s(kR);
  // Angular momentum J w.
  const double hx = kInertiaXx * p + kInertiaXz * r;
  const double hy = kInertiaYy * q;
  const double hz = kInertiaXz * p + kInertiaZz * r;
  const Spin w = spin(kRollUnit * u(1) - (q * hz - r * hy),
                      kPitchUnit * u(2) - (r * hx - p * hz),
                      kYawUnit * u(3) - (p * hy - q * hx));
  State next;
  next << s(kX) + kTimeStep * s(kVx),            //
      s(kY) + kTimeStep * s(kVy),                //
      s(kZ) + kTimeStep * s(kVz),                //
      s(kVx) + kTimeStep * (lift * a.thrust_x),  //
      s(kVy) + kTimeStep * (lift * a.thrust_y),  //
      s(kVz) + kTimeStep * (lift * a.thrust_z - kGravity),
      s(kPhi) + kTimeStep * a.phi_rate,      //
      s(kTheta) + kTimeStep * a.theta_rate,  //
      s(kPsi) + kTimeStep * a.psi_rate,      //
      p + kTimeStep * w.p,                   //
      q + kTimeStep * w.q,                   //
      r + kTimeStep * w.r;
  return next;
}

namespace {

/// d velocity' / d (phi, theta, psi), lift = F / m.
void differentiate_thrust(const Attitude& a, double lift, StateJacobian& j) {
  j(kVx, kPhi) = lift * a.cos_theta * a.cos_phi * a.sin_psi;
  j(kVx, kTheta) = lift * (a.cos_psi * a.cos_theta - a.sin_theta * a.sin_phi * a.sin_psi);
  j(kVx, kPsi) = -lift * a.thrust_y;
  j(kVy, kPhi) = -lift * a.cos_psi * a.cos_theta * a.cos_phi;
  j(kVy, kTheta) = lift * (a.sin_psi * a.cos_theta + a.cos_psi * a.sin_theta * a.sin_phi);
  j(kVy, kPsi) = lift * a.thrust_x;
  j(kVz, kPhi) = -lift * a.sin_phi * a.cos_theta;
  j(kVz, kTheta) = -lift * a.cos_phi * a.sin_theta;
}

/// d (phi', theta', psi') / d (phi, theta, p, q, r).
void differentiate_angles(const Attitude& a, StateJacobian& j) {
  j(kPsi, kPhi) = a.psi_rate * a.sin_phi / a.cos_phi;
  j(kPsi, kTheta) = -a.phi_rate / a.cos_phi;
  j(kPsi, kP) = -a.sin_theta / a.cos_phi;
  j(kPsi, kR) = a.cos_theta / a.cos_phi;
  j(kPhi, kTheta) = a.psi_rate * a.cos_phi;
  j(kPhi, kP) = a.cos_theta;
  j(kPhi, kR) = a.sin_theta;
  j(kTheta, kPhi) = -a.cos_phi * a.psi_rate - a.sin_phi * j(kPsi, kPhi);
  j(kTheta, kTheta) = -a.sin_phi * j(kPsi, kTheta);
  j(kTheta, kP) = -a.sin_phi * j(kPsi, kP);
  j(kTheta, kQ) = 1.0;
  j(kTheta, kR) = -a.sin_phi * j(kPsi, kR);
}

/// d w' / d w: J⁻¹ of the derivatives of -w x J w, column by column.
void differentiate_rates(const State& s, StateJacobian& j) {
  constexpr double kZy = kInertiaZz - kInertiaYy;
  constexpr double kXz = kInertiaXx - kInertiaZz;
  constexpr double kYx = kInertiaYy - kInertiaXx;
  const double p = s(kP), q = s(kQ), r = s(kR);
  const Spin columns[] = {
      spin(-kInertiaXz * q, 2.0 * kInertiaXz * p - kXz * r, -kYx * q),
      spin(-kInertiaXz * p - kZy * r, 0.0, -kYx * p + kInertiaXz * r),
      spin(-kZy * q, -2.0 * kInertiaXz * r - kXz * p, kInertiaXz * q),
  };
  for (Eigen::Index k = 0; k < 3; ++k) {
    j(kP, kP + k) = columns[k].p;
    j(kQ, kP + k) = columns[k].q;
    j(kR, kP + k) = columns[k].r;
  }
}

}  // namespace

Linearization linearize(const State& s, const Control& u) {
  const Attitude a(s);
  Linearization result;
  StateJacobian& j = result.state;
  j.setZero();
  j(kX, kVx) = j(kY, kVy) = j(kZ, kVz) = 1.0;
  differentiate_thrust(a, kThrustUnit * u(0) / kMass, j);
  differentiate_angles(a, j);
  differentiate_rates(s, j);
  j *= kTimeStep;
  j.diagonal().array() += 1.0;

  ControlJacobian& b = result.control;
  b.setZero();
  constexpr double kLift = kThrustUnit / kMass;
  b(kVx, 0) = kLift * a.thrust_x;
  b(kVy, 0) = kLift * a.thrust_y;
  b(kVz, 0) = kLift * a.thrust_z;
  const Spin columns[] = {
      spin(kRollUnit, 0.0, 0.0), spin(0.0, kPitchUnit, 0.0), spin(0.0, 0.0, kYawUnit)};
  for (Eigen::Index k = 0; k < 3; ++k) {
    b(kP, k + 1) = columns[k].p;
    b(kQ, k + 1) = columns[k].q;
    b(kR, k + 1) = columns[k].r;
  }
  b *= kTimeStep;
  return result;
}

Feedback make_feedback(const Control& disturbance, const Control& gains) {
  return {disturbance - gains, 2.0 * disturbance.cwiseSqrt() - 2.0 * gains.cwiseSqrt()};
}

Control with_feedback(const Control& u, const State& s, const Feedback& feedback) {
  const Control position(s(kZ) - kTargetHeight, s(kPhi), s(kTheta), s(kPsi));
  const Control rate(s(kVz), s(kP), s(kQ), s(kR));
  return u + feedback.position.cwiseProduct(position) + feedback.rate.cwiseProduct(rate);
}

}  // namespace pomlux::quadcopter
