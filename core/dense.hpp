// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/types.hpp>
#include <span>    // blocks of columns
#include <vector>  // packed entries

namespace pomlux {

/// A matrix A [r, n] that is multiplied from the right side again and again: A^T B for blocks of
/// columns B [r, m]. Its entries are kept in the order in which the product reads them.
///
/// Runs on the calling thread at the active instruction-set level (isa.hpp). Every entry of a
/// product is one sum over r in order, so it depends neither on m nor on the other columns; its
/// error is at most r u sum_k |a_ki b_kj| with u = eps / 2 of the scalar type.
/// Cost: 2 r n m flop per product.
template <typename Scalar>
class PackedMatrix {
 public:
  PackedMatrix() = default;
  /// Rounds the entries to the scalar type.
  explicit PackedMatrix(const MatrixRef& a);

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  /// Rows that `transpose_multiply` writes per column: cols() rounded up to whole strips.
  [[nodiscard]] Index padded_cols() const { return padded_cols_; }

  /// product[j padded_cols() + i] = sum_k a(k, i) b[j r + k] for i < cols(), 0 for the padding.
  /// @throws InvalidArgument unless `b` holds m columns and `product` has room for m.
  void transpose_multiply(std::span<const Scalar> b, Index m, std::span<Scalar> product) const;

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  Index padded_cols_ = 0;
  std::vector<Scalar> strips_;
};

extern template class PackedMatrix<float>;
extern template class PackedMatrix<double>;

}  // namespace pomlux
