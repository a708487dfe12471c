// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // std::hypot
#include <pomlux/acquisition/hypothetical_posterior.hpp>

namespace pomlux {

HypotheticalPosterior::HypotheticalPosterior(const GaussianVector& present, double noise_stddev)
    : present_(present),
      noise_stddev_(noise_stddev),
      direction_(Vector::Zero(present.size())),
      mean_(present.mean()),
      stddev_(present.stddev()) {}

void HypotheticalPosterior::set_candidate(Index candidate, const VectorRef& column) {
  candidate_ = candidate;
  const double stddev = present_.stddev()(candidate);
  observation_stddev_ = std::hypot(stddev, noise_stddev_);
  direction_ = column / observation_stddev_;
  direction_(candidate) = stddev * (stddev / observation_stddev_);
  mean_ = present_.mean();
  // By factors: squares of standard deviations may leave the range of double, and their difference
  // cancels. An arm that moves by more than its deviation does so by rounding.
  const VectorView before = present_.stddev();
  stddev_ = ((before - direction_.cwiseAbs()).cwiseMax(0.0).array() *
             (before + direction_.cwiseAbs()).array())
                .sqrt();
  stddev_(candidate) = stddev * (noise_stddev_ / observation_stddev_);
}

void HypotheticalPosterior::set_innovation(double t) { mean_ = present_.mean() + t * direction_; }

double HypotheticalPosterior::covariance(Index i, Index j) const {
  if (i == j) return stddev_(i) * stddev_(i);
  return present_.covariance(i, j) - direction_(i) * direction_(j);
}

Vector HypotheticalPosterior::covariance_column(Index j) const {
  Vector column = present_.covariance_column(j) - direction_(j) * direction_;
  column(j) = stddev_(j) * stddev_(j);
  return column;
}

Matrix HypotheticalPosterior::covariance_columns(std::span<const Index> columns) const {
  Matrix result = present_.covariance_columns(columns);
  for (Index k = 0; k < result.cols(); ++k) {
    const Index j = columns[static_cast<std::size_t>(k)];
    result.col(k) -= direction_(j) * direction_;
    result(j, k) = stddev_(j) * stddev_(j);
  }
  return result;
}

Matrix HypotheticalPosterior::covariance_block(std::span<const Index> rows,
                                               std::span<const Index> columns) const {
  Matrix result = present_.covariance_block(rows, columns);
  for (Index k = 0; k < result.cols(); ++k) {
    const Index j = columns[static_cast<std::size_t>(k)];
    for (Index l = 0; l < result.rows(); ++l) {
      const Index i = rows[static_cast<std::size_t>(l)];
      result(l, k) =
          i == j ? stddev_(i) * stddev_(i) : result(l, k) - direction_(i) * direction_(j);
    }
  }
  return result;
}

Matrix HypotheticalPosterior::covariance_matrix() const {
  Matrix result = present_.covariance_matrix();
  result.noalias() -= direction_ * direction_.transpose();
  result.diagonal() = stddev_.cwiseAbs2();
  return result;
}

/// Its entries are differences of those of the present covariance.
double HypotheticalPosterior::covariance_reference() const {
  const double largest = present_.stddev().maxCoeff();
  return std::max(present_.covariance_reference(), largest * largest);
}

}  // namespace pomlux
