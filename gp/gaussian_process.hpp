// SPDX-License-Identifier: MIT
#pragma once

#include <limits>  // open bounds
#include <memory>  // kernel
#include <pomlux/core/surrogate.hpp>
#include <pomlux/gp/kernel.hpp>
#include <string>  // parameter names
#include <vector>  // parameter names

namespace pomlux {

/// Lower and upper bound of one hyper-parameter during a fit.
struct ParameterRange {
  double lower = 0.0;
  double upper = std::numeric_limits<double>::infinity();
};

/// Maximum-likelihood fit of the hyper-parameters by bounded L-BFGS on log length scale, log
/// amplitude, mean and log noise.
struct FitOptions {
  /// Which are fitted; the others keep their value. "length_scale" stands for all of them.
  std::vector<std::string> parameters = {"length_scale", "amplitude", "mean", "noise_stddev"};
  /// Further starts drawn log-uniformly within the bounds around the data's scale; more never give
  /// a lower likelihood. Not negative.
  int restarts = 0;
  /// Start from the last fit; otherwise from the configured values.
  bool warm_start = true;
  /// L-BFGS iterations per start. At least 1.
  int max_iterations = 200;
  /// Search bounds in the units of the data. The defaults span what double precision can use; the
  /// noise floor is relative: see gaussian_process.cpp's documentation of effective_bounds.
  ParameterRange length_scale = {1e-6, 1e6};
  ParameterRange amplitude = {1e-6, 1e6};
  ParameterRange noise_stddev = {1e-6, 1e6};
};
void validate(const FitOptions& options);

struct GaussianProcessOptions {
  /// Constant prior mean, user's units.
  double mean = 0.0;
  /// Standard deviation of the observation noise, >= 0.
  double noise_stddev = 1.0;
  /// Allocations quadratic in the number of candidates beyond this many bytes are refused.
  double memory_limit = kDefaultMemoryLimit;
  FitOptions fit;
};
void validate(const GaussianProcessOptions& options);

/// Exact Gaussian-process regression with a constant mean and Gaussian noise.
///
///   mean(x) = m + k(x, D) (K + N)⁻¹ (y - m),   var(x) = k(x, x) - k(x, D) (K + N)⁻¹ k(D, x),   N =
///   diag(noise²)
///
/// Over a Domain the rows of L⁻¹ k(D, X) are kept: the t-th observation costs O(t² + t n); a change
/// of hyper-parameters O(t³ + t² n). Variances are clipped at 0. Source: Rasmussen and Williams,
/// Gaussian Processes for Machine Learning, 2006, Alg. 2.1.
class GaussianProcess final : public Surrogate {
 public:
  /// @throws InvalidArgument for a missing kernel, a dimension < 1 or an option out of range.
  GaussianProcess(Index dimension,
                  std::unique_ptr<Kernel> kernel,
                  GaussianProcessOptions options = {});
  ~GaussianProcess() override;

  [[nodiscard]] std::unique_ptr<Surrogate> clone() const override;
  [[nodiscard]] Index dimension() const override;
  [[nodiscard]] Index num_observations() const override;
  void add(const PointRef& point,
           double value,
           std::optional<double> noise_stddev = std::nullopt) override;
  void clear() override;
  void add_pending(const PointRef& point) override;
  void clear_pending() override;
  FitReport fit(Rng& rng) override;
  [[nodiscard]] std::vector<Hyperparameter> hyperparameters() const override;
  void set_hyperparameters(const std::vector<Hyperparameter>& values) override;
  [[nodiscard]] double log_likelihood() const override;
  [[nodiscard]] double noise_stddev() const override;
  [[nodiscard]] double jitter() const override;
  [[nodiscard]] const GaussianVector& posterior(const Domain& domain) override;
  [[nodiscard]] Marginals predict(const PointsRef& points) const override;
  [[nodiscard]] Matrix covariance(const PointsRef& a, const PointsRef& b) const override;
  [[nodiscard]] Matrix sample(const PointsRef& points, Index m, Rng& rng) const override;
  [[nodiscard]] PointGradient gradient(const PointRef& point) const override;

  [[nodiscard]] const Kernel& kernel() const;
  [[nodiscard]] double prior_mean() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pomlux
