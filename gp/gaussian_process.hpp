// SPDX-License-Identifier: MIT
#pragma once

#include <memory>    // kernel
#include <optional>  // noise per observation
#include <pomlux/core/surrogate.hpp>
#include <pomlux/gp/fit_options.hpp>
#include <pomlux/gp/kernel.hpp>
#include <string>  // names
#include <vector>  // bounds

namespace pomlux {

/// The hyper-parameters given here, in FitOptions and to the kernel's constructor are in the units
/// of the model: those of the data unless `standardizes`.
struct GaussianProcessOptions {
  /// Constant prior mean.
  double mean = 0.0;
  /// Standard deviation of the observation noise, >= 0.
  double noise_stddev = 1.0;
  /// The model sees (value - average) / standard deviation of the values so far (1 while they are
  /// all equal), renewed with every observation. Everything that a GaussianProcess takes and gives
  /// is in the user's units all the same, hyper-parameters included, which then follow the data.
  bool standardizes = false;
  /// Allocations quadratic in the number of candidates beyond this many bytes are refused.
  double memory_limit = kDefaultMemoryLimit;
  FitOptions fit = {};
};
void validate(const GaussianProcessOptions& options);

/// Bounds of a hyper-parameter in the fit; equal where it keeps its value, infinite for the mean.
struct FitBound {
  std::string name;
  ParameterRange range;
};

/// Exact Gaussian-process regression with a constant mean and Gaussian noise.
///
///   mean(x) = m + k(x, D) (K + N)⁻¹ (y - m),   var(x) = k(x, x) - k(x, D) (K + N)⁻¹ k(D, x),   N =
///   diag(noise²)
///
/// The factor of K + N and, over a Domain, the rows of L⁻¹ k(D, X) are kept: the t-th observation
/// costs O(t² + t n); a change of hyper-parameters O(t³ + t² n); memory t² + t n doubles. Both have
/// the same bits whether they grew row by row or were computed anew, so the state is a function of
/// the observations, their order and the hyper-parameters. Variances are clipped at 0. A matrix
/// that is not positive definite gets jitter (see jitter()): 1e-14 times the mean diagonal, ten
/// times more if that does not help, at most 1e-4. Source: Rasmussen and Williams, Gaussian
/// Processes for Machine Learning, 2006, Alg. 2.1.
class GaussianProcess final : public Surrogate {
 public:
  /// @throws InvalidArgument for a missing kernel, a dimension < 1 or not the kernel's, or an
  /// option out of range.
  GaussianProcess(Index dimension,
                  std::unique_ptr<Kernel> kernel,
                  GaussianProcessOptions options = {});
  ~GaussianProcess() override;
  GaussianProcess(GaussianProcess&&) noexcept;
  GaussianProcess& operator=(GaussianProcess&&) noexcept;

  /// An independent copy; it computes its posterior over a domain anew when asked.
  [[nodiscard]] std::unique_ptr<Surrogate> clone() const override;
  [[nodiscard]] Index dimension() const override;
  [[nodiscard]] Index num_observations() const override;
  /// Values beyond 1e100 in size are refused too: their squares leave the range of a double.
  void add(const PointRef& point,
           double value,
           std::optional<double> noise_stddev = std::nullopt) override;
  /// Pending points stay.
  void clear() override;
  /// A pending point that could not lower any variance (noise-free and known already) is ignored;
  /// so is one at which the kernel overflows later, for other hyper-parameters or observations.
  void add_pending(const PointRef& point) override;
  void clear_pending() override;
  /// Draws one number from `rng` if there are restarts. FitMethod::kLbfgs: status: how the best
  /// start ended;
  /// kNotRun without observations or free parameters; kRoundingLimited if the values in force
  /// before could not be improved on; kFellBack if the likelihood could not be computed anywhere
  /// and they were kept. Never lowers the likelihood (with priors: the posterior density) of a
  /// start that lies within the bounds. FitMethod::kAdam: status of AdamResult; kFellBack where a
  /// likelihood could not be computed, the most likely parameters of the path before are then in
  /// force (those in force before if there are none); report.iterations is theirs.
  FitReport fit(Rng& rng) override;
  [[nodiscard]] std::vector<FitBound> fit_bounds() const;
  [[nodiscard]] std::vector<Hyperparameter> hyperparameters() const override;
  /// Those not named keep their value. Either all are set or, with an exception, none.
  void set_hyperparameters(const std::vector<Hyperparameter>& values) override;
  [[nodiscard]] Vector exact_parameters() const override;
  void restore(const PointsRef& points,
               const VectorRef& values,
               const VectorRef& noise_stddev,
               const VectorRef& exact) override;
  /// 0 without observations; -inf where the quadratic term overflows. Includes -n/2 log 2 pi.
  [[nodiscard]] double log_likelihood() const override;
  /// Its derivatives with respect to the logs of the hyper-parameters, the mean itself; in the
  /// order of hyperparameters(). The noise is that of the observations without their own.
  [[nodiscard]] std::vector<Hyperparameter> log_likelihood_gradient() const;
  [[nodiscard]] double noise_stddev() const override;
  [[nodiscard]] double jitter() const override;
  /// Kept for one domain at a time: another domain is computed anew. @throws InvalidArgument if the
  /// dimension differs or the kernel overflows at a candidate.
  [[nodiscard]] const GaussianVector& posterior(const Domain& domain) override;
  [[nodiscard]] Marginals predict(const PointsRef& points) const override;
  /// @throws MemoryLimitExceeded beyond options.memory_limit, as does sample.
  [[nodiscard]] Matrix covariance(const PointsRef& a, const PointsRef& b) const override;
  /// Through the eigendecomposition of the posterior covariance, without the eigenvalues that are
  /// rounding of the prior: O(n³ + n² m), valid for singular covariances.
  [[nodiscard]] Matrix sample(const PointsRef& points, Index m, Rng& rng) const override;
  /// The gradient of stddev is 0 where stddev is 0.
  [[nodiscard]] PointGradient gradient(const PointRef& point) const override;

  [[nodiscard]] const Kernel& kernel() const;
  [[nodiscard]] double prior_mean() const;

 private:
  struct Impl;
  explicit GaussianProcess(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace pomlux
