// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min, sorted proposals
#include <cmath>      // std::sqrt
#include <numeric>    // rows of a chunk, running sums
#include <pomlux/acquisition/joint_sampler.hpp>
#include <pomlux/core/parallel.hpp>
#include <span>    // indices
#include <vector>  // pivots

namespace pomlux {
namespace {

/// Arms whose rows of the factor are computed together.
constexpr Index kSampleChunk = 1024;
/// Columns that a round adds to the factor at most: wide enough for matrix products.
constexpr Index kRoundPivots = 64;
/// Proposals per pivot of a round.
constexpr Index kProposals = 2;
/// A pivot leaves at least this share of the average variance left, else new proposals are drawn.
constexpr double kWorthwhile = 0.5;
/// What is left below this times the size of the numbers it is a difference of is rounding: eps for
/// each of about a thousand subtractions.
constexpr double kLeftRounding = 1024.0 * kEpsilon;

Index rank_limit(Index n, const JointSamplerOptions& options) {
  const bool is_exact =
      options.method == SamplingMethod::kExact ||
      (options.method == SamplingMethod::kAutomatic && n <= JointSamplerOptions::kExactArms);
  return is_exact ? n : std::min(n, options.max_rank);
}

std::vector<Index> chunk_rows(Index begin, Index end) {
  std::vector<Index> rows(static_cast<std::size_t>(end - begin));
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

Matrix rows_of(const MatrixRef& matrix, std::span<const Index> rows) {
  Matrix result(static_cast<Index>(rows.size()), matrix.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    result.row(i) = matrix.row(rows[static_cast<std::size_t>(i)]);
  }
  return result;
}

/// Covariances in the units of the arms.
Matrix block_of(const GaussianVector& f,
                const Vector& unit,
                std::span<const Index> rows,
                std::span<const Index> columns) {
  Matrix block = f.covariance_block(rows, columns);
  require_correlations("JointSampler", f, rows, columns, block);
  for (Index j = 0; j < block.cols(); ++j) {
    const double column_unit = unit(columns[static_cast<std::size_t>(j)]);
    for (Index i = 0; i < block.rows(); ++i) {
      block(i, j) = block(i, j) / unit(rows[static_cast<std::size_t>(i)]) / column_unit;
    }
  }
  return block;
}

/// Distinct arms, in order: the one with the largest `left`, and up to `count` drawn in proportion
/// to it.
std::vector<Index> propose(const Vector& left, Index count, Rng& rng) {
  Vector running(left.size());
  std::partial_sum(left.begin(), left.end(), running.begin());
  const double total = running(running.size() - 1);
  std::vector<Index> proposals(1);
  left.maxCoeff(&proposals[0]);
  for (Index i = 0; i < count; ++i) {
    const double at = draw_uniform(rng) * total;
    const Index arm = std::upper_bound(running.begin(), running.end(), at) - running.begin();
    proposals.push_back(std::min(arm, left.size() - 1));
  }
  std::sort(proposals.begin(), proposals.end());
  proposals.erase(std::unique(proposals.begin(), proposals.end()), proposals.end());
  return proposals;
}

/// Pivots among the proposals, positions in their order, and the Cholesky factor of the covariance
/// of what is left of them.
struct Round {
  std::vector<Index> pivots;
  Matrix lower;
};

/// The largest variance left first, until `count` are found or the next is at most `least`.
Round pick_pivots(const Matrix& covariance, Index count, double least) {
  Round round;
  Matrix columns(covariance.rows(), std::min(count, covariance.rows()));
  Vector left = covariance.diagonal();
  Index rank = 0;
  for (; rank < columns.cols(); ++rank) {
    Index pivot = 0;
    if (!(left.maxCoeff(&pivot) > least)) break;
    const double root = std::sqrt(left(pivot));
    const Vector known = columns.row(pivot).head(rank).transpose();
    Vector column = covariance.col(pivot) - columns.leftCols(rank) * known;
    column /= root;
    column(pivot) = root;
    left -= column.cwiseAbs2();
    left(pivot) = 0.0;
    columns.col(rank) = column;
    round.pivots.push_back(pivot);
  }
  round.lower = rows_of(columns.leftCols(rank), round.pivots);
  return round;
}

}  // namespace

void validate(const JointSamplerOptions& options) {
  constexpr std::string_view where = "JointSamplerOptions";
  if (options.max_rank < 1) {
    fail(where, "max_rank is " + format_number(options.max_rank) + "; must be >= 1");
  }
  if (!(options.memory_limit > 0.0)) {
    fail(where, "memory_limit is " + format_number(options.memory_limit) + " bytes; must be > 0");
  }
}

void require_sampler_memory(std::string_view where, Index n, const JointSamplerOptions& options) {
  require_memory(where, n, rank_limit(n, options), options.memory_limit);
}

/// What a number of samples is made of.
struct JointSampler::Numbers {
  Matrix common;      // z, [rank, m]
  std::uint64_t key;  // of the streams of e
};

JointSampler::JointSampler(const GaussianVector& f, Rng& rng, const JointSamplerOptions& options)
    : mean_(f.mean()), left_(f.stddev().cwiseAbs2()), largest_stddev_(f.stddev().maxCoeff()) {
  validate(options);
  if (!f.has_covariance()) return;
  require_sampler_memory("JointSampler", size(), options);
  factor_.resize(size(), rank_limit(size(), options));
  factorise(f, rng);
}

void JointSampler::factorise(const GaussianVector& f, Rng& rng) {
  // Without a reference every entry is accurate itself: arms of very different sizes keep their
  // correlations if each is in its own unit.
  const bool is_scaled = f.covariance_reference() == 0.0;
  Vector unit = Vector::Ones(size());
  if (is_scaled) unit = (f.stddev().array() > 0.0).select(f.stddev(), 1.0);
  left_ = left_.cwiseQuotient(unit).cwiseQuotient(unit);
  const double rounding = kLeftRounding * std::max(f.covariance_reference(), left_.maxCoeff());
  const Index max_rank = factor_.cols();
  while (rank_ < max_rank && left_.maxCoeff() > rounding) {
    const Index count = std::min(kRoundPivots, max_rank - rank_);
    const std::vector<Index> proposals = propose(left_, kProposals * count, rng);
    const Matrix known = rows_of(factor_.leftCols(rank_), proposals);
    Matrix covariance = block_of(f, unit, proposals, proposals);
    covariance.noalias() -= known * known.transpose();
    const Round round =
        pick_pivots(covariance, count, std::max(rounding, kWorthwhile * left_.mean()));
    if (round.pivots.empty()) break;  // two ways to compute what is left differ by rounding
    std::vector<Index> pivots;
    for (const Index position : round.pivots) {
      pivots.push_back(proposals[static_cast<std::size_t>(position)]);
    }
    append_columns(f, unit, pivots, round.lower);
  }
  if (!is_scaled) return;
  factor_.leftCols(rank_).array().colwise() *= unit.array();
  left_ = left_.cwiseProduct(unit).cwiseProduct(unit);
}

/// The columns of `pivots`; `lower` is the Cholesky factor of what is left of their covariance.
void JointSampler::append_columns(const GaussianVector& f,
                                  const Vector& unit,
                                  std::span<const Index> pivots,
                                  const Matrix& lower) {
  const Matrix known = rows_of(factor_.leftCols(rank_), pivots);
  parallel_for(size(), kSampleChunk, [&](Index begin, Index end) {
    const Index count = end - begin;
    Matrix block = block_of(f, unit, chunk_rows(begin, end), pivots);
    block.noalias() -= factor_.block(begin, 0, count, rank_) * known.transpose();
    lower.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(block);
    factor_.block(begin, rank_, count, block.cols()) = block;
    Eigen::Ref<Vector> left = left_.segment(begin, count);
    left = (left - block.rowwise().squaredNorm()).cwiseMax(0.0);
  });
  for (const Index pivot : pivots) left_(pivot) = 0.0;
  rank_ += lower.cols();
}

double JointSampler::residual() const {
  if (largest_stddev_ == 0.0) return 0.0;
  return std::min(1.0, std::sqrt(left_.maxCoeff()) / largest_stddev_);
}

JointSampler::Numbers JointSampler::draw_numbers(Index m, Rng& rng) const {
  if (m < 0) fail("JointSampler", "m is " + format_number(m) + "; must be >= 0");
  Numbers numbers{Matrix(rank_, m), 0};
  for (Index j = 0; j < m; ++j) numbers.common.col(j) = draw_normals(rng, rank_);
  numbers.key = rng();
  return numbers;
}

/// Rows begin, begin + 1, ... of the samples, those of one chunk.
void JointSampler::fill(const Numbers& numbers, Index begin, Eigen::Ref<Matrix> samples) const {
  const Index count = samples.rows();
  if (rank_ == 0) {
    samples.setZero();
  } else {
    samples.noalias() = factor_.block(begin, 0, count, rank_) * numbers.common;
  }
  samples.colwise() += mean_.segment(begin, count);
  const Vector stddev = left_.segment(begin, count).cwiseSqrt();
  const Index chunks = (size() + kSampleChunk - 1) / kSampleChunk;
  Vector normals(count);
  for (Index j = 0; j < samples.cols(); ++j) {
    const auto stream = static_cast<std::uint64_t>(j * chunks + begin / kSampleChunk);
    fill_normals(
        numbers.key, "joint_sampler", stream, {normals.data(), static_cast<std::size_t>(count)});
    samples.col(j) += stddev.cwiseProduct(normals);
  }
}

Matrix JointSampler::draw(Index m, Rng& rng) const {
  const Numbers numbers = draw_numbers(m, rng);
  Matrix samples(size(), m);
  parallel_for(size(), kSampleChunk, [&](Index begin, Index end) {
    fill(numbers, begin, samples.middleRows(begin, end - begin));
  });
  return samples;
}

Vector JointSampler::draw_maxima(Index m, Rng& rng) const {
  const Numbers numbers = draw_numbers(m, rng);
  Matrix maxima((size() + kSampleChunk - 1) / kSampleChunk, m);
  parallel_for(size(), kSampleChunk, [&](Index begin, Index end) {
    Matrix samples(end - begin, m);
    fill(numbers, begin, samples);
    maxima.row(begin / kSampleChunk) = samples.colwise().maxCoeff();
  });
  return maxima.colwise().maxCoeff();
}

}  // namespace pomlux
