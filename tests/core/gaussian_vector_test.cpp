// SPDX-License-Identifier: MIT
#include <array>  // blocks of indices
#include <pomlux/core/errors.hpp>
#include <pomlux/core/gaussian_vector.hpp>

#include "catch.hpp"

using pomlux::DenseGaussian;
using pomlux::GaussianVector;
using pomlux::IndependentGaussian;
using pomlux::Index;
using pomlux::InvalidArgument;
using pomlux::Matrix;
using pomlux::NegatedGaussian;
using pomlux::Vector;

namespace {

const Vector kMean = (Vector(3) << 1.0, -2.0, 0.5).finished();
const Vector kStddev = (Vector(3) << 2.0, 0.0, 1.0).finished();

Matrix covariance() {
  return (Matrix(3, 3) << 4.0, 1.0, -0.5, 1.0, 1.0, 0.25, -0.5, 0.25, 2.0).finished();
}

}  // namespace

TEST_CASE("IndependentGaussian owns its values and survives copying and moving",
          "[core][gaussian_vector]") {
  IndependentGaussian original(kMean, kStddev);
  const IndependentGaussian copy = original;
  const IndependentGaussian moved = std::move(original);
  CHECK(copy.mean() == kMean);
  CHECK(moved.stddev() == kStddev);
  CHECK(copy.mean().data() != moved.mean().data());
  CHECK(copy.size() == 3);
  CHECK_FALSE(copy.has_covariance());
  CHECK(copy.coordinates() == nullptr);
}

TEST_CASE("IndependentGaussian::view copies nothing", "[core][gaussian_vector]") {
  const IndependentGaussian f = IndependentGaussian::view({kMean.data(), 3}, {kStddev.data(), 3});
  CHECK(f.mean().data() == kMean.data());
  const IndependentGaussian copy = f;
  CHECK(copy.stddev().data() == kStddev.data());
}

TEST_CASE("IndependentGaussian rejects what is no belief and names the entry",
          "[core][gaussian_vector]") {
  const Vector bad = (Vector(3) << 1.0, -0.2, 1.0).finished();
  CHECK_THROWS_WITH(IndependentGaussian(kMean, bad),
                    "IndependentGaussian: stddev[1] is -0.2; every entry must be >= 0 and finite");
  const Vector nan = (Vector(3) << 1.0, 1.0, std::nan("")).finished();
  CHECK_THROWS_WITH(IndependentGaussian(nan, kStddev),
                    "IndependentGaussian: mean[2] is nan; every entry must be finite");
  CHECK_THROWS_AS(IndependentGaussian(kMean, Vector::Ones(2)), InvalidArgument);
  CHECK_THROWS_AS(IndependentGaussian(Vector(), Vector()), InvalidArgument);
  CHECK_THROWS_AS(IndependentGaussian::view({}, {}), InvalidArgument);
}

TEST_CASE("A vector without covariance says so when asked for one", "[core][gaussian_vector]") {
  const IndependentGaussian f(kMean, kStddev);
  const std::array<Index, 1> zero{0};
  CHECK_THROWS_AS(f.covariance(0, 0), InvalidArgument);
  CHECK_THROWS_AS(f.covariance_column(0), InvalidArgument);
  CHECK_THROWS_AS(f.covariance_columns(zero), InvalidArgument);
  CHECK_THROWS_AS(f.covariance_block(zero, zero), InvalidArgument);
  CHECK_THROWS_AS(f.covariance_matrix(), InvalidArgument);
}

TEST_CASE("DenseGaussian gives entries, columns, blocks and the matrix",
          "[core][gaussian_vector]") {
  const DenseGaussian f(kMean, covariance());
  CHECK(f.stddev()(0) == 2.0);
  CHECK(f.covariance(0, 2) == -0.5);
  CHECK(f.covariance_column(1) == covariance().col(1));
  const std::array<Index, 2> two{2, 0};
  CHECK(f.covariance_columns(two).col(0) == covariance().col(2));
  CHECK(f.covariance_columns(two).col(1) == covariance().col(0));
  CHECK(NegatedGaussian(f).covariance_columns(two) == f.covariance_columns(two));
  CHECK(f.covariance_matrix() == covariance());
  const std::array<Index, 2> rows{2, 0};
  const std::array<Index, 1> columns{1};
  const Matrix block = f.covariance_block(rows, columns);
  CHECK(block.rows() == 2);
  CHECK(block(0, 0) == 0.25);
  CHECK(block(1, 0) == 1.0);
  CHECK_THROWS_AS(f.covariance(3, 0), InvalidArgument);
  CHECK_THROWS_AS(f.covariance_column(-1), InvalidArgument);
}

TEST_CASE("DenseGaussian rejects correlations beyond 1", "[core][gaussian_vector]") {
  Matrix wild = covariance();
  wild(2, 0) = wild(0, 2) = -5.0;
  CHECK_THROWS_WITH(DenseGaussian(kMean, wild),
                    ContainsSubstring("covariance (2, 0) is -5") &&
                        ContainsSubstring("a correlation of -1.767") &&
                        ContainsSubstring("must be in [-1, 1]") &&
                        ContainsSubstring("at most 2.828"));
  // Rounding of 1e-6 of the largest variance, 4, is nobody's mistake.
  wild(2, 0) = wild(0, 2) = std::sqrt(8.0) + 3.9e-6;
  CHECK_NOTHROW(DenseGaussian(kMean, wild));
  wild(2, 0) = wild(0, 2) = std::sqrt(8.0) + 4.1e-6;
  CHECK_THROWS_AS(DenseGaussian(kMean, wild), InvalidArgument);
  // A certain arm has no covariance with any other.
  wild = covariance();
  wild(1, 1) = 0.0;
  CHECK_THROWS_WITH(DenseGaussian(kMean, wild), ContainsSubstring("covariance (1, 0) is 1"));
  // Of any size.
  CHECK_NOTHROW(DenseGaussian(kMean, Matrix::Constant(3, 3, 1e308)));
  CHECK_NOTHROW(DenseGaussian(kMean, Matrix::Constant(3, 3, 1e-300)));
}

TEST_CASE("DenseGaussian rejects asymmetry, negative variances and wrong sizes",
          "[core][gaussian_vector]") {
  Matrix asymmetric = covariance();
  asymmetric(0, 1) += 1e-6;
  CHECK_THROWS_AS(DenseGaussian(kMean, asymmetric), InvalidArgument);
  Matrix rounded = covariance();
  rounded(0, 1) += 1e-12;
  CHECK_NOTHROW(DenseGaussian(kMean, rounded));
  Matrix negative = covariance();
  negative(2, 2) = -1e-3;
  CHECK_THROWS_AS(DenseGaussian(kMean, negative), InvalidArgument);
  Matrix nan = covariance();
  nan(1, 2) = nan(2, 1) = std::nan("");
  CHECK_THROWS_AS(DenseGaussian(kMean, nan), InvalidArgument);
  CHECK_THROWS_AS(DenseGaussian(kMean, Matrix::Identity(2, 2)), InvalidArgument);
  CHECK_THROWS_AS(DenseGaussian(Vector(), Matrix()), InvalidArgument);
}

TEST_CASE("NegatedGaussian flips the mean and nothing else", "[core][gaussian_vector]") {
  const DenseGaussian f(kMean, covariance());
  const NegatedGaussian g(f);
  CHECK(g.mean() == -kMean);
  CHECK(g.stddev().data() == f.stddev().data());
  CHECK(g.has_covariance());
  CHECK(g.covariance(0, 1) == 1.0);
  CHECK(g.covariance_matrix() == covariance());
}

TEST_CASE("Joint samples have the mean and covariance they should", "[core][gaussian_vector]") {
  const DenseGaussian f(kMean, covariance());
  pomlux::Rng rng = pomlux::make_stream(3, "samples");
  const Index m = 40000;
  const Matrix samples = draw_samples(f, m, rng);
  REQUIRE(samples.rows() == 3);
  REQUIRE(samples.cols() == m);
  const Vector mean = samples.rowwise().mean();
  const Matrix centred = samples.colwise() - mean;
  const Matrix estimate = centred * centred.transpose() / static_cast<double>(m - 1);
  // Five standard errors: sqrt(v / m) of a mean, sqrt((v_i v_j + c_ij^2) / m) of a covariance.
  for (Index i = 0; i < 3; ++i) {
    CHECK_THAT(mean(i), WithinAbs(kMean(i), 5.0 * std::sqrt(covariance()(i, i) / 40000.0)));
    for (Index j = 0; j < 3; ++j) {
      const Matrix c = covariance();
      const double error = std::sqrt((c(i, i) * c(j, j) + c(i, j) * c(i, j)) / 40000.0);
      CHECK_THAT(estimate(i, j), WithinAbs(c(i, j), 5.0 * error));
    }
  }
}

TEST_CASE("Samples of an uncertain vector without covariance are independent, certain arms stay",
          "[core][gaussian_vector]") {
  const IndependentGaussian f(kMean, kStddev);
  pomlux::Rng rng = pomlux::make_stream(3, "samples");
  const Matrix samples = draw_samples(f, 5, rng);
  CHECK((samples.row(1).array() == kMean(1)).all());
  CHECK(samples(0, 0) != samples(0, 1));
  CHECK(draw_samples(f, 0, rng).cols() == 0);
  CHECK_THROWS_AS(draw_samples(f, -1, rng), InvalidArgument);
}

TEST_CASE("Joint samples refuse more memory than their limit before allocating it",
          "[core][gaussian_vector]") {
  const DenseGaussian f(kMean, covariance());
  pomlux::Rng rng = pomlux::make_stream(3, "samples");
  CHECK_THROWS_AS(draw_samples(f, 1, rng, 3.0 * 9.0 * 8.0 - 1.0), pomlux::MemoryLimitExceeded);
  CHECK_NOTHROW(draw_samples(f, 1, rng, 3.0 * 9.0 * 8.0));
  CHECK_THROWS_AS(draw_samples(f, Index{1} << 40, rng), pomlux::MemoryLimitExceeded);
}
