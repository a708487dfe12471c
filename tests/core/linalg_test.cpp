// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <limits>
#include <pomlux/core/linalg.hpp>
#include <pomlux/core/rng.hpp>

namespace {

using namespace pomlux;

Matrix squared_exponential(const Vector& a, const Vector& b, double length_scale) {
  Matrix k(a.size(), b.size());
  for (Index i = 0; i < a.size(); ++i) {
    for (Index j = 0; j < b.size(); ++j) {
      k(i, j) = std::exp(-0.5 * std::pow((a(i) - b(j)) / length_scale, 2));
    }
  }
  return k;
}

/// B Bᵀ + I with entries of B from N(0, 1): condition number of the order of n.
Matrix random_positive_definite(Index n) {
  Rng rng = make_stream(static_cast<std::uint64_t>(n), "linalg_test");
  Matrix b(n, n);
  for (Index j = 0; j < n; ++j) b.col(j) = draw_normals(rng, n);
  return b * b.transpose() + Matrix::Identity(n, n);
}

/// The bound of Higham, theorem 10.3, for |L Lᵀ - K| / |K|.
double factorisation_tolerance(Index n) { return static_cast<double>(n + 1) * kEpsilon; }

TEST_CASE("L Lᵀ is the matrix, without jitter where none is needed", "[core][linalg]") {
  for (const Index n : {1, 2, 17, 200}) {
    const Matrix k = random_positive_definite(n);
    const CholeskyFactor factor(k);
    CHECK(factor.size() == n);
    CHECK(factor.jitter() == 0.0);
    const Matrix l = factor.lower();
    CHECK(l.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().isZero(0.0));
    CHECK((l * l.transpose() - k).norm() <= factorisation_tolerance(n) * k.norm());
    const Matrix b = random_positive_definite(n).leftCols(std::min<Index>(n, 3));
    CHECK((k * factor.solve(b) - b).norm() <= 1e-11 * b.norm());
    CHECK((l * factor.solve_lower(b) - b).norm() <= 1e-13 * b.norm());
    Vector upper = b.col(0);
    factor.solve_upper_in_place(upper);
    CHECK((l.transpose() * upper - b.col(0)).norm() <= 1e-13 * b.col(0).norm());
  }
}

TEST_CASE("The log determinant is that of the matrix", "[core][linalg]") {
  // The second difference matrix, tridiagonal (-1, 2, -1), has determinant n + 1.
  constexpr Index n = 500;
  Matrix k = 2.0 * Matrix::Identity(n, n);
  k.diagonal(1).setConstant(-1.0);
  k.diagonal(-1).setConstant(-1.0);
  CHECK_THAT(CholeskyFactor(k).log_determinant(), WithinRel(std::log(n + 1.0), 1e-12));
}

TEST_CASE("A factor that grew row by row equals a new factorisation", "[core][linalg]") {
  constexpr Index n = 60;
  const Matrix k = random_positive_definite(n);
  CholeskyFactor grown;
  for (Index i = 0; i < n; ++i) REQUIRE(grown.append(k.col(i).head(i), k(i, i)));
  const CholeskyFactor whole(k);
  CHECK((grown.lower() - whole.lower()).norm() <= factorisation_tolerance(n) * k.norm());
  CHECK(Matrix(grown.lower()).triangularView<Eigen::StrictlyUpper>().toDenseMatrix().isZero(0.0));

  // From a factorised block on, with its copy left alone.
  const CholeskyFactor half(k.topLeftCorner(30, 30));
  CholeskyFactor extended = half;
  for (Index i = 30; i < n; ++i) REQUIRE(extended.append(k.col(i).head(i), k(i, i)));
  CHECK(half.size() == 30);
  CHECK((extended.lower() - whole.lower()).norm() <= factorisation_tolerance(n) * k.norm());
}

TEST_CASE("A row that adds nothing new is refused and changes nothing", "[core][linalg]") {
  const Matrix k = squared_exponential(Eigen::Vector2d(0.2, 0.7), Eigen::Vector2d(0.2, 0.7), 0.3);
  CholeskyFactor factor(k);
  const Matrix before = factor.lower();
  CHECK_FALSE(factor.append(k.col(0), 1.0));
  CHECK(factor.size() == 2);
  CHECK(factor.lower() == before);
  CHECK_FALSE(factor.append(k.col(0), -1.0));
  CHECK(factor.append(k.col(0), 1.01));  // with noise it is new
  CHECK(factor.size() == 3);
}

TEST_CASE("An exact repeat without noise gets the smallest jitter, and says so", "[core][linalg]") {
  const Eigen::Vector3d x(0.2, 0.2, 0.7);
  const CholeskyFactor factor(squared_exponential(x, x, 0.3));
  CHECK(factor.jitter() == CholeskyFactor::kFirstJitter);
  const Eigen::Vector3d y(1.0, 1.0, -0.5);
  const Eigen::Vector3d at(0.4, 0.2, 0.7);
  const Matrix cross = squared_exponential(at, x, 0.3);
  const Vector mean = cross * factor.solve(y);
  CHECK_THAT(mean(0), WithinAbs(0.4756387, 1e-3));
  CHECK_THAT(mean(1), WithinAbs(1.0, 1e-3));
  CHECK_THAT(mean(2), WithinAbs(-0.5, 1e-3));
  const Matrix v = factor.solve_lower(cross.transpose());
  CHECK_THAT(1.0 - v.col(0).squaredNorm(), WithinAbs(0.1823054, 1e-3));
}

TEST_CASE("A matrix that is too smooth gets a small jitter and stays useful", "[core][linalg]") {
  const Vector x = Vector::LinSpaced(40, 0.0, 1.0);
  const Matrix k = squared_exponential(x, x, 1.0);
  const CholeskyFactor factor(k);
  CHECK(factor.jitter() > 0.0);
  CHECK(factor.jitter() <= 1e-12);
  const Vector y = (3.0 * x.array()).sin();
  CHECK((k * factor.solve(y) - y).cwiseAbs().maxCoeff() <= 1e-3);
  const CholeskyFactor again(k);
  CHECK(again.lower() == factor.lower());
  CHECK(again.jitter() == factor.jitter());

  // Rows appended later get the same jitter, so the copy of a point that has it is accepted.
  CholeskyFactor grown = factor;
  const Vector last = k.col(39);
  const bool has_grown = grown.append(last, 1.0);
  CHECK(grown.size() == (has_grown ? 41 : 40));
}

TEST_CASE("The jitter scales with the matrix", "[core][linalg]") {
  const Eigen::Vector3d x(0.2, 0.2, 0.7);
  for (const double scale : {1e-20, 1e12}) {
    const CholeskyFactor factor(scale * squared_exponential(x, x, 0.3));
    CHECK_THAT(factor.jitter(), WithinRel(scale * CholeskyFactor::kFirstJitter, 1e-12));
  }
  CHECK(CholeskyFactor(Matrix::Zero(2, 2)).jitter() == CholeskyFactor::kFirstJitter);
}

TEST_CASE("What cannot be factorised is refused with the reason", "[core][linalg]") {
  Matrix k = Matrix::Identity(3, 3);
  k(2, 1) = kNaN;
  CHECK_THROWS_WITH(CholeskyFactor(k), Catch::Contains("matrix(2, 1) is nan"));
  k(2, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(CholeskyFactor(k), InvalidArgument);
  CHECK_THROWS_WITH(CholeskyFactor(Matrix(2, 3)), Catch::Contains("2") && Catch::Contains("3"));
  k(2, 1) = 2.0;
  CHECK_THROWS_WITH(CholeskyFactor(k), Catch::Contains("not positive semi-definite"));
  k(2, 1) = 1e300;  // its square overflows
  CHECK_THROWS_AS(CholeskyFactor(k), InvalidArgument);
  CholeskyFactor factor(Matrix::Identity(2, 2));
  CHECK_THROWS_AS(factor.append(Eigen::Vector3d::Zero(), 1.0), InvalidArgument);
  CHECK_THROWS_AS(factor.append(Eigen::Vector2d(0.0, kNaN), 1.0), InvalidArgument);
  CHECK_THROWS_WITH(factor.append(Eigen::Vector2d::Zero(), kNaN), Catch::Contains("nan"));
  CHECK_THROWS_AS(factor.solve(Eigen::Vector3d::Zero()), InvalidArgument);
  Vector three = Vector::Zero(3);
  CHECK_THROWS_AS(factor.solve_upper_in_place(three), InvalidArgument);
}

TEST_CASE("The empty factor solves empty systems", "[core][linalg]") {
  const CholeskyFactor factor;
  CHECK(factor.size() == 0);
  CHECK(factor.lower().size() == 0);
  CHECK(factor.log_determinant() == 0.0);
  CHECK(factor.solve(Matrix(0, 2)).cols() == 2);
  CHECK(CholeskyFactor(Matrix(0, 0)).size() == 0);
}

double root_error(const Matrix& root, const Matrix& matrix) {
  return (root * root.transpose() - matrix).norm() / matrix.norm();
}

TEST_CASE("A Aᵀ is the matrix and A has its rank", "[core][linalg]") {
  const Matrix full = random_positive_definite(30);
  const Matrix full_root = semidefinite_root(full);
  CHECK(full_root.cols() == 30);
  CHECK(root_error(full_root, full) <= 30 * kEpsilon);

  const Vector x = Vector::LinSpaced(50, 0.0, 1.0);
  const Matrix smooth = squared_exponential(x, x, 1.0);
  const Matrix smooth_root = semidefinite_root(smooth);
  CHECK(smooth_root.cols() < 20);
  CHECK(root_error(smooth_root, smooth) <= 50 * kEpsilon);

  const Matrix ones = Matrix::Ones(4, 4);
  CHECK(semidefinite_root(ones).cols() == 1);
  CHECK(semidefinite_root(Matrix::Zero(3, 3)).isZero(0.0));
}

TEST_CASE("A turned root is upper trapezoidal and has the same products", "[core][linalg]") {
  for (const Index r : {1, 3, 7, 9}) {
    const Matrix a = Matrix::NullaryExpr(r, 7, [](Index i, Index j) {
      return std::sin(1.0 + 2.3 * static_cast<double>(i) + 0.7 * static_cast<double>(i * j));
    });
    const Matrix turned = turned_upper(a);
    CAPTURE(r);
    REQUIRE(turned.rows() == r);
    REQUIRE(turned.cols() == 7);
    for (Index j = 0; j < 7; ++j) {
      for (Index i = j + 1; i < r; ++i) CHECK(turned(i, j) == 0.0);
    }
    CHECK((turned.transpose() * turned - a.transpose() * a).cwiseAbs().maxCoeff() < 1e-13);
    if (r < 7) continue;
    const Matrix basis = orthonormal_columns(a);
    CHECK((basis.transpose() * basis - Matrix::Identity(7, 7)).cwiseAbs().maxCoeff() < 1e-14);
    CHECK((basis * (basis.transpose() * a) - a).cwiseAbs().maxCoeff() < 1e-13);
  }
}

TEST_CASE("Decompositions refuse what they are not for", "[core][linalg]") {
  CHECK_THROWS_WITH(orthonormal_columns(Matrix::Ones(2, 3)), Catch::Matchers::Contains("2 x 3"));
  CHECK_THROWS_WITH(symmetric_eigen(Matrix::Ones(2, 3)),
                    Catch::Matchers::Contains("symmetric_eigen"));
  CHECK_THROWS_WITH(symmetric_eigen(Matrix::Constant(2, 2, kNaN)),
                    Catch::Matchers::Contains("finite"));
}

TEST_CASE("Eigenvalues ascend, with orthonormal vectors", "[core][linalg]") {
  const Matrix k = (Matrix(3, 3) << 2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, -1.0).finished();
  const SymmetricEigen eigen = symmetric_eigen(k);
  CHECK(eigen.values(0) == Approx(-1.0));
  CHECK(eigen.values(1) == Approx(1.0));
  CHECK(eigen.values(2) == Approx(3.0));
  CHECK((eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose() - k).norm() < 1e-14);
}

TEST_CASE("Smooth kernels, most of whose eigenvalues are rounding, have eigenvectors and roots",
          "[core][linalg]") {
  // Of squared exponentials on squares of so many points a side: Eigen 3.4 alone does not converge
  // on these.
  struct Case {
    Index side;
    double length_scale;
  };
  for (const Case& c : {Case{12, 8.3199999999999097},
                        Case{13, 8.2699999999999108},
                        Case{14, 10.239999999999867},
                        Case{15, 6.4699999999999473}}) {
    CAPTURE(c.side, c.length_scale);
    const Index n = c.side * c.side;
    Matrix k(n, n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        const auto dx = static_cast<double>(i % c.side - j % c.side);
        const auto dy = static_cast<double>(i / c.side - j / c.side);
        k(i, j) = std::exp(-0.5 * (dx * dx + dy * dy) / (c.length_scale * c.length_scale));
      }
    }
    const SymmetricEigen eigen = symmetric_eigen(k);
    const double largest = eigen.values(n - 1);
    const double tolerance = 4.0 * static_cast<double>(n) * kEpsilon * largest;
    CHECK(std::is_sorted(eigen.values.begin(), eigen.values.end()));
    CHECK((k * eigen.vectors - eigen.vectors * eigen.values.asDiagonal()).norm() < tolerance);
    CHECK((eigen.vectors.transpose() * eigen.vectors - Matrix::Identity(n, n)).norm() < 1e-12);
    const Matrix root = semidefinite_root(k);
    CHECK((root * root.transpose() - k).norm() < tolerance);
  }
}

TEST_CASE("Two perfectly correlated entries have equal rows in the root", "[core][linalg]") {
  const Matrix root = semidefinite_root(Matrix::Ones(2, 2));
  REQUIRE(root.cols() == 1);
  CHECK(std::abs(root(0, 0) - root(1, 0)) <= 2 * kEpsilon);
}

TEST_CASE("Entries that are the same have the same row of the root", "[core][linalg]") {
  Matrix k(4, 4);
  k << 1.0, 1.0, 0.3, 0.2, 1.0, 1.0, 0.3, 0.2, 0.3, 0.3, 1.0, 0.1, 0.2, 0.2, 0.1, 1.0 + 1e-12;
  for (const double reference : {0.0, 1.0}) {
    const Matrix root = semidefinite_root(k, reference);
    CHECK(root.row(0) == root.row(1));
    CHECK(root.row(0) != root.row(2));
    CHECK((root * root.transpose() - k).cwiseAbs().maxCoeff() < 1e-14);
  }
  // Nearly the same is not.
  k(0, 1) = k(1, 0) = 1.0 - 1e-13;
  const Matrix root = semidefinite_root(k);
  CHECK(root.row(0) != root.row(1));
}

TEST_CASE("Rows of very different sizes keep their own accuracy", "[core][linalg]") {
  const Eigen::Vector3d scales(1.0, 1e-12, 1e6);
  const Matrix correlation = Matrix::Constant(3, 3, 0.5) + 0.5 * Matrix::Identity(3, 3);
  const Matrix k = scales.asDiagonal() * correlation * scales.asDiagonal();
  const Matrix root = semidefinite_root(k);
  const Matrix product = root * root.transpose();
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) CHECK_THAT(product(i, j), WithinRel(k(i, j), 20 * kEpsilon));
  }
}

TEST_CASE("A certain entry has a zero row", "[core][linalg]") {
  Matrix k = Matrix::Identity(3, 3);
  k(1, 1) = 0.0;
  CHECK(semidefinite_root(k).row(1).isZero(0.0));
  k(1, 0) = k(0, 1) = 0.5;  // a certain entry cannot vary with another
  CHECK_THROWS_AS(semidefinite_root(k), InvalidArgument);
}

TEST_CASE("Rounding of a reference is not taken for an indefinite matrix", "[core][linalg]") {
  Matrix k(2, 2);
  k << 1e-16, 2e-16, 2e-16, -1e-17;
  CHECK_THROWS_AS(semidefinite_root(k), InvalidArgument);
  CHECK(semidefinite_root(k, 1.0).isZero(1e-7));
  k << 1.0, 0.0, 0.0, -2.0;
  CHECK_THROWS_WITH(semidefinite_root(k, 1.0), Catch::Contains("eigenvalue -2"));
}

TEST_CASE("A root of what has none is refused", "[core][linalg]") {
  CHECK_THROWS_AS(semidefinite_root(Matrix(0, 0)), InvalidArgument);
  CHECK_THROWS_AS(semidefinite_root(Matrix(2, 3)), InvalidArgument);
  CHECK_THROWS_AS(semidefinite_root(-Matrix::Identity(2, 2)), InvalidArgument);
  CHECK_THROWS_AS(semidefinite_root(Matrix::Constant(2, 2, kNaN)), InvalidArgument);
  CHECK_THROWS_AS(semidefinite_root(Matrix::Identity(2, 2), kNaN), InvalidArgument);
}

}  // namespace
