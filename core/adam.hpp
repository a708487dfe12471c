// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/minimize.hpp>

namespace pomlux {

/// Adam on all coordinates of x, with moments that start at 0:
///
///   u <- 0.9 u + 0.1 g,   v <- 0.999 v + 0.001 g²,   g the gradient of f at x_i, i = 0, 1, ...
///   x_{i+1} = x_i - learning_rate u / (1 - 0.9^{i+1}) / (sqrt(v / (1 - 0.999^{i+1})) + 1e-8)
///
/// After update i = 100, 200, ... it stops if f(x_i) + 1e-3 > f(x_{i-99}): f no longer falls by
/// 1e-3 in 99 updates. So there are 101, 201, ... updates, or max_iterations.
struct AdamOptions {
  double learning_rate = 0.01;  ///< about the most that a coordinate moves in one update; > 0
  int max_iterations = 1000;    ///< at least 1
};
void validate(const AdamOptions& options);

struct AdamResult {
  /// After the last update, which is rarely the best of the path; kFellBack: the best of the path.
  Vector x;
  int iterations = 0;  ///< evaluations of f
  /// kConverged (the test above); kIterationLimit; kFellBack (a value or gradient was not finite);
  /// kNotRun (x has no coordinates).
  Status status = Status::kNotRun;
};

/// No bounds. Where f or its gradient is not finite the search ends, with the evaluated point of
/// the lowest value, the first on ties; `start` if there is none. Allocates its arrays of the
/// size of x once. @throws InvalidArgument for options out of range or a start that is not finite;
/// f's own exceptions pass. Source: Kingma and Ba, Adam, ICLR 2015, Algorithm 1; the stopping test
/// is that of the LITE paper's code.
[[nodiscard]] AdamResult minimize_by_adam(const ObjectiveWithGradient& f,
                                          const VectorRef& start,
                                          const AdamOptions& options = {});

}  // namespace pomlux
