// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/acquisition.hpp>

namespace pomlux {

/// EI = (mean - b) Phi(z) + stddev phi(z), z = (mean - b) / stddev; stddev = 0: max(mean - b, 0).
/// Never negative.
[[nodiscard]] double expected_improvement(double mean, double stddev, double best);
/// log EI, finite wherever EI > 0 in exact arithmetic, also where EI underflows; -inf at stddev = 0
/// and mean <= best.
[[nodiscard]] double log_expected_improvement(double mean, double stddev, double best);
/// PI = Phi(z); stddev = 0: 1 if mean > best, 1/2 at equality, 0 below.
[[nodiscard]] double probability_of_improvement(double mean, double stddev, double best);

/// Which value an improvement is measured from. Before the first observation all fall back to
/// kBestMean.
enum class IncumbentRule {
  kBestObserved,  ///< the largest (noisy) observation
  kBestMean,      ///< the largest posterior mean over the candidates
};

/// Expected improvement, ranked by its logarithm, so that underflow never decides. Scores are log
/// EI.
class ExpectedImprovement final : public Acquisition {
 public:
  explicit ExpectedImprovement(IncumbentRule incumbent = IncumbentRule::kBestObserved);

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  IncumbentRule incumbent_;
};

/// Probability of improvement. Scores are log PI, so that underflow never decides.
class ProbabilityOfImprovement final : public Acquisition {
 public:
  explicit ProbabilityOfImprovement(IncumbentRule incumbent = IncumbentRule::kBestObserved);

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  IncumbentRule incumbent_;
};

}  // namespace pomlux
