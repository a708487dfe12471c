// SPDX-License-Identifier: MIT
#include <algorithm>   // std::max
#include <functional>  // std::greater_equal
#include <pomlux/core/dense.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/memory.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/core/triangular.hpp>
#include <pomlux/gp/domain_posterior.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

/// Candidates handled together: their part of V fits the cache, and they are whole strips.
constexpr Index kBlock = 240;
constexpr Index kSlab = 32;  // rows allocated together

Points rows_of(const Points& points, std::span<const Index> indices) {
  Points result(static_cast<Index>(indices.size()), points.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    result.row(i) = points.row(indices[static_cast<std::size_t>(i)]);
  }
  return result;
}

/// First candidate of the block.
Index block_of(Index candidate) { return candidate / kBlock * kBlock; }

}  // namespace

DomainPosterior::DomainPosterior(Domain domain, double memory_limit)
    : domain_(std::move(domain)), memory_limit_(memory_limit) {}

Eigen::Map<Points> DomainPosterior::slab(Index block, Index row) {
  const Index width = std::min(kBlock, domain_.size() - block);
  return {slabs_[static_cast<std::size_t>(row / kSlab)].data() + block * kSlab, kSlab, width};
}

Eigen::Map<const Points> DomainPosterior::slab(Index block, Index row) const {
  const Index width = std::min(kBlock, domain_.size() - block);
  return {slabs_[static_cast<std::size_t>(row / kSlab)].data() + block * kSlab, kSlab, width};
}

/// Calls body(slab, begin, count) for the slabs of a block that hold rows [0, num_rows) of V.
template <typename Body>
void DomainPosterior::for_each_slab(Index block, Index num_rows, const Body& body) const {
  for (Index begin = 0; begin < num_rows; begin += kSlab) {
    body(slab(block, begin), begin, std::min(kSlab, num_rows - begin));
  }
}

void DomainPosterior::update(const PosteriorSource& source) {
  const Index observed = source.whitened.size();
  const bool is_new = kernel_ == nullptr || source.revision != revision_;
  const bool has_same_units =
      source.prior_mean == prior_mean_ && source.value_scale == value_scale_;
  if (!is_new && has_same_units && observed == num_observed_ &&
      source.pending_revision == pending_revision_) {
    return;
  }
  kernel_ = nullptr;  // an exception below leaves an object that starts anew
  if (is_new) reset(source);
  if (num_rows_ > num_observed_) {
    variance_ = observed_variance_;
    num_rows_ = num_observed_;
  }
  if (!is_new && source.prior_mean != prior_mean_) recompute_mean(source);
  prior_mean_ = source.prior_mean;
  value_scale_ = source.value_scale;
  append_rows(source, num_observed_, observed, true);
  num_observed_ = observed;
  const Index all = source.points.rows();
  observed_variance_ = all > observed ? variance_ : Vector();
  append_rows(source, observed, all, false);
  num_rows_ = all;
  if (!mean_.allFinite() || !variance_.allFinite()) {
    fail("GaussianProcess::posterior",
         "mean or variance of a candidate is not finite; the kernel overflows on these points");
  }
  stddev_ = value_scale_ * variance_.cwiseMax(0.0).cwiseSqrt();
  kernel_ = &source.kernel;
  revision_ = source.revision;
  pending_revision_ = source.pending_revision;
}

void DomainPosterior::reset(const PosteriorSource& source) {
  mean_ = Vector::Constant(domain_.size(), source.prior_mean);
  variance_ = source.kernel.diagonal(domain_.points());
  largest_prior_variance_ = variance_.maxCoeff();
  num_rows_ = 0;
  num_observed_ = 0;
}

/// As if the rows had been appended with the whitened values of now.
void DomainPosterior::recompute_mean(const PosteriorSource& source) {
  mean_.setConstant(source.prior_mean);
  parallel_for(domain_.size(), kBlock, [&](Index first, Index last) {
    const Index width = last - first;
    Vector row(width);
    Vector ignored = Vector::Zero(width);
    for (Index i = 0; i < num_observed_; ++i) {
      row = slab(first, i).row(i % kSlab).head(width).transpose();
      condition_mean_and_variance(row, source.whitened(i), mean_.segment(first, width), ignored);
    }
  });
}

void DomainPosterior::append_rows(const PosteriorSource& source,
                                  Index begin,
                                  Index end,
                                  bool is_observed) {
  if (begin == end) return;
  const bool is_anew = begin == 0;
  const PackedTriangle factor =
      is_anew ? PackedTriangle(source.factor.lower().topLeftCorner(end, end)) : PackedTriangle();
  while (std::ssize(slabs_) * kSlab < end) {
    slabs_.push_back(make_large_vector(kSlab * domain_.size()));
  }
  parallel_for(domain_.size(), kBlock, [&](Index first, Index last) {
    if (is_anew) {
      solve_block(source, factor, is_observed, first, last);
    } else {
      extend_block(source, begin, end, is_observed, first, last);
    }
  });
}

/// All rows of V at once for candidates first .. last: the bits of extend_block.
void DomainPosterior::solve_block(const PosteriorSource& source,
                                  const PackedTriangle& factor,
                                  bool is_observed,
                                  Index first,
                                  Index last) {
  const Index width = PackedTriangle::strip_width();
  const Index t = factor.size();
  // k(points, X), where its solution goes; a kernel packs the points once for all strips.
  for (Index row = 0; row < t; row += kSlab) {
    const Index count = std::min(kSlab, t - row);
    Eigen::Map<Points> rows = slab(first, row);
    source.kernel.write_matrix(domain_.points().middleRows(first, last - first),
                               source.points.middleRows(row, count),
                               Eigen::Map<Matrix>(rows.data(), rows.cols(), count));
  }
  std::vector<double> buffer(static_cast<std::size_t>(factor.strip_size()));
  std::vector<double> mean(static_cast<std::size_t>(width)), variance(mean.size());
  Eigen::Map<Matrix> strip(buffer.data(), width, factor.strip_rows());
  for (Index at = first; at < last; at += width) {
    const Index present = std::min(width, last - at);
    if (present < width) strip.setZero();
    for_each_slab(first, t, [&](const Eigen::Map<const Points>& rows, Index row, Index count) {
      strip.block(0, row, present, count) = rows.block(0, at - first, count, present).transpose();
    });
    factor.solve_strip(buffer);
    std::copy_n(&mean_(at), present, mean.begin());
    std::copy_n(&variance_(at), present, variance.begin());
    factor.condition(buffer, source.whitened.head(is_observed ? t : 0), mean, variance);
    std::copy_n(mean.begin(), present, &mean_(at));
    std::copy_n(variance.begin(), present, &variance_(at));
    for (Index row = 0; row < t; row += kSlab) {
      const Index count = std::min(kSlab, t - row);
      slab(first, row).block(0, at - first, count, present) =
          strip.block(0, row, present, count).transpose();
    }
  }
}

void DomainPosterior::extend_block(const PosteriorSource& source,
                                   Index begin,
                                   Index end,
                                   bool is_observed,
                                   Index first,
                                   Index last) {
  const Eigen::Ref<const Matrix> lower = source.factor.lower();
  const Index width = last - first;
  Matrix rows(width, end - begin);
  source.kernel.write_matrix(domain_.points().middleRows(first, width),
                             source.points.middleRows(begin, end - begin),
                             rows);
  Vector weights;
  for (Index i = begin; i < end; ++i) {
    weights = lower.row(i).head(i).transpose();
    Eigen::Ref<Vector> row = rows.col(i - begin);
    for_each_slab(first, i, [&](const Eigen::Map<const Points>& part, Index at, Index count) {
      subtract_rows(part.topRows(count), weights.segment(at, count), row);
    });
    row *= 1.0 / lower(i, i);
    slab(first, i).row(i % kSlab) = row.transpose();
    if (is_observed) {
      condition_mean_and_variance(
          row, source.whitened(i), mean_.segment(first, width), variance_.segment(first, width));
    } else {
      condition_variance(row, variance_.segment(first, width));
    }
  }
}

void DomainPosterior::require_candidate(Index i) const {
  if (i >= 0 && i < domain_.size()) return;
  fail("GaussianProcess::posterior",
       "candidate is " + format_number(i) + "; it must be in [0, " + format_number(domain_.size()) +
           ")");
}

/// L⁻¹ k(points, x_i), [t + p].
Vector DomainPosterior::column(Index i) const {
  Vector result(num_rows_);
  for_each_slab(
      block_of(i), num_rows_, [&](const Eigen::Map<const Points>& part, Index at, Index count) {
        result.segment(at, count) = part.col(i % kBlock).head(count);
      });
  return result;
}

double DomainPosterior::covariance(Index i, Index j) const {
  require_candidate(i);
  require_candidate(j);
  if (i == j) return variance(i);
  const Points& points = domain_.points();
  return squared_scale() *
         (kernel_->matrix(points.row(i), points.row(j))(0, 0) - column(i).dot(column(j)));
}

Vector DomainPosterior::covariance_column(Index j) const {
  return covariance_columns(std::span(&j, 1));
}

Matrix DomainPosterior::covariance_columns(std::span<const Index> columns) const {
  for (const Index j : columns) require_candidate(j);
  const Index m = static_cast<Index>(columns.size());
  const Points& points = domain_.points();
  const Points at_columns = rows_of(points, columns);
  Matrix weights(num_rows_, m);
  for (Index j = 0; j < m; ++j) weights.col(j) = column(columns[static_cast<std::size_t>(j)]);
  Matrix result(domain_.size(), m);
  parallel_for(domain_.size(), kBlock, [&](Index first, Index last) {
    const Index width = last - first;
    Matrix part = kernel_->matrix(points.middleRows(first, width), at_columns);
    for_each_slab(
        first, num_rows_, [&](const Eigen::Map<const Points>& rows, Index at, Index count) {
          for (Index j = 0; j < m; ++j) {
            subtract_rows(rows.topRows(count), weights.col(j).segment(at, count), part.col(j));
          }
        });
    result.middleRows(first, width) = squared_scale() * part;
  });
  for (Index j = 0; j < m; ++j) {
    const Index candidate = columns[static_cast<std::size_t>(j)];
    result(candidate, j) = variance(candidate);
  }
  return result;
}

Matrix DomainPosterior::covariance_block(std::span<const Index> rows,
                                         std::span<const Index> columns) const {
  for (const Index i : rows) require_candidate(i);
  for (const Index j : columns) require_candidate(j);
  const Index n = static_cast<Index>(rows.size());
  const Index m = static_cast<Index>(columns.size());
  require_memory("GaussianProcess::posterior covariance_block", n, m, memory_limit_);
  const auto gathered = [&](std::span<const Index> candidates) {
    Matrix result(num_rows_, static_cast<Index>(candidates.size()));
    for (Index i = 0; i < result.cols(); ++i) {
      const Index candidate = candidates[static_cast<std::size_t>(i)], block = block_of(candidate);
      for_each_slab(
          block, num_rows_, [&](const Eigen::Map<const Points>& part, Index at, Index count) {
            result.col(i).segment(at, count) = part.col(candidate - block).head(count);
          });
    }
    return result;
  };
  const Matrix left = gathered(rows);
  const bool is_square = rows.data() == columns.data() && n == m;
  const Points at_rows = rows_of(domain_.points(), rows);
  Matrix result = is_square ? kernel_->matrix(at_rows)
                            : kernel_->matrix(at_rows, rows_of(domain_.points(), columns));
  if (num_rows_ > 0) {
    const PackedMatrix<double> packed(left);
    const Matrix right = is_square ? Matrix() : gathered(columns);
    const Matrix& factor = is_square ? left : right;
    Matrix product(packed.padded_cols(), m);
    packed.transpose_multiply({factor.data(), static_cast<std::size_t>(factor.size())},
                              m,
                              {product.data(), static_cast<std::size_t>(product.size())});
    result = squared_scale() * (result - product.topRows(n));
  } else {
    result *= squared_scale();
  }
  // Where the candidate is the same: rows in ascending order differ from each other.
  if (is_square &&
      std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) == rows.end()) {
    for (Index i = 0; i < n; ++i) result(i, i) = variance(rows[static_cast<std::size_t>(i)]);
    return result;
  }
  for (Index j = 0; j < m; ++j) {
    const Index candidate = columns[static_cast<std::size_t>(j)];
    for (Index i = 0; i < n; ++i) {
      if (rows[static_cast<std::size_t>(i)] == candidate) result(i, j) = variance(candidate);
    }
  }
  return result;
}

/// Lower triangle by columns, mirrored: exactly symmetric, one n x n buffer.
Matrix DomainPosterior::covariance_matrix() const {
  const Index n = domain_.size();
  require_memory("GaussianProcess::posterior covariance_matrix", n, n, memory_limit_);
  const Points& points = domain_.points();
  Matrix result(n, n);
  parallel_for(n, kBlock, [&](Index first, Index last) {
    const Index width = last - first;
    for (Index begin = first; begin < n; begin += kBlock) {
      const Index height = std::min(kBlock, n - begin);
      Matrix part =
          kernel_->matrix(points.middleRows(begin, height), points.middleRows(first, width));
      for_each_slab(
          begin, num_rows_, [&](const Eigen::Map<const Points>& left, Index at, Index count) {
            part.noalias() -= left.topRows(count).transpose() * slab(first, at).topRows(count);
          });
      result.block(begin, first, height, width) = squared_scale() * part;
    }
  });
  parallel_for(n, kBlock, [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) {
      result(j, j) = variance(j);
      result.col(j).head(j) = result.row(j).head(j).transpose();
    }
  });
  return result;
}

}  // namespace pomlux
