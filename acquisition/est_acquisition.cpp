// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/est_acquisition.hpp>

namespace pomlux {

EstAcquisition::EstAcquisition(EstOptions options) : options_(options) { validate(options_); }

Vector EstAcquisition::do_score(const AcquisitionContext& context,
                                std::span<const Index> subset,
                                Rng& /*rng*/) const {
  const GaussianVector& f = context.posterior;
  const Vector bound = est_with_bound(f.mean(), f.stddev(), options_).log_lower_bound;
  Vector scores(static_cast<Index>(subset.size()));
  for (Index i = 0; i < scores.size(); ++i) scores(i) = bound(subset[static_cast<std::size_t>(i)]);
  return scores;
}

}  // namespace pomlux
