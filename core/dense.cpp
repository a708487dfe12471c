// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <pomlux/core/dense.hpp>
#include <pomlux/core/dense_kernels.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/level_tables.hpp>
#include <string>       // messages
#include <type_traits>  // std::is_same_v

namespace pomlux {

const detail::DenseKernels& detail::dense_kernels(Isa level) {
  return POMLUX_LEVEL_TABLES(kDenseKernels).at(level, "dense_kernels");
}

namespace {

/// Terms of the sums taken at once: a strip of `a` of that depth stays in the first-level cache.
constexpr Index kDepth = 192;

const detail::DenseKernels& active_kernels() {
  static const detail::DenseKernels& kernels = detail::dense_kernels(active_isa_level());
  return kernels;
}

template <typename Scalar>
const detail::StripKernel<Scalar>& active_strip() {
  if constexpr (std::is_same_v<Scalar, float>) {
    return active_kernels().float32;
  } else {
    return active_kernels().float64;
  }
}

Index round_up(Index n, Index unit) { return (n + unit - 1) / unit * unit; }

/// [rows, n] as strips of `width` columns of which each holds its rows one after the other; missing
/// columns are 0.
template <typename Scalar, typename Read>
void pack(Index rows, Index n, Index width, const Read& read, Scalar* out) {
  for (Index first = 0; first < n; first += width) {
    const Index present = std::min(width, n - first);
    for (Index k = 0; k < rows; ++k) {
      for (Index i = 0; i < width; ++i) *out++ = i < present ? read(k, first + i) : Scalar{0};
    }
  }
}

}  // namespace

template <typename Scalar>
PackedColumns<Scalar>::PackedColumns(Index rows, Index cols)
    : rows_(rows), cols_(cols), width_(static_cast<Index>(active_strip<Scalar>().count)) {
  if (rows < 0 || cols < 0) {
    fail("PackedColumns",
         "the shape is " + format_number(rows) + " x " + format_number(cols) + "; must be >= 0");
  }
  entries_ = std::make_unique_for_overwrite<Scalar[]>(
      static_cast<std::size_t>(round_up(cols, width_) * rows));
}

template <typename Scalar>
void PackedColumns<Scalar>::assign(std::span<const Scalar> b) {
  require_same_size("PackedColumns::assign", "b", std::ssize(b), "m columns", cols_ * rows_);
  pack(
      rows_,
      cols_,
      width_,
      [&](Index k, Index j) { return b[static_cast<std::size_t>(j * rows_ + k)]; },
      entries_.get());
}

template <typename Scalar>
Vector PackedColumns<Scalar>::norms() const {
  Vector result(strips() * width_);
  for (Index s = 0; s < strips(); ++s) {
    active_strip<Scalar>().squares(
        data(s), static_cast<std::size_t>(rows_), result.data() + s * width_);
  }
  return result.head(cols_).cwiseSqrt();
}

template <typename Scalar>
PackedMatrix<Scalar>::PackedMatrix(const MatrixRef& a) : rows_(a.rows()), cols_(a.cols()) {
  const auto width = static_cast<Index>(active_strip<Scalar>().width);
  padded_cols_ = round_up(cols_, width);
  strips_.resize(static_cast<std::size_t>(padded_cols_ * rows_));
  pack(
      rows_,
      cols_,
      width,
      [&](Index k, Index i) { return static_cast<Scalar>(a(k, i)); },
      strips_.data());
  const Index strip_size = width * rows_;
  for (Index i = 0; i < padded_cols_; i += width) {
    const Scalar* const strip = strips_.data() + i * rows_;
    Index size = strip_size;
    while (size > 0 && strip[size - 1] == Scalar{0}) --size;
    depths_.push_back((size + width - 1) / width);
  }
}

template <typename Scalar>
void PackedMatrix<Scalar>::transpose_multiply(std::span<const Scalar> b,
                                              Index m,
                                              std::span<Scalar> product) const {
  PackedColumns<Scalar> columns(rows_, m);
  columns.assign(b);
  transpose_multiply(columns, product);
}

template <typename Scalar>
void PackedMatrix<Scalar>::transpose_multiply(const PackedColumns<Scalar>& b,
                                              std::span<Scalar> product) const {
  constexpr std::string_view where = "PackedMatrix::transpose_multiply";
  const Index m = b.cols();
  require_same_size(where, "b", b.rows(), "the rows", rows_);
  require_same_size(where, "product", std::ssize(product), "m padded columns", m * padded_cols_);
  const detail::StripKernel<Scalar>& kernel = active_strip<Scalar>();
  const auto width = static_cast<Index>(kernel.width);
  const auto count = b.width();
  // The last columns of B, where fewer than a strip's are left, go through a buffer.
  const Index left = m % count;
  std::vector<Scalar> rest(static_cast<std::size_t>(left > 0 ? count * padded_cols_ : 0));

  if (rows_ == 0) std::fill(product.begin(), product.end(), Scalar{0});
  for (Index begin = 0; begin < rows_; begin += kDepth) {
    for (Index i = 0; i < padded_cols_; i += width) {
      const Index rows = depths_[static_cast<std::size_t>(i / width)];
      const Index depth = std::clamp<Index>(rows - begin, 0, kDepth);
      if (depth == 0 && begin > 0) continue;
      const Scalar* const a = strips_.data() + i * rows_ + begin * width;
      for (Index j = 0; j < m; j += count) {
        Scalar* const out = j + count <= m ? product.data() + j * padded_cols_ : rest.data();
        kernel.multiply(a,
                        b.strip(j / count).data() + begin * count,
                        static_cast<std::size_t>(depth),
                        out + i,
                        static_cast<std::size_t>(padded_cols_),
                        begin == 0);
      }
    }
  }
  if (rows_ > 0 && left > 0) {
    std::copy_n(rest.data(), left * padded_cols_, product.data() + (m - left) * padded_cols_);
  }
}

Contenders find_contenders(std::span<const double> shift,
                           std::span<const float> product,
                           std::span<const double> rounding,
                           double scale) {
  constexpr std::string_view where = "find_contenders";
  require_same_size(where, "shift", std::ssize(shift), "product", std::ssize(product));
  require_same_size(where, "shift", std::ssize(shift), "rounding", std::ssize(rounding));
  if (shift.empty()) fail(where, "there are no entries; must be >= 1");
  const detail::Contest found =
      active_kernels().contest(shift.data(), product.data(), rounding.data(), scale, shift.size());
  return {found.threshold, static_cast<Index>(found.count), static_cast<Index>(found.last)};
}

template class PackedColumns<float>;
template class PackedColumns<double>;
template class PackedMatrix<float>;
template class PackedMatrix<double>;

}  // namespace pomlux
