// SPDX-License-Identifier: MIT
#pragma once
// Private to estimators: common factors, for correlation that does not decay.

#include <pomlux/core/gaussian_vector.hpp>
#include <span>  // indices

namespace pomlux {

/// Loadings W of the common factors of `arms` of f, [f.size(), r], r <= most, rows of other arms 0:
/// covariance = W W^T + a matrix in which entries off the diagonal are small where weights are not.
/// Principal factors: eigenvectors of w^1/2 (covariance - D) w^1/2 over the kFactorArms arms with
/// the largest weights w, the diagonal D being found along with them; those whose eigenvalue is
/// above 0.01 of the trace. The rest of the arms by regression. At most 0.999 of a variance is
/// common. @param weights [arms.size()], > 0. Deterministic; O(n kFactorArms) covariances, in
/// blocks.
[[nodiscard]] Matrix common_factors(const GaussianVector& f,
                                    std::span<const Index> arms,
                                    const Vector& weights,
                                    Index most);
inline constexpr Index kFactorArms = 400;

/// What the factors leave of f: covariance - W W^T, the diagonal at least 1e-5 of the variance.
/// Keeps references.
class ResidualGaussian final : public GaussianVector {
 public:
  ResidualGaussian(const GaussianVector& base, const Matrix& loadings);
  [[nodiscard]] VectorView mean() const override { return base_.mean(); }
  [[nodiscard]] VectorView stddev() const override { return {stddev_.data(), stddev_.size()}; }
  [[nodiscard]] bool has_covariance() const override { return true; }
  [[nodiscard]] double covariance(Index i, Index j) const override;
  [[nodiscard]] Matrix covariance_columns(std::span<const Index> columns) const override;
  [[nodiscard]] Matrix covariance_block(std::span<const Index> rows,
                                        std::span<const Index> columns) const override;
  /// Its entries are differences of those of the base.
  [[nodiscard]] double covariance_reference() const override;
  [[nodiscard]] const Points* coordinates() const override { return base_.coordinates(); }

 private:
  const GaussianVector& base_;
  const Matrix& loadings_;
  Vector stddev_;
};

}  // namespace pomlux
