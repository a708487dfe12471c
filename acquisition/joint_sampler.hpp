// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>  // keys of streams
#include <pomlux/core/errors.hpp>
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/rng.hpp>
#include <span>         // pivots
#include <string_view>  // names of callers

namespace pomlux {

/// How joint samples come from a covariance.
enum class SamplingMethod {
  kAutomatic,  ///< kExact up to JointSamplerOptions::kExactArms arms, kLowRank beyond
  kExact,      ///< up to rank n: O(n³) time, n² doubles
  kLowRank,    ///< up to rank max_rank: O(n max_rank²) time, n max_rank doubles
};

struct JointSamplerOptions {
  SamplingMethod method = SamplingMethod::kAutomatic;
  /// Rank of kLowRank at most. At least 1.
  Index max_rank = 500;
  /// Largest memory of the factor and what makes it, bytes, > 0.
  double memory_limit = kDefaultMemoryLimit;

  static constexpr Index kExactArms = 1000;
};
void validate(const JointSamplerOptions& options);

/// @throws MemoryLimitExceeded if a sampler for n arms would need more than options.memory_limit.
void require_sampler_memory(std::string_view where, Index n, const JointSamplerOptions& options);

/// Joint samples of a Gaussian vector, also where its covariance does not fit into memory:
///
///   F = mean + L z + sqrt(d) e,   L [n, rank],   d_x = stddev_x² - sum_k L_xk²,
///
/// z and e independent N(0, 1). L comes from a partial Cholesky decomposition whose pivots are
/// drawn in proportion to d and then picked greedily, until every d is rounding (2.3e-13 of
/// covariance_reference(), or of stddev_x² where that is 0) or the rank is reached. Every arm has
/// its mean and variance exactly; Cov[F_x, F_y] lacks the covariance of what L leaves of x and y,
/// at most sqrt(d_x d_y) (Cauchy and Schwarz), and 0 if x or y is a pivot. Vectors without
/// covariance have rank 0.
///
/// Keeps copies; const calls are safe from several threads. The same streams give the same bits on
/// any number of threads. Source: Chen, Epperly, Tropp and Webber, "Randomly pivoted Cholesky",
/// Communications on Pure and Applied Mathematics 78, 2025.
class JointSampler {
 public:
  /// Draws pivots from `rng`. @throws MemoryLimitExceeded.
  JointSampler(const GaussianVector& f, Rng& rng, const JointSamplerOptions& options = {});

  /// m samples, [n, m]. O(n rank) each.
  [[nodiscard]] Matrix draw(Index m, Rng& rng) const;
  /// [m] largest entries of as many samples, those that draw() gives; O(n) memory.
  [[nodiscard]] Vector draw_maxima(Index m, Rng& rng) const;

  [[nodiscard]] Index size() const { return mean_.size(); }
  [[nodiscard]] Index rank() const { return rank_; }
  /// Largest sqrt(d_x) over the largest stddev, in [0, 1]: a covariance is off by at most its
  /// square times the largest variance.
  [[nodiscard]] double residual() const;

 private:
  struct Numbers;
  void factorise(const GaussianVector& f, Rng& rng);
  void append_columns(const GaussianVector& f,
                      const Vector& unit,
                      std::span<const Index> pivots,
                      const Matrix& lower);
  [[nodiscard]] Numbers draw_numbers(Index m, Rng& rng) const;
  void fill(const Numbers& numbers, Index begin, Eigen::Ref<Matrix> samples) const;

  Vector mean_;
  Vector left_;    // [n], d
  Matrix factor_;  // L in its first rank_ columns
  Index rank_ = 0;
  double largest_stddev_ = 0.0;
};

}  // namespace pomlux
