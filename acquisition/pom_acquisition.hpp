// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>  // enum
#include <memory>   // estimator
#include <pomlux/core/acquisition.hpp>
#include <pomlux/core/pom_estimator.hpp>

namespace pomlux {

/// How a probability of maximality p becomes a choice.
enum class PomRule : std::uint8_t {
  kArgmax,  ///< score log p_x: the k best are the set of size k with the largest expected recall
  kSample,  ///< score log p_x + g_x, g_x independent standard Gumbel: the best of any subset is a
            ///< draw from p restricted to it
};

/// The probability of maximality, by any estimator, as a rule. Scores are -inf where the estimate
/// is 0; if that is so for all, the lowest index wins.
///
/// kSample is Thompson sampling without a joint sample: with an estimator that ignores correlation
/// it has its price, O(n) for F-LITE, and its error. Draws one Gumbel number per candidate,
/// -log(-log u), besides what the estimator draws.
/// Source: Menet et al., LITE, AISTATS 2025; Gumbel-max: Maddison, Tarlow and Minka, "A* sampling",
/// NeurIPS 2014.
class PomAcquisition final : public Acquisition {
 public:
  /// @throws InvalidArgument without an estimator.
  explicit PomAcquisition(std::unique_ptr<const PomEstimator> estimator,
                          PomRule rule = PomRule::kArgmax);
  /// A batch is the best of one ranking, or independent draws.
  [[nodiscard]] bool conditions_on_pending() const override { return false; }

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  std::unique_ptr<const PomEstimator> estimator_;
  PomRule rule_;
};

}  // namespace pomlux
