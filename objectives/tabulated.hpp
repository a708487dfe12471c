// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/domain.hpp>
#include <pomlux/core/objective.hpp>

namespace pomlux {

/// Known noise-free values over a finite domain: sample paths of a Gaussian process, linear
/// functions of large domains.
class Tabulated final : public Objective {
 public:
  /// @param values [domain.size()], finite.   @param noise_stddev of evaluate(), >= 0.
  Tabulated(Domain domain, Vector values, double noise_stddev = 0.0);
  [[nodiscard]] Index dimension() const override;
  [[nodiscard]] double noise_stddev() const override { return noise_stddev_; }
  /// @throws InvalidArgument for a point that is not a candidate bit for bit.
  [[nodiscard]] Vector evaluate(const PointsRef& points, Rng& rng) const override;
  [[nodiscard]] std::optional<Vector> true_values(const PointsRef& points) const override;

 private:
  Domain domain_;
  Vector values_;
  double noise_stddev_;
};

/// One sample path of N(0, covariance) over the domain, covariance [n, n] from any kernel.
[[nodiscard]] Tabulated make_gp_sample(Domain domain,
                                       const MatrixRef& covariance,
                                       double noise_stddev,
                                       Rng& rng);
/// f(x) = wᵀx with w ~ N(0, I_d).
[[nodiscard]] Tabulated make_random_linear(Domain domain, double noise_stddev, Rng& rng);

}  // namespace pomlux
