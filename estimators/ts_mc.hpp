// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>  // counts
#include <pomlux/core/errors.hpp>
#include <pomlux/core/pom_estimator.hpp>
#include <vector>  // counts

namespace pomlux {

/// Precision of the matrix product behind the samples.
enum class SamplePrecision {
  /// Single precision; whenever the best arm leads by less than twice a proven bound on the
  /// rounding
  /// of the product, the arms in question are computed again in double. Decides as kDouble does.
  kSingle,
  kDouble,
};

struct TsMcOptions {
  /// Samples, exactly, if neither stopping rule below applies before. At least 1.
  std::uint64_t samples = 100000;
  /// If > 0, the number of samples is max(1, floor(alpha^2 n^2)) instead, as in the paper's
  /// experiments.
  double alpha = 0.0;
  /// If > 0, stop as soon as Pom::sampling_error is at most this; tested every kTestEvery samples.
  double target_error = 0.0;
  /// If > 0, stop after this many seconds, at a multiple of kTestEvery. The count is in the result:
  /// giving it as `samples` to the same stream repeats the result bit for bit.
  double time_limit_seconds = 0.0;
  /// If > 1, Pom::batches has the estimates of this many parts: sample i belongs to part i modulo
  /// batches. The other results do not depend on it. 0: no parts.
  int batches = 0;
  SamplePrecision precision = SamplePrecision::kSingle;
  /// Largest memory for the covariance and its root, bytes.
  double memory_limit = kDefaultMemoryLimit;

  static constexpr std::uint64_t kTestEvery = 4096;
  static constexpr int kMostBatches = 1024;
};
void validate(const TsMcOptions& options);

/// Thompson-sampling Monte Carlo (TS-MC): the share of joint samples F = mean + R z, R a square
/// root of the covariance, in which an arm is the largest. Unbiased and consistent; R is truncated
/// only below the rounding of its eigenvalues (semidefinite_root), and z is what fill_normals
/// gives, a stream per sample. Exact ties go to the lowest index. Arms without covariance are
/// independent. Uses one draw of `rng`, the seed of the streams; the same stream of `rng` gives the
/// same bits on any number of threads.
///
/// Cost: O(n^3) once and 2 n r flop per sample for a covariance of rank r; 3 n^2 doubles. Source:
/// Menet et al., LITE, AISTATS 2025, Algorithm 2.
class TsMc final : public PomEstimator {
 public:
  explicit TsMc(TsMcOptions options = {});
  [[nodiscard]] const TsMcOptions& options() const { return options_; }

 private:
  Pom do_estimate(const GaussianVector& f, Rng& rng) const override;
  TsMcOptions options_;
};

struct TsMcResult {
  /// sampling_error is the expected total variation to the true probabilities, 1/2 sum_x sqrt(2 p_x
  /// (1 - p_x) / (pi N)) with the estimated p; arms never drawn contribute nothing to it.
  Pom pom;
  std::vector<std::uint64_t> counts;  ///< [n]
  /// [n], sqrt(p (1 - p) / N) with the estimated p: 0 for an arm drawn never or always.
  Vector standard_errors;
  /// Plug-in entropy, biased downwards by about (number of possible arms - 1) / (2 N).
  double entropy = 0.0;
  /// With (number of arms seen - 1) / (2 N) added (Miller and Madow), at most log n.
  double corrected_entropy = 0.0;
  /// Standard error of the plug-in entropy by the delta method; 0 where it vanishes to first order.
  double entropy_standard_error = 0.0;
};

/// Half-width t with P[|estimate - p_x| >= t] <= delta for one arm (Hoeffding), t = sqrt(log(2 /
/// delta) / (2 N)). @throws InvalidArgument unless N >= 1 and delta in (0, 1).
[[nodiscard]] double ts_mc_confidence(std::uint64_t samples, double delta);

/// floor(alpha^2 n^2), at least 1 and at most 1e15; a product that is an integer to 1e-12 counts as
/// that integer.
[[nodiscard]] std::uint64_t ts_mc_samples(double alpha, Index n);

/// The same as a plain function. @throws MemoryLimitExceeded before allocating beyond the limit.
[[nodiscard]] TsMcResult ts_mc(const GaussianVector& f, Rng& rng, const TsMcOptions& options = {});

}  // namespace pomlux
