// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/gp/gaussian_process.hpp>

#include "fit_cases.hpp"
#include "gp_cases.hpp"

namespace pomlux {
namespace {

using namespace test;

TEST_CASE("A fit never fails, whatever the start", "[gp][fit]") {
  struct Case {
    std::string name;
    Points x;
    Vector y;
  };
  Points smooth_x(40, 1);
  Vector smooth_y(40);
  for (Index i = 0; i < 40; ++i) {
    smooth_x(i, 0) = static_cast<double>(i) / 39.0;
    smooth_y(i) = std::sin(3.0 * smooth_x(i, 0));
  }
  const std::vector<Case> cases = {{"constant", line({0, 0.5, 1}), column({2, 2, 2})},
                                   {"too smooth", smooth_x, smooth_y},
                                   {"two points", line({0, 1}), column({0, 1})},
                                   {"tiny", line({0, 0.5, 1}), column({1e-12, 2e-12, 3e-12})},
                                   {"huge", line({0, 0.5, 1}), column({1e99, -1e99, 0})},
                                   {"one place", line({0.5, 0.5, 0.5}), column({1, 2, 4})},
                                   {"single", line({0.5}), column({-7})},
                                   {"far", line({1e200, -1e200, 0}), column({1, 2, 4})},
                                   {"zero", line({0, 0.5, 1}), column({0, 0, 0})}};
  for (const Case& data : cases) {
    for (const KernelType type : {KernelType::kSquaredExponential, KernelType::kMatern52}) {
      for (const double length : {1e-6, 1.0, 1e6}) {
        for (const double noise : {0.1, 0.0}) {
          CAPTURE(data.name, to_string(type), length, noise);
          GaussianProcess gp(1, make_isotropic(type, length, 1.0), {.noise_stddev = noise});
          add_all(gp, data.x, data.y);
          const std::vector<FitBound> bounds = gp.fit_bounds();
          const double before = gp.log_likelihood();
          Rng rng = make_stream(0, "fit");
          const FitReport report = gp.fit(rng);
          CHECK(std::isfinite(report.log_likelihood));
          CHECK(report.status != Status::kNotRun);
          CHECK(is_inside(gp));
          if (noise > 0.0) {
            CHECK(is_positive(gp));
            CHECK(report.log_likelihood >= before);
          }
          const Marginals at = gp.predict(data.x);
          CHECK(at.mean.allFinite());
          CHECK(at.stddev.allFinite());
        }
      }
    }
  }
}

TEST_CASE("Equal values move the mean alone", "[gp][fit][degenerate]") {
  GaussianProcess gp(1, make_isotropic(KernelType::kMatern52, 0.3, 1.0), {.noise_stddev = 0.1});
  add_all(gp, line({0, 0.5, 1}), column({2, 2, 2}));
  Rng rng = make_stream(0, "fit");
  const FitReport report = gp.fit(rng);
  CHECK(report.status == Status::kConverged);
  CHECK(report.starts == 0);
  CHECK(hyperparameter(gp, "length_scale") == 0.3);
  const Marginals at = gp.predict(line({0.0, 0.2, 0.77, 1.0}));
  CHECK((at.mean.array() - 2.0).abs().maxCoeff() <= 1e-12);
  CHECK((at.stddev.array() > 0.0).all());

  GaussianProcess one(1, make_isotropic(KernelType::kMatern52, 0.3, 1.0), {.noise_stddev = 0.1});
  one.add(Point::Constant(1, 0.5), -7.0);
  CHECK(one.fit(rng).status == Status::kConverged);
  CHECK_THAT(one.predict(line({0.5})).mean(0), WithinAbs(-7.0, 1e-12));
}

TEST_CASE("One observation and a fixed mean fit the amplitude", "[gp][fit][degenerate]") {
  GaussianProcess gp(1,
                     make_isotropic(KernelType::kMatern52, 0.3, 1.0),
                     {.noise_stddev = 0.1, .fit = {.parameters = {"length_scale", "amplitude"}}});
  gp.add(Point::Constant(1, 0.5), -7.0);
  Rng rng = make_stream(0, "fit");
  (void)gp.fit(rng);
  // amplitude² + noise² = y² is the maximum
  CHECK_THAT(hyperparameter(gp, "amplitude"), WithinAbs(std::sqrt(49.0 - 0.01), 1e-4));
  CHECK(hyperparameter(gp, "length_scale") == 0.3);
}

TEST_CASE("The fit is the same in any units of the values", "[gp][fit][units]") {
  Rng data = make_stream(30, "units");
  const Points x = random_points(15, 2, data);
  const Vector y = (3.0 * x.col(0)).array().sin().matrix() + 0.1 * draw_normals(data, 15);
  struct Units {
    double factor, offset;
  };
  std::vector<std::vector<Hyperparameter>> fitted;
  const std::vector<Units> all = {{1.0, 0.0}, {1e9, 0.0}, {1e-9, 0.0}, {1.0, 1e6}};
  for (const Units& units : all) {
    GaussianProcess gp(2, make_isotropic(KernelType::kMatern52, 1.0, 1.0));
    add_all(gp, x, (y * units.factor).array() + units.offset);
    Rng rng = make_stream(0, "fit");
    (void)gp.fit(rng);
    fitted.push_back(gp.hyperparameters());
  }
  for (std::size_t i = 1; i < all.size(); ++i) {
    CAPTURE(all[i].factor, all[i].offset);
    CHECK_THAT(fitted[i][0].value, WithinRel(fitted[0][0].value, 1e-3));
    CHECK_THAT(fitted[i][1].value / all[i].factor, WithinRel(fitted[0][1].value, 1e-3));
    CHECK_THAT((fitted[i][2].value - all[i].offset) / all[i].factor,
               WithinAbs(fitted[0][2].value, 1e-3));
    CHECK_THAT(fitted[i][3].value / all[i].factor, WithinRel(fitted[0][3].value, 1e-3));
  }
}

TEST_CASE("The fit with one length scale per dimension is the same in any units of the inputs",
          "[gp][fit][units]") {
  Rng data = make_stream(39, "units");
  const Points x = random_points(15, 2, data);
  const Vector y =
      (3.0 * x.col(0)).array().sin().matrix() - x.col(1) + 0.1 * draw_normals(data, 15);
  const auto fit = [&](double factor) {
    GaussianProcess gp(2, make_kernel(KernelType::kMatern52, Eigen::Vector2d(1, 1), 1.0));
    Points scaled = x;
    scaled.col(1) *= factor;
    add_all(gp, scaled, y);
    Rng rng = make_stream(0, "fit");
    (void)gp.fit(rng);
    return gp.hyperparameters();
  };
  const std::vector<Hyperparameter> expected = fit(1.0);
  for (const double factor : {1e-7, 1e5}) {
    CAPTURE(factor);
    const std::vector<Hyperparameter> fitted = fit(factor);
    CHECK_THAT(fitted[0].value, WithinRel(expected[0].value, 1e-3));
    CHECK_THAT(fitted[1].value / factor, WithinRel(expected[1].value, 1e-3));
    CHECK_THAT(fitted[2].value, WithinRel(expected[2].value, 1e-3));
  }
}

TEST_CASE("A fit that ends in white noise tries again from the data's scale", "[gp][fit]") {
  Rng data = make_stream(34, "trap");
  const Points x = random_points(60, 1, data);
  const Vector y = (5.0 * x.col(0)).array().sin().matrix() + 0.05 * draw_normals(data, 60);
  GaussianProcess good(1, make_isotropic(KernelType::kMatern52, 0.5, 1.0));
  add_all(good, x, y);
  Rng rng = make_stream(0, "fit");
  const double best = good.fit(rng).log_likelihood;
  // Within the bounds, but so short that the likelihood is flat; so long that all is one constant.
  for (const double length : {range_in_force(good, "length_scale").lower * 1.01, 1500.0}) {
    CAPTURE(length);
    GaussianProcess gp(
        1, make_isotropic(KernelType::kMatern52, length, 0.1), {.noise_stddev = 0.7});
    add_all(gp, x, y);
    CHECK_THAT(gp.fit(rng).log_likelihood, WithinAbs(best, 1e-4));
  }
}

TEST_CASE("The fit of pure noise ends and keeps its likelihood", "[gp][fit]") {
  Rng data = make_stream(35, "noise");
  const Points x = random_points(40, 2, data);
  const Vector y = draw_normals(data, 40);
  GaussianProcess gp(2, make_isotropic(KernelType::kMatern52, 1.0, 1.0));
  add_all(gp, x, y);
  Rng rng = make_stream(0, "fit");
  const double first = gp.fit(rng).log_likelihood;
  CHECK(gp.fit(rng).log_likelihood >= first);
  CHECK(is_inside(gp));
}

TEST_CASE("A fit has the same bits on any number of threads", "[gp][determinism]") {
  Rng data = make_stream(38, "threads");
  const Points x = random_points(25, 2, data);
  const Vector y = draw_normals(data, 25);
  const auto run = [&](int threads) {
    GaussianProcess gp(
        2, make_isotropic(KernelType::kMatern52, 1.0, 1.0), {.fit = {.restarts = 4}});
    add_all(gp, x, y);
    Rng rng = make_stream(0, "fit");
    with_threads(threads, [&] { (void)gp.fit(rng); });
    Vector result(4);
    for (Index i = 0; i < 4; ++i)
      result(i) = gp.hyperparameters()[static_cast<std::size_t>(i)].value;
    return result;
  };
  const Vector one = run(1);
  CHECK(same_bits(one, run(2)));
  CHECK(same_bits(one, run(8)));
}

TEST_CASE("A fit without observations does nothing", "[gp][fit]") {
  GaussianProcess gp(1, make_isotropic(KernelType::kMatern52, 0.7, 1.0));
  Rng rng = make_stream(0, "fit");
  const FitReport report = gp.fit(rng);
  CHECK(report.status == Status::kNotRun);
  CHECK(report.log_likelihood == 0.0);
  CHECK(hyperparameter(gp, "length_scale") == 0.7);
}

}  // namespace
}  // namespace pomlux
