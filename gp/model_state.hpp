// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: the state of a GaussianProcess and how it is kept consistent.

#include <cstdint>  // revisions
#include <memory>   // owned parts
#include <mutex>    // what is computed on demand
#include <pomlux/gp/domain_posterior.hpp>
#include <pomlux/gp/fit.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <pomlux/gp/gram_factor.hpp>

namespace pomlux {

/// The model's unit and zero of values, in the user's units.
struct ValueUnits {
  double shift = 0.0;
  double scale = 1.0;
};

/// [t] each, in the units of the model.
struct ScaledValues {
  Vector y;
  Vector own_noise;
};

struct GaussianProcess::Impl {
  Index dimension = 0;
  std::unique_ptr<Kernel> kernel;  // with mean and noise_stddev in the units of the model
  double mean = 0.0;
  double noise_stddev = 0.0;
  GaussianProcessOptions options;
  ModelParameters configured;  // of the constructor
  ValueUnits units;            // {0, 1} unless options.standardizes

  Points x;                  // [t, d]
  Vector y;                  // [t] user's units
  Vector own_noise;          // [t] user's units, NaN where the model's noise holds
  GramFactor gram;           // of the observations, in the units of the model
  Vector whitened;           // [t] L⁻¹ (y - prior_mean()), user's units
  double whitened_at = 0.0;  // the prior mean of `whitened`
  std::uint64_t revision = 1;

  Points pending;             // as added
  Points all_points;          // observed, then the pending points that lower a variance
  CholeskyFactor all_factor;  // of all_points; unused without pending points
  std::uint64_t pending_revision = 1;
  std::unique_ptr<DomainPosterior> posterior;
  mutable std::mutex coefficients_mutex;
  mutable Vector known_coefficients;  // of another size than `whitened`: not known

  Impl(Index dimension_, std::unique_ptr<Kernel> kernel_, GaussianProcessOptions options_);
  Impl(const Impl& other);
  Impl& operator=(const Impl&) = delete;
  ~Impl() = default;

  [[nodiscard]] ModelParameters parameters() const {
    return {kernel->parameters(), mean, noise_stddev};
  }
  [[nodiscard]] double prior_mean() const { return units.shift + units.scale * mean; }
  [[nodiscard]] ScaledValues scaled_values() const {
    return {(y.array() - units.shift) / units.scale, own_noise / units.scale};
  }
  /// What a kernel parameter in the user's units is divided by to be in those of the model.
  [[nodiscard]] Vector kernel_units() const;
  [[nodiscard]] bool has_pending() const { return pending.rows() > 0; }
  /// What conditions the variance: observations and pending points.
  [[nodiscard]] const Points& points() const { return has_pending() ? all_points : x; }
  [[nodiscard]] const CholeskyFactor& factor() const {
    return has_pending() ? all_factor : gram.cholesky();
  }

  void set_parameters(const ModelParameters& values);
  void extend_whitened();
  /// [t] L⁻ᵀ whitened: mean(x) = prior_mean() + k(x, D) coefficients. Solved for when first asked
  /// after a change, as gradients alone need them.
  [[nodiscard]] const Vector& coefficients() const;
  /// Of the model for these observations, in the user's units.
  [[nodiscard]] ValueUnits units_of(const VectorRef& values) const;
  /// Added to the variance of a pending point.
  [[nodiscard]] double pending_noise() const { return noise_stddev * noise_stddev + gram.jitter(); }
  /// Leaves out points at which the kernel overflows or that could not lower a variance.
  void rebuild_pending();
  void require_points(const char* where, const char* name, const PointsRef& points) const;
  [[nodiscard]] Matrix whitened_kernel(const PointsRef& points) const;
  [[nodiscard]] Vector mean_from(const Matrix& rows) const;
};

/// [n + 1, d]
[[nodiscard]] Points with_row(const Points& points, const PointRef& row);

}  // namespace pomlux
