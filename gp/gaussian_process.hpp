// SPDX-License-Identifier: MIT
#pragma once

#include <limits>    // open ranges
#include <memory>    // kernel
#include <optional>  // priors
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

/// What is believed about a positive hyper-parameter before the data:
/// log(parameter) ~ N(log(median), log_stddev²).
struct LogNormalPrior {
  double median = 1.0;
  double log_stddev = 1.0;
};

/// Priors of those that have none of their own.
enum class DefaultPriors {
  kNone,  ///< maximum likelihood
  /// log_stddev 1 about 0.4 times the diagonal of the box of the inputs for length scales (sqrt(d)
  /// times the extent of one coordinate) and about the standard deviation of the values for
  /// amplitudes; log_stddev 1.5 about a twentieth of it for the noise; for length scales of kLinear
  /// log_stddev 1 about ParameterScale::typical. Medians follow the data, so that units do not
  /// matter, and lie within the user's ranges.
  kFromData,
};

/// Fit of the hyper-parameters by bounded L-BFGS on log length scale, log amplitude and log noise;
/// the mean is maximised in closed form at every point. Without priors the marginal likelihood is
/// maximised; with priors the posterior density of the logs (MAP), that is the log likelihood minus
/// the sum of ((log p - log median) / log_stddev)² / 2.
///
/// The search is bounded by what the data can tell apart (Kernel::parameter_scales; noise from 1e-4
/// to 1e2 times the standard deviation of the values), so it is the same in any units, and the
/// ranges below replace these bounds where they are given; around a given prior they reach at least
/// five of its standard deviations. The bounds in force are GaussianProcess::fit_bounds(). Starts
/// are clipped into them. What the data say nothing about keeps its value: length scales where no
/// two inputs differ, all scales without a given prior while all values are equal (the mean alone
/// is then fitted), a linear kernel's amplitude of 0.
///
/// Besides the configured start, two starts derived from the data's scale are tried with at most 50
/// observations, when the start was clipped by more than a factor of 2, and when the fit ends where
/// no two observations are correlated by more than 0.01, or all by more than 0.99. With priors one
/// more start lies at their medians.
struct FitOptions {
  /// Which are fitted; the others keep their value. Names of hyperparameters(), none twice;
  /// "length_scale" and "amplitude" stand for all of theirs.
  std::vector<std::string> parameters = {"length_scale", "amplitude", "mean", "noise_stddev"};
  /// Further starts drawn log-uniformly around the data's scale; more never give a lower
  /// likelihood. Not negative.
  int restarts = 0;
  /// Start from the values in force (of the last fit, say); otherwise from those of the
  /// constructor.
  bool warm_start = true;
  /// L-BFGS iterations per start. At least 1.
  int max_iterations = 200;
  /// The length scales of one kernel keep their ratios and move by a common factor: an isotropic
  /// kernel on coordinates of different units. Ranges and priors then hold for their geometric
  /// mean.
  bool ties_length_scales = false;
  /// The user's ranges, in the units of the model: 0 <= lower <= upper, upper > 0. A lower end of 0
  /// and an upper end of infinity are not given.
  ParameterRange length_scale = {};
  ParameterRange amplitude = {};
  ParameterRange noise_stddev = {};
  /// In the units of the model.
  std::optional<LogNormalPrior> length_scale_prior = std::nullopt;
  std::optional<LogNormalPrior> amplitude_prior = std::nullopt;
  std::optional<LogNormalPrior> noise_stddev_prior = std::nullopt;
  DefaultPriors default_priors = DefaultPriors::kNone;
};
void validate(const FitOptions& options);

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
  /// Draws one number from `rng` if there are restarts. Status: how the best start ended;
  /// kNotRun without observations or free parameters; kRoundingLimited if the values in force
  /// before could not be improved on; kFellBack if the likelihood could not be computed anywhere
  /// and they were kept. Never lowers the likelihood (with priors: the posterior density) of a
  /// start that lies within the bounds.
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
