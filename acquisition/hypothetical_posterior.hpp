// SPDX-License-Identifier: MIT
#pragma once
// Private to acquisition: beliefs after observations that were not made.

#include <pomlux/core/gaussian_vector.hpp>

namespace pomlux {

/// The belief after an observation y of candidate x with innovation t, y = mean_x + t s,
/// s = sqrt(stddev_x² + noise_stddev²):
///
///   mean + t b,  covariance - b bᵀ,  b = covariance(., x) / s.
///
/// The standard deviations do not depend on t. Keeps a reference to `present`, which must outlive
/// it. O(n) memory; O(n) for a new candidate or innovation.
class HypotheticalPosterior final : public GaussianVector {
 public:
  HypotheticalPosterior(const GaussianVector& present, double noise_stddev);

  /// Turns to another candidate, with innovation 0. @param column [n], its covariance with all;
  /// s must not be 0.
  void set_candidate(Index candidate, const VectorRef& column);
  void set_innovation(double t);

  [[nodiscard]] const GaussianVector& present() const { return present_; }
  [[nodiscard]] double noise_stddev() const { return noise_stddev_; }
  [[nodiscard]] Index candidate() const { return candidate_; }
  /// s above.
  [[nodiscard]] double observation_stddev() const { return observation_stddev_; }
  /// b above, [n].
  [[nodiscard]] const Vector& direction() const { return direction_; }

  [[nodiscard]] VectorView mean() const override { return {mean_.data(), mean_.size()}; }
  [[nodiscard]] VectorView stddev() const override { return {stddev_.data(), stddev_.size()}; }
  [[nodiscard]] bool has_covariance() const override { return present_.has_covariance(); }
  [[nodiscard]] double covariance(Index i, Index j) const override;
  [[nodiscard]] Vector covariance_column(Index j) const override;
  [[nodiscard]] Matrix covariance_columns(std::span<const Index> columns) const override;
  [[nodiscard]] Matrix covariance_block(std::span<const Index> rows,
                                        std::span<const Index> columns) const override;
  [[nodiscard]] Matrix covariance_matrix() const override;
  [[nodiscard]] double covariance_reference() const override;
  [[nodiscard]] const Points* coordinates() const override { return present_.coordinates(); }

 private:
  const GaussianVector& present_;
  double noise_stddev_;
  Index candidate_ = -1;
  double observation_stddev_ = 0.0;
  Vector direction_;
  Vector mean_;
  Vector stddev_;
};

}  // namespace pomlux
