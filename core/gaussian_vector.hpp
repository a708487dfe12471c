// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>
#include <span>         // blocks of indices
#include <string_view>  // names of callers

namespace pomlux {

/// What every estimator asks of its input: equal sizes, n >= 1, means finite, standard deviations
/// finite and >= 0. One parallel pass. @throws InvalidArgument, with the first bad index and value.
void require_marginals(std::string_view where, const VectorRef& mean, const VectorRef& stddev);

/// A Gaussian belief F ~ N(mean, covariance) over n >= 1 arms.
///
/// mean() and stddev() cost O(1) and never form an n x n matrix; the covariance functions throw
/// InvalidArgument where has_covariance() is false. Const calls are safe from several threads.
class GaussianVector {
 public:
  virtual ~GaussianVector() = default;

  [[nodiscard]] virtual VectorView mean() const = 0;    ///< [n], finite
  [[nodiscard]] virtual VectorView stddev() const = 0;  ///< [n], finite, >= 0
  [[nodiscard]] Index size() const { return mean().size(); }

  [[nodiscard]] virtual bool has_covariance() const { return false; }
  [[nodiscard]] virtual double covariance(Index i, Index j) const;
  [[nodiscard]] virtual Vector covariance_column(Index j) const;  ///< [n]
  /// [n, m], a column for each of the m indices; O(n m) memory. A column has the same bits in any
  /// company.
  [[nodiscard]] virtual Matrix covariance_columns(std::span<const Index> columns) const;
  [[nodiscard]] virtual Matrix covariance_block(std::span<const Index> rows,
                                                std::span<const Index> columns) const;
  /// [n, n]; O(n²) memory: callers check with require_memory first.
  [[nodiscard]] virtual Matrix covariance_matrix() const;
  /// Size of the numbers that the covariance is a difference of, e.g. the prior variance of a
  /// posterior: its rounding is relative to that. 0: to its own entries. See semidefinite_root.
  [[nodiscard]] virtual double covariance_reference() const { return 0.0; }
  /// Coordinates of the arms, [n, d], or nullptr where there are none.
  [[nodiscard]] virtual const Points* coordinates() const { return nullptr; }
};

/// |covariance(i, j)| may exceed stddev_i stddev_j, a correlation of 1, by this times the largest
/// variance: rounding of whoever made or printed the matrix, as roots allow it
/// (kIndefiniteTolerance).
inline constexpr double kCorrelationSlack = 1e-6;
/// Checks a block of the covariance of f, [rows, columns], against kCorrelationSlack; no rows or
/// columns stand for all. What has a covariance_reference() has rounding of its own and is taken as
/// it is.
/// @throws InvalidArgument naming the first pair beyond, its correlation and what is allowed.
void require_correlations(std::string_view where,
                          const GaussianVector& f,
                          std::span<const Index> rows,
                          std::span<const Index> columns,
                          const MatrixRef& block);

/// Means and standard deviations only. Views the caller's arrays (no copy) or owns them.
class IndependentGaussian final : public GaussianVector {
 public:
  /// Owns. @throws InvalidArgument if sizes differ, n = 0, a value is not finite or a stddev is
  /// negative.
  IndependentGaussian(Vector mean, Vector stddev);
  /// Views: both arrays must outlive this object. Same checks.
  [[nodiscard]] static IndependentGaussian view(std::span<const double> mean,
                                                std::span<const double> stddev);
  [[nodiscard]] VectorView mean() const override;
  [[nodiscard]] VectorView stddev() const override;

 private:
  IndependentGaussian() = default;
  Vector own_mean_, own_stddev_;
  std::span<const double> mean_, stddev_;  // empty: use the owned ones
};

/// A mean and a full covariance matrix.
class DenseGaussian final : public GaussianVector {
 public:
  /// @param covariance [n, n], symmetric to 1e-9 of its largest entry, diagonal >= 0, correlations
  /// in [-1, 1] up to kCorrelationSlack. @throws InvalidArgument otherwise. That it is positive
  /// semi-definite is left to who needs a root of it.
  DenseGaussian(Vector mean, Matrix covariance);
  [[nodiscard]] VectorView mean() const override;
  [[nodiscard]] VectorView stddev() const override;
  [[nodiscard]] bool has_covariance() const override { return true; }
  [[nodiscard]] double covariance(Index i, Index j) const override;
  [[nodiscard]] Vector covariance_column(Index j) const override;
  [[nodiscard]] Matrix covariance_matrix() const override;

 private:
  Vector mean_, stddev_;
  Matrix covariance_;
};

/// -F: mean negated, covariance unchanged. Keeps a reference to `base`, which must outlive it.
class NegatedGaussian final : public GaussianVector {
 public:
  explicit NegatedGaussian(const GaussianVector& base);
  [[nodiscard]] VectorView mean() const override;
  [[nodiscard]] VectorView stddev() const override;
  [[nodiscard]] bool has_covariance() const override;
  [[nodiscard]] double covariance(Index i, Index j) const override;
  [[nodiscard]] Vector covariance_column(Index j) const override;
  [[nodiscard]] Matrix covariance_columns(std::span<const Index> columns) const override;
  [[nodiscard]] Matrix covariance_block(std::span<const Index> rows,
                                        std::span<const Index> columns) const override;
  [[nodiscard]] Matrix covariance_matrix() const override;
  [[nodiscard]] double covariance_reference() const override;
  [[nodiscard]] const Points* coordinates() const override;

 private:
  const GaussianVector& base_;
  Vector mean_;
};

/// m joint samples, [n, m], through semidefinite_root of the covariance: O(n³) once, O(n²) per
/// sample, 3 n² doubles. Column j uses the j-th block of normals of `rng`. Without a covariance the
/// arms are independent. @throws MemoryLimitExceeded before allocating beyond `memory_limit` bytes.
[[nodiscard]] Matrix draw_samples(const GaussianVector& f,
                                  Index m,
                                  Rng& rng,
                                  double memory_limit = 8e9);

}  // namespace pomlux
