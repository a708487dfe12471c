// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/acquisition.hpp>
#include <pomlux/core/errors.hpp>

namespace pomlux {

/// Thompson sampling: one joint posterior sample over all candidates; the score of a candidate is
/// its sampled value. O(n³) time; refused with MemoryLimitExceeded where the 3 n² doubles of
/// draw_samples exceed `memory_limit` bytes. Takes n normals at most from the stream.
class ThompsonSampling final : public Acquisition {
 public:
  /// @param memory_limit bytes, > 0.
  explicit ThompsonSampling(double memory_limit = kDefaultMemoryLimit);

  [[nodiscard]] bool conditions_on_pending() const override { return false; }

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  double memory_limit_;
};

}  // namespace pomlux
