// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/gaussian_process.hpp>

#include "fit_cases.hpp"
#include "gp_cases.hpp"

namespace pomlux {
namespace {

using namespace test;

Points noisy_points(Index n, Index d) {
  Rng rng = make_stream(7, "prior_points");
  return random_points(n, d, rng);
}

Vector wave_at(const Points& x) {
  Rng rng = make_stream(7, "prior_noise");
  Vector y(x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    y(i) = std::sin(4.0 * x(i, 0)) + 0.3 * x.row(i).sum() + 0.1 * draw_normal(rng);
  }
  return y;
}

GaussianProcess fitted(const FitOptions& fit, const Points& x, const Vector& y, Index lengths = 1) {
  GaussianProcessOptions options;
  options.noise_stddev = 0.1;
  options.fit = fit;
  GaussianProcess gp(
      x.cols(), make_kernel(KernelType::kMatern52, Vector::Constant(lengths, 0.5), 1.0), options);
  add_all(gp, x, y);
  Rng rng = make_stream(0, "fit");
  const Status status = gp.fit(rng).status;  // a narrow prior may end in a failed line search
  CHECK(status != Status::kFellBack);
  CHECK(status != Status::kNotRun);
  return gp;
}

/// d / d log p of a prior's log density.
double slope_of(const LogNormalPrior& prior, double value) {
  return -std::log(value / prior.median) / (prior.log_stddev * prior.log_stddev);
}

TEST_CASE("With priors the density of the posterior is stationary", "[gp][fit][prior]") {
  const Points x = noisy_points(25, 2);
  const Vector y = wave_at(x);
  FitOptions options;
  options.length_scale_prior = LogNormalPrior{2.0, 0.3};
  options.amplitude_prior = LogNormalPrior{0.5, 0.7};
  options.noise_stddev_prior = LogNormalPrior{0.02, 1.0};
  const GaussianProcess gp = fitted(options, x, y);
  const std::vector<LogNormalPrior> priors{
      *options.length_scale_prior, *options.amplitude_prior, *options.noise_stddev_prior};
  const std::vector<std::string> names{"length_scale", "amplitude", "noise_stddev"};
  for (const Hyperparameter& slope : gp.log_likelihood_gradient()) {
    if (slope.name == "mean") continue;
    CAPTURE(slope.name);
    const auto at =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), slope.name) - names.begin());
    CHECK_THAT(slope.value + slope_of(priors[at], hyperparameter(gp, slope.name)),
               WithinAbs(0.0, 1e-3));
  }
  // They matter: the maximum-likelihood length scale is another one.
  const double free = hyperparameter(fitted({}, x, y), "length_scale");
  CHECK(std::abs(std::log(hyperparameter(gp, "length_scale") / free)) > 0.05);
}

TEST_CASE("A narrow prior decides, a wide one leaves the likelihood its way", "[gp][fit][prior]") {
  const Points x = noisy_points(25, 2);
  const Vector y = wave_at(x);
  FitOptions narrow;
  narrow.length_scale_prior = LogNormalPrior{3.0, 1e-2};
  CHECK_THAT(hyperparameter(fitted(narrow, x, y), "length_scale"), WithinRel(3.0, 1e-2));
  FitOptions wide;
  wide.length_scale_prior = LogNormalPrior{3.0, 1e4};
  CHECK_THAT(hyperparameter(fitted(wide, x, y), "length_scale"),
             WithinRel(hyperparameter(fitted({}, x, y), "length_scale"), 1e-3));
}

TEST_CASE("Default priors follow the units of the data", "[gp][fit][prior]") {
  const Points x = noisy_points(12, 2);
  const Vector y = wave_at(x);
  FitOptions options;
  options.default_priors = DefaultPriors::kFromData;
  const GaussianProcess base = fitted(options, x, y, 2);
  const GaussianProcess scaled = fitted(options, 100.0 * x, 1e4 * y, 2);
  for (const std::string name : {"length_scale_0", "length_scale_1"}) {
    CHECK_THAT(hyperparameter(scaled, name), WithinRel(100.0 * hyperparameter(base, name), 1e-2));
  }
  CHECK_THAT(hyperparameter(scaled, "amplitude"),
             WithinRel(1e4 * hyperparameter(base, "amplitude"), 1e-2));
}

TEST_CASE("Default priors are what they are said to be", "[gp][fit][prior]") {
  const Points x = noisy_points(12, 2);
  const Vector y = wave_at(x);
  FitOptions options;
  options.default_priors = DefaultPriors::kFromData;
  const GaussianProcess gp = fitted(options, x, y);
  const double spread = std::sqrt((y.array() - y.mean()).square().mean());
  const double diagonal = (x.colwise().maxCoeff() - x.colwise().minCoeff()).norm();
  const auto is_stationary = [&](const std::string& name, const LogNormalPrior& prior) {
    for (const Hyperparameter& slope : gp.log_likelihood_gradient()) {
      if (slope.name != name) continue;
      return std::abs(slope.value + slope_of(prior, hyperparameter(gp, name))) < 1e-3;
    }
    return false;
  };
  CHECK(is_stationary("length_scale", {0.4 * diagonal, 1.0}));
  CHECK(is_stationary("amplitude", {spread, 1.0}));
  CHECK(is_stationary("noise_stddev", {0.05 * spread, 1.5}));
}

TEST_CASE("Default priors keep hyper-parameters of few observations ordinary", "[gp][fit][prior]") {
  FitOptions options;
  options.default_priors = DefaultPriors::kFromData;
  const GaussianProcess gp = fitted(options, line({0.0, 1.0}), column({0.0, 1.0}));
  CHECK(hyperparameter(gp, "length_scale") > 0.05);
  CHECK(hyperparameter(gp, "length_scale") < 5.0);
  CHECK(hyperparameter(gp, "noise_stddev") < 0.5);
  CHECK(is_inside(gp));
}

TEST_CASE("Given ranges and priors go beyond what the data suggest", "[gp][fit][prior]") {
  const Points x = line({0, 1, 2, 3});
  const Vector y = column({0.3, 1.0, -0.5, 0.4});
  FitOptions options;
  options.length_scale = {0.01, 10.0};
  options.length_scale_prior = LogNormalPrior{0.03, 0.1};
  CHECK_THAT(hyperparameter(fitted(options, x, y), "length_scale"), WithinRel(0.03, 0.05));
  options.length_scale = {};
  CHECK_THAT(hyperparameter(fitted(options, x, y), "length_scale"), WithinRel(0.03, 0.05));
  FitOptions large;
  large.amplitude_prior = LogNormalPrior{5000.0, 0.01};
  CHECK_THAT(hyperparameter(fitted(large, x, y), "amplitude"), WithinRel(5000.0, 0.02));
  CHECK_THAT(range_in_force(fitted(large, x, y), "amplitude").upper,
             WithinRel(5000.0 * std::exp(5.0 * 0.01), 1e-12));
  FitOptions wide;
  wide.amplitude = {1.0, 1e7};
  const ParameterRange bounds = range_in_force(fitted(wide, x, y), "amplitude");
  CHECK(bounds.lower == 1.0);
  CHECK(bounds.upper == 1e7);
}

TEST_CASE("Priors decide where all values are equal", "[gp][fit][prior]") {
  FitOptions options;
  options.length_scale_prior = LogNormalPrior{0.9, 0.01};
  options.amplitude_prior = LogNormalPrior{3.0, 0.01};
  options.noise_stddev_prior = LogNormalPrior{0.5, 0.01};
  const GaussianProcess gp = fitted(options, line({0, 0.5, 1}), column({2, 2, 2}));
  CHECK_THAT(hyperparameter(gp, "length_scale"), WithinRel(0.9, 0.05));
  CHECK_THAT(hyperparameter(gp, "amplitude"), WithinRel(3.0, 0.05));
  CHECK_THAT(hyperparameter(gp, "noise_stddev"), WithinRel(0.5, 0.05));
  CHECK_THAT(hyperparameter(gp, "mean"), WithinAbs(2.0, 1e-12));
}

TEST_CASE("Priors out of range are refused by name", "[gp][fit][prior]") {
  FitOptions options;
  options.amplitude_prior = LogNormalPrior{0.0, 1.0};
  CHECK(mentions(refusal([&] { validate(options); }), {"amplitude_prior.median", "0"}));
  options.amplitude_prior = LogNormalPrior{1.0, -1.0};
  CHECK(mentions(refusal([&] { validate(options); }), {"amplitude_prior.log_stddev", "-1"}));
}

TEST_CASE("Tied length scales keep their ratios", "[gp][fit]") {
  const Points x = noisy_points(30, 2);
  const Vector y = wave_at(x);
  const Eigen::RowVector2d stretch(0.01, 100.0);
  const Points stretched = x.array().rowwise() * stretch.array();
  FitOptions options;
  options.ties_length_scales = true;
  GaussianProcess gp(2,
                     make_kernel(KernelType::kMatern52, Eigen::Vector2d(0.01, 100.0), 1.0),
                     {.noise_stddev = 0.1, .fit = options});
  add_all(gp, stretched, y);
  Rng rng = make_stream(0, "fit");
  for (int i = 0; i < 5; ++i) (void)gp.fit(rng);
  const double first = hyperparameter(gp, "length_scale_0");
  const double second = hyperparameter(gp, "length_scale_1");
  CHECK_THAT(second / first, WithinRel(1e4, 1e-12));
  CHECK(is_inside(gp));
  // The isotropic fit of the coordinates before they were stretched.
  const GaussianProcess plain = fitted({}, x, y);
  CHECK_THAT(first / 0.01, WithinRel(hyperparameter(plain, "length_scale"), 1e-2));
  CHECK_THAT(gp.log_likelihood(), WithinAbs(plain.log_likelihood(), 1e-4));
}

TEST_CASE("A sum of kernels is fitted by all its hyper-parameters", "[gp][fit]") {
  const Points x = noisy_points(40, 1);
  Vector y = wave_at(x);
  y += 30.0 * x.col(0);
  std::vector<std::unique_ptr<Kernel>> terms;
  terms.push_back(make_isotropic(KernelType::kLinear, 1.0, 1.0));
  terms.push_back(make_isotropic(KernelType::kMatern52, 0.5, 1.0));
  GaussianProcess gp(1, make_sum_kernel(std::move(terms)), {.noise_stddev = 0.1});
  add_all(gp, x, y);
  const double before = gp.log_likelihood();
  Rng rng = make_stream(0, "fit");
  const FitReport report = gp.fit(rng);
  CHECK(report.status == Status::kConverged);
  CHECK(report.log_likelihood > before);
  CHECK(is_inside(gp));
  // The slope of 30 leaves the range of the observations.
  const Marginals far = gp.predict(line({3.0}));
  CHECK(std::abs(far.mean(0) - 90.0) < 10.0);
}

}  // namespace
}  // namespace pomlux
