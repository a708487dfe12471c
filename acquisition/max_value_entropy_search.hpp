// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>  // enum
#include <pomlux/acquisition/joint_sampler.hpp>
#include <pomlux/core/acquisition.hpp>

namespace pomlux {

inline constexpr double kMaxValueGainRelativeError = 1e-12;

/// Entropy that N(0, 1) loses when it is known to be at most gamma, in nats:
///
///   gamma phi(gamma) / (2 Phi(gamma)) - log Phi(gamma).
///
/// Falls from +inf (as log |gamma|) to 0; NaN passes through. Relative error
/// kMaxValueGainRelativeError, asserted against tests/oracles/max_value.json.
[[nodiscard]] double max_value_gain(double gamma);

/// Quantile u in (0, 1) of max_x F_x for independent F_x ~ N(mean_x, stddev_x²), [n] each, finite,
/// stddev >= 0: to 1e-12 of the interval [max_x Q_x(u), max_x Q_x(u^(1/n))] around it, Q_x the
/// quantile function of F_x. O(n) per pass, about 5 passes. @throws InvalidArgument.
[[nodiscard]] double independent_max_quantile(const VectorRef& mean,
                                              const VectorRef& stddev,
                                              double u);

/// Where the values of the maximum come from.
enum class MaximumSource : std::uint8_t {
  kJoint,        ///< largest entries of joint posterior samples
  kIndependent,  ///< the law of the maximum of independent arms, exactly
  kGumbel,       ///< a Gumbel law with its median and interquartile range
};

struct MaxValueOptions {
  MaximumSource maximum = MaximumSource::kJoint;
  /// Values of the maximum, at least 1.
  Index samples = 32;
  /// Of kJoint.
  JointSamplerOptions sampler = {};
};
void validate(const MaxValueOptions& options);

/// Max-value entropy search (MES): the score is the information, in nats, that the noise-free value
/// of a candidate has about the largest value y* of all,
///
///   mean over y* of max_value_gain((y* - mean) / stddev),   0 where stddev = 0.
///
/// kIndependent and kGumbel draw one y* from each of `samples` equal slices of probability.
/// Cost: O(n samples) besides the draws. Source: Wang and Jegelka, "Max-value entropy search for
/// efficient Bayesian optimization", ICML 2017, equation 6.
class MaxValueEntropySearch final : public Acquisition {
 public:
  explicit MaxValueEntropySearch(MaxValueOptions options = {});

 private:
  Vector do_score(const AcquisitionContext& context,
                  std::span<const Index> subset,
                  Rng& rng) const override;
  MaxValueOptions options_;
};

}  // namespace pomlux
