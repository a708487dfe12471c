// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <pomlux/gp/likelihood.hpp>

#include "fit_cases.hpp"
#include "gp_cases.hpp"

namespace pomlux {
namespace {

using namespace test;
using nlohmann::json;

/// Likelihood of the model's parameters by the other implementation.
double recomputed(const GaussianProcess& gp, const Points& x, const Vector& y) {
  return log_marginal_likelihood(
             gp.kernel(), gp.prior_mean(), Vector::Constant(y.size(), gp.noise_stddev()), x, y)
      .value;
}

TEST_CASE("Twenty restarts find the oracle's optimum with ten of ten seeds", "[gp][fit]") {
  const json cases = load_oracle("gp.json")["fit"];  // named: the loop must not outlive it
  REQUIRE(cases.size() == 3);
  for (const json& row : cases) {
    CAPTURE(row["name"].get<std::string>());
    const Points x = to_points(row["X"]);
    const Vector y = to_vector(row["y"]);
    const double best = row["best_log_marginal_likelihood"].get<double>();
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      CAPTURE(seed);
      GaussianProcess gp(x.cols(),
                         make_isotropic(kernel_from_oracle(row["kernel"]), 1.0, 1.0),
                         {.fit = {.restarts = 20}});
      add_all(gp, x, y);
      Rng rng = make_stream(seed, "fit");
      const FitReport report = gp.fit(rng);
      CHECK(report.log_likelihood >= best - 1e-4);
      CHECK_THAT(report.log_likelihood, WithinAbs(recomputed(gp, x, y), 1e-8));
      CHECK(report.log_likelihood == gp.log_likelihood());
      CHECK(report.status == Status::kConverged);
      CHECK(report.starts == 23);  // configured, two derived, twenty drawn
      CHECK(is_inside(gp));
    }
  }
}

TEST_CASE("A fit without restarts finds the oracle's optima too", "[gp][fit]") {
  const json cases = load_oracle("gp.json")["fit"];  // named: the loop must not outlive it
  REQUIRE(cases.size() == 3);
  for (const json& row : cases) {
    CAPTURE(row["name"].get<std::string>());
    GaussianProcess gp(static_cast<Index>(row["X"][0].size()),
                       make_isotropic(kernel_from_oracle(row["kernel"]), 1.0, 1.0));
    add_all(gp, to_points(row["X"]), to_vector(row["y"]));
    Rng rng = make_stream(0, "fit");
    const Rng untouched = rng;
    CHECK(gp.fit(rng).log_likelihood >= row["best_log_marginal_likelihood"].get<double>() - 1e-4);
    CHECK(rng == untouched);
  }
}

TEST_CASE("More restarts never give a lower likelihood, and ten find the better of two optima",
          "[gp][fit]") {
  const Points x = line({.05, .2, .3, .45, .6, .75, .95});
  const Vector y = column({.3, -.9, -.5, .9, .2, -1.1, .4});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    double last = -INFINITY;
    for (const int restarts : {0, 1, 3, 10, 12}) {
      FitOptions options{.parameters = {"length_scale", "amplitude", "noise_stddev"},
                         .restarts = restarts,
                         .noise_stddev = {.lower = 1e-3}};
      GaussianProcess gp(1,
                         make_isotropic(KernelType::kSquaredExponential, 1.0, 1.0),
                         {.noise_stddev = 0.1, .fit = options});
      add_all(gp, x, y);
      Rng rng = make_stream(seed, "fit");
      const double value = gp.fit(rng).log_likelihood;
      CHECK(value >= last);
      last = value;
      if (restarts >= 10) CHECK(value >= -7.1900);
      CHECK(gp.noise_stddev() >= 1e-3);
      CHECK(hyperparameter(gp, "mean") == 0.0);
    }
  }
}

TEST_CASE("Repeated readings give the noise", "[gp][fit]") {
  GaussianProcess gp(1, make_isotropic(KernelType::kMatern52, 1.0, 1.0));
  add_all(gp,
          line({0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}),
          column({1.0, 1.2, 0.8, 1.0, 3.1, 2.9, 3.0, 3.0, 2.1, 1.9, 2.2, 1.8}));
  Rng rng = make_stream(0, "fit");
  (void)gp.fit(rng);
  CHECK_THAT(gp.noise_stddev() * gp.noise_stddev(), WithinAbs(0.022, 0.004));
  CHECK_THAT(gp.prior_mean(), WithinAbs(2.0, 0.1));
}

TEST_CASE("Only the named parameters move", "[gp][fit]") {
  Rng data = make_stream(31, "subset");
  const Points x = random_points(15, 2, data);
  const Vector y = (3.0 * x.col(0)).array().sin().matrix();
  const std::vector<std::string> names = {
      "length_scale_0", "length_scale_1", "amplitude", "mean", "noise_stddev"};
  const std::vector<std::vector<std::string>> subsets = {
      {}, {"mean"}, {"noise_stddev"}, {"length_scale"}, {"length_scale_1", "amplitude"}};
  for (const std::vector<std::string>& subset : subsets) {
    GaussianProcess gp(2,
                       make_kernel(KernelType::kMatern52, Eigen::Vector2d(0.3, 0.6), 1.5),
                       {.mean = 0.2, .noise_stddev = 0.3, .fit = {.parameters = subset}});
    add_all(gp, x, y);
    const std::vector<Hyperparameter> before = gp.hyperparameters();
    const double likelihood = gp.log_likelihood();
    Rng rng = make_stream(0, "fit");
    const FitReport report = gp.fit(rng);
    CHECK((report.status == Status::kNotRun) == subset.empty());
    CHECK((report.log_likelihood > likelihood) == !subset.empty());
    for (std::size_t i = 0; i < names.size(); ++i) {
      CAPTURE(subset, names[i]);
      const bool is_free = std::count(subset.begin(), subset.end(), names[i]) > 0 ||
                           (i < 2 && std::count(subset.begin(), subset.end(), "length_scale") > 0);
      CHECK((gp.hyperparameters()[i].value != before[i].value) == is_free);
    }
  }
}

TEST_CASE("Own noise is not fitted", "[gp][fit]") {
  Rng data = make_stream(32, "own");
  const Points x = random_points(12, 1, data);
  const Vector y = (3.0 * x.col(0)).array().sin().matrix();
  GaussianProcess gp(1, make_isotropic(KernelType::kMatern52, 0.5, 1.0), {.noise_stddev = 0.3});
  for (Index i = 0; i < 12; ++i) gp.add(x.row(i), y(i), 0.05);
  Rng rng = make_stream(0, "fit");
  (void)gp.fit(rng);
  CHECK(gp.noise_stddev() == 0.3);
  CHECK(range_in_force(gp, "noise_stddev").lower == 0.3);
  gp.add(Point::Constant(1, 0.0), 0.1);
  (void)gp.fit(rng);
  CHECK(gp.noise_stddev() != 0.3);
}

TEST_CASE("The bounds in force follow the data and the user's ranges", "[gp][fit][bounds]") {
  GaussianProcess gp(1, make_isotropic(KernelType::kMatern52, 1.0, 1.0));
  CHECK(range_in_force(gp, "amplitude").lower == 1.0);  // nothing to say yet: the value itself
  add_all(gp, line({0, 1}), column({-3, 3}));           // standard deviation 3
  CHECK_THAT(range_in_force(gp, "noise_stddev").lower, WithinRel(3e-4, 1e-12));
  CHECK_THAT(range_in_force(gp, "noise_stddev").upper, WithinRel(300.0, 1e-12));
  CHECK_THAT(range_in_force(gp, "amplitude").lower, WithinRel(3e-3, 1e-12));
  CHECK_THAT(range_in_force(gp, "length_scale").upper, WithinRel(1e3, 1e-12));
  CHECK(range_in_force(gp, "mean").lower == -INFINITY);

  FitOptions options;
  options.length_scale = {0.25, 0.5};
  options.amplitude = {.lower = 1e5};
  options.noise_stddev = {1e-9, 1e-8};
  GaussianProcess narrow(1, make_isotropic(KernelType::kMatern52, 1.0, 1.0), {.fit = options});
  add_all(narrow, line({0, 0.4, 1}), column({-3, 1, 3}));
  CHECK(range_in_force(narrow, "length_scale").lower == 0.25);
  CHECK(range_in_force(narrow, "length_scale").upper == 0.5);
  CHECK(range_in_force(narrow, "amplitude").lower == 1e5);
  CHECK(range_in_force(narrow, "amplitude").upper == 1e5);
  CHECK(range_in_force(narrow, "noise_stddev").upper == 1e-8);
  Rng rng = make_stream(0, "fit");
  (void)narrow.fit(rng);
  CHECK(is_inside(narrow));
  CHECK(hyperparameter(narrow, "length_scale") <= 0.5);
  CHECK(hyperparameter(narrow, "amplitude") == 1e5);
}

TEST_CASE("A warm start goes on from the last fit, a cold one from the constructor's values",
          "[gp][fit]") {
  Rng data = make_stream(33, "warm");
  const Points x = random_points(60, 1, data);
  const Vector y = (5.0 * x.col(0)).array().sin().matrix() + 0.1 * draw_normals(data, 60);
  for (const bool is_warm : {true, false}) {
    CAPTURE(is_warm);
    GaussianProcess gp(
        1, make_isotropic(KernelType::kMatern52, 1.0, 1.0), {.fit = {.warm_start = is_warm}});
    add_all(gp, x, y);
    Rng rng = make_stream(0, "fit");
    const FitReport first = gp.fit(rng);
    const FitReport second = gp.fit(rng);
    CHECK(first.starts == 1);  // more than fifty observations and a good end
    CHECK_THAT(second.log_likelihood, WithinAbs(first.log_likelihood, 1e-6));
    CHECK((second.evaluations < first.evaluations / 2) == is_warm);
  }
}

TEST_CASE("The linear kernel is fitted, with and without offset", "[gp][fit]") {
  Rng data = make_stream(36, "linear");
  const Points x = random_points(30, 3, data);
  const Vector y = 1e4 * (x * Eigen::Vector3d(1.0, -2.0, 0.5) + 0.1 * draw_normals(data, 30));
  for (const double offset : {0.0, 1.0}) {
    GaussianProcess gp(3, make_isotropic(KernelType::kLinear, 1.0, offset));
    add_all(gp, x, y);
    Rng rng = make_stream(0, "fit");
    CHECK(gp.fit(rng).status == Status::kConverged);
    CHECK_THAT(gp.noise_stddev(), WithinRel(1e3, 0.35));
    CHECK((hyperparameter(gp, "amplitude") == 0.0) == (offset == 0.0));
    CHECK((gp.predict(x).mean - y).cwiseAbs().maxCoeff() <= 5e3);
  }
}

TEST_CASE("One length scale per dimension finds the axis that does not matter", "[gp][fit]") {
  Rng data = make_stream(37, "ard");
  Points x = random_points(40, 2, data);
  x.col(1) *= 100.0;
  const Vector y = (3.0 * x.col(0)).array().sin().matrix() + 0.05 * draw_normals(data, 40);
  GaussianProcess gp(2, make_kernel(KernelType::kMatern52, Eigen::Vector2d(1, 1), 1.0));
  add_all(gp, x, y);
  Rng rng = make_stream(0, "fit");
  (void)gp.fit(rng);
  CHECK(hyperparameter(gp, "length_scale_0") < 3.0);
  CHECK(hyperparameter(gp, "length_scale_1") > 1000.0);
}

}  // namespace
}  // namespace pomlux
