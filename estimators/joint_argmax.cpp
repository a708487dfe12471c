// SPDX-License-Identifier: MIT
#include <cmath>   // std::sqrt
#include <limits>  // machine precision
#include <pomlux/core/linalg.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/estimators/joint_argmax.hpp>

namespace pomlux {
namespace {

/// Index of the largest entry, the lowest one on ties.
template <typename Value>
Index first_largest(Index n, const Value& value) {
  Index best = 0;
  double largest = value(0);
  for (Index i = 1; i < n; ++i) {
    const double candidate = value(i);
    if (candidate > largest) {
      largest = candidate;
      best = i;
    }
  }
  return best;
}

}  // namespace

JointArgmax::JointArgmax(const GaussianVector& f, SamplePrecision precision, double memory_limit)
    : precision_(precision), has_covariance_(f.has_covariance()) {
  const Index n = f.size();
  // Common units: an argmax does not see them, and single precision neither over- nor underflows.
  const double largest = f.stddev().maxCoeff();
  const double unit = largest > 0.0 ? largest : 1.0;
  // Differences to the largest mean keep digits that a common shift would take.
  mean_ = (f.mean().array() - f.mean().maxCoeff()) / unit;
  stddev_ = f.stddev() / unit;
  if (!has_covariance_) return;
  // The matrix, its eigenvectors and the root exist at the same time.
  require_memory("ts_mc", 3 * n, n, memory_limit);
  root_ = semidefinite_root(f.covariance_matrix(), f.covariance_reference()).transpose() / unit;
  if (precision_ == SamplePrecision::kDouble) {
    packed_ = PackedMatrix<double>(root_);
    return;
  }
  packed_single_ = PackedMatrix<float>(root_);
  // |fl(a . z) - a . z| <= (r + 2) u |a| |z| by Cauchy and Schwarz, with the rounding of both
  // factors to single precision; and as much again for the higher orders and the double side.
  constexpr double unit_roundoff = 0.5 * std::numeric_limits<float>::epsilon();
  rounding_ = 2.0 * static_cast<double>(root_.rows() + 4) * unit_roundoff *
              root_.colwise().norm().transpose();
}

void JointArgmax::draw(std::uint64_t key, std::uint64_t index, std::span<Index> argmax) const {
  Rng rng = make_stream(key, "ts_mc", index);
  const Index rank = has_covariance_ ? root_.rows() : size();
  Matrix normals(rank, static_cast<Index>(argmax.size()));
  for (Index j = 0; j < normals.cols(); ++j) normals.col(j) = draw_normals(rng, rank);
  if (!has_covariance_) return draw_independent(normals, argmax);
  if (precision_ == SamplePrecision::kSingle) return draw_single(normals, argmax);
  draw_double(normals, argmax);
}

void JointArgmax::draw_independent(const Matrix& normals, std::span<Index> argmax) const {
  for (std::size_t j = 0; j < argmax.size(); ++j) {
    const double* const z = normals.col(static_cast<Index>(j)).data();
    argmax[j] = first_largest(size(), [&](Index i) { return mean_(i) + stddev_(i) * z[i]; });
  }
}

void JointArgmax::draw_double(const Matrix& normals, std::span<Index> argmax) const {
  Matrix product(packed_.padded_cols(), normals.cols());
  packed_.transpose_multiply({normals.data(), static_cast<std::size_t>(normals.size())},
                             normals.cols(),
                             {product.data(), static_cast<std::size_t>(product.size())});
  for (std::size_t j = 0; j < argmax.size(); ++j) {
    const double* const column = product.col(static_cast<Index>(j)).data();
    argmax[j] = first_largest(size(), [&](Index i) { return mean_(i) + column[i]; });
  }
}

void JointArgmax::draw_single(const Matrix& normals, std::span<Index> argmax) const {
  const Eigen::MatrixXf rounded = normals.cast<float>();
  Eigen::MatrixXf product(packed_single_.padded_cols(), normals.cols());
  packed_single_.transpose_multiply({rounded.data(), static_cast<std::size_t>(rounded.size())},
                                    rounded.cols(),
                                    {product.data(), static_cast<std::size_t>(product.size())});
  const Index n = size();
  for (std::size_t j = 0; j < argmax.size(); ++j) {
    const Index column = static_cast<Index>(j);
    const float* const p = product.col(column).data();
    const double length = normals.col(column).norm();
    // No arm whose upper end is below the largest lower end can win.
    double threshold = -std::numeric_limits<double>::infinity();
    for (Index i = 0; i < n; ++i) {
      threshold = std::max(threshold, mean_(i) + p[i] - rounding_(i) * length);
    }
    Index contenders = 0;
    Index last = 0;
    for (Index i = 0; i < n; ++i) {
      if (mean_(i) + p[i] + rounding_(i) * length < threshold) continue;
      ++contenders;
      last = i;
    }
    argmax[j] = contenders == 1 ? last : decide_in_double(normals.col(column), p, threshold);
  }
}

Index JointArgmax::decide_in_double(const Eigen::Ref<const Vector>& z,
                                    const float* product,
                                    double threshold) const {
  const double length = z.norm();
  Index best = -1;
  double largest = 0.0;
  for (Index i = 0; i < size(); ++i) {
    if (mean_(i) + product[i] + rounding_(i) * length < threshold) continue;
    const double value = mean_(i) + root_.col(i).dot(z);
    if (best < 0 || value > largest) {
      largest = value;
      best = i;
    }
  }
  return best;
}

}  // namespace pomlux
