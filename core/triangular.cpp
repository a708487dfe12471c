// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <cmath>      // std::log
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/level_tables.hpp>
#include <pomlux/core/triangular.hpp>
#include <pomlux/core/triangular_kernels.hpp>
#include <string>  // messages

namespace pomlux {

const detail::TriangularKernels& detail::triangular_kernels(Isa level) {
  return POMLUX_LEVEL_TABLES(kTriangularKernels).at(level, "triangular_kernels");
}

const detail::TriangularKernels& detail::active_triangular_kernels() {
  static const TriangularKernels& kernels = triangular_kernels(active_isa_level());
  return kernels;
}

namespace {

using detail::active_triangular_kernels;

Index rounded_up(Index n) {
  const auto count = static_cast<Index>(active_triangular_kernels().count);
  return (n + count - 1) / count * count;
}

std::size_t to_size(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

PackedTriangle::PackedTriangle(const MatrixRef& lower) {
  require_same_size(
      "PackedTriangle", "rows of the matrix", lower.rows(), "its columns", lower.cols());
  resize(lower.rows());
  active_triangular_kernels().pack(
      lower.data(), to_size(lower.outerStride()), to_size(size_), packed_.data());
}

void PackedTriangle::resize(Index n) {
  const Index rows = rounded_up(n);
  const auto count = static_cast<Index>(active_triangular_kernels().count);
  packed_.resize(to_size(rows * (rows + count) / 2 + rows));
  size_ = n;
}

Index PackedTriangle::factorise(const MatrixRef& matrix) {
  require_same_size(
      "PackedTriangle", "rows of the matrix", matrix.rows(), "its columns", matrix.cols());
  resize(matrix.rows());
  strip_.resize(to_size(strip_size()));
  return static_cast<Index>(active_triangular_kernels().factorise(
      matrix.data(), to_size(matrix.outerStride()), to_size(size_), packed_.data(), strip_.data()));
}

void PackedTriangle::unpack(Eigen::Ref<Matrix> lower) const {
  require_same_size("PackedTriangle", "rows of the result", lower.rows(), "L", size_);
  require_same_size("PackedTriangle", "columns of the result", lower.cols(), "L", size_);
  active_triangular_kernels().unpack(
      packed_.data(), to_size(size_), lower.data(), to_size(lower.outerStride()));
}

double PackedTriangle::log_determinant() const {
  const auto count = static_cast<Index>(active_triangular_kernels().count);
  double sum = 0.0;
  for (Index i = 0; i < size_; ++i) {
    const Index first =
        i / count * count;  // of the strip that holds row i, which ends with L(i, i)
    const Index end = first * (first + count) / 2 + first + (first + count) * count;
    sum += std::log(packed_[to_size(end + i - first)]);
  }
  return 2.0 * sum;
}

Index PackedTriangle::strip_width() {
  return static_cast<Index>(active_triangular_kernels().width);
}

Index PackedTriangle::strip_rows() const { return rounded_up(size_); }

void PackedTriangle::solve_strip(std::span<double> strip) const {
  require_same_size(
      "PackedTriangle::solve_strip", "strip", std::ssize(strip), "its room", strip_size());
  active_triangular_kernels().solve(packed_.data(), 0, to_size(size_), strip.data());
}

void PackedTriangle::condition(std::span<const double> strip,
                               const VectorRef& whitened,
                               std::span<double> mean,
                               std::span<double> variance) const {
  constexpr std::string_view where = "PackedTriangle::condition";
  require_same_size(where, "strip", std::ssize(strip), "its room", strip_size());
  require_same_size(where, "mean", std::ssize(mean), "a strip's width", strip_width());
  require_same_size(where, "variance", std::ssize(variance), "a strip's width", strip_width());
  if (whitened.size() > size_) {
    fail(where, "whitened has " + format_number(whitened.size()) + " entries; L has fewer rows");
  }
  active_triangular_kernels().condition(strip.data(),
                                        to_size(size_),
                                        whitened.data(),
                                        to_size(whitened.size()),
                                        mean.data(),
                                        variance.data());
}

void PackedTriangle::solve_in_place(Eigen::Ref<Matrix> b) const {
  require_same_size("PackedTriangle::solve_in_place", "rows of b", b.rows(), "L", size_);
  const Index width = strip_width();
  std::vector<double> strip(to_size(strip_size()));
  for (Index first = 0; first < b.cols(); first += width) {
    const Index present = std::min(width, b.cols() - first);
    Eigen::Map<Points> rows(strip.data(), strip_rows(), width);
    rows.topLeftCorner(size_, present) = b.middleCols(first, present);
    solve_strip(strip);
    b.middleCols(first, present) = rows.topLeftCorner(size_, present);
    rows.bottomRows(rows.rows() - size_).setZero();
  }
}

void PackedTriangle::solve_in_place(std::vector<double>& b) const {
  require_same_size("PackedTriangle::solve_in_place", "rows of b", std::ssize(b), "L", size_);
  b.resize(to_size(strip_rows()), 0.0);
  active_triangular_kernels().solve_vector(packed_.data(), to_size(size_), b.data());
  b.resize(to_size(size_));
}

void PackedTriangle::likelihood_weights(const VectorRef& w,
                                        Eigen::Ref<Vector> alpha,
                                        Eigen::Ref<Matrix> weights,
                                        Workspace& workspace) const {
  constexpr std::string_view where = "PackedTriangle::likelihood_weights";
  require_same_size(where, "w", w.size(), "L", size_);
  require_same_size(where, "alpha", alpha.size(), "L", size_);
  require_same_size(where, "rows of weights", weights.rows(), "L", size_);
  require_same_size(where, "columns of weights", weights.cols(), "L", size_);
  const Index rows = strip_rows();
  const auto count = static_cast<Index>(active_triangular_kernels().count);
  workspace.strip.resize(to_size(strip_size()));
  workspace.roots.resize(to_size(rows * (rows + count) / 2));
  active_triangular_kernels().likelihood_weights(packed_.data(),
                                                 to_size(size_),
                                                 w.data(),
                                                 alpha.data(),
                                                 workspace.strip.data(),
                                                 workspace.roots.data(),
                                                 weights.data(),
                                                 to_size(weights.outerStride()));
}

void subtract_rows(const PointsRef& rows, const VectorRef& weights, Eigen::Ref<Vector> row) {
  require_same_size("subtract_rows", "weights", weights.size(), "rows", rows.rows());
  require_same_size("subtract_rows", "row", row.size(), "a row of rows", rows.cols());
  active_triangular_kernels().subtract_rows(rows.data(),
                                            to_size(rows.outerStride()),
                                            to_size(rows.rows()),
                                            weights.data(),
                                            row.data(),
                                            to_size(row.size()));
}

void condition_variance(const VectorRef& row, Eigen::Ref<Vector> variance) {
  require_same_size("condition_variance", "variance", variance.size(), "row", row.size());
  active_triangular_kernels().condition_on_row(
      row.data(), to_size(row.size()), 0.0, nullptr, variance.data());
}

void condition_mean_and_variance(const VectorRef& row,
                                 double whitened,
                                 Eigen::Ref<Vector> mean,
                                 Eigen::Ref<Vector> variance) {
  constexpr std::string_view where = "condition_mean_and_variance";
  require_same_size(where, "mean", mean.size(), "row", row.size());
  require_same_size(where, "variance", variance.size(), "row", row.size());
  active_triangular_kernels().condition_on_row(
      row.data(), to_size(row.size()), whitened, mean.data(), variance.data());
}

}  // namespace pomlux
