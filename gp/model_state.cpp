// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/fit_space.hpp>
#include <pomlux/gp/model_state.hpp>
#include <pomlux/gp/options.hpp>
#include <utility>  // std::move

namespace pomlux {
Points with_row(const Points& points, const PointRef& row) {
  Points result(points.rows() + 1, row.size());
  result << points, row;
  return result;
}

GaussianProcess::Impl::Impl(Index dimension_,
                            std::unique_ptr<Kernel> kernel_,
                            GaussianProcessOptions options_)
    : dimension(dimension_), kernel(std::move(kernel_)), options(std::move(options_)) {
  if (dimension < 1) {
    fail("GaussianProcess", "dimension is " + format_number(dimension) + "; it must be >= 1");
  }
  if (!kernel) fail("GaussianProcess", "kernel is missing");
  validate(options);
  require_known_parameters(options.fit, *kernel);
  (void)kernel->diagonal(
      Points::Zero(1, dimension));  // throws if the dimension is not the kernel's
  mean = options.mean;
  noise_stddev = options.noise_stddev;
  configured = parameters();
  x.resize(0, dimension);
  pending.resize(0, dimension);
}

GaussianProcess::Impl::Impl(const Impl& other)
    : dimension(other.dimension),
      kernel(other.kernel->clone()),
      mean(other.mean),
      noise_stddev(other.noise_stddev),
      options(other.options),
      configured(other.configured),
      units(other.units),
      x(other.x),
      y(other.y),
      own_noise(other.own_noise),
      gram(other.gram),
      whitened(other.whitened),
      whitened_at(other.whitened_at),
      pending(other.pending),
      all_points(other.all_points),
      all_factor(other.all_factor) {}

/// Either all is computed for the new values or nothing is changed.
void GaussianProcess::Impl::set_parameters(const ModelParameters& values) {
  std::unique_ptr<Kernel> changed = kernel->clone();
  changed->set_parameters(values.kernel);
  GramFactor anew;
  anew.rebuild(*changed, x, noise_of(own_noise / units.scale, values.noise_stddev));
  // The kernel is changed in place: the posterior over a domain refers to it.
  kernel->set_parameters(values.kernel);
  mean = values.mean;
  noise_stddev = values.noise_stddev;
  gram = std::move(anew);
  ++revision;
  whitened.resize(0);
  extend_whitened();
  rebuild_pending();
}

void GaussianProcess::Impl::extend_whitened() {
  const double centre = prior_mean();
  if (centre != whitened_at) whitened.resize(0);
  whitened_at = centre;
  const Index known = whitened.size();
  whitened.conservativeResize(y.size());
  whitened.tail(y.size() - known) = y.tail(y.size() - known).array() - centre;
  gram.cholesky().extend_solution(known, whitened);
  known_coefficients.resize(0);
}

const Vector& GaussianProcess::Impl::coefficients() const {
  const std::lock_guard lock(coefficients_mutex);
  if (known_coefficients.size() != whitened.size()) {
    known_coefficients = whitened;
    gram.cholesky().solve_upper_in_place(known_coefficients);
  }
  return known_coefficients;
}

Vector GaussianProcess::Impl::kernel_units() const {
  const std::unique_ptr<Kernel> ones = kernel->clone();
  ones->set_parameters(Vector::Ones(kernel->parameters().size()));
  return ones->scaled_parameters(units.scale);
}

ValueUnits GaussianProcess::Impl::units_of(const VectorRef& values) const {
  ValueUnits result;
  if (!options.standardizes || values.size() == 0) return result;
  result.shift = average_of(values);
  const double spread = spread_of(values);
  if (spread > 0.0) result.scale = spread;
  return result;
}

void GaussianProcess::Impl::rebuild_pending() {
  ++pending_revision;
  if (!has_pending()) return;
  all_points = x;
  all_factor = gram.cholesky();
  for (Index i = 0; i < pending.rows(); ++i) {
    try {
      if (!append_point(all_factor, *kernel, all_points, pending.row(i), pending_noise())) continue;
    } catch (const InvalidArgument&) {
      continue;  // a posterior over this point is refused, too
    }
    all_points = with_row(all_points, pending.row(i));
  }
}

void GaussianProcess::Impl::require_points(const char* where,
                                           const char* name,
                                           const PointsRef& points) const {
  require_same_size(where, name, points.cols(), "the dimension", dimension);
  for (Index i = 0; i < points.rows(); ++i) require_finite(where, name, points.row(i).transpose());
}

/// L⁻¹ k(D, points), [t + p, n].
Matrix GaussianProcess::Impl::whitened_kernel(const PointsRef& at) const {
  return factor().solve_lower(kernel->matrix(points(), at));
}

/// Pending points do not change the mean: only the observed rows enter.
Vector GaussianProcess::Impl::mean_from(const Matrix& rows) const {
  return (rows.topRows(whitened.size()).transpose() * whitened).array() + prior_mean();
}

}  // namespace pomlux
