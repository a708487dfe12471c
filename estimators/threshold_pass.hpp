// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/types.hpp>
#include <pomlux/estimators/sigmoid.hpp>
#include <vector>  // sampled arms

namespace pomlux {

/// Both sides of the equation of the losers and what Newton's method needs of it.
struct ThresholdSums {
  double losers = 0.0;      ///< sum over z != leader of q_z
  double complement = 0.0;  ///< 1 - q_leader
  double slope = 0.0;       ///< d/dkappa of log(losers / complement), <= 0; may not be finite

  /// log(losers / complement), decreasing in kappa; infinite where one side underflows, 0 where
  /// both do.
  [[nodiscard]] double residual() const;
  /// |losers - complement| relative to the larger of them; 0 where both underflow. Bounds
  /// |sum_x q_x - 1|, as neither side exceeds it by its own size.
  [[nodiscard]] double relative_error() const;
};

/// The arms and their leader.
struct ThresholdProblem {
  const double* mean = nullptr;
  const double* stddev = nullptr;
  Index n = 0;
  Index leader = 0;
  bool has_certain = false;  ///< certain arms exist, counted as q = 0
  Sigmoid sigmoid = Sigmoid::kNormalCdf;
};

/// One parallel pass at kappa = base + offset. Writes q_z to out[n] (0 for the leader) unless `out`
/// is null.
[[nodiscard]] ThresholdSums evaluate_threshold(const ThresholdProblem& problem,
                                               double base,
                                               double offset,
                                               double* out);

/// Every `stride`-th arm, to estimate the same sums from.
class ThresholdSample {
 public:
  ThresholdSample(const ThresholdProblem& problem, Index stride);
  [[nodiscard]] ThresholdSums evaluate(double base, double offset) const;

 private:
  ThresholdProblem problem_;
  std::vector<double> mean_, stddev_;
};

}  // namespace pomlux
