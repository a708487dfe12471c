// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/acquisition.hpp>

namespace pomlux {

/// One joint posterior sample over all candidates; the score of a candidate is its sampled value.
/// O(n³) time and n² doubles; refused with MemoryLimitExceeded beyond `memory_limit` bytes (the
/// default is about 22 000 candidates).
class ThompsonSampling final : public Acquisition {
 public:
  explicit ThompsonSampling(double memory_limit = 8e9);

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  double memory_limit_;
};

}  // namespace pomlux
