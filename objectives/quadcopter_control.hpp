// SPDX-License-Identifier: MIT
#pragma once

#include <array>  // trajectories
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/quadcopter_dynamics.hpp>
#include <vector>  // trace

namespace pomlux::quadcopter {

inline constexpr int kSteps = 100;  ///< of kTimeStep: 3 s
using Controls = std::array<Control, kSteps>;

/// At rest at (1, 1, 1).
[[nodiscard]] State initial_state();

/// What a step and the end of a flight cost: with e the state less (0, 0, kTargetHeight) at rest,
/// and v the control less (1.766, 0, 0, 0), about that of hovering,
///
///   stage     kTimeStep (e' Q e + v' R v),   Q = diag(1, 1, 1, 1, 1, 1, .1, .1, .1, 1, .1, .1),
///                                            R = 0.01 diag(5, 0.8, 0.8, 0.3)
///   terminal  5 e' e
[[nodiscard]] double stage_cost(const State& state, const Control& control);
[[nodiscard]] double terminal_cost(const State& state);

/// The sum of the costs of a flight from initial_state(): J. `feedback` acts on what is flown and
/// is not charged. Infinite or NaN if the flight ends so.
[[nodiscard]] double flight_cost(const Controls& controls, const Feedback& feedback);

/// Iterative linear-quadratic regulator, from all controls 0.
struct ControlOptions {
  /// Converged when ||dJ/dU||_2, over all 400 controls, is at most this; > 0.
  double tolerance = 1e-8;
  /// >= 0.
  int max_iterations = 1000;
};
/// @throws InvalidArgument naming the field, its value and what is allowed.
void validate(const ControlOptions& options);

/// One iterate.
struct ControlIterate {
  double cost;           ///< J
  double gradient_norm;  ///< ||dJ/dU||_2
  double step_length;    ///< in (0, 1], of the line search that led here; 0 at the start
};

struct NominalControls {
  Controls controls;
  /// The start and what came of every iteration; the last one is that of `controls`.
  std::vector<ControlIterate> trace;
  /// kConverged; kRoundingLimited if J cannot be lowered any more and the gradient norm is below
  /// kStalledGradientNorm, else kLineSearchFailed; kIterationLimit.
  Status status = Status::kNotRun;
};
/// Rounding stops the search far below this.
inline constexpr double kStalledGradientNorm = 1e-6;

/// Controls U that minimise J without feedback and disturbance, by the Gauss-Newton variant of
/// iLQR: the step is linearised along the flight, second derivatives of it are left out, the
/// linear-quadratic problem is solved by a Riccati recursion, and its affine policy is flown with
/// its offset at full length, halved down to 5e-5 until J falls. A pure function of the options.
///
/// J is 4.219739327871956 (1e-9 relative, asserted). Other starts than 0 may end in other minima.
/// Cost: 14 iterations, a few milliseconds.
/// Source: Tassa, Erez and Todorov, Synthesis and stabilization of complex behaviors through online
/// trajectory optimization, IROS 2012, without its second-order terms and regularisation.
[[nodiscard]] NominalControls find_nominal_controls(const ControlOptions& options = {});

}  // namespace pomlux::quadcopter
