// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/types.hpp>
#include <span>    // strips
#include <vector>  // packed entries

namespace pomlux {

/// A lower triangular L [n, n] in the order in which solving reads it, for many right-hand sides at
/// the active instruction-set level (isa.hpp).
///
/// Every entry of a result is one chain of multiply-adds over the rows of L in order, then a
/// product with 1 / L(i, i): it depends neither on the other right-hand sides nor on whether L was
/// factorised at once or grew row by row (CholeskyFactor::append does the same operations), bit for
/// bit. Const calls are safe from several threads. Memory 4 n² bytes; assigning anew uses the
/// memory there is.
class PackedTriangle {
 public:
  PackedTriangle() = default;
  /// @param lower [n, n]; what is above the diagonal is not read.
  explicit PackedTriangle(const MatrixRef& lower);

  /// Becomes the Cholesky factor of a symmetric matrix [n, n], of which the lower triangle is read.
  /// Returns n, or the first row whose pivot is not positive beyond rounding (see CholeskyFactor)
  /// or not finite; the object is then of no use until it is assigned anew. Cost: n³/3 flop.
  /// @throws InvalidArgument if the matrix is not square.
  [[nodiscard]] Index factorise(const MatrixRef& matrix);

  [[nodiscard]] Index size() const { return size_; }
  /// L, zeros above the diagonal, into [n, n].
  void unpack(Eigen::Ref<Matrix> lower) const;
  /// log det(L Lᵀ).
  [[nodiscard]] double log_determinant() const;

  /// Right-hand sides in a strip.
  [[nodiscard]] static Index strip_width();
  /// Doubles in a strip: strip_rows() rows, n rounded up, of strip_width() each.
  [[nodiscard]] Index strip_rows() const;
  [[nodiscard]] Index strip_size() const { return strip_rows() * strip_width(); }
  /// A strip of right-hand sides, row by row, becomes L⁻¹ of them; rows from n on must be 0.
  void solve_strip(std::span<double> strip) const;
  /// For each column i of a solved strip v, [strip_width()] each: mean(i) += sum_p whitened(p) v(p,
  /// i) over the first whitened.size() rows, variance(i) -= sum_p v(p, i)² over all, in order.
  void condition(std::span<const double> strip,
                 const VectorRef& whitened,
                 std::span<double> mean,
                 std::span<double> variance) const;
  /// b [n, m] becomes L⁻¹ b.
  void solve_in_place(Eigen::Ref<Matrix> b) const;
  /// The same for one right-hand side [n]; `b` is resized to strip_rows() and back within its
  /// memory if that was reserved.
  void solve_in_place(std::vector<double>& b) const;

  /// Room that likelihood_weights needs; keep it between calls and nothing is allocated.
  struct Workspace {
    std::vector<double> strip;
    std::vector<double> roots;
  };
  /// For w = L⁻¹ b [n]: alpha = L⁻ᵀ w [n] and the lower triangle of alpha alphaᵀ - (L Lᵀ)⁻¹ [n, n];
  /// what is above it is overwritten with anything. Cost: 2 n³/3 flop.
  void likelihood_weights(const VectorRef& w,
                          Eigen::Ref<Vector> alpha,
                          Eigen::Ref<Matrix> weights,
                          Workspace& workspace) const;

 private:
  void resize(Index n);

  std::vector<double> packed_;
  std::vector<double> strip_;  // of factorise
  Index size_ = 0;
};

/// row(c) -= sum_p weights(p) rows(p, c), over p in order: what solving takes off a right-hand
/// side.
/// @throws InvalidArgument if sizes differ, as below.
void subtract_rows(const PointsRef& rows, const VectorRef& weights, Eigen::Ref<Vector> row);
/// variance(i) -= row(i)², as PackedTriangle::condition does with a row of a strip.
void condition_variance(const VectorRef& row, Eigen::Ref<Vector> variance);
/// The same, and mean(i) += whitened row(i).
void condition_mean_and_variance(const VectorRef& row,
                                 double whitened,
                                 Eigen::Ref<Vector> mean,
                                 Eigen::Ref<Vector> variance);

}  // namespace pomlux
