// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/covariance_kernels.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/core/triangular.hpp>
#include <pomlux/core/triangular_kernels.hpp>
#include <vector>

#include "dense.hpp"

namespace {

using namespace pomlux;

/// Around the sizes of tiles and strips at every level, and one of several strips.
const std::vector<Index> kSizes = {1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 23, 24, 25, 47, 49, 96, 131};

Matrix random_matrix(Index rows, Index cols, std::uint64_t index) {
  Rng rng = make_stream(2, "triangular_test", index);
  return draw_normals(rng, rows * cols).reshaped(rows, cols);
}

/// Positive definite, condition number of the order of n.
Matrix random_positive_definite(Index n) {
  const Matrix b = random_matrix(n, n, static_cast<std::uint64_t>(n));
  return b * b.transpose() + Matrix::Identity(n, n);
}

/// The textbook's loops, in any order of a sum.
Matrix plain_cholesky(const Matrix& k) {
  Matrix l = Matrix::Zero(k.rows(), k.cols());
  for (Index j = 0; j < k.cols(); ++j) {
    l(j, j) = std::sqrt(k(j, j) - l.row(j).head(j).squaredNorm());
    for (Index i = j + 1; i < k.rows(); ++i) {
      l(i, j) = (k(i, j) - l.row(i).head(j).dot(l.row(j).head(j))) / l(j, j);
    }
  }
  return l;
}

Matrix unpacked(const PackedTriangle& packed) {
  Matrix result = Matrix::Constant(packed.size(), packed.size(), 7.0);
  packed.unpack(result);
  return result;
}

TEST_CASE("A factor is that of the textbook's loops, for every size", "[core][triangular]") {
  for (const Index n : kSizes) {
    CAPTURE(n);
    Matrix k = random_positive_definite(n);
    const Matrix expected = plain_cholesky(k);
    k.triangularView<Eigen::StrictlyUpper>().setConstant(kNaN);  // not read
    PackedTriangle packed;
    REQUIRE(packed.factorise(k) == n);
    CHECK(packed.size() == n);
    const Matrix found = unpacked(packed);
    CHECK((found - expected).norm() <= 1e-13 * expected.norm());
    CHECK(found.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().isZero(0.0));
    CHECK(unpacked(PackedTriangle(found)) == found);
    CHECK(std::abs(packed.log_determinant() - 2.0 * expected.diagonal().array().log().sum()) <=
          1e-12 * double(n));
  }
}

TEST_CASE("Factorising at once and growing row by row give the same bits",
          "[core][triangular][determinism]") {
  for (const Index n : kSizes) {
    CAPTURE(n);
    const Matrix k = random_positive_definite(n);
    const Vector b = random_matrix(n, 1, 3).col(0);
    CholeskyFactor grown;
    Vector extended;
    for (Index i = 0; i < n; ++i) {
      REQUIRE(grown.append(k.row(i).head(i).transpose(), k(i, i)));
      extended.conservativeResize(i + 1);
      extended(i) = b(i);
      grown.extend_solution(i, extended);
    }
    const CholeskyFactor whole(k);
    CHECK(grown.lower() == whole.lower());
    CHECK(extended == whole.solve_lower(b));
  }
}

TEST_CASE("A right-hand side is solved with the same bits alone and among others",
          "[core][triangular][determinism]") {
  for (const Index n : kSizes) {
    CAPTURE(n);
    const CholeskyFactor factor(random_positive_definite(n));
    const Matrix b = random_matrix(n, 29, 4);
    const Matrix together = factor.solve_lower(b);
    CHECK((factor.lower() * together - b).norm() <= 1e-13 * b.norm());
    const PackedTriangle packed(factor.lower());
    for (Index j = 0; j < b.cols(); ++j) {
      const Vector alone = factor.solve_lower(b.col(j));
      CHECK(together.col(j) == alone);
      const Vector column = b.col(j);
      std::vector<double> single(column.begin(), column.end());
      packed.solve_in_place(single);
      CHECK(std::equal(single.begin(), single.end(), alone.begin(), alone.end()));
    }
  }
}

TEST_CASE("Conditioning on a strip and on its rows give the same bits",
          "[core][triangular][determinism]") {
  const Index width = PackedTriangle::strip_width();
  for (const Index n : kSizes) {
    CAPTURE(n);
    const PackedTriangle packed(CholeskyFactor(random_positive_definite(n)).lower());
    const Matrix b = random_matrix(n, width, 5);
    const Vector whitened = random_matrix(n, 1, 6).col(0).head(std::max<Index>(1, n - 2));
    std::vector<double> strip(static_cast<std::size_t>(packed.strip_size()));
    Eigen::Map<Points> rows(strip.data(), packed.strip_rows(), width);
    rows.topRows(n) = b;
    packed.solve_strip(strip);
    std::vector<double> mean(static_cast<std::size_t>(width), 0.5), variance(mean.size(), 2.0);
    packed.condition(strip, whitened, mean, variance);

    const Matrix lower = unpacked(packed);
    Vector grown_mean = Vector::Constant(width, 0.5);
    Vector grown_variance = Vector::Constant(width, 2.0);
    Points grown(n, width);
    for (Index i = 0; i < n; ++i) {
      Vector row = b.row(i).transpose();
      subtract_rows(grown.topRows(i), lower.row(i).head(i).transpose(), row);
      row *= 1.0 / lower(i, i);
      grown.row(i) = row.transpose();
      if (i < whitened.size()) {
        condition_mean_and_variance(row, whitened(i), grown_mean, grown_variance);
      } else {
        condition_variance(row, grown_variance);
      }
    }
    CHECK(grown == rows.topRows(n));
    CHECK(std::equal(mean.begin(), mean.end(), grown_mean.begin()));
    CHECK(std::equal(variance.begin(), variance.end(), grown_variance.begin()));
  }
}

TEST_CASE("The weights of the likelihood's gradient are those of an inverse",
          "[core][triangular]") {
  PackedTriangle::Workspace workspace;  // used again at other sizes
  for (const Index n : kSizes) {
    CAPTURE(n);
    const Matrix k = random_positive_definite(n);
    const Vector b = random_matrix(n, 1, 7).col(0);
    const CholeskyFactor factor(k);
    const Vector w = factor.solve_lower(b);
    Vector alpha(n);
    Matrix weights(n, n);
    PackedTriangle(factor.lower()).likelihood_weights(w, alpha, weights, workspace);
    const Matrix inverse = test::inverse_by_lu(k);
    const Vector expected = inverse * b;
    CHECK((alpha - expected).norm() <= 1e-11 * expected.norm());
    const Matrix full = expected * expected.transpose() - inverse;
    const Matrix difference = (weights - full).triangularView<Eigen::Lower>();
    CHECK(difference.norm() <= 1e-11 * (full.norm() + inverse.norm()));
  }
}

TEST_CASE("The first row without a positive pivot is named", "[core][triangular]") {
  for (const Index bad : {0, 1, 7, 8, 23, 24, 30, 39}) {
    Matrix k = random_positive_definite(40);
    k(bad, bad) = bad % 2 == 0 ? -1.0 : kNaN;
    PackedTriangle packed;
    CHECK(packed.factorise(k) == bad);
    CholeskyFactor factor(Matrix::Identity(2, 2));
    CHECK(factor.assign(k) == bad);
    CHECK(factor.size() == 2);
  }
  // A repeated row is refused where append() refuses it.
  Matrix k = random_positive_definite(40);
  k.row(30) = k.row(4);
  k.col(30) = k.col(4);
  k(30, 30) = k(4, 4);
  CholeskyFactor grown;
  Index row = 0;
  while (grown.append(k.row(row).head(row).transpose(), k(row, row))) ++row;
  CHECK(row == 30);
  CHECK(PackedTriangle().factorise(k) == 30);
}

TEST_CASE("Nothing is solved for no rows and no right-hand sides", "[core][triangular]") {
  PackedTriangle packed;
  CHECK(packed.factorise(Matrix(0, 0)) == 0);
  CHECK(packed.strip_size() == 0);
  CHECK(packed.log_determinant() == 0.0);
  CHECK(CholeskyFactor().solve_lower(Matrix(0, 3)).cols() == 3);
  CHECK(CholeskyFactor(Matrix::Identity(3, 3)).solve_lower(Matrix(3, 0)).cols() == 0);
}

TEST_CASE("Arrays of other sizes are refused", "[core][triangular]") {
  const PackedTriangle packed(Matrix::Identity(4, 4));
  std::vector<double> strip(static_cast<std::size_t>(packed.strip_size()) + 1);
  CHECK_THROWS_AS(packed.solve_strip(strip), InvalidArgument);
  Matrix three = Matrix::Zero(3, 3);
  CHECK_THROWS_AS(packed.unpack(three), InvalidArgument);
  CHECK_THROWS_AS(packed.solve_in_place(Eigen::Ref<Matrix>(three)), InvalidArgument);
  CHECK_THROWS_AS(PackedTriangle(Matrix(2, 3)), InvalidArgument);
}

/// What a level makes of a fixed problem: L, the weights and a solution.
std::vector<double> results_of(const detail::TriangularKernels& kernels) {
  const Index n = 61;
  const auto size = static_cast<std::size_t>(n);
  const Matrix k = random_positive_definite(n);
  std::vector<double> packed(size * size + 20 * size + 400), strip((size + 8) * kernels.width),
      roots(size * size + 20 * size + 400), alpha(size);
  REQUIRE(kernels.factorise(k.data(), size, size, packed.data(), strip.data()) == size);
  Matrix lower(n, n), weights(n, n);
  kernels.unpack(packed.data(), size, lower.data(), size);
  Vector w = random_matrix(n, 1, 8).col(0);
  kernels.solve_column(lower.data(), size, size, w.data());
  kernels.likelihood_weights(packed.data(),
                             size,
                             w.data(),
                             alpha.data(),
                             strip.data(),
                             roots.data(),
                             weights.data(),
                             size);
  weights.triangularView<Eigen::StrictlyUpper>().setZero();
  std::vector<double> result(lower.data(), lower.data() + lower.size());
  result.insert(result.end(), weights.data(), weights.data() + weights.size());
  result.insert(result.end(), alpha.begin(), alpha.end());
  result.insert(result.end(), w.begin(), w.end());
  return result;
}

TEST_CASE("The levels of triangular solving agree", "[core][triangular][isa]") {
  const std::vector<double> expected = results_of(detail::triangular_kernels(Isa::kBaseline));
  std::vector<double> first;
  for (const Isa level : {Isa::kV3, Isa::kV4}) {
    if (!is_available(level)) continue;
    const std::vector<double> found = results_of(detail::triangular_kernels(level));
    for (std::size_t i = 0; i < found.size(); ++i) {
      REQUIRE(std::abs(found[i] - expected[i]) <= 1e-10 * (1.0 + std::abs(expected[i])));
    }
    if (first.empty()) first = found;
    CHECK(first == found);
  }
}

TEST_CASE("The levels of covariance functions agree", "[core][covariance][isa]") {
  const Index n = 77;
  const Matrix x = random_matrix(n, 3, 9);
  const Vector weights = random_matrix(n, 1, 10).col(0);
  const Vector inverse_scale = Vector::LinSpaced(3, 0.5, 1.5);
  const Vector y = random_matrix(3, 1, 11).col(0);
  const auto results = [&](Isa level) {
    const detail::CovarianceKernels& kernels = detail::covariance_kernels(level);
    const auto size = static_cast<std::size_t>(n);
    const detail::ScaledPoints points{x.data(), size, size, 3, inverse_scale.data()};
    Matrix result(n, 17);
    kernels.squared_distance(points, y.data(), 1, 3.0, result.col(0).data(), size);
    kernels.absolute_distance(points, y.data(), 1, 3.0, result.col(1).data(), size);
    result.rightCols(5).setConstant(0.1);
    Index column = 2, added = 12;
    for (const auto& profile : {kernels.squared_exponential,
                                kernels.exponential,
                                kernels.matern12,
                                kernels.matern32,
                                kernels.matern52}) {
      double* const slope = result.col(column + 1).data();
      profile.write(result.data(), size, 1.3, result.col(column).data(), slope);
      column += 2;
      profile.add(x.data(), size, y(0), 0.7, 3.0, result.col(added++).data());
    }
    Matrix sums = Matrix::Zero(3, 2);
    kernels.squared_sums(points, y.data(), 2.0, weights.data(), sums.col(0).data());
    kernels.absolute_sums(points, y.data(), 2.0, weights.data(), sums.col(1).data());
    result.block(0, 11, 3, 1) = sums.col(0);
    result.block(3, 11, 3, 1) = sums.col(1);
    return result;
  };
  const Matrix expected = results(Isa::kBaseline);
  Matrix first;
  for (const Isa level : {Isa::kV3, Isa::kV4}) {
    if (!is_available(level)) continue;
    const Matrix found = results(level);
    CHECK((found - expected).cwiseAbs().maxCoeff() <= 1e-14);
    if (first.size() == 0) first = found;
    CHECK(first == found);
  }
}

}  // namespace
