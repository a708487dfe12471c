// SPDX-License-Identifier: MIT
#include <algorithm>               // std::min
#include <array>                   // lanes
#include <cmath>                   // std::sqrt
#include <pomlux/core/errors.hpp>  // argument checks
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/linalg.hpp>  // square root of a covariance
#include <pomlux/core/parallel.hpp>
#include <string>   // messages
#include <utility>  // std::move

namespace pomlux {
namespace {

/// Arms per chunk of a check: a few microseconds of work.
constexpr Index kCheckChunk = 1 << 16;

VectorView view_of(const Vector& values) { return {values.data(), values.size()}; }

VectorView view_of(std::span<const double> values) {
  return {values.data(), static_cast<Index>(values.size())};
}

[[noreturn]] void fail_no_covariance() {
  fail("GaussianVector", "has no covariance, only means and standard deviations; give a matrix");
}

void require_index(std::string_view where, std::string_view name, Index index, Index n) {
  if (index >= 0 && index < n) return;
  fail(where,
       std::string(name) + " is " + format_number(index) + "; must be in 0.." +
           format_number(n - 1));
}

/// Symmetry to 1e-9 of the largest entry: beyond that one triangle would be silently preferred.
void require_symmetric(std::string_view where, const Matrix& matrix) {
  if (matrix.size() == 0) return;  // refused as an empty vector of arms by require_marginals
  const double tolerance = 1e-9 * matrix.cwiseAbs().maxCoeff();
  for (Index j = 0; j < matrix.cols(); ++j) {
    for (Index i = j + 1; i < matrix.rows(); ++i) {
      if (std::abs(matrix(i, j) - matrix(j, i)) <= tolerance) continue;
      fail(where,
           "covariance is not symmetric: entry (" + format_number(i) + ", " + format_number(j) +
               ") is " + format_number(matrix(i, j)) + ", its mirror image is " +
               format_number(matrix(j, i)));
    }
  }
}

void require_correlation(
    std::string_view where, Index i, Index j, double covariance, const VectorView& stddev) {
  const double product = stddev(i) * stddev(j);
  // The slack is at least this, and usually there is no need to look for the largest stddev.
  if (!(std::abs(covariance) > (1.0 + kCorrelationSlack) * product)) return;
  const double largest = stddev.maxCoeff();
  const double slack = kCorrelationSlack * largest * largest;
  if (std::abs(covariance) <= product + slack) return;
  const std::string pair = "(" + format_number(i) + ", " + format_number(j) + ")";
  fail(where,
       "covariance " + pair + " is " + format_number(covariance) + ", a correlation of " +
           format_number(covariance / stddev(i) / stddev(j)) +
           "; correlations must be in [-1, 1], so with the standard deviations " +
           format_number(stddev(i)) + " and " + format_number(stddev(j)) + " its size at most " +
           format_number(product) + ", and " + format_number(slack) + " for rounding");
}

/// Whether all means are finite and all stddevs finite and not negative: one pass without branches,
/// in lanes that the compiler turns into vector instructions.
bool is_good(const double* mu, const double* sigma, Index n) {
  constexpr Index kLanes = 8;
  std::array<double, kLanes> rest{}, lowest{};
  const auto fold = [&](Index first, Index count) {
    for (Index j = 0; j < count; ++j) {
      const auto l = static_cast<std::size_t>(j);
      // 0, or NaN if one of them is not finite.
      rest[l] += (mu[first + j] - mu[first + j]) + (sigma[first + j] - sigma[first + j]);
      lowest[l] = std::min(lowest[l], sigma[first + j]);
    }
  };
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) fold(i, kLanes);
  fold(i, n - i);
  bool good = true;
  for (std::size_t l = 0; l < kLanes; ++l) good = good && rest[l] == 0.0 && lowest[l] == 0.0;
  return good;
}

}  // namespace

void require_marginals(std::string_view where, const VectorRef& mean, const VectorRef& stddev) {
  require_same_size(where, "mean", mean.size(), "stddev", stddev.size());
  if (mean.size() == 0) fail(where, "mean is empty; there must be at least one arm");
  const double* const mu = mean.data();
  const double* const sigma = stddev.data();
  const double faults = parallel_sum(mean.size(), kCheckChunk, [&](Index begin, Index end) {
    return is_good(mu + begin, sigma + begin, end - begin) ? 0.0 : 1.0;
  });
  if (faults == 0.0) return;
  require_finite(where, "mean", mean);
  require_nonnegative(where, "stddev", stddev);
}

void require_correlations(std::string_view where,
                          const GaussianVector& f,
                          std::span<const Index> rows,
                          std::span<const Index> columns,
                          const MatrixRef& block) {
  if (f.covariance_reference() > 0.0) return;
  const VectorView stddev = f.stddev();
  for (Index k = 0; k < block.cols(); ++k) {
    const Index j = columns.empty() ? k : columns[static_cast<std::size_t>(k)];
    for (Index l = 0; l < block.rows(); ++l) {
      const Index i = rows.empty() ? l : rows[static_cast<std::size_t>(l)];
      if (i != j) require_correlation(where, i, j, block(l, k), stddev);
    }
  }
}

double GaussianVector::covariance(Index, Index) const { fail_no_covariance(); }

Vector GaussianVector::covariance_column(Index j) const {
  if (!has_covariance()) fail_no_covariance();
  Vector column(size());
  for (Index i = 0; i < column.size(); ++i) column(i) = covariance(i, j);
  return column;
}

Matrix GaussianVector::covariance_columns(std::span<const Index> columns) const {
  if (!has_covariance()) fail_no_covariance();
  Matrix result(size(), static_cast<Index>(columns.size()));
  for (Index j = 0; j < result.cols(); ++j) {
    result.col(j) = covariance_column(columns[static_cast<std::size_t>(j)]);
  }
  return result;
}

Matrix GaussianVector::covariance_block(std::span<const Index> rows,
                                        std::span<const Index> columns) const {
  if (!has_covariance()) fail_no_covariance();
  Matrix block(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      block(static_cast<Index>(i), static_cast<Index>(j)) = covariance(rows[i], columns[j]);
    }
  }
  return block;
}

Matrix GaussianVector::covariance_matrix() const {
  if (!has_covariance()) fail_no_covariance();
  Matrix matrix(size(), size());
  for (Index j = 0; j < size(); ++j) matrix.col(j) = covariance_column(j);
  return matrix;
}

IndependentGaussian::IndependentGaussian(Vector mean, Vector stddev)
    : own_mean_(std::move(mean)), own_stddev_(std::move(stddev)) {
  require_marginals("IndependentGaussian", own_mean_, own_stddev_);
}

IndependentGaussian IndependentGaussian::view(std::span<const double> mean,
                                              std::span<const double> stddev) {
  require_marginals("IndependentGaussian::view", view_of(mean), view_of(stddev));
  IndependentGaussian result;
  result.mean_ = mean;
  result.stddev_ = stddev;
  return result;
}

VectorView IndependentGaussian::mean() const {
  return mean_.empty() ? view_of(own_mean_) : view_of(mean_);
}

VectorView IndependentGaussian::stddev() const {
  return stddev_.empty() ? view_of(own_stddev_) : view_of(stddev_);
}

DenseGaussian::DenseGaussian(Vector mean, Matrix covariance)
    : mean_(std::move(mean)), covariance_(std::move(covariance)) {
  constexpr std::string_view where = "DenseGaussian";
  const Index n = mean_.size();
  if (n == 0) fail(where, "mean is empty; there must be at least one arm");
  if (covariance_.rows() != n || covariance_.cols() != n) {
    fail(where,
         "covariance is " + format_number(covariance_.rows()) + " x " +
             format_number(covariance_.cols()) + "; mean has size " + format_number(n) +
             ", so it must be square of that size");
  }
  require_finite(where, "covariance", covariance_.reshaped());
  const Vector variance = covariance_.diagonal();
  require_nonnegative(where, "diagonal of covariance", variance);
  require_symmetric(where, covariance_);
  stddev_ = variance.cwiseSqrt();
  require_marginals(where, mean_, stddev_);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j + 1; i < n; ++i) {
      require_correlation(where, i, j, covariance_(i, j), view_of(stddev_));
    }
  }
}

VectorView DenseGaussian::mean() const { return view_of(mean_); }

VectorView DenseGaussian::stddev() const { return view_of(stddev_); }

double DenseGaussian::covariance(Index i, Index j) const {
  require_index("DenseGaussian", "row", i, size());
  require_index("DenseGaussian", "column", j, size());
  return covariance_(i, j);
}

Vector DenseGaussian::covariance_column(Index j) const {
  require_index("DenseGaussian", "column", j, size());
  return covariance_.col(j);
}

Matrix DenseGaussian::covariance_matrix() const { return covariance_; }

NegatedGaussian::NegatedGaussian(const GaussianVector& base) : base_(base), mean_(-base.mean()) {}

VectorView NegatedGaussian::mean() const { return view_of(mean_); }

VectorView NegatedGaussian::stddev() const { return base_.stddev(); }

bool NegatedGaussian::has_covariance() const { return base_.has_covariance(); }

double NegatedGaussian::covariance(Index i, Index j) const { return base_.covariance(i, j); }

Vector NegatedGaussian::covariance_column(Index j) const { return base_.covariance_column(j); }

Matrix NegatedGaussian::covariance_columns(std::span<const Index> columns) const {
  return base_.covariance_columns(columns);
}

Matrix NegatedGaussian::covariance_block(std::span<const Index> rows,
                                         std::span<const Index> columns) const {
  return base_.covariance_block(rows, columns);
}

Matrix NegatedGaussian::covariance_matrix() const { return base_.covariance_matrix(); }

double NegatedGaussian::covariance_reference() const { return base_.covariance_reference(); }

const Points* NegatedGaussian::coordinates() const { return base_.coordinates(); }

Matrix draw_samples(const GaussianVector& f, Index m, Rng& rng, double memory_limit) {
  constexpr std::string_view where = "draw_samples";
  if (m < 0) fail(where, "m is " + format_number(m) + "; must be >= 0");
  const Index n = f.size();
  require_memory(where, n, m, memory_limit);
  if (!f.has_covariance()) {
    Matrix samples(n, m);
    for (Index j = 0; j < m; ++j) {
      samples.col(j) = f.mean().array() + f.stddev().array() * draw_normals(rng, n).array();
    }
    return samples;
  }
  // The matrix, its eigenvectors and the root exist at the same time.
  require_memory(where, 3 * n, n, memory_limit);
  const Matrix covariance = f.covariance_matrix();
  require_correlations(where, f, {}, {}, covariance);
  const Matrix root = semidefinite_root(covariance, f.covariance_reference());
  Matrix normals(root.cols(), m);
  for (Index j = 0; j < m; ++j) normals.col(j) = draw_normals(rng, root.cols());
  Matrix samples = root * normals;
  samples.colwise() += f.mean();
  return samples;
}

}  // namespace pomlux
