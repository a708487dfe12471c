// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/acquisition/joint_sampler.hpp>
#include <pomlux/core/acquisition.hpp>

namespace pomlux {

/// Thompson sampling: one joint posterior sample over all candidates, by JointSampler; the score of
/// a candidate is its sampled value.
class ThompsonSampling final : public Acquisition {
 public:
  explicit ThompsonSampling(JointSamplerOptions options = {});

  [[nodiscard]] bool conditions_on_pending() const override { return false; }

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  JointSamplerOptions options_;
};

}  // namespace pomlux
