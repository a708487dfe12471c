// SPDX-License-Identifier: MIT
#pragma once

#include <functional>  // the function to minimise
#include <optional>    // limits
#include <pomlux/core/errors.hpp>
#include <pomlux/core/types.hpp>

namespace pomlux {

/// f(x), writing its gradient [d]. May return NaN or inf, or leave the gradient so (outside its
/// domain): such points are never accepted. Called with x inside the bounds, from one thread.
using ObjectiveWithGradient = std::function<double(const Vector& x, Vector& gradient)>;

/// Box constraints, [d] each; infinities allowed; lower <= upper. A coordinate with lower == upper
/// is fixed.
struct Bounds {
  Vector lower;
  Vector upper;
};

/// Both tolerances are absolute where |f| < 1: scale f so that a change of 1 matters.
struct MinimizeOptions {
  /// Iterations of L-BFGS-B in all. At least 1.
  int max_iterations = 200;
  /// Stop when the largest entry of the projected gradient, x - clip(x - gradient), is <= this
  /// times max(1, |f|). Positive.
  double gradient_tolerance = 1e-6;
  /// Stop when f fell by less than this times max(1, |f|) over one iteration; unless the projected
  /// gradient is within 1000 times its tolerance, a fresh start must not improve f by more. 0:
  /// never. Not negative.
  double value_tolerance = 1e-12;
  /// Calls of f, at least 1; absent: as many as it takes. A line search may need 40 where f is
  /// hardly smooth.
  std::optional<int> max_evaluations = std::nullopt;
  /// Give up where a convex f would not fall to this while no coordinate moves by more than
  /// `reach` (not negative) from the best point. Infinite: never.
  double target = kInfinity;
  double reach = kInfinity;
  /// Steps that the solver remembers, at least 1. Fewer make an iteration cheaper.
  int memory = 10;
};
void validate(const MinimizeOptions& options);

struct MinimizeResult {
  Vector x;  ///< best point seen, inside the bounds; the start if nothing better was found
  double value = 0.0;   ///< f(x); NaN only if f has no finite value and gradient at the start
  int iterations = 0;   ///< line searches begun
  int evaluations = 0;  ///< calls of f
  /// kConverged (or the target is out of reach); kIterationLimit (of evaluations, too);
  /// kLineSearchFailed (no further improvement found, or no value at the start); kNotRun (every
  /// coordinate is fixed, or d = 0: f is evaluated once).
  Status status = Status::kNotRun;
};

/// Bounded L-BFGS from `start` (clipped into the bounds). A failed line search is restarted from
/// the best point with empty memory, at most five times. Never throws for a numerical reason and
/// never returns a point it has not evaluated. @throws InvalidArgument for sizes or bounds that do
/// not fit or a start that is not finite; f's own exceptions pass. Source: LBFGS++ (L-BFGS-B of
/// Byrd, Lu, Nocedal and Zhu, 1995; line search of More and Thuente, 1994).
[[nodiscard]] MinimizeResult minimize(const ObjectiveWithGradient& f,
                                      const VectorRef& start,
                                      const Bounds& bounds,
                                      const MinimizeOptions& options = {});

}  // namespace pomlux
