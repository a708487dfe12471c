// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // fixed beta or schedule
#include <pomlux/core/acquisition.hpp>

namespace pomlux {

/// beta_t = 2 log(n t² pi² / (6 delta)) for n >= 1 candidates at acquisition step t >= 1 and delta
/// in (0, 1); always positive. Source: Srinivas et al., ICML 2010, Theorem 1.
[[nodiscard]] double gp_ucb_beta(Index n, Index t, double delta);

struct UpperConfidenceBoundOptions {
  /// Fixed beta >= 0; absent: the gp_ucb_beta schedule.
  std::optional<double> beta = std::nullopt;
  /// Failure probability of the schedule, in (0, 1).
  double delta = 0.1;
};
void validate(const UpperConfidenceBoundOptions& options);

/// Score mean + sqrt(beta) stddev: beta = 4 adds two standard deviations.
class UpperConfidenceBound final : public Acquisition {
 public:
  explicit UpperConfidenceBound(UpperConfidenceBoundOptions options = {});
  [[nodiscard]] std::optional<ScoreSlope> slope(const AcquisitionContext& context,
                                                double mean,
                                                double stddev) const override;

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  [[nodiscard]] double width(const AcquisitionContext& context) const;
  UpperConfidenceBoundOptions options_;
};

}  // namespace pomlux
