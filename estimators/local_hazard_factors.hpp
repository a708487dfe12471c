// SPDX-License-Identifier: MIT
#pragma once
// Private to estimators: common factors, for correlation that does not decay.

#include <pomlux/estimators/local_hazard_belief.hpp>
#include <span>    // indices
#include <vector>  // positions

namespace pomlux {

/// Loadings W of the common factors of `arms` of f, [f.size(), r], r <= most, rows of other arms 0:
/// covariance = W W^T + a matrix in which entries off the diagonal are small where weights are not.
/// Principal factors: eigenvectors of w^1/2 (correlation - D) w^1/2 over the kFactorArms arms with
/// the largest weights w, the diagonal D being found along with them; those whose eigenvalue is
/// above 0.01 of the trace. The rest of the arms by regression. No row is longer than the arm's
/// stddev. The order of the arms does not matter, but for rounding and equal eigenvalues.
/// @param weights [arms.size()], > 0. Deterministic; O(n kFactorArms) covariances, in blocks.
[[nodiscard]] Matrix common_factors(const GaussianVector& f,
                                    std::span<const Index> arms,
                                    const Vector& weights,
                                    Index most);
inline constexpr Index kFactorArms = 400;

/// What the factors leave of f: covariance - W W^T, the diagonal at least 1e-3 of the variance.
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

/// Positions of the `most` largest weights, ascending.
[[nodiscard]] std::vector<Index> heaviest(const Vector& weights, Index most);

struct SplitOptions {
  Index factors = 1;                 ///< at most
  Index neighbours = 0;              ///< of an arm in what the factors leave
  Index most_neighbours = 0;         ///< that are looked at for ties where there are none
  double spread_beyond = kInfinity;  ///< see find_neighbours
};

/// Arms given their common factors.
struct SplitArms {
  HazardArms rest{};
  Matrix shifts{};   ///< [n, r] per factor
  Vector blurred{};  ///< [n] 1 where the rest is more than the factors left, else 0
  /// unseen_correlation of the rest, beyond kFactorArms arms also with equal weights; without
  /// neighbours in units of the rest, which must be uncorrelated then, not only small.
  double unseen = 0.0;
  double tied = 0.0;  ///< tied_share of the rest, if `unseen` leaves that open
};
inline constexpr double kExplained = 0.01;  ///< unseen, of factors that explain all correlation
inline constexpr double kMostRest = 0.05;   ///< and of those whose rest counts as independent

/// @param weights [n] of the arms for their factors and ties; @param f_lite_weights [n] for
/// `unseen`.
[[nodiscard]] SplitArms split_arms(const HazardBelief& belief,
                                   const HazardArms& arms,
                                   const Vector& weights,
                                   const Vector& f_lite_weights,
                                   const SplitOptions& options);

}  // namespace pomlux
