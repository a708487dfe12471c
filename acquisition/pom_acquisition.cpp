// SPDX-License-Identifier: MIT
#include <cmath>  // std::log
#include <pomlux/acquisition/pom_acquisition.hpp>
#include <pomlux/core/errors.hpp>
#include <utility>  // std::move

namespace pomlux {

PomAcquisition::PomAcquisition(std::unique_ptr<const PomEstimator> estimator, PomRule rule)
    : estimator_(std::move(estimator)), rule_(rule) {
  if (!estimator_) fail("pom", "the estimator is missing");
}

Vector PomAcquisition::do_score(const AcquisitionContext& context,
                                std::span<const Index> subset,
                                Rng& rng) const {
  Vector all = estimator_->estimate(context.posterior, rng).probabilities.array().log();
  if (rule_ == PomRule::kSample) {
    // For every candidate, so that its number does not depend on the subset.
    for (double& score : all) score -= std::log(-std::log(draw_uniform(rng)));
  }
  Vector scores(static_cast<Index>(subset.size()));
  for (Index i = 0; i < scores.size(); ++i) scores(i) = all(subset[static_cast<std::size_t>(i)]);
  return scores;
}

}  // namespace pomlux
