// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/acquisition.hpp>
#include <pomlux/estimators/est.hpp>

namespace pomlux {

/// EST: the candidate whose mean is the fewest standard deviations below an estimate of the
/// largest value, kappa~ = E[max F] under independence (see Est). The score is the logarithm of the
/// lower bound on the probability of maximality that comes with it, which rises with
///
///   (mean - kappa~) / stddev
///
/// and keeps the order where that bound underflows; -inf for certain candidates below kappa~.
/// Source: Wang, Zhou and Jegelka, "Optimization as estimation with Gaussian processes in bandit
/// settings", AISTATS 2016.
class EstAcquisition final : public Acquisition {
 public:
  explicit EstAcquisition(EstOptions options = {});

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  EstOptions options_;
};

}  // namespace pomlux
