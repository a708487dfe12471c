// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/errors.hpp>
#include <pomlux/core/types.hpp>

namespace pomlux {

/// Cholesky factor L [n, n] of a symmetric positive definite matrix K, K + jitter I = L Lᵀ, that
/// grows by a row.
///
/// A pivot must exceed four times the bound of its own rounding error, which is (n + 1) eps / 2
/// times the diagonal entry (Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.3):
/// the entries of a covariance matrix are rounded, too. If one does not, jitter is added to the
/// diagonal: kFirstJitter times the mean diagonal (times 1 if that is 0), then ten times more at
/// each try up to kLastJitter; the amount is reported by jitter() and used for rows appended later.
/// The same matrix gives the same bits, factorised at once or appended row by row (see
/// PackedTriangle). Cost: n³/3 flop to factorise, n² to append a row or to solve for one right-hand
/// side; memory 8 n², up to 2.3 times that after appending.
class CholeskyFactor {
 public:
  static constexpr double kFirstJitter = 1e-14;
  static constexpr double kLastJitter = 1e-4;
  /// Ten multiplications by ten are not exact: the last jitter may exceed kLastJitter by this
  /// factor.
  static constexpr double kJitterSlack = 1.001;

  /// Of the empty matrix, with jitter 0: a start for append().
  CholeskyFactor() = default;
  /// @param matrix [n, n], symmetric (the lower triangle is read), finite.
  /// @throws InvalidArgument if not square, not finite, or indefinite beyond the largest jitter;
  /// MemoryLimitExceeded beyond kDefaultMemoryLimit.
  explicit CholeskyFactor(const MatrixRef& matrix);

  /// Becomes the factor of a symmetric matrix [n, n] as it is, with the bits that append() gives
  /// row by row; the jitter is 0. Returns n, or the first row that append() would refuse, or whose
  /// entries are not finite; the factor is then as before.
  [[nodiscard]] Index assign(const MatrixRef& matrix);

  [[nodiscard]] Index size() const;
  /// What was added to the diagonal; 0 if nothing.
  [[nodiscard]] double jitter() const;
  /// L, lower triangular with zeros above, [n, n]; a view that the next append may invalidate.
  [[nodiscard]] Eigen::Ref<const Matrix> lower() const;
  /// Grows to [n + 1, n + 1] by the row (column[0..n-1], diagonal) of K. Returns false and leaves
  /// the factor unchanged if the new pivot is not positive beyond rounding; the caller then
  /// factorises anew. Amortised n² flop; storage grows geometrically. @throws InvalidArgument if
  /// the size differs or a value is not finite.
  [[nodiscard]] bool append(const VectorRef& column, double diagonal);
  /// L⁻¹ b for [n] or [n, m].
  [[nodiscard]] Matrix solve_lower(const MatrixRef& b) const;
  /// Solves L x = b for entries first, ... of x in `b` [n], whose entries before are those of x: an
  /// appended row extends a solution, with the bits of solving anew.
  void extend_solution(Index first, Eigen::Ref<Vector> b) const;
  /// b [n] becomes L⁻ᵀ b.
  void solve_upper_in_place(Eigen::Ref<Vector> b) const;
  /// (L Lᵀ)⁻¹ b.
  [[nodiscard]] Matrix solve(const MatrixRef& b) const;
  /// log det(L Lᵀ).
  [[nodiscard]] double log_determinant() const;

 private:
  void reserve(Index capacity);

  Matrix storage_;  // grows geometrically; the leading [size_, size_] block is L
  Index size_ = 0;
  double jitter_ = 0.0;
};

// Decompositions of Eigen, compiled once for all rooms.

struct SymmetricEigen {
  Vector values;   ///< ascending
  Matrix vectors;  ///< orthonormal columns
};
/// Of a symmetric matrix [n, n], finite, of which the lower triangle is read; errors are a small
/// multiple of n eps times the largest absolute eigenvalue, at worst its bound, the largest sum of
/// a row. @throws InvalidArgument if not square or finite, or if the iteration does not converge.
/// Cost: about 9 n³ flop.
[[nodiscard]] SymmetricEigen symmetric_eigen(const MatrixRef& matrix);

/// [n, r] orthonormal columns that span those of `a` [n, r], n >= r, by Householder reflections, to
/// rounding. @throws InvalidArgument if n < r. Cost: O(n r²).
[[nodiscard]] Matrix orthonormal_columns(const MatrixRef& a);

/// R [r, n], zero below its diagonal, with RᵀR = aᵀa for `a` [r, n]: a root turned so that these
/// entries vanish; equal columns stay equal. Backward stable: |RᵀR - aᵀa| is a small multiple of r
/// eps |a|². Cost: O(r² n).
[[nodiscard]] Matrix turned_upper(Matrix a);

/// Largest negative eigenvalue, relative to the largest one, that semidefinite_root takes for
/// rounding.
inline constexpr double kIndefiniteTolerance = 1e-6;

/// A [n, r] with A Aᵀ = matrix for a symmetric positive semi-definite matrix, by an
/// eigendecomposition; r, the numerical rank, is at least 1.
///
/// The matrix is scaled to unit diagonal first, so rows of very different sizes keep their own
/// relative accuracy. Eigenvalues below n eps times the largest are rounding and are dropped.
/// Entries whose variances and covariance are the same but for rounding have the same row of A.
/// @param reference size of the numbers that `matrix` is a difference of, e.g. the prior variance
///   of a posterior covariance; 0 if its entries are accurate themselves. With a reference nothing
///   is scaled, and rounding is judged against the larger of the reference and the largest
///   eigenvalue.
/// @throws InvalidArgument if not square, empty, not finite, or if an eigenvalue is below
///   -kIndefiniteTolerance times the largest (or the reference); MemoryLimitExceeded beyond
///   kDefaultMemoryLimit.
/// Cost: about 10 n³ flop, 24 n² bytes.
[[nodiscard]] Matrix semidefinite_root(const MatrixRef& matrix, double reference = 0.0);

}  // namespace pomlux
