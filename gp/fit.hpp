// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: the search behind GaussianProcess::fit.

#include <pomlux/gp/gaussian_process.hpp>
#include <string>
#include <vector>

namespace pomlux {

/// Observations of a fit, in the units of the model. Views.
struct FitData {
  PointsRef x;          ///< [n, d]
  VectorRef y;          ///< [n]
  VectorRef own_noise;  ///< [n] NaN where the model's noise holds
};

struct ModelParameters {
  Vector kernel;  ///< Kernel::parameters
  double mean = 0.0;
  double noise_stddev = 0.0;
};

struct FitResult {
  ModelParameters parameters;
  FitReport report;  ///< log_likelihood is left to the caller
  bool is_start_clipped = false;
  double log_prior = 0.0;        ///< of `parameters`, without its constant; 0 without priors
  double start_log_prior = 0.0;  ///< the same of the start
};

/// Maximises the log marginal likelihood plus the log prior from `start` and from starts of its
/// own. Never throws for a numerical reason; returns the best parameters seen, `start` (within the
/// bounds) included. After the first evaluation of a start, evaluations allocate nothing, those
/// with jitter or an exception apart; the solver allocates some vectors of its own per iteration,
/// of as many entries as there are free parameters.
[[nodiscard]] FitResult fit_parameters(const FitData& data,
                                       const Kernel& kernel,
                                       const ModelParameters& start,
                                       const FitOptions& options,
                                       Rng& rng);

/// The bounds that a fit uses, one entry per hyper-parameter (kernel, mean, noise_stddev); entries
/// of those that keep their value have lower = upper = that value.
[[nodiscard]] std::vector<ParameterRange> effective_bounds(const FitData& data,
                                                           const Kernel& kernel,
                                                           const ModelParameters& start,
                                                           const FitOptions& options);

/// Noise per observation: the model's where an observation has none of its own.
[[nodiscard]] Vector noise_of(const VectorRef& own_noise, double noise_stddev);
void write_noise(const VectorRef& own_noise, double noise_stddev, Vector& result);

}  // namespace pomlux
