// SPDX-License-Identifier: MIT
#pragma once

#include <functional>  // the function to minimise
#include <pomlux/core/errors.hpp>
#include <pomlux/core/types.hpp>

namespace pomlux {

/// f(x), writing its gradient [d]. May return NaN or inf (outside its domain): such points are
/// never accepted.
using ObjectiveWithGradient = std::function<double(const Vector& x, Vector& gradient)>;

/// Box constraints, [d] each; infinities allowed; lower <= upper.
struct Bounds {
  Vector lower;
  Vector upper;
};

struct MinimizeOptions {
  /// Iterations of L-BFGS-B in all. At least 1.
  int max_iterations = 200;
  /// Stop when the largest entry of the projected gradient is <= this times max(1, |f|). Positive.
  double gradient_tolerance = 1e-6;
  /// Stop when f fell by less than this times max(1, |f|) over one iteration. Not negative.
  double value_tolerance = 1e-12;
};
void validate(const MinimizeOptions& options);

struct MinimizeResult {
  Vector x;  ///< best point seen, inside the bounds; the start if nothing better was found
  double value = 0.0;  ///< f(x); finite whenever f(start) or any visited value was
  int iterations = 0;
  int evaluations = 0;
  Status status = Status::kNotRun;
};

/// Bounded L-BFGS from `start` (clipped into the bounds). Never throws for a numerical reason and
/// never returns a point it has not evaluated: the best one seen. @throws InvalidArgument for sizes
/// or bounds that do not fit; f's own exceptions pass.
[[nodiscard]] MinimizeResult minimize(const ObjectiveWithGradient& f,
                                      const VectorRef& start,
                                      const Bounds& bounds,
                                      const MinimizeOptions& options = {});

}  // namespace pomlux
