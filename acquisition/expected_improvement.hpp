// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // given incumbents
#include <pomlux/core/acquisition.hpp>

namespace pomlux {

// Improvement of N(mean, stddev²), stddev >= 0, over the value `best`: z = (mean - best) / stddev.
// Scalars pass NaN through. Relative errors below times 1 + z², the effect of rounding z; asserted
// against tests/oracles/acquisition.json.
inline constexpr double kImprovementRelativeError = 1e-12;

/// EI = (mean - best) Phi(z) + stddev phi(z); stddev = 0: max(mean - best, 0). Never negative; 0
/// where it underflows.
[[nodiscard]] double expected_improvement(double mean, double stddev, double best);
/// log EI, also where EI underflows: -inf only at stddev = 0 and mean <= best, and where log EI
/// itself is below the range of doubles (z < -1e154).
[[nodiscard]] double log_expected_improvement(double mean, double stddev, double best);
/// PI = Phi(z); stddev = 0: 1 if mean > best, 1/2 at equality, 0 below.
[[nodiscard]] double probability_of_improvement(double mean, double stddev, double best);
/// log PI, also where PI underflows.
[[nodiscard]] double log_probability_of_improvement(double mean, double stddev, double best);

/// Which value an improvement is measured from.
enum class IncumbentRule {
  kBestObserved,  ///< the largest (noisy) observation; kBestMean before the first
  kBestMean,      ///< the largest posterior mean over the candidates
  kGiven,         ///< a fixed value, in the direction of maximisation
};

/// What expected improvement is ranked by.
enum class ImprovementScale {
  kLog,    ///< log EI: underflow never decides
  kValue,  ///< EI itself, as most programs do: where it underflows everywhere, the first candidate
};

/// Expected improvement. Scores are log EI, or EI.
class ExpectedImprovement final : public Acquisition {
 public:
  /// @param given finite, for IncumbentRule::kGiven alone. @throws InvalidArgument otherwise.
  explicit ExpectedImprovement(IncumbentRule incumbent = IncumbentRule::kBestObserved,
                               std::optional<double> given = std::nullopt,
                               ImprovementScale scale = ImprovementScale::kLog);
  [[nodiscard]] std::optional<ScoreSlope> slope(const AcquisitionContext& context,
                                                double mean,
                                                double stddev) const override;

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  IncumbentRule incumbent_;
  std::optional<double> given_;
  ImprovementScale scale_;
};

/// Probability of improvement. Scores are log PI, so that underflow never decides.
class ProbabilityOfImprovement final : public Acquisition {
 public:
  /// @param given finite, for IncumbentRule::kGiven alone. @throws InvalidArgument otherwise.
  explicit ProbabilityOfImprovement(IncumbentRule incumbent = IncumbentRule::kBestObserved,
                                    std::optional<double> given = std::nullopt);
  [[nodiscard]] std::optional<ScoreSlope> slope(const AcquisitionContext& context,
                                                double mean,
                                                double stddev) const override;

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  IncumbentRule incumbent_;
  std::optional<double> given_;
};

}  // namespace pomlux
