// SPDX-License-Identifier: MIT
#pragma once

#include <limits>    // open ranges
#include <optional>  // priors
#include <pomlux/core/adam.hpp>
#include <pomlux/core/minimize.hpp>
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

enum class FitMethod {
  kLbfgs,  ///< bounded L-BFGS, as below
  /// The paper's: minimize_by_adam (core/adam.hpp) on the negative log likelihood as a function of
  /// log length scales, log amplitudes, mean and log noise, from one start and with fresh moments.
  /// It takes what lies at the end of the path, which may be less likely than the start. No bounds,
  /// no priors, no further starts: values other than the defaults are refused. A noise of 0 is
  /// refused where it is fitted, and keeps its value if it was set later.
  kAdam,
};

/// Fit of the hyper-parameters, unless `method` says otherwise by bounded L-BFGS on log length
/// scale, log amplitude and log noise; the mean is maximised in closed form at every point. Without
/// priors the marginal likelihood is maximised; with priors the posterior density of the logs
/// (MAP), that is the log likelihood minus the sum of ((log p - log median) / log_stddev)² / 2.
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
  FitMethod method = FitMethod::kLbfgs;
  /// Which are fitted; the others keep their value. Names of hyperparameters(), none twice;
  /// "length_scale" and "amplitude" stand for all of theirs.
  std::vector<std::string> parameters = {"length_scale", "amplitude", "mean", "noise_stddev"};
  /// Further starts drawn log-uniformly around the data's scale; more never give a lower
  /// likelihood. Not negative.
  int restarts = 0;
  /// Start from the values in force (of the last fit, say); otherwise from those of the
  /// constructor.
  bool warm_start = true;
  /// Iterations per start, at least 1. Absent: as MinimizeOptions and AdamOptions say.
  std::optional<int> max_iterations = std::nullopt;
  /// Of Adam, on the logs and on the mean in the units of the model. > 0.
  double learning_rate = AdamOptions{}.learning_rate;
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

  [[nodiscard]] int iteration_limit() const {
    return max_iterations.value_or(method == FitMethod::kAdam ? AdamOptions{}.max_iterations
                                                              : MinimizeOptions{}.max_iterations);
  }
};
void validate(const FitOptions& options);

}  // namespace pomlux
