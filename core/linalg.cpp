// SPDX-License-Identifier: MIT
#include <Eigen/Eigenvalues>  // semi-definite root
#include <Eigen/QR>           // orthonormal columns
#include <algorithm>          // std::max
#include <cmath>              // std::sqrt
#include <optional>           // roots that may not exist
#include <pomlux/core/isa.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/core/triangular.hpp>
#include <pomlux/core/triangular_kernels.hpp>
#include <utility>  // std::move
#include <vector>   // equal columns

namespace pomlux {
namespace {

constexpr Index kLeastCapacity = 16;

void require_square_finite(std::string_view where, const MatrixRef& matrix) {
  require_same_size(where, "rows of the matrix", matrix.rows(), "its columns", matrix.cols());
  // Eigen's factorisations report success on NaN, so it is looked for here.
  if (matrix.allFinite()) return;
  for (Index j = 0; j < matrix.cols(); ++j) {
    for (Index i = 0; i < matrix.rows(); ++i) {
      if (std::isfinite(matrix(i, j))) continue;
      fail(where,
           "matrix(" + format_number(i) + ", " + format_number(j) + ") is " +
               format_number(matrix(i, j)) + "; every entry must be finite");
    }
  }
}

/// What semidefinite_root does with `matrix` as it is; nothing if it is indefinite.
std::optional<Matrix> root_of(const MatrixRef& matrix, double reference, double& least_eigenvalue) {
  const SymmetricEigen eigen = symmetric_eigen(matrix);
  const Vector& values = eigen.values;
  const Index n = matrix.rows();
  const double scale = std::max(values.cwiseAbs().maxCoeff(), reference);
  least_eigenvalue = values(0);
  if (!(least_eigenvalue >= -kIndefiniteTolerance * scale)) return std::nullopt;
  const double rounding = static_cast<double>(n) * kEpsilon * scale;
  const Index kept = (values.array() > rounding).count();
  const Index rank = std::max<Index>(1, kept);
  const Vector roots = values.tail(rank).cwiseMax(0.0).cwiseSqrt();
  return eigen.vectors.rightCols(rank) * roots.asDiagonal();
}

/// Entries whose difference has no variance but rounding get the same row of the root, that of the
/// first.
void share_rows(const MatrixRef& matrix, double reference, Matrix& root) {
  constexpr double kRounding = 8.0 * kEpsilon;
  for (Index j = 1; j < matrix.cols(); ++j) {
    const double own = matrix(j, j), least = kRounding * std::max(reference, own);
    for (Index i = 0; i < j; ++i) {
      if (std::abs(matrix(i, i) - own) > least) continue;
      if (std::abs(matrix(i, i) - matrix(i, j)) + std::abs(own - matrix(i, j)) > least) continue;
      root.row(j) = root.row(i);
      break;
    }
  }
}

}  // namespace

SymmetricEigen symmetric_eigen(const MatrixRef& matrix) {
  require_square_finite("symmetric_eigen", matrix);
  Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
  if (solver.info() == Eigen::Success) return {solver.eigenvalues(), solver.eigenvectors()};
  // Eigen 3.4 asks what couples two eigenvalues to vanish beside their square roots, which rounding
  // prevents where many are tiny, as those of smooth kernels are. Shifted, none is.
  Matrix shifted = matrix.selfadjointView<Eigen::Lower>();
  const double shift = 2.0 * shifted.cwiseAbs().rowwise().sum().maxCoeff();
  shifted.diagonal().array() += shift;
  solver.compute(shifted);
  if (solver.info() != Eigen::Success) {
    fail("symmetric_eigen", "the eigenvalue iteration did not converge");
  }
  return {solver.eigenvalues().array() - shift, solver.eigenvectors()};
}

Matrix orthonormal_columns(const MatrixRef& a) {
  if (a.rows() < a.cols()) {
    fail("orthonormal_columns",
         "the matrix is " + format_number(a.rows()) + " x " + format_number(a.cols()) +
             "; must have at least as many rows as columns");
  }
  const Eigen::HouseholderQR<Matrix> qr(a);
  return qr.householderQ() * Matrix::Identity(a.rows(), a.cols());
}

Matrix turned_upper(Matrix a) {
  std::vector<std::pair<Index, Index>> equal;  // columns, and the first that each equals
  for (Index j = 1; j < a.cols(); ++j) {
    for (Index i = 0; i < j; ++i) {
      if (a(0, i) != a(0, j) || a.col(i) != a.col(j)) continue;
      equal.emplace_back(j, i);
      break;
    }
  }
  const Eigen::HouseholderQR<Eigen::Ref<Matrix>> qr(a);  // in place
  a.triangularView<Eigen::StrictlyLower>().setZero();
  for (const auto& [j, i] : equal) a.col(j) = a.col(i);
  return a;
}

CholeskyFactor::CholeskyFactor(const MatrixRef& matrix) {
  require_square_finite("CholeskyFactor", matrix);
  require_memory("CholeskyFactor", matrix.rows(), matrix.cols());
  if (matrix.rows() == 0) return;
  const double mean_diagonal = matrix.diagonal().cwiseAbs().mean();
  const double scale = mean_diagonal > 0.0 ? mean_diagonal : 1.0;
  Matrix shifted = matrix;
  for (double relative = 0.0; relative <= kJitterSlack * kLastJitter;
       relative = relative == 0.0 ? kFirstJitter : 10.0 * relative) {
    const double jitter = relative * scale;
    shifted.diagonal() = matrix.diagonal().array() + jitter;
    if (assign(shifted) < shifted.rows()) continue;
    jitter_ = jitter;
    return;
  }
  fail("CholeskyFactor",
       "the matrix is not positive semi-definite: a jitter of " + format_number(kLastJitter) +
           " times its mean diagonal, " + format_number(scale) + ", does not help");
}

Index CholeskyFactor::assign(const MatrixRef& matrix) {
  PackedTriangle packed;
  const Index n = matrix.rows();
  const Index good = packed.factorise(matrix);
  if (good < n) return good;
  storage_.resize(n, n);
  packed.unpack(storage_);
  size_ = n;
  jitter_ = 0.0;
  return n;
}

Index CholeskyFactor::size() const { return size_; }

double CholeskyFactor::jitter() const { return jitter_; }

Eigen::Ref<const Matrix> CholeskyFactor::lower() const {
  return storage_.topLeftCorner(size_, size_);
}

void CholeskyFactor::reserve(Index capacity) {
  if (capacity <= storage_.rows()) return;
  const Index grown_size = std::max({kLeastCapacity, capacity, storage_.rows() * 3 / 2});
  require_memory("CholeskyFactor::append", grown_size, grown_size);
  Matrix grown(grown_size, grown_size);
  grown.topLeftCorner(size_, size_) = storage_.topLeftCorner(size_, size_);
  storage_.swap(grown);
}

bool CholeskyFactor::append(const VectorRef& column, double diagonal) {
  require_same_size("CholeskyFactor::append", "column", column.size(), "the factor", size_);
  require_finite("CholeskyFactor::append", "column", column);
  if (!std::isfinite(diagonal)) {
    fail("CholeskyFactor::append", "diagonal is " + format_number(diagonal) + "; must be finite");
  }
  reserve(size_ + 1);
  // The unused column above the new diagonal entry holds the new row until it is known to be good.
  Eigen::Block<Matrix> scratch = storage_.block(0, size_, size_, 1);
  scratch = column;
  const auto n = static_cast<std::size_t>(size_);
  const detail::TriangularKernels& kernels = detail::active_triangular_kernels();
  kernels.solve_column(
      storage_.data(), static_cast<std::size_t>(storage_.outerStride()), n, scratch.data());
  const double full = diagonal + jitter_;
  const double pivot = kernels.subtract_squares(full, scratch.data(), n);
  const bool is_positive = kernels.is_positive(pivot, n, full);
  if (is_positive) {
    storage_.row(size_).head(size_) = scratch.transpose();
    scratch.setZero();
    storage_(size_, size_) = std::sqrt(pivot);
    ++size_;
  }
  return is_positive;
}

Matrix CholeskyFactor::solve_lower(const MatrixRef& b) const {
  require_same_size("CholeskyFactor::solve_lower", "rows of b", b.rows(), "the factor", size_);
  Matrix x = b;
  if (x.cols() == 1) {
    extend_solution(0, x.col(0));
  } else if (x.size() > 0) {
    PackedTriangle(lower()).solve_in_place(x);
  }
  return x;
}

void CholeskyFactor::extend_solution(Index first, Eigen::Ref<Vector> b) const {
  constexpr std::string_view where = "CholeskyFactor::extend_solution";
  require_same_size(where, "b", b.size(), "the factor", size_);
  const detail::TriangularKernels& kernels = detail::active_triangular_kernels();
  const auto stride = static_cast<std::size_t>(storage_.outerStride());
  if (first == 0) {
    return kernels.solve_column(storage_.data(), stride, static_cast<std::size_t>(size_), b.data());
  }
  for (Index i = first; i < size_; ++i) {
    const double* const row = storage_.data() + i;
    kernels.subtract_rows(row, stride, static_cast<std::size_t>(i), b.data(), &b(i), 1);
    b(i) *= 1.0 / storage_(i, i);
  }
}

void CholeskyFactor::solve_upper_in_place(Eigen::Ref<Vector> b) const {
  require_same_size("CholeskyFactor::solve_upper_in_place", "b", b.size(), "the factor", size_);
  lower().triangularView<Eigen::Lower>().adjoint().solveInPlace(b);
}

Matrix CholeskyFactor::solve(const MatrixRef& b) const {
  require_same_size("CholeskyFactor::solve", "rows of b", b.rows(), "the factor", size_);
  Matrix x = solve_lower(b);
  storage_.topLeftCorner(size_, size_).triangularView<Eigen::Lower>().adjoint().solveInPlace(x);
  return x;
}

double CholeskyFactor::log_determinant() const {
  return 2.0 * lower().diagonal().array().log().sum();
}

Matrix semidefinite_root(const MatrixRef& matrix, double reference) {
  constexpr std::string_view where = "semidefinite_root";
  require_square_finite(where, matrix);
  if (matrix.rows() == 0) fail(where, "the matrix is empty");
  if (!(reference >= 0.0 && std::isfinite(reference))) {
    fail(where, "reference is " + format_number(reference) + "; must be >= 0 and finite");
  }
  require_memory(where, matrix.rows(), matrix.cols());
  double least_eigenvalue = 0.0;
  if (reference == 0.0 && matrix.diagonal().minCoeff() >= 0.0) {
    // A certain entry keeps its row; its covariances are 0, or the matrix is indefinite.
    const Vector scales = matrix.diagonal().unaryExpr(
        [](double variance) { return variance > 0.0 ? std::sqrt(variance) : 1.0; });
    const Vector inverse = scales.cwiseInverse();
    const Matrix scaled = inverse.asDiagonal() * matrix * inverse.asDiagonal();
    if (scaled.allFinite()) {
      std::optional<Matrix> root = root_of(scaled, 0.0, least_eigenvalue);
      if (root) {
        root->array().colwise() *= scales.array();
        share_rows(matrix, 0.0, *root);
        return *std::move(root);
      }
    }
  }
  // Without scaling, a small entry may be the rounding of a large one.
  std::optional<Matrix> root = root_of(matrix, reference, least_eigenvalue);
  if (root) {
    share_rows(matrix, reference, *root);
    return *std::move(root);
  }
  fail(where,
       "the matrix is not positive semi-definite: it has the eigenvalue " +
           format_number(least_eigenvalue));
}

}  // namespace pomlux
