// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/acquisition.hpp>

namespace pomlux {

inline constexpr double kInformationGainRelativeError = 1e-14;

/// Information, in nats, that an observation with noise has about a value N(., stddev²):
/// 1/2 log(1 + (stddev / noise_stddev)²) for stddev >= 0, noise_stddev > 0, also where the square
/// overflows; 0 where it underflows. Relative error kInformationGainRelativeError.
[[nodiscard]] double information_gain(double stddev, double noise_stddev);

/// Pure exploration: the score is the information gain of one observation, which ranks by the
/// standard deviation. Without noise every gain is infinite, and the score is the stddev itself.
/// Source: Srinivas et al., "Gaussian process optimization in the bandit setting", ICML 2010,
/// section 4.
class InformationGain final : public Acquisition {
 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
};

}  // namespace pomlux
