// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // starts
#include <pomlux/core/pom.hpp>
#include <pomlux/estimators/marginals.hpp>
#include <pomlux/estimators/root_method.hpp>
#include <pomlux/estimators/sigmoid.hpp>

namespace pomlux {

struct ThresholdOptions {
  double epsilon = 1e-10;  ///< in (0, 1)
  RootMethod root = RootMethod::kNewton;
  int max_iterations = 200;  ///< passes over the arms
  /// Where Newton's method starts, e.g. kappa of similar arms; absent: at the end of the bracket.
  /// Changes the number of passes, not what the answer is accurate to.
  std::optional<double> start = std::nullopt;
};

/// epsilon, or 1 / (alpha n) if alpha > 0; at most 1/2, as alpha n may be below 1.
[[nodiscard]] double effective_epsilon(double epsilon, double alpha, Index n);
/// Checks the options that F-LITE, A-LITE and F-VAPOR share. @throws InvalidArgument naming field,
/// value and range.
void validate_root_options(std::string_view where,
                           double epsilon,
                           double alpha,
                           int max_iterations);

/// The threshold is base + offset: near a narrow arm the pair resolves what one double cannot.
struct ThresholdSolution {
  Pom pom;
  double base = 0.0;
  double offset = 0.0;
};

/// q_x = F((mean_x - kappa) / stddev_x), kappa such that sum_x q_x = 1, normalised.
///
/// Certain arms are the limit stddev -> 0+: if the sum crosses 1 at the jump of the best of
/// them, kappa is its mean and it takes what the others leave, shared equally among ties.
///
/// Newton's method works on the equation of the losers, log sum_{z != d} q_z = log(1 - q_d) with d
/// the arm of the highest mean, the only one whose q can exceed F(0) at the root. It is the same
/// equation and keeps relative accuracy in the small entries when q_d is 1 to rounding. It stops on
/// |sum_x q_x - 1| < epsilon / 2: all q_x move in the same direction with kappa, so no entry is
/// further from its limit than that, which is the paper's guarantee.
///
/// Input must be checked (require_marginals). O(n) per pass; Newton allocates 256 KiB at most
/// beyond the result, bisection 2 n doubles.
[[nodiscard]] ThresholdSolution solve_threshold(const VectorRef& mean,
                                                const VectorRef& stddev,
                                                Sigmoid sigmoid,
                                                const ThresholdOptions& options);

/// Bisection as printed (Algorithm 1), on [lower, upper]; certain arms count as 0.
[[nodiscard]] ThresholdSolution bisect_threshold(const VectorRef& mean,
                                                 const VectorRef& stddev,
                                                 Sigmoid sigmoid,
                                                 double lower,
                                                 double upper,
                                                 const ThresholdOptions& options);

}  // namespace pomlux
