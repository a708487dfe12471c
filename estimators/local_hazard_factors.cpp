// SPDX-License-Identifier: MIT
#include <algorithm>  // std::partial_sort
#include <cmath>      // std::cos
#include <numeric>    // std::iota
#include <pomlux/core/dense.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/estimators/local_hazard_error.hpp>
#include <pomlux/estimators/local_hazard_factors.hpp>
#include <vector>  // indices

namespace pomlux {
namespace {

constexpr int kMostRounds = 100;
constexpr double kRelaxation = 1.4;        // step of D over the change that its equation asks
constexpr double kSettled = 1e-5;          // change of D in a round, of the diagonal
constexpr Index kSpare = 4;                // columns of the subspace beyond the factors
constexpr double kFirstDiagonal = 0.3;     // D at the start, of the diagonal
constexpr double kLeastEigenvalue = 0.01;  // of the trace
constexpr double kLeastResidual = 1e-3;    // of a variance
constexpr double kLeastNeighbour = 0.05;   // correlation in what factors leave
constexpr Index kRows = 1024;              // of the covariance at a time

struct Factors {
  Matrix vectors;   // [s, r]
  Vector values;    // [r]
  Vector diagonal;  // [s]
};

Factors principal_factors(const Matrix& k, Index most) {
  const Index s = k.rows(), width = std::min(s, most + kSpare);
  const PackedMatrix<double> packed(k);
  Matrix product(packed.padded_cols(), width);
  Factors result;
  result.diagonal = kFirstDiagonal * k.diagonal();
  Matrix basis(s, width);
  for (Index j = 0; j < width; ++j) {
    for (Index i = 0; i < s; ++i) {
      basis(i, j) = std::cos(static_cast<double>(j * (2 * i + 1)) + 0.1 * static_cast<double>(i));
    }
  }
  for (int round = 0; round < kMostRounds; ++round) {
    basis = orthonormal_columns(basis);
    packed.transpose_multiply({basis.data(), static_cast<std::size_t>(basis.size())},
                              width,
                              {product.data(), static_cast<std::size_t>(product.size())});
    const Matrix image = product.topRows(s) - result.diagonal.asDiagonal() * basis;
    const Matrix small = basis.transpose() * image;
    const SymmetricEigen eigen = symmetric_eigen(0.5 * (small + small.transpose()));
    Index r = 0;
    while (r < std::min(most, width) &&
           eigen.values(width - 1 - r) > kLeastEigenvalue * k.trace()) {
      ++r;
    }
    result.values = eigen.values.reverse().head(r);
    result.vectors = basis * eigen.vectors.rowwise().reverse().leftCols(r);
    basis = image;
    const Vector common = result.vectors.cwiseAbs2() * result.values;
    const Vector change = k.diagonal() - common - result.diagonal;
    const bool is_settled = (change.array().abs() <= kSettled * k.diagonal().array()).all();
    result.diagonal += (is_settled ? 1.0 : kRelaxation) * change;
    result.diagonal = result.diagonal.cwiseMax(0.0).cwiseMin(k.diagonal()).eval();
    if (is_settled) break;
  }
  // So that the order of the arms decides nothing.
  for (Index j = 0; j < result.vectors.cols(); ++j) {
    Index heaviest = 0;
    result.vectors.col(j).cwiseAbs().maxCoeff(&heaviest);
    if (result.vectors(heaviest, j) < 0.0) result.vectors.col(j) *= -1.0;
  }
  return result;
}

}  // namespace

std::vector<Index> heaviest(const Vector& weights, Index most) {
  std::vector<Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const Index count = std::min(most, weights.size());
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](Index a, Index b) {
    return weights(a) > weights(b) || (weights(a) == weights(b) && a < b);
  });
  order.resize(static_cast<std::size_t>(count));
  std::sort(order.begin(), order.end());
  return order;
}

Matrix common_factors(const GaussianVector& f,
                      std::span<const Index> arms,
                      const Vector& weights,
                      Index most) {
  const std::vector<Index> subset = heaviest(weights, kFactorArms);
  std::vector<Index> subset_arms;
  Vector root(std::ssize(subset));
  for (std::size_t a = 0; a < subset.size(); ++a) {
    subset_arms.push_back(arms[static_cast<std::size_t>(subset[a])]);
    root(static_cast<Index>(a)) = std::sqrt(weights(subset[a]));
  }
  const auto correlations = [&](std::span<const Index> rows) {
    const Matrix block = f.covariance_block(rows, subset_arms);
    const Vector of_rows = f.stddev()(rows).cwiseInverse();
    const Vector of_subset = f.stddev()(subset_arms).cwiseInverse();
    return Matrix(of_rows.asDiagonal() * block * of_subset.asDiagonal());
  };
  const Factors factors =
      principal_factors(root.asDiagonal() * correlations(subset_arms) * root.asDiagonal(), most);
  const Index r = factors.values.size();
  Matrix loadings = Matrix::Zero(f.size(), r);
  const Matrix regression =
      root.asDiagonal() * factors.vectors * factors.values.cwiseSqrt().cwiseInverse().asDiagonal();
  for (std::size_t first = 0; first < arms.size(); first += kRows) {
    const auto rows = arms.subspan(first, std::min<std::size_t>(kRows, arms.size() - first));
    const Matrix part = correlations(rows) * regression;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      loadings.row(rows[i]) = part.row(static_cast<Index>(i));
    }
  }
  for (std::size_t a = 0; a < subset.size(); ++a) {
    const auto i = static_cast<Index>(a);
    loadings.row(subset_arms[a]) -= factors.diagonal(i) / (root(i) * root(i)) * regression.row(i);
  }
  for (const Index i : arms) {
    const double common = loadings.row(i).norm();
    loadings.row(i) *= f.stddev()(i) / std::max(common, 1.0);
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

SplitArms split_arms(const HazardBelief& belief,
                     const HazardArms& arms,
                     const Vector& weights,
                     const Vector& f_lite_weights,
                     const SplitOptions& options) {
  const Matrix loadings = common_factors(belief.f, arms.arms, weights, options.factors);
  const ResidualGaussian rest(belief.f, loadings);
  SplitArms split;
  split.rest.arms = arms.arms;
  split.rest.mean = arms.mean;
  split.rest.stddev = belief.scale * rest.stddev()(arms.arms);
  split.rest.inverse_stddev = split.rest.stddev.cwiseInverse();
  split.shifts = belief.scale * loadings(arms.arms, Eigen::all);
  constexpr double kAtLeast = 1.005 * kLeastResidual;  // with room for rounding
  const Vector left = split.rest.stddev.cwiseQuotient(arms.stddev).cwiseAbs2();
  split.blurred = (left.array() <= kAtLeast).cast<double>();
  const auto find = [&](Index count, HazardArms& found) {
    find_neighbours(
        rest,
        {.most = count, .least = kLeastNeighbour, .spread_beyond = options.spread_beyond},
        found);
  };
  find(options.neighbours, split.rest);
  const VectorView units = split.rest.most == 0 ? rest.stddev() : belief.f.stddev();
  split.unseen = unseen_correlation(rest, units, split.rest, f_lite_weights);
  if (arms.size() > kFactorArms) {
    const Vector even = Vector::Ones(arms.size());
    split.unseen = std::max(split.unseen, unseen_correlation(rest, units, split.rest, even));
  }
  if (options.neighbours > 0) {
    split.tied = tied_share(split.rest, weights);
  } else if (split.unseen >= kExplained && split.unseen < kMostRest) {
    HazardArms seen = split.rest;
    find(options.most_neighbours, seen);
    split.tied = tied_share(seen, weights);
  }
  return split;
}

}  // namespace pomlux
