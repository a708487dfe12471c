// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/gaussian_process.hpp>

#include "gp_cases.hpp"

namespace pomlux {
namespace {

using namespace test;

const Points kX = line({0.0, 0.3, 0.5, 0.9, 1.4});
const Vector kY = column({120.0, 155.0, 90.0, 131.0, 144.0});

double spread_of(const Vector& y) { return std::sqrt((y.array() - y.mean()).square().mean()); }

GaussianProcess standardising(double noise) {
  GaussianProcessOptions options;
  options.noise_stddev = noise;
  options.standardizes = true;
  return {1, make_isotropic(KernelType::kMatern52, 0.4, 1.2), options};
}

/// The same model told in the user's units.
GaussianProcess in_user_units(double noise, const Vector& y) {
  const double spread = spread_of(y);
  return {1,
          make_isotropic(KernelType::kMatern52, 0.4, 1.2 * spread),
          {.mean = y.mean(), .noise_stddev = noise * spread}};
}

TEST_CASE("A standardising model answers in the user's units", "[gp][standardising]") {
  GaussianProcess gp = standardising(0.1);
  add_all(gp, kX, kY);
  GaussianProcess plain = in_user_units(0.1, kY);
  add_all(plain, kX, kY);
  const Domain domain(line({-0.2, 0.1, 0.5, 1.0, 2.0}));
  const double size = spread_of(kY);
  const auto check = [&](const Matrix& a, const Matrix& b, double unit) {
    CHECK((a - b).cwiseAbs().maxCoeff() <= 1e-12 * unit);
  };
  const Marginals predicted = gp.predict(domain.points());
  const Marginals expected = plain.predict(domain.points());
  check(predicted.mean, expected.mean, 100.0);
  check(predicted.stddev, expected.stddev, size);
  const GaussianVector& posterior = gp.posterior(domain);
  check(posterior.mean(), expected.mean, 100.0);
  check(posterior.stddev(), expected.stddev, size);
  const GaussianVector& reference = plain.posterior(domain);
  check(posterior.covariance_matrix(), reference.covariance_matrix(), size * size);
  check(posterior.covariance_column(1), reference.covariance_column(1), size * size);
  check(posterior.covariance_block(std::vector<Index>{0, 2}, std::vector<Index>{2, 3}),
        reference.covariance_block(std::vector<Index>{0, 2}, std::vector<Index>{2, 3}),
        size * size);
  CHECK_THAT(posterior.covariance(0, 1), WithinRel(reference.covariance(0, 1), 1e-10));
  check(gp.covariance(kX, kX), plain.covariance(kX, kX), size * size);
  Rng a = make_stream(0, "sample");
  Rng b = make_stream(0, "sample");
  check(gp.sample(domain.points(), 3, a), plain.sample(domain.points(), 3, b), 1e3);
  const PointGradient slope = gp.gradient(domain.point(1));
  const PointGradient expected_slope = plain.gradient(domain.point(1));
  check(slope.mean_gradient, expected_slope.mean_gradient, 1e3);
  check(slope.stddev_gradient, expected_slope.stddev_gradient, 1e3);
  CHECK_THAT(slope.stddev, WithinRel(expected_slope.stddev, 1e-12));
  CHECK_THAT(gp.log_likelihood(), WithinRel(plain.log_likelihood(), 1e-12));
  CHECK_THAT(gp.noise_stddev(), WithinRel(0.1 * size, 1e-12));
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(gp.hyperparameters()[i].name == plain.hyperparameters()[i].name);
    CHECK_THAT(gp.hyperparameters()[i].value, WithinRel(plain.hyperparameters()[i].value, 1e-12));
    CHECK_THAT(gp.log_likelihood_gradient()[i].value,
               WithinRel(plain.log_likelihood_gradient()[i].value, 1e-9));
  }
}

TEST_CASE("A posterior that grows while the units change is the posterior made anew",
          "[gp][standardising]") {
  const Domain domain(line({-0.2, 0.1, 0.5, 1.0, 2.0}));
  for (const bool has_own_noise : {false, true}) {
    CAPTURE(has_own_noise);
    GaussianProcess grown = standardising(0.1);
    const auto add = [&](GaussianProcess& gp, Index i) {
      std::optional<double> noise;
      if (has_own_noise && i % 2 == 0) noise = 4.0;
      gp.add(kX.row(i), kY(i), noise);
    };
    for (Index i = 0; i < kX.rows(); ++i) {
      add(grown, i);
      (void)grown.posterior(domain);
      if (i == 2) grown.add_pending(Point::Constant(1, 1.1));
    }
    GaussianProcess anew = standardising(0.1);
    for (Index i = 0; i < kX.rows(); ++i) add(anew, i);
    anew.add_pending(Point::Constant(1, 1.1));
    const GaussianVector& a = grown.posterior(domain);
    const GaussianVector& b = anew.posterior(domain);
    CHECK(same_bits(a.mean(), b.mean()));
    CHECK(same_bits(a.stddev(), b.stddev()));
    const std::unique_ptr<Surrogate> copy = grown.clone();
    CHECK(same_bits(copy->predict(kX).mean, grown.predict(kX).mean));
    grown.clear();
    CHECK(grown.predict(kX).mean.isZero());
    CHECK(grown.log_likelihood() == 0.0);
  }
}

TEST_CASE("Noise told with an observation is in the user's units", "[gp][standardising]") {
  GaussianProcess gp = standardising(0.1);
  GaussianProcess plain = in_user_units(0.1, kY);
  for (Index i = 0; i < kX.rows(); ++i) {
    gp.add(kX.row(i), kY(i), 7.5);
    plain.add(kX.row(i), kY(i), 7.5);
  }
  CHECK((gp.predict(kX).mean - plain.predict(kX).mean).cwiseAbs().maxCoeff() <= 1e-10);
  CHECK_THAT(gp.log_likelihood(), WithinRel(plain.log_likelihood(), 1e-12));
  CHECK(gp.log_likelihood_gradient().back().value == 0.0);  // no observation has the model's noise
}

TEST_CASE("Observations in other units give the same model in other units",
          "[gp][standardising][fit]") {
  const Points at = line({-0.2, 0.1, 0.7, 2.0});
  const auto fitted = [&](double factor, double offset) {
    GaussianProcess gp = standardising(0.1);
    add_all(gp, kX, (factor * kY).array() + offset);
    Rng rng = make_stream(0, "fit");
    CHECK(gp.fit(rng).status == Status::kConverged);
    return gp;
  };
  const GaussianProcess base = fitted(1.0, 0.0);
  const Marginals expected = base.predict(at);
  const double size = spread_of(kY);
  for (const double factor : {1e-9, 1e9}) {
    const Marginals scaled = fitted(factor, 0.0).predict(at);
    CHECK((scaled.mean / factor - expected.mean).cwiseAbs().maxCoeff() <= 1e-6 * size);
    CHECK((scaled.stddev / factor - expected.stddev).cwiseAbs().maxCoeff() <= 1e-6 * size);
  }
  const Marginals shifted = fitted(1.0, 1e6).predict(at);
  CHECK(((shifted.mean.array() - 1e6).matrix() - expected.mean).cwiseAbs().maxCoeff() <=
        1e-4 * size);
}

TEST_CASE("Equal or few observations keep the user's unit", "[gp][standardising][degenerate]") {
  GaussianProcess gp = standardising(0.1);
  CHECK(gp.predict(kX).mean.isZero());
  gp.add(Point::Constant(1, 0.5), -7.0);
  CHECK_THAT(gp.predict(line({0.5})).mean(0), WithinAbs(-7.0, 1e-12));
  CHECK_THAT(gp.noise_stddev(), WithinRel(0.1, 1e-12));
  gp.add(Point::Constant(1, 0.9), -7.0);
  const Marginals at = gp.predict(kX);
  CHECK((at.mean.array() + 7.0).abs().maxCoeff() <= 1e-12);
  CHECK((at.stddev.array() > 0.0).all());
  GaussianProcess huge = standardising(0.1);
  add_all(huge, line({0, 1, 2}), column({9e99, -9e99, 1e99}));
  CHECK(huge.predict(kX).mean.allFinite());
  CHECK(huge.predict(kX).stddev.allFinite());
}

TEST_CASE("Hyper-parameters of a standardising model can be set in the user's units",
          "[gp][standardising]") {
  GaussianProcess gp = standardising(0.1);
  add_all(gp, kX, kY);
  gp.set_hyperparameters({{"amplitude", 40.0}, {"mean", 100.0}, {"noise_stddev", 3.0}});
  GaussianProcess plain(
      1, make_isotropic(KernelType::kMatern52, 0.4, 40.0), {.mean = 100.0, .noise_stddev = 3.0});
  add_all(plain, kX, kY);
  CHECK((gp.predict(kX).mean - plain.predict(kX).mean).cwiseAbs().maxCoeff() <= 1e-11);
  CHECK_THAT(hyperparameter(gp, "amplitude"), WithinRel(40.0, 1e-14));
}

TEST_CASE("The gradient of the likelihood agrees with differences", "[gp][standardising]") {
  GaussianProcess gp = standardising(0.3);
  add_all(gp, kX, kY);
  const double step = 1e-5;
  for (const Hyperparameter& slope : gp.log_likelihood_gradient()) {
    CAPTURE(slope.name);
    const double value = hyperparameter(gp, slope.name);
    const bool is_mean = slope.name == "mean";
    const double up = is_mean ? value + step : value * std::exp(step);
    const double down = is_mean ? value - step : value * std::exp(-step);
    gp.set_hyperparameters({{slope.name, up}});
    const double above = gp.log_likelihood();
    gp.set_hyperparameters({{slope.name, down}});
    const double below = gp.log_likelihood();
    gp.set_hyperparameters({{slope.name, value}});
    CHECK_THAT(slope.value, WithinAbs((above - below) / (2.0 * step), 1e-7));
  }
}

TEST_CASE("Noise beyond the range of the model's units is refused", "[gp][standardising]") {
  GaussianProcess gp = standardising(0.1);
  gp.add(Point::Constant(1, 0.0), 0.0);
  gp.add(Point::Constant(1, 1.0), 1e-70);
  CHECK_THROWS_AS(gp.set_hyperparameters({{"noise_stddev", 1e90}}), InvalidArgument);
  GaussianProcess own = standardising(0.1);
  own.add(Point::Constant(1, 0.0), 0.0, 1e90);
  CHECK_THROWS_AS(own.add(Point::Constant(1, 1.0), 1e-70), InvalidArgument);
  CHECK(own.num_observations() == 1);
  own.add(Point::Constant(1, 1.0), 1.0);
  CHECK(own.predict(kX).mean.allFinite());
}

}  // namespace
}  // namespace pomlux
