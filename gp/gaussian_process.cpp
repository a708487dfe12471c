// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <cmath>      // std::sqrt
#include <numbers>    // pi
#include <pomlux/core/linalg.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/core/triangular.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <pomlux/gp/likelihood.hpp>
#include <pomlux/gp/model_state.hpp>
#include <pomlux/gp/options.hpp>
#include <vector>  // strips

namespace pomlux {
namespace {

constexpr Index kStrips = 16;  // predicted by one task

/// A [n, r] with A Aᵀ = covariance up to `rounding`: eigenvalues below it, also negative ones, are
/// what is left of a subtraction.
Matrix root_above(const Matrix& covariance, double rounding) {
  const SymmetricEigen eigen = symmetric_eigen(covariance);
  const Index rank = (eigen.values.array() > rounding).count();
  const Vector roots = eigen.values.tail(rank).cwiseSqrt();
  return eigen.vectors.rightCols(rank) * roots.asDiagonal();
}

void require_no_overflow(const char* where, const MatrixRef& values) {
  if (values.allFinite()) return;
  fail(where, "mean or variance of a point is not finite; the kernel overflows on these points");
}

Vector with_entry(const Vector& values, double value) {
  Vector result(values.size() + 1);
  result << values, value;
  return result;
}

}  // namespace

GaussianProcess::GaussianProcess(Index dimension,
                                 std::unique_ptr<Kernel> kernel,
                                 GaussianProcessOptions options)
    : impl_(std::make_unique<Impl>(dimension, std::move(kernel), std::move(options))) {}
GaussianProcess::GaussianProcess(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GaussianProcess::~GaussianProcess() = default;
GaussianProcess::GaussianProcess(GaussianProcess&&) noexcept = default;
GaussianProcess& GaussianProcess::operator=(GaussianProcess&&) noexcept = default;

std::unique_ptr<Surrogate> GaussianProcess::clone() const {
  return std::unique_ptr<Surrogate>(new GaussianProcess(std::make_unique<Impl>(*impl_)));
}

Index GaussianProcess::dimension() const { return impl_->dimension; }
Index GaussianProcess::num_observations() const { return impl_->y.size(); }
double GaussianProcess::noise_stddev() const { return impl_->units.scale * impl_->noise_stddev; }
double GaussianProcess::jitter() const {
  return impl_->units.scale * impl_->units.scale * impl_->gram.jitter();
}
const Kernel& GaussianProcess::kernel() const { return *impl_->kernel; }
double GaussianProcess::prior_mean() const { return impl_->prior_mean(); }

void GaussianProcess::add(const PointRef& point, double value, std::optional<double> noise_stddev) {
  const char* where = "GaussianProcess::add";
  Impl& model = *impl_;
  model.require_points(where, "point", point);
  require_in_range(where, "value", value, -kLargestHyperparameter);
  if (noise_stddev) require_in_range(where, "noise_stddev", *noise_stddev, 0.0);
  Points x = with_row(model.x, point);
  Vector y = with_entry(model.y, value);
  Vector own_noise = with_entry(model.own_noise, noise_stddev.value_or(kNaN));
  const ValueUnits units = model.units_of(y);
  const Vector noise = noise_of(own_noise / units.scale, model.noise_stddev);
  // Known noise means something else in other units.
  const bool is_rescaled = units.scale != model.units.scale && !own_noise.array().isNaN().all();
  // What may throw comes first.
  bool has_grown = false;
  if (is_rescaled) {
    model.gram.rebuild(*model.kernel, x, noise);
  } else {
    has_grown = model.gram.append(*model.kernel, x, noise);
  }
  model.x = std::move(x);
  model.y = std::move(y);
  model.own_noise = std::move(own_noise);
  model.units = units;
  if (!has_grown) {
    model.whitened.resize(0);
    ++model.revision;
  }
  model.extend_whitened();
  model.rebuild_pending();
}

void GaussianProcess::clear() {
  impl_->x.resize(0, impl_->dimension);
  impl_->y.resize(0);
  impl_->own_noise.resize(0);
  impl_->units = {};
  impl_->gram = GramFactor();
  impl_->whitened.resize(0);
  ++impl_->revision;
  impl_->rebuild_pending();
}

void GaussianProcess::add_pending(const PointRef& point) {
  Impl& model = *impl_;
  model.require_points("GaussianProcess::add_pending", "point", point);
  Points points = model.points();
  CholeskyFactor factor = model.factor();
  if (append_point(factor, *model.kernel, points, point, model.pending_noise())) {
    points = with_row(points, point);
  }
  model.pending = with_row(model.pending, point);
  model.all_points = std::move(points);
  model.all_factor = std::move(factor);
  ++model.pending_revision;
}

void GaussianProcess::clear_pending() {
  if (!impl_->has_pending()) return;
  impl_->pending.resize(0, impl_->dimension);
  impl_->rebuild_pending();
}

FitReport GaussianProcess::fit(Rng& rng) {
  const FitOptions& options = impl_->options.fit;
  const ModelParameters before = impl_->parameters();
  const double likelihood_before = log_likelihood();
  const ScaledValues scaled = impl_->scaled_values();
  FitResult result = fit_parameters({impl_->x, scaled.y, scaled.own_noise},
                                    *impl_->kernel,
                                    options.warm_start ? before : impl_->configured,
                                    options,
                                    rng);
  if (result.report.status != Status::kNotRun) {
    try {
      impl_->set_parameters(result.parameters);
    } catch (const InvalidArgument&) {  // all or nothing: the parameters in force stay
      result.report.status = Status::kFellBack;
    }
    const double density_before = likelihood_before + result.start_log_prior;
    if (options.method == FitMethod::kLbfgs && options.warm_start && !result.is_start_clipped &&
        log_likelihood() + result.log_prior < density_before) {
      impl_->set_parameters(before);
      result.report.status = Status::kRoundingLimited;
    }
  }
  result.report.log_likelihood = log_likelihood();
  return result.report;
}

std::vector<FitBound> GaussianProcess::fit_bounds() const {
  const std::vector<Hyperparameter> names = hyperparameters();
  const ScaledValues scaled = impl_->scaled_values();
  const std::vector<ParameterRange> ranges =
      effective_bounds({impl_->x, scaled.y, scaled.own_noise},
                       *impl_->kernel,
                       impl_->parameters(),
                       impl_->options.fit);
  const Vector units = impl_->kernel_units();
  std::vector<FitBound> result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Index position = static_cast<Index>(i);
    ParameterRange range = ranges[i];
    const double unit = position < units.size() ? units(position) : impl_->units.scale;
    range.lower *= unit;
    range.upper *= unit;
    if (names[i].name == "mean") {
      range.lower += impl_->units.shift;
      range.upper += impl_->units.shift;
    }
    result.push_back({names[i].name, range});
  }
  return result;
}

std::vector<Hyperparameter> GaussianProcess::hyperparameters() const {
  std::vector<Hyperparameter> result;
  const Vector values = impl_->kernel->scaled_parameters(impl_->units.scale);
  Index i = 0;
  for (std::string& name : impl_->kernel->parameter_names()) {
    result.push_back({std::move(name), values(i++)});
  }
  result.push_back({"mean", prior_mean()});
  result.push_back({"noise_stddev", noise_stddev()});
  return result;
}

void GaussianProcess::set_hyperparameters(const std::vector<Hyperparameter>& values) {
  const char* where = "GaussianProcess::set_hyperparameters";
  const std::vector<std::string> names = impl_->kernel->parameter_names();
  const Vector kernel_units = impl_->kernel_units();
  const ValueUnits& units = impl_->units;
  ModelParameters parameters = impl_->parameters();
  for (const Hyperparameter& given : values) {
    const auto found = std::find(names.begin(), names.end(), given.name);
    if (found != names.end()) {
      const Index position = found - names.begin();
      parameters.kernel(position) = given.value / kernel_units(position);
    } else if (given.name == "mean") {
      require_in_range(where, "mean", given.value, -kLargestHyperparameter);
      parameters.mean = (given.value - units.shift) / units.scale;
    } else if (given.name == "noise_stddev") {
      require_in_range(where, "noise_stddev", given.value, 0.0);
      parameters.noise_stddev = given.value / units.scale;
      require_in_range(where, "noise_stddev in units of the model", parameters.noise_stddev, 0.0);
    } else {
      fail(where,
           "unknown hyper-parameter \"" + given.name + "\"; known: " + join_names(*impl_->kernel));
    }
  }
  impl_->set_parameters(parameters);
}

Vector GaussianProcess::exact_parameters() const {
  const Vector kernel = impl_->kernel->parameters();
  Vector exact(kernel.size() + 2);
  exact << kernel, impl_->mean, impl_->noise_stddev;
  return exact;
}

void GaussianProcess::restore(const PointsRef& points,
                              const VectorRef& values,
                              const VectorRef& noise_stddev,
                              const VectorRef& exact) {
  const char* where = "GaussianProcess::restore";
  Impl& model = *impl_;
  const Index kernel = model.kernel->parameters().size();
  const Index before = model.y.size();
  const Index t = values.size();
  model.require_points(where, "points", points);
  require_same_size(where, "points", points.rows(), "values", t);
  require_same_size(where, "noise_stddev", noise_stddev.size(), "values", t);
  require_same_size(where, "exact", exact.size(), "the parameters of this model", kernel + 2);
  require_in_range(where, "mean", exact(kernel), -kLargestHyperparameter);
  require_in_range(where, "noise_stddev", exact(kernel + 1), 0.0);
  for (Index i = 0; i < t; ++i) {
    require_in_range(where, "value", values(i), -kLargestHyperparameter);
    if (!std::isnan(noise_stddev(i))) {
      require_in_range(where, "noise_stddev", noise_stddev(i), 0.0);
    }
  }
  model.x.conservativeResize(before + t, model.dimension);
  model.x.bottomRows(t) = points;
  model.y.conservativeResize(before + t);
  model.y.tail(t) = values;
  model.own_noise.conservativeResize(before + t);
  model.own_noise.tail(t) = noise_stddev;
  model.units = model.units_of(model.y);
  model.set_parameters({exact.head(kernel), exact(kernel), exact(kernel + 1)});
}

double GaussianProcess::log_likelihood() const {
  const double n = static_cast<double>(impl_->y.size());
  if (n == 0.0) return 0.0;
  const double scale = impl_->units.scale;
  return -0.5 * (impl_->whitened / scale).squaredNorm() -
         0.5 * impl_->gram.cholesky().log_determinant() - n * std::log(scale) -
         0.5 * n * std::log(2.0 * std::numbers::pi);
}

std::vector<Hyperparameter> GaussianProcess::log_likelihood_gradient() const {
  const ScaledValues scaled = impl_->scaled_values();
  const Likelihood likelihood =
      log_marginal_likelihood(*impl_->kernel,
                              impl_->mean,
                              noise_of(scaled.own_noise, impl_->noise_stddev),
                              impl_->x,
                              scaled.y);
  std::vector<Hyperparameter> result;
  Index i = 0;
  for (std::string& name : impl_->kernel->parameter_names()) {
    result.push_back({std::move(name), likelihood.kernel_gradient(i++)});
  }
  result.push_back({"mean", likelihood.mean_gradient / impl_->units.scale});
  const auto has_model_noise = scaled.own_noise.array().isNaN();
  result.push_back({"noise_stddev",
                    has_model_noise.select(likelihood.log_noise_gradient_each.array(), 0.0).sum()});
  return result;
}

const GaussianVector& GaussianProcess::posterior(const Domain& domain) {
  Impl& model = *impl_;
  require_same_size("GaussianProcess::posterior",
                    "a candidate",
                    domain.dimension(),
                    "the dimension",
                    model.dimension);
  if (!model.posterior || model.posterior->domain().identity() != domain.identity()) {
    model.posterior.reset();  // before the new one is made: each may be large
    model.posterior = std::make_unique<DomainPosterior>(domain, model.options.memory_limit);
  }
  model.posterior->update({*model.kernel,
                           model.prior_mean(),
                           model.units.scale,
                           model.points(),
                           model.factor(),
                           model.whitened,
                           model.revision,
                           model.pending_revision});
  return *model.posterior;
}

Marginals GaussianProcess::predict(const PointsRef& points) const {
  impl_->require_points("GaussianProcess::predict", "points", points);
  const Index t = impl_->points().rows();
  const PackedTriangle factor(impl_->factor().lower());
  const Index width = PackedTriangle::strip_width();
  Marginals result{Vector::Constant(points.rows(), impl_->prior_mean()),
                   impl_->kernel->diagonal(points)};
  parallel_for(points.rows(), kStrips * width, [&](Index begin, Index end) {
    std::vector<double> strip(static_cast<std::size_t>(factor.strip_size()));
    std::vector<double> mean(static_cast<std::size_t>(width));
    std::vector<double> variance(mean.size());
    for (Index first = begin; first < end; first += width) {
      const Index present = std::min(width, end - first);
      Eigen::Map<Matrix> prior(strip.data(), width, factor.strip_rows());
      if (present < width) prior.setZero();
      impl_->kernel->write_matrix(
          points.middleRows(first, present), impl_->points(), prior.topLeftCorner(present, t));
      factor.solve_strip(strip);
      std::copy_n(&result.mean(first), present, mean.begin());
      std::copy_n(&result.stddev(first), present, variance.begin());
      factor.condition(strip, impl_->whitened, mean, variance);
      std::copy_n(mean.begin(), present, &result.mean(first));
      std::copy_n(variance.begin(), present, &result.stddev(first));
    }
  });
  require_no_overflow("GaussianProcess::predict", result.mean);
  require_no_overflow("GaussianProcess::predict", result.stddev);
  result.stddev = impl_->units.scale * result.stddev.cwiseMax(0.0).cwiseSqrt();
  return result;
}

Matrix GaussianProcess::covariance(const PointsRef& a, const PointsRef& b) const {
  const char* where = "GaussianProcess::covariance";
  impl_->require_points(where, "a", a);
  impl_->require_points(where, "b", b);
  require_memory(where, a.rows(), b.rows(), impl_->options.memory_limit);
  Matrix result = impl_->kernel->matrix(a, b);
  result.noalias() -= impl_->whitened_kernel(a).transpose() * impl_->whitened_kernel(b);
  require_no_overflow(where, result);
  return impl_->units.scale * impl_->units.scale * result;
}

Matrix GaussianProcess::sample(const PointsRef& points, Index m, Rng& rng) const {
  const char* where = "GaussianProcess::sample";
  const Index n = points.rows();
  if (m < 0) fail(where, "m is " + format_number(m) + "; it must be >= 0");
  impl_->require_points(where, "points", points);
  require_memory(where, n, n, impl_->options.memory_limit);
  Matrix result(n, m);
  if (result.size() == 0) return result;
  const Matrix rows = impl_->whitened_kernel(points);
  Matrix covariance = impl_->kernel->matrix(points);
  const double rounding = static_cast<double>(n + rows.rows()) *
                          std::numeric_limits<double>::epsilon() * covariance.diagonal().maxCoeff();
  if (rows.rows() > 0) {  // Eigen divides by this number
    covariance.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose(), -1.0);
  }
  require_no_overflow(where, covariance);
  const Matrix root = impl_->units.scale * root_above(covariance, rounding);
  const Vector mean = impl_->mean_from(rows);
  for (Index j = 0; j < m; ++j) result.col(j) = mean + root * draw_normals(rng, root.cols());
  return result;
}

PointGradient GaussianProcess::gradient(const PointRef& point) const {
  impl_->require_points("GaussianProcess::gradient", "point", point);
  // In one call: at the last of these points, k(x, x) and half of its derivative, by symmetry.
  const Points at = with_row(impl_->points(), point);
  const Index all = at.rows() - 1;
  const Index t = impl_->whitened.size();
  Vector values(at.rows());
  Points slope(at.rows(), impl_->dimension);
  impl_->kernel->write_input_gradient(point, at, values, slope);
  Vector row = values.head(all);
  impl_->factor().extend_solution(0, row);
  PointGradient result;
  result.mean = row.head(t).dot(impl_->whitened) + impl_->prior_mean();
  const double variance = values(all) - row.squaredNorm();
  require_no_overflow("GaussianProcess::gradient", Eigen::Vector2d(result.mean, variance));
  const double stddev = std::sqrt(std::max(variance, 0.0));
  result.stddev = impl_->units.scale * stddev;
  result.mean_gradient = impl_->coefficients().transpose() * slope.topRows(t);
  result.stddev_gradient = Point::Zero(impl_->dimension);
  if (stddev > 0.0) {
    impl_->factor().solve_upper_in_place(row);
    result.stddev_gradient =
        impl_->units.scale * (slope.row(all) - row.transpose() * slope.topRows(all)) / stddev;
  }
  return result;
}

}  // namespace pomlux
