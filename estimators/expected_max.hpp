// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/errors.hpp>
#include <pomlux/core/types.hpp>
#include <pomlux/estimators/marginals.hpp>

namespace pomlux {

/// E[max F] = base + offset of independent Gaussians, and what is known of it.
struct ExpectedMax {
  double base = 0.0;
  double offset = 0.0;
  double spread = 0.0;   ///< standard deviation of the maximum
  double error = 0.0;    ///< estimated error relative to spread
  double log_cdf = 0.0;  ///< log P[max F <= E max F]
  int passes = 0;
  Status status = Status::kNotRun;
};

/// By the trapezoid rule on the density of the maximum, halving the step until the estimated error
/// is below `epsilon` times the spread. Input must be checked and not trivial. Two passes over the
/// arms per node; O(n / kArmChunk) memory.
[[nodiscard]] ExpectedMax expected_max(const VectorRef& mean,
                                       const VectorRef& stddev,
                                       const MarginalSummary& summary,
                                       double epsilon,
                                       int max_nodes);

}  // namespace pomlux
