// SPDX-License-Identifier: MIT
#pragma once

#include <memory>    // clone
#include <optional>  // noise per observation
#include <pomlux/core/domain.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>
#include <string>  // names
#include <vector>  // hyper-parameters

namespace pomlux {

/// Mean and standard deviation per point, [n] each.
struct Marginals {
  Vector mean;
  Vector stddev;
};

/// Mean and standard deviation at one point with their gradients, [d] each.
struct PointGradient {
  double mean = 0.0;
  double stddev = 0.0;
  Point mean_gradient;
  Point stddev_gradient;
};

struct Hyperparameter {
  std::string
      name;  ///< "length_scale" or "length_scale_0", ..., "amplitude", "mean", "noise_stddev"
  double value = 0.0;
};

/// How a fit of the hyper-parameters ended.
struct FitReport {
  Status status = Status::kNotRun;
  double log_likelihood =
      0.0;  ///< at the parameters now in force, natural logarithm, with the -n/2 log 2 pi term
  int iterations = 0;
  int evaluations = 0;
  int starts = 0;  ///< optimiser starts, restarts included
};

/// Seam: a probabilistic model of the objective, in the user's own sign. Answers are about the
/// noise-free function. Non-const calls change the state; const calls are safe from several
/// threads.
class Surrogate {
 public:
  virtual ~Surrogate() = default;
  [[nodiscard]] virtual std::unique_ptr<Surrogate> clone() const = 0;
  [[nodiscard]] virtual Index dimension() const = 0;
  [[nodiscard]] virtual Index num_observations() const = 0;

  /// Adds one observation. `noise_stddev` replaces the model's noise for it.
  /// @throws InvalidArgument for another dimension or a value that is not finite; the state is then
  /// unchanged.
  virtual void add(const PointRef& point,
                   double value,
                   std::optional<double> noise_stddev = std::nullopt) = 0;
  /// Forgets all observations, keeps the hyper-parameters.
  virtual void clear() = 0;
  /// Conditions on an evaluation that is under way: the variance falls as if it had been observed,
  /// the mean stays.
  virtual void add_pending(const PointRef& point) = 0;
  virtual void clear_pending() = 0;

  /// Fits the free hyper-parameters to the observations. Never throws for a numerical reason. Keeps
  /// the best found, never worse than the start, unless its method says otherwise.
  virtual FitReport fit(Rng& rng) = 0;
  [[nodiscard]] virtual std::vector<Hyperparameter> hyperparameters() const = 0;
  /// Sets them by name. @throws InvalidArgument for an unknown name or a value out of range.
  virtual void set_hyperparameters(const std::vector<Hyperparameter>& values) = 0;
  /// The hyper-parameters as the model holds them. With restore(), a model of the same
  /// configuration and the same observations, in the same order, gives the same bits in every
  /// answer; hyperparameters() and set_hyperparameters() convert units and may round.
  [[nodiscard]] virtual Vector exact_parameters() const = 0;
  /// Adds t observations at once, [t, d], [t] and [t] (NaN where the model's noise holds), and
  /// takes these exact_parameters(): the bits of adding one by one and restoring, in one
  /// factorisation, O(t³). @throws InvalidArgument for other sizes or values out of range; the
  /// model must then not be used any more.
  virtual void restore(const PointsRef& points,
                       const VectorRef& values,
                       const VectorRef& noise_stddev,
                       const VectorRef& exact) = 0;
  [[nodiscard]] virtual double log_likelihood() const = 0;
  [[nodiscard]] virtual double noise_stddev() const = 0;
  /// Added to the diagonal so that the factorisation succeeded; 0 if nothing was.
  [[nodiscard]] virtual double jitter() const = 0;

  /// Posterior over a whole domain, kept up to date incrementally: O(t² + t n) for the t-th new
  /// observation. The reference stays valid until the next non-const call.
  [[nodiscard]] virtual const GaussianVector& posterior(const Domain& domain) = 0;
  /// Posterior marginals at arbitrary points [n, d], n = 0 allowed.
  [[nodiscard]] virtual Marginals predict(const PointsRef& points) const = 0;
  /// Posterior covariance between two blocks, [n, m].
  [[nodiscard]] virtual Matrix covariance(const PointsRef& a, const PointsRef& b) const = 0;
  /// m joint posterior samples at points [n, d]: [n, m].
  [[nodiscard]] virtual Matrix sample(const PointsRef& points, Index m, Rng& rng) const = 0;
  [[nodiscard]] virtual PointGradient gradient(const PointRef& point) const = 0;
};

}  // namespace pomlux
