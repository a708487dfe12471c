// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: the posterior over a domain, kept up to date row by row.

#include <cstdint>  // revisions
#include <pomlux/core/domain.hpp>
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/core/triangular.hpp>
#include <pomlux/gp/kernel.hpp>
#include <vector>  // slabs

namespace pomlux {

/// What a posterior is computed from: t observations, then the pending points. Views; the owner
/// outlives it.
struct PosteriorSource {
  const Kernel& kernel;
  double prior_mean;             ///< user's units
  double value_scale;            ///< user's units per unit of the kernel's standard deviation
  const Points& points;          ///< [t + p, d] observed, then pending
  const CholeskyFactor& factor;  ///< of points
  const Vector& whitened;        ///< [t] L⁻¹ (y - prior_mean), y in user's units
  std::uint64_t revision;        ///< changes when rows of the observed part change
  std::uint64_t pending_revision;
};

/// Keeps V = L⁻¹ k(points, X), [t + p, n], and with it mean and variance of every candidate.
/// Growing by a row costs O(t n); the rows and their bits are the same whether V grows or is
/// computed anew. Reads the kernel and the domain again for covariances, so it never holds n x n.
class DomainPosterior final : public GaussianVector {
 public:
  DomainPosterior(Domain domain, double memory_limit);

  [[nodiscard]] const Domain& domain() const { return domain_; }
  /// Brings everything up to date. `source` is remembered for the covariance functions: its kernel
  /// must stay as it is until the next update.
  void update(const PosteriorSource& source);

  [[nodiscard]] VectorView mean() const override { return {mean_.data(), mean_.size()}; }
  [[nodiscard]] VectorView stddev() const override { return {stddev_.data(), stddev_.size()}; }
  [[nodiscard]] bool has_covariance() const override { return true; }
  [[nodiscard]] double covariance(Index i, Index j) const override;
  [[nodiscard]] Vector covariance_column(Index j) const override;
  [[nodiscard]] Matrix covariance_columns(std::span<const Index> columns) const override;
  [[nodiscard]] Matrix covariance_block(std::span<const Index> rows,
                                        std::span<const Index> columns) const override;
  [[nodiscard]] Matrix covariance_matrix() const override;
  [[nodiscard]] double covariance_reference() const override {
    return squared_scale() * largest_prior_variance_;
  }
  [[nodiscard]] const Points* coordinates() const override { return &domain_.points(); }

 private:
  void reset(const PosteriorSource& source);
  void recompute_mean(const PosteriorSource& source);
  void append_rows(const PosteriorSource& source, Index begin, Index end, bool is_observed);
  void solve_block(const PosteriorSource& source,
                   const PackedTriangle& factor,
                   bool is_observed,
                   Index first,
                   Index last);
  void extend_block(const PosteriorSource& source,
                    Index begin,
                    Index end,
                    bool is_observed,
                    Index first,
                    Index last);
  /// The rows of V of one slab, [kSlab, width], that hold `row`, for the block of candidates
  /// `block`, ...
  [[nodiscard]] Eigen::Map<Points> slab(Index block, Index row);
  [[nodiscard]] Eigen::Map<const Points> slab(Index block, Index row) const;
  template <typename Body>
  void for_each_slab(Index block, Index num_rows, const Body& body) const;
  void require_candidate(Index i) const;
  [[nodiscard]] Vector column(Index i) const;
  [[nodiscard]] double variance(Index i) const { return stddev_(i) * stddev_(i); }
  [[nodiscard]] double squared_scale() const { return value_scale_ * value_scale_; }

  Domain domain_;
  double memory_limit_;
  const Kernel* kernel_ = nullptr;
  // V by slabs of rows, so that growing moves nothing, and each slab by blocks of candidates, so
  // that what meets in a product lies together in the cache. num_rows_ rows are filled.
  std::vector<Vector> slabs_;
  Index num_rows_ = 0;  // observed and pending
  Index num_observed_ = 0;
  double prior_mean_ = 0.0;
  double value_scale_ = 1.0;
  Vector mean_;  // user's units, as stddev_; the variances are in those of the kernel
  double largest_prior_variance_ = 0.0;
  Vector variance_;           // may be below 0 by rounding: clipped in stddev_ only
  Vector observed_variance_;  // before the pending points; empty without them
  Vector stddev_;
  std::uint64_t revision_ = 0;
  std::uint64_t pending_revision_ = 0;
};

}  // namespace pomlux
