// SPDX-License-Identifier: MIT
#include <cmath>  // std::log1p
#include <pomlux/acquisition/information_gain.hpp>

namespace pomlux {
namespace {

/// Beyond it 1 + ratio² is ratio² to rounding, long before that overflows.
constexpr double kLargeRatio = 1e10;

}  // namespace

double information_gain(double stddev, double noise_stddev) {
  const double ratio = stddev / noise_stddev;
  if (ratio > kLargeRatio) return std::log(stddev) - std::log(noise_stddev);
  return 0.5 * std::log1p(ratio * ratio);
}

Vector InformationGain::do_score(const AcquisitionContext& context,
                                 std::span<const Index> subset,
                                 Rng& /*rng*/) const {
  const VectorView stddev = context.posterior.stddev();
  Vector scores(static_cast<Index>(subset.size()));
  for (Index i = 0; i < scores.size(); ++i) {
    const double sigma = stddev(subset[static_cast<std::size_t>(i)]);
    scores(i) = context.noise_stddev > 0.0 ? information_gain(sigma, context.noise_stddev) : sigma;
  }
  return scores;
}

}  // namespace pomlux
