// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>  // gains
#include <cmath>           // roots
#include <pomlux/objectives/quadcopter_control.hpp>

namespace pomlux::quadcopter {
namespace {

constexpr double kTargetThrust = 1.766;
constexpr double kTerminalWeight = 5.0;
constexpr double kShortestStep = 5e-5;

using Flight = std::array<State, kSteps + 1>;
using GainMatrix = Eigen::Matrix<double, kControls, kStates>;

State state_weights() {
  State q;
  q << 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.1, 0.1, 0.1, 1.0, 0.1, 0.1;
  return q;
}

Control control_weights() { return 0.01 * Control(5.0, 0.8, 0.8, 0.3); }

State state_error(const State& state) {
  State error = state;
  error(2) -= kTargetHeight;
  return error;
}

Control control_error(const Control& control) {
  Control error = control;
  error(0) -= kTargetThrust;
  return error;
}

// Derivatives of the costs; the factors 2 are those of squares.
State stage_gradient(const State& state) {
  return (2.0 * kTimeStep) * state_weights().cwiseProduct(state_error(state));
}
Control control_gradient(const Control& control) {
  return (2.0 * kTimeStep) * control_weights().cwiseProduct(control_error(control));
}
State terminal_gradient(const State& state) { return (2.0 * kTerminalWeight) * state_error(state); }

/// The affine policy u + length k + K (new state - state).
struct Policy {
  std::array<Control, kSteps> offset;  // k
  std::vector<GainMatrix> gains = std::vector<GainMatrix>(kSteps);
};

struct Iterate {
  Controls controls;
  Flight states;
  double cost = 0.0;
};

class Regulator {
 public:
  Regulator() {
    iterate_.controls.fill(Control::Zero());
    fly(0.0, iterate_);
  }

  [[nodiscard]] const Iterate& iterate() const { return iterate_; }
  /// Linearises about the iterate; ||dJ/dU||_2.
  double linearize_flight();
  void find_policy();
  /// Flies the policy at shorter and shorter lengths until J falls; that length, or 0.
  double search();

 private:
  /// What the policy at this length makes of the iterate.
  void fly(double length, Iterate& result) const;

  Iterate iterate_, trial_;
  std::vector<Linearization> model_ = std::vector<Linearization>(kSteps);
  Policy policy_;
};

double Regulator::linearize_flight() {
  State adjoint = terminal_gradient(iterate_.states.back());
  double square = 0.0;
  for (std::size_t t = kSteps; t-- > 0;) {
    const State& state = iterate_.states[t];
    model_[t] = quadcopter::linearize(state, iterate_.controls[t]);
    const Control gradient =
        control_gradient(iterate_.controls[t]) + model_[t].control.transpose() * adjoint;
    square += gradient.squaredNorm();
    adjoint = (stage_gradient(state) + model_[t].state.transpose() * adjoint).eval();
  }
  return std::sqrt(square);
}

void Regulator::find_policy() {
  // The value function behind step t is v' s + s' V s / 2 in deviations s from the iterate.
  State v = terminal_gradient(iterate_.states.back());
  StateJacobian v_matrix = 2.0 * kTerminalWeight * StateJacobian::Identity();
  const State state_hessian = 2.0 * kTimeStep * state_weights();
  const Control control_hessian = 2.0 * kTimeStep * control_weights();
  for (std::size_t t = kSteps; t-- > 0;) {
    const StateJacobian& a = model_[t].state;
    const ControlJacobian& b = model_[t].control;
    const StateJacobian v_a = v_matrix * a;
    const ControlJacobian v_b = v_matrix * b;
    Eigen::Matrix<double, kControls, kControls> q_uu = b.transpose() * v_b;
    q_uu.diagonal() += control_hessian;
    const GainMatrix q_ux = b.transpose() * v_a;
    const Control q_u = control_gradient(iterate_.controls[t]) + b.transpose() * v;
    const Eigen::LLT<Eigen::Matrix<double, kControls, kControls>> factor(q_uu);
    policy_.offset[t] = -factor.solve(q_u);
    policy_.gains[t] = -factor.solve(q_ux);

    v = (stage_gradient(iterate_.states[t]) + a.transpose() * v +
         q_ux.transpose() * policy_.offset[t])
            .eval();
    StateJacobian hessian = a.transpose() * v_a + q_ux.transpose() * policy_.gains[t];
    hessian.diagonal() += state_hessian;
    v_matrix = 0.5 * (hessian + hessian.transpose());
  }
}

double Regulator::search() {
  for (double length = 1.0; length > kShortestStep; length *= 0.5) {
    fly(length, trial_);
    // A flight without a cost (NaN) is no better.
    if (trial_.cost < iterate_.cost) {
      std::swap(iterate_, trial_);
      return length;
    }
  }
  return 0.0;
}

void Regulator::fly(double length, Iterate& result) const {
  result.cost = 0.0;
  result.states.front() = initial_state();
  for (std::size_t t = 0; t < kSteps; ++t) {
    const State& state = result.states[t];
    Control& control = result.controls[t];
    control = iterate_.controls[t];
    if (length > 0.0) {
      control += length * policy_.offset[t] + policy_.gains[t] * (state - iterate_.states[t]);
    }
    result.cost += stage_cost(state, control);
    result.states[t + 1] = step(state, control);
  }
  result.cost += terminal_cost(result.states.back());
}

}  // namespace

State initial_state() {
  State state = State::Zero();
  state.head<3>().setOnes();
  return state;
}

double stage_cost(const State& state, const Control& control) {
  return kTimeStep * (state_error(state).cwiseAbs2().dot(state_weights()) +
                      control_error(control).cwiseAbs2().dot(control_weights()));
}

double terminal_cost(const State& state) {
  return kTerminalWeight * state_error(state).squaredNorm();
}

double flight_cost(const Controls& controls, const Feedback& feedback) {
  State state = initial_state();
  double cost = 0.0;
  for (const Control& control : controls) {
    cost += stage_cost(state, control);
    state = step(state, with_feedback(control, state, feedback));
  }
  return cost + terminal_cost(state);
}

void validate(const ControlOptions& options) {
  if (!(options.tolerance > 0.0 && std::isfinite(options.tolerance))) {
    fail("quadcopter controls",
         "tolerance is " + format_number(options.tolerance) + "; allowed: > 0 and finite");
  }
  if (options.max_iterations < 0) {
    fail("quadcopter controls",
         "max_iterations is " + format_number(options.max_iterations) + "; allowed: >= 0");
  }
}

NominalControls find_nominal_controls(const ControlOptions& options) {
  validate(options);
  NominalControls result;
  Regulator regulator;
  double length = 0.0;
  for (int iteration = 0;; ++iteration) {
    const double norm = regulator.linearize_flight();
    result.trace.push_back({regulator.iterate().cost, norm, length});
    if (norm <= options.tolerance) {
      result.status = Status::kConverged;
    } else if (iteration == options.max_iterations) {
      result.status = Status::kIterationLimit;
    } else {
      regulator.find_policy();
      length = regulator.search();
      if (length > 0.0) continue;
      result.status =
          norm < kStalledGradientNorm ? Status::kRoundingLimited : Status::kLineSearchFailed;
    }
    result.controls = regulator.iterate().controls;
    return result;
  }
}

}  // namespace pomlux::quadcopter
