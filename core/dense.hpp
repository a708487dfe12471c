// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>  // std::size_t
#include <memory>   // entries
#include <pomlux/core/types.hpp>
#include <span>    // blocks of columns
#include <vector>  // packed entries

namespace pomlux {

/// Columns B [r, m] in the order in which a product reads them: strips of `width()` columns, each
/// with its rows one after the other. Fill it by `assign` or by fill_normals (rng.hpp).
template <typename Scalar>
class PackedColumns {
 public:
  /// Entries without values. @throws InvalidArgument if a size is negative.
  PackedColumns(Index rows, Index cols);

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  /// Columns of a strip, by the active instruction-set level (isa.hpp).
  [[nodiscard]] Index width() const { return width_; }
  /// B(k, j) is entry k width() + j % width() of strip j / width(). The last strip is as wide as
  /// the others; what its missing columns hold is free.
  [[nodiscard]] std::span<Scalar> strip(Index index) { return {data(index), strip_size()}; }
  [[nodiscard]] std::span<const Scalar> strip(Index index) const {
    return {data(index), strip_size()};
  }
  [[nodiscard]] Index strips() const { return (cols_ + width_ - 1) / width_; }

  /// B(k, j) = b[j r + k]. @throws InvalidArgument unless `b` holds m columns.
  void assign(std::span<const Scalar> b);
  /// [m] Euclidean lengths of the columns, each a sum over r in order in double precision.
  [[nodiscard]] Vector norms() const;

 private:
  [[nodiscard]] std::size_t strip_size() const { return static_cast<std::size_t>(width_ * rows_); }
  [[nodiscard]] Scalar* data(Index strip) const { return entries_.get() + strip * width_ * rows_; }

  Index rows_;
  Index cols_;
  Index width_;
  std::unique_ptr<Scalar[]> entries_;
};

/// A matrix A [r, n] that is multiplied from the right side again and again: A^T B for blocks of
/// columns B [r, m]. Its entries are kept in the order in which the product reads them.
///
/// Runs on the calling thread at the active instruction-set level (isa.hpp). Every entry of a
/// product is one sum over r in order, so it depends neither on m nor on the other columns; its
/// error is at most r u sum_k |a_ki b_kj| with u = eps / 2 of the scalar type.
/// Cost: 2 r n m flop per product; half of that for an upper triangular A, as rows after the last
/// one that is not zero in a strip of columns are skipped.
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

  /// product[j padded_cols() + i] = sum_k a(k, i) b[j r + k] for i < cols(), 0 for the padding; the
  /// entries are finite (what meets a skipped zero of A is not read).
  /// @throws InvalidArgument unless `b` holds m columns and `product` has room for m.
  void transpose_multiply(std::span<const Scalar> b, Index m, std::span<Scalar> product) const;
  /// The same with the columns in order already.
  void transpose_multiply(const PackedColumns<Scalar>& b, std::span<Scalar> product) const;

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  Index padded_cols_ = 0;
  std::vector<Scalar> strips_;
  std::vector<Index> depths_;  // of strips: rows up to the last one that is not zero
};

extern template class PackedColumns<float>;
extern template class PackedColumns<double>;
extern template class PackedMatrix<float>;
extern template class PackedMatrix<double>;

/// Which of the intervals centre[i] +- radius[i] may hold the largest number.
struct Contenders {
  double threshold;  ///< the largest lower end
  Index count;       ///< intervals whose upper end reaches it
  Index last;        ///< the last of them
};

/// centre = shift + product and radius = scale rounding, in double precision. The entries are
/// finite, radii >= 0, and n >= 1. @throws InvalidArgument if sizes differ or n = 0.
[[nodiscard]] Contenders find_contenders(std::span<const double> shift,
                                         std::span<const float> product,
                                         std::span<const double> rounding,
                                         double scale);

}  // namespace pomlux
