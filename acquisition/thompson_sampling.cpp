// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/thompson_sampling.hpp>

namespace pomlux {

ThompsonSampling::ThompsonSampling(JointSamplerOptions options) : options_(options) {
  validate(options_);
}

Vector ThompsonSampling::do_score(const AcquisitionContext& context,
                                  std::span<const Index> subset,
                                  Rng& rng) const {
  const Matrix sample = JointSampler(context.posterior, rng, options_).draw(1, rng);
  Vector scores(static_cast<Index>(subset.size()));
  for (Index i = 0; i < scores.size(); ++i)
    scores(i) = sample(subset[static_cast<std::size_t>(i)], 0);
  return scores;
}

}  // namespace pomlux
