// SPDX-License-Identifier: MIT
#pragma once

#include <memory>  // the estimator
#include <pomlux/core/acquisition.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/pom_estimator.hpp>

namespace pomlux {

/// Which observations y of a candidate its expected entropy is an average over.
enum class HypothesisRule {
  /// The trapezoid rule with `nodes` equally spaced values within kInnovationRange standard
  /// deviations of y. No random numbers.
  kQuadrature,
  /// `draws` independent draws for each candidate, as in the paper.
  kDraws,
};

struct EntropySearchOptions {
  HypothesisRule hypotheses = HypothesisRule::kQuadrature;
  /// Of the quadrature, at least 2. The mean entropy of F-LITE is off by less than
  /// kDefaultQuadratureError with the default where the noise is a fifth of the prior's deviation;
  /// with little noise entropies are sharp in y and need more: by the cases of
  /// tests/oracles/acquisition.json and nodes 13, 25, 49, 129, the error is below 2e-2, 2e-4, 4e-7
  /// and 1e-6 with noise 0.2, and 3e-2, 2e-2, 1e-2 and 1e-3 with noise 0.02.
  int nodes = 25;
  /// At least 1.
  int draws = 5;
  /// If > 0 and less than the number of candidates in question, only so many of them are scored,
  /// those with the largest product of stddev / sqrt(stddev² + noise²) and F-LITE's probability of
  /// maximality; the others get -inf.
  Index shortlist = 0;

  static constexpr double kInnovationRange = 5.0;
};
inline constexpr double kDefaultQuadratureError = 2e-4;
void validate(const EntropySearchOptions& options);

/// Entropy Search: how much an observation is expected to tell about where the maximum is,
///
///   score of x = H(F) - E_y H(F | x, y),  y ~ N(mean_x, stddev_x² + noise²),
///
/// H the entropy in nats of the probability of maximality that `estimator` gives. It may be
/// slightly negative, as H is no entropy conditional on one joint law. A candidate without
/// uncertainty scores 0, and so do all of a certain belief: the lowest index is chosen. Hypotheses
/// concern all candidates, whatever the subset.
///
/// The standard deviations after (x, y) do not depend on y and the means are linear in it, so a
/// candidate costs one column of the covariance and nothing is factorised again:
/// - F-LITE: O(n) per hypothesis, started at the threshold of its neighbour; a few columns of n
///   doubles per thread. A-LITE, F-VAPOR, EST and independence, too, without that start.
/// - TS-MC, with a covariance: one factorisation, O(n³) and 3 n² doubles, then its number of
///   samples for every hypothesis, made to agree with y by Matheron's rule: 2 n r flop each.
/// - any other estimator is asked about each hypothetical belief.
/// Random draws are keyed by candidate: the same bits on any number of threads and in any subset.
/// Uses the stream only where something is drawn.
///
/// Sources: Hennig and Schuler, JMLR 2012; Menet et al., LITE, AISTATS 2025.
class EntropySearch final : public Acquisition {
 public:
  /// @param estimator nullptr: F-LITE with its defaults. TS-MC must have a fixed number of samples.
  explicit EntropySearch(std::unique_ptr<PomEstimator> estimator = nullptr,
                         EntropySearchOptions options = {});

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  std::unique_ptr<PomEstimator> estimator_;
  EntropySearchOptions options_;
};

}  // namespace pomlux
