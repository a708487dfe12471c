// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/thompson_sampling.hpp>

namespace pomlux {

ThompsonSampling::ThompsonSampling(double memory_limit) : memory_limit_(memory_limit) {
  if (!(memory_limit > 0.0)) {
    fail("ts", "memory_limit is " + format_number(memory_limit) + " bytes; must be > 0");
  }
}

Vector ThompsonSampling::do_score(const AcquisitionContext& context,
                                  std::span<const Index> subset,
                                  Rng& rng) const {
  const Matrix sample = draw_samples(context.posterior, 1, rng, memory_limit_);
  Vector scores(static_cast<Index>(subset.size()));
  for (Index i = 0; i < scores.size(); ++i)
    scores(i) = sample(subset[static_cast<std::size_t>(i)], 0);
  return scores;
}

}  // namespace pomlux
