// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/errors.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>

namespace pomlux {

/// Cholesky factor L [n, n] of a symmetric positive definite matrix K, K + jitter I = L Lᵀ, that
/// grows by a row.
///
/// If a pivot is not positive, jitter is added to the diagonal: kFirstJitter times the mean
/// diagonal, then ten times more at each try up to kLastJitter; the amount is reported by jitter()
/// and used for rows appended later. Cost: n³/3 flop to factorise, n² to append a row or to solve
/// for one right-hand side.
class CholeskyFactor {
 public:
  static constexpr double kFirstJitter = 1e-14;
  static constexpr double kLastJitter = 1e-4;

  CholeskyFactor() = default;
  /// @param matrix [n, n], symmetric (the lower triangle is read), finite.
  /// @throws InvalidArgument if not square, not finite, or indefinite beyond the largest jitter.
  explicit CholeskyFactor(const MatrixRef& matrix);

  [[nodiscard]] Index size() const;
  /// What was added to the diagonal; 0 if nothing.
  [[nodiscard]] double jitter() const;
  /// L, lower triangular, [n, n]; a view that the next append may invalidate.
  [[nodiscard]] Eigen::Ref<const Matrix> lower() const;
  /// Grows to [n + 1, n + 1] by the row (column[0..n-1], diagonal) of K. Returns false and leaves
  /// the factor unchanged if the new pivot is not positive beyond rounding; the caller then
  /// factorises anew. Amortised n² flop, no copy per call.
  [[nodiscard]] bool append(const VectorRef& column, double diagonal);
  /// L⁻¹ b for [n] or [n, m].
  [[nodiscard]] Matrix solve_lower(const MatrixRef& b) const;
  /// (L Lᵀ)⁻¹ b.
  [[nodiscard]] Matrix solve(const MatrixRef& b) const;
  /// log det(L Lᵀ).
  [[nodiscard]] double log_determinant() const;

 private:
  Matrix storage_;  // grows geometrically; the leading [size_, size_] block is L
  Index size_ = 0;
  double jitter_ = 0.0;
};

/// A [n, r] with A Aᵀ = matrix for a symmetric positive semi-definite matrix, by its
/// eigendecomposition. Eigenvalues below n eps times the largest are rounding and are dropped (r is
/// the numerical rank, at least 1).
/// @throws InvalidArgument if not square, not finite, or if an eigenvalue is below -1e-6 times the
/// largest.
[[nodiscard]] Matrix semidefinite_root(const MatrixRef& matrix);

}  // namespace pomlux
