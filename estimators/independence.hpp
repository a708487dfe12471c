// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/pom_estimator.hpp>

namespace pomlux {

/// How IA integrates.
enum class Quadrature {
  kSpectral,    ///< trapezoid rule on the density form, error estimated by halving the step
  kGuaranteed,  ///< the nodes of the paper's Proposition 1, error <= epsilon proven
};

struct IndependenceOptions {
  /// kSpectral: accuracy of every entry above 1e-8 / n relative to itself, of the others relative
  /// to that, hence also absolute; below 1e-12, relative for every entry above 1e-20; below
  /// rounding the best attainable, reported as Status::kRoundingLimited. kGuaranteed: absolute
  /// accuracy of every entry, at most 1/4. In (0, 1).
  double epsilon = 1e-10;
  /// If > 0, epsilon is 1 / (alpha n) instead, as in the paper's experiments.
  double alpha = 0.0;
  Quadrature quadrature = Quadrature::kSpectral;
  /// Nodes at most. kSpectral ends with Status::kIterationLimit there, kGuaranteed refuses. At
  /// least 64.
  int max_nodes = 1 << 20;
};
void validate(const IndependenceOptions& options);

/// Probability of maximality of independent Gaussians (the independence assumption, IA):
///
///   p_x = E prod_{z != x} Phi((F_x - mean_z) / stddev_z)
///       = int phi_x(f) prod_{z != x} Phi((f - mean_z) / stddev_z) df,
///
/// normalised. The second integrand is analytic and decays on both sides, so the trapezoid rule
/// converges exponentially in the number of nodes; narrow arms get nodes of their own by a change
/// of variable. The nodes extend until no arm gains from more of them, so entries down to 1e-300
/// keep relative accuracy where they need no nodes of their own.
///
/// n = 1 gives {1}. stddev_x = 0 is the limit stddev_x -> 0+ (kSpectral; kGuaranteed refuses it).
/// Exact for uncorrelated arms; correlation is ignored: there is no model_error.
/// Cost: two passes over the arms per node; O(n) memory. kGuaranteed:
/// Theta(sqrt(log(1 / epsilon)) / epsilon) nodes. Source: Menet et al., LITE, AISTATS 2025,
/// Assumption 2 and Proposition 1.
class Independence final : public PomEstimator {
 public:
  explicit Independence(IndependenceOptions options = {});

 private:
  Pom do_estimate(const GaussianVector& f, Rng& rng) const override;
  IndependenceOptions options_;
};

/// The same as a plain function. @param mean, stddev [n], finite, stddev >= 0. @throws
/// InvalidArgument otherwise.
[[nodiscard]] Pom independence(const VectorRef& mean,
                               const VectorRef& stddev,
                               const IndependenceOptions& options = {});

}  // namespace pomlux
