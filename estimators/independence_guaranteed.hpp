// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/pom.hpp>
#include <pomlux/estimators/marginals.hpp>

namespace pomlux {

/// The rule of Proposition 1 with its number of nodes n for `epsilon` in (0, 1/4]:
///
///   f_0 = -inf, f_n = inf, f_1 ... f_{n-1} equally spaced,
///   q_x = sum_i (g^x(f_{i+1}) + g^x(f_i)) / 2 P[F_x in (f_i, f_{i+1}]],   |p_x - q_x| <= epsilon,
///
/// then normalised. @throws InvalidArgument if an arm is certain (the rule needs stddev > 0) or
/// more than `max_nodes` nodes are needed.
[[nodiscard]] Pom guaranteed_independence(const VectorRef& mean,
                                          const VectorRef& stddev,
                                          const MarginalSummary& summary,
                                          double epsilon,
                                          int max_nodes);

}  // namespace pomlux
