// SPDX-License-Identifier: MIT
#include <algorithm>  // std::partial_sort
#include <cmath>      // std::cos
#include <numeric>    // std::iota
#include <pomlux/core/linalg.hpp>
#include <pomlux/estimators/local_hazard_factors.hpp>
#include <vector>  // indices

namespace pomlux {
namespace {

constexpr int kMostRounds = 60;
constexpr double kSettled = 1e-4;          // change of D in a round, of the diagonal
constexpr Index kSpare = 4;                // columns of the subspace beyond the factors
constexpr double kFirstDiagonal = 0.3;     // D at the start, of the diagonal
constexpr double kLeastDiagonal = 1e-3;    // and at least
constexpr double kLeastEigenvalue = 0.01;  // of the trace
constexpr double kMostCommon = 0.999;      // of a variance
constexpr double kLeastResidual = 1e-5;
constexpr Index kRows = 1024;  // of the covariance at a time

struct Factors {
  Matrix vectors;   // [s, r]
  Vector values;    // [r]
  Vector diagonal;  // [s]
};

Factors principal_factors(const Matrix& k, Index most) {
  const Index s = k.rows(), width = std::min(s, most + kSpare);
  Factors result;
  result.diagonal = kFirstDiagonal * k.diagonal();
  Matrix basis(s, width);
  for (Index j = 0; j < width; ++j) {
    for (Index i = 0; i < s; ++i) {
      basis(i, j) = std::cos(static_cast<double>(j * (2 * i + 1)) + 0.1 * static_cast<double>(i));
    }
  }
  basis = orthonormal_columns(basis);
  for (int round = 0; round < kMostRounds; ++round) {
    const Matrix image = k * basis - result.diagonal.asDiagonal() * basis;
    basis = orthonormal_columns(image);
    const Matrix small = basis.transpose() * (k * basis - result.diagonal.asDiagonal() * basis);
    const SymmetricEigen eigen = symmetric_eigen(0.5 * (small + small.transpose()));
    Index r = 0;
    while (r < std::min(most, width) &&
           eigen.values(width - 1 - r) > kLeastEigenvalue * k.trace()) {
      ++r;
    }
    result.values = eigen.values.reverse().head(r);
    result.vectors = basis * eigen.vectors.rowwise().reverse().leftCols(r);
    const Vector common = result.vectors.cwiseAbs2() * result.values;
    const Vector before = std::move(result.diagonal);
    result.diagonal = (k.diagonal() - common).cwiseMax(kLeastDiagonal * k.diagonal());
    if (((result.diagonal - before).array().abs() <= kSettled * k.diagonal().array()).all()) break;
  }
  return result;
}

/// The power of two about the root of a variance: in that unit no product of covariances overflows,
/// and no bit changes.
double unit_of(double variance) {
  return variance > 0.0 ? std::ldexp(1.0, std::ilogb(variance) / 2) : 1.0;
}

/// Positions of the largest weights, ascending.
std::vector<Index> heaviest(const Vector& weights) {
  std::vector<Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const Index count = std::min(kFactorArms, weights.size());
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](Index a, Index b) {
    return weights(a) > weights(b) || (weights(a) == weights(b) && a < b);
  });
  order.resize(static_cast<std::size_t>(count));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

Matrix common_factors(const GaussianVector& f,
                      std::span<const Index> arms,
                      const Vector& weights,
                      Index most) {
  const std::vector<Index> subset = heaviest(weights);
  std::vector<Index> subset_arms;
  Vector root(std::ssize(subset));
  for (std::size_t a = 0; a < subset.size(); ++a) {
    subset_arms.push_back(arms[static_cast<std::size_t>(subset[a])]);
    root(static_cast<Index>(a)) = std::sqrt(weights(subset[a]));
  }
  Matrix block = f.covariance_block(subset_arms, subset_arms);
  const double unit = unit_of(block.diagonal().maxCoeff());
  block = (block / unit / unit).eval();
  const Factors factors = principal_factors(root.asDiagonal() * block * root.asDiagonal(), most);
  const Index r = factors.values.size();
  Matrix loadings = Matrix::Zero(f.size(), r);
  const Matrix regression =
      root.asDiagonal() * factors.vectors * factors.values.cwiseSqrt().cwiseInverse().asDiagonal();
  for (std::size_t first = 0; first < arms.size(); first += kRows) {
    const auto rows = arms.subspan(first, std::min<std::size_t>(kRows, arms.size() - first));
    const Matrix part = f.covariance_block(rows, subset_arms) / unit / unit * regression;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      loadings.row(rows[i]) = part.row(static_cast<Index>(i));
    }
  }
  for (std::size_t a = 0; a < subset.size(); ++a) {
    const auto i = static_cast<Index>(a);
    loadings.row(subset_arms[a]) -= factors.diagonal(i) / (root(i) * root(i)) * regression.row(i);
  }
  loadings *= unit;
  for (const Index i : arms) {
    const double most_common = kMostCommon * f.stddev()(i) * f.stddev()(i);
    const double common = loadings.row(i).squaredNorm();
    if (common > most_common) loadings.row(i) *= std::sqrt(most_common / common);
  }
  return loadings;
}

ResidualGaussian::ResidualGaussian(const GaussianVector& base, const Matrix& loadings)
    : base_(base), loadings_(loadings), stddev_(base.size()) {
  const Vector variance = base.stddev().cwiseAbs2();
  stddev_ = (variance - loadings.rowwise().squaredNorm()).cwiseMax(kLeastResidual * variance);
  stddev_ = stddev_.cwiseSqrt().eval();
}

double ResidualGaussian::covariance(Index i, Index j) const {
  return i == j ? stddev_(i) * stddev_(i)
                : base_.covariance(i, j) - loadings_.row(i).dot(loadings_.row(j));
}

double ResidualGaussian::covariance_reference() const {
  const double largest = base_.stddev().maxCoeff();
  return std::max(base_.covariance_reference(), largest * largest);
}

Matrix ResidualGaussian::covariance_columns(std::span<const Index> columns) const {
  Matrix result = base_.covariance_columns(columns);
  for (Index j = 0; j < result.cols(); ++j) {
    const Index column = columns[static_cast<std::size_t>(j)];
    result.col(j) -= loadings_ * loadings_.row(column).transpose();
    result(column, j) = stddev_(column) * stddev_(column);
  }
  return result;
}

Matrix ResidualGaussian::covariance_block(std::span<const Index> rows,
                                          std::span<const Index> columns) const {
  Matrix result = base_.covariance_block(rows, columns);
  for (Index j = 0; j < result.cols(); ++j) {
    const Index column = columns[static_cast<std::size_t>(j)];
    for (Index i = 0; i < result.rows(); ++i) {
      const Index row = rows[static_cast<std::size_t>(i)];
      result(i, j) = row == column ? stddev_(row) * stddev_(row)
                                   : result(i, j) - loadings_.row(row).dot(loadings_.row(column));
    }
  }
  return result;
}

}  // namespace pomlux
