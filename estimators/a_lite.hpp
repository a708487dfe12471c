// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/pom_estimator.hpp>
#include <pomlux/estimators/root_method.hpp>

namespace pomlux {

/// Which approximation of the paper's appendix C.
enum class ALiteVariant {
  kOne,   ///< A-LITE-I: one Gaussian matched to the distribution of the maximum
  kTwo,   ///< A-LITE-II: one Gaussian per arm matched to the maximum of the others
  kBoth,  ///< the larger of the two, entry by entry
};

struct ALiteOptions {
  /// Stop when no entry can move by more than this. In (0, 1). Newton's method converges to
  /// rounding anyway; below that: the best attainable, reported as Status::kRoundingLimited.
  double epsilon = 1e-10;
  /// If > 0, epsilon is 1 / (alpha n) instead, as in the paper's experiments.
  double alpha = 0.0;
  ALiteVariant variant = ALiteVariant::kBoth;
  RootMethod root = RootMethod::kNewton;
  /// kNewton: passes of the first stage over the arms. kBisection: largest depth of the nested
  /// search, which doubles from 2. At least 2.
  int max_iterations = 200;
};
void validate(const ALiteOptions& options);

/// Probability of maximality, almost-linear time, accurate variant (A-LITE):
///
///   I:   Phi((f - m) / s)      ~ prod_z Phi((f - mean_z) / stddev_z)                by quartiles,
///   II:  Phi((f - m_x) / s_x)  ~ Phi((f - m') / s') / Phi((f - mean_x) / stddev_x)  by quartiles,
///        m' = max(m, max mean), s' = min(s, stddev_x),
///   p_x = max(Phi((mean_x - m) / hypot(stddev_x, s)), Phi((mean_x - m_x) / hypot(stddev_x, s_x)))
///
/// before normalisation. n = 1 gives {1}. stddev_x = 0 is the limit stddev_x -> 0+ (kNewton;
/// kBisection refuses it). Where one arm holds nearly all the mass, m tends to mean_x and s to
/// stddev_x, and II depends on the ratio of the two distances, which kNewton computes to relative
/// accuracy from the arms without the leader. Where the ratio itself is at the mercy of rounding,
/// numerical_error is what that moves; where the distances underflow, the entry is the limit 0.9643
/// of a narrow competitor, before normalisation. For two arms the match passes through the product
/// of both, so A-LITE differs from the independence assumption there, too, unless the arms are
/// alike. Correlation is ignored by design: there is no model_error. Cost: O(n) per pass, then O(1)
/// per arm; O(n) memory. Source: Menet et al., LITE, AISTATS 2025, appendix C.
class ALite final : public PomEstimator {
 public:
  explicit ALite(ALiteOptions options = {});

 private:
  Pom do_estimate(const GaussianVector& f, Rng& rng) const override;
  ALiteOptions options_;
};

struct ALiteResult {
  Pom pom;
  double m = 0.0;  ///< mean and standard deviation matched to the distribution of the maximum
  double s = 0.0;
  double sum_raw = 1.0;  ///< sum of the entries before normalisation
};

/// The same as plain functions. @param mean, stddev [n], finite, stddev >= 0. @throws
/// InvalidArgument otherwise.
[[nodiscard]] ALiteResult a_lite_with_match(const VectorRef& mean,
                                            const VectorRef& stddev,
                                            const ALiteOptions& options = {});
[[nodiscard]] Pom a_lite(const VectorRef& mean,
                         const VectorRef& stddev,
                         const ALiteOptions& options = {});

}  // namespace pomlux
