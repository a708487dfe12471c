// SPDX-License-Identifier: MIT
#pragma once
// Private to acquisition: entropies of the probability of maximality after hypothetical
// observations.

#include <cstdint>  // keys
#include <memory>   // implementations
#include <pomlux/acquisition/hypothetical_posterior.hpp>
#include <pomlux/core/pom_estimator.hpp>

namespace pomlux {

/// Innovations t of an observation, ascending, and their weights, which sum to 1.
struct Innovations {
  Vector values;
  Vector weights;
};

/// A way to ask an estimator for entropies. Const calls are safe from several threads.
class ExpectedEntropy {
 public:
  virtual ~ExpectedEntropy() = default;
  /// Nats, of the belief without a further observation.
  [[nodiscard]] virtual double present() const = 0;
  /// Nats, the weighted mean over the innovations of the candidate that `after` has been set to.
  [[nodiscard]] virtual double after(HypotheticalPosterior& after,
                                     const Innovations& innovations) const = 0;
};

/// The fastest way for this estimator and belief; both must outlive it. `rng` is used if the
/// estimator draws.
[[nodiscard]] std::unique_ptr<ExpectedEntropy> make_expected_entropy(const PomEstimator& estimator,
                                                                     const GaussianVector& present,
                                                                     Rng& rng);
/// By asking about each hypothetical belief, whatever the estimator.
[[nodiscard]] std::unique_ptr<ExpectedEntropy> make_plain_expected_entropy(
    const PomEstimator& estimator, const GaussianVector& present, Rng& rng);

}  // namespace pomlux
