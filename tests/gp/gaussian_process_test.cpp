// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/gp/gaussian_process.hpp>

#include "gp_cases.hpp"

namespace pomlux {
namespace {

using namespace test;
using nlohmann::json;

GaussianProcess gp_of_case(const json& row) {
  GaussianProcessOptions options;
  options.mean = row["mean"].get<double>();
  const bool has_own_noise = row["noise_std"].is_array();
  if (!has_own_noise) options.noise_stddev = row["noise_std"].get<double>();
  const Points x = to_points(row["X"]);
  GaussianProcess gp(x.cols(),
                     make_kernel(kernel_from_oracle(row["kernel"]),
                                 to_vector(row["length_scale"]),
                                 row["amplitude"].get<double>()),
                     options);
  const Vector y = to_vector(row["y"]);
  for (Index i = 0; i < x.rows(); ++i) {
    if (has_own_noise) {
      gp.add(x.row(i), y(i), to_vector(row["noise_std"])(i));
    } else {
      gp.add(x.row(i), y(i));
    }
  }
  return gp;
}

TEST_CASE("The posterior agrees with the high-precision oracle", "[gp][posterior]") {
  const json cases = load_oracle("gp.json")["regression"];  // named: the loop must not outlive it
  REQUIRE(cases.size() == 26);
  for (const json& row : cases) {
    CAPTURE(row["name"].get<std::string>());
    const GaussianProcess gp = gp_of_case(row);
    const Points at = to_points(row["X_test"]);
    const Marginals marginals = gp.predict(at);
    const Matrix covariance = gp.covariance(at, at);
    CHECK(marginals.mean.allFinite());
    CHECK((marginals.stddev.array() >= 0.0).all());
    if (!row["double_feasible"].get<bool>()) {
      CHECK(gp.jitter() > 0.0);
      continue;
    }
    const json& tolerance = row["tol"];
    CHECK((marginals.mean - to_vector(row["posterior_mean"])).cwiseAbs().maxCoeff() <=
          tolerance["mean"].get<double>());
    CHECK((marginals.stddev.cwiseAbs2() - to_vector(row["posterior_var"])).cwiseAbs().maxCoeff() <=
          tolerance["cov"].get<double>());
    CHECK((covariance - to_points(row["posterior_cov"])).cwiseAbs().maxCoeff() <=
          tolerance["cov"].get<double>());
    CHECK_THAT(
        gp.log_likelihood(),
        WithinAbs(row["log_marginal_likelihood"].get<double>(), tolerance["lml"].get<double>()));
  }
}

TEST_CASE("A small set has its known posterior for four kernels", "[gp][posterior]") {
  struct Case {
    KernelType type;
    double mean[3], variance[3];
  };
  const std::vector<Case> cases = {{KernelType::kSquaredExponential,
                                    {0.498900827, 0.658665991, 0.006345487},
                                    {0.011933000, 0.009505789, 0.999961559}},
                                   {KernelType::kMatern52,
                                    {0.465149862, 0.647522948, 0.007763041},
                                    {0.052532301, 0.046067413, 0.999690508}},
                                   {KernelType::kMatern32,
                                    {0.448783919, 0.605244203, 0.005468818},
                                    {0.105716100, 0.100644085, 0.999506023}},
                                   {KernelType::kMatern12,
                                    {0.381099448, 0.433677082, -0.003672728},
                                    {0.383607090, 0.383600059, 0.998739937}}};
  for (const Case& expected : cases) {
    CAPTURE(to_string(expected.type));
    GaussianProcess gp = make_gp(expected.type, 0.3, 0.1);
    add_all(gp, line({0, 0.25, 0.5, 0.75, 1}), column({0.1, 0.9, 0.2, -0.8, -0.1}));
    const Marginals result = gp.predict(line({0.1, 0.4, 2.0}));
    for (Index i = 0; i < 3; ++i) {
      CHECK_THAT(result.mean(i), WithinAbs(expected.mean[i], 1e-9));
      CHECK_THAT(result.stddev(i) * result.stddev(i), WithinAbs(expected.variance[i], 1e-9));
    }
  }
}

TEST_CASE("The linear kernel without offset has its known posterior", "[gp][posterior]") {
  GaussianProcess gp = make_gp(KernelType::kLinear, 1.0, 0.1, 0.0);
  add_all(gp, line({1, 2, 3}), column({1.1, 1.9, 3.2}));
  const Marginals result = gp.predict(line({4.0, 0.0}));
  CHECK_THAT(result.mean(0), WithinAbs(4.1399001, 1e-7));
  CHECK_THAT(result.stddev(0) * result.stddev(0), WithinAbs(0.0114204, 1e-7));
  CHECK(result.mean(1) == 0.0);
  CHECK(result.stddev(1) == 0.0);
}

TEST_CASE("Own noise replaces the model's for its observation", "[gp][posterior]") {
  GaussianProcess gp = make_gp(KernelType::kMatern52, 0.4, 0.5);
  gp.add(Point::Constant(1, 0.0), 1.0, 0.0);
  gp.add(Point::Constant(1, 5.0), 1.0);
  const Marginals result = gp.predict(line({0.0, 5.0}));
  CHECK_THAT(result.mean(0), WithinAbs(1.0, 1e-9));
  CHECK_THAT(result.mean(1), WithinAbs(0.8, 1e-6));  // 1 / (1 + 0.25)
  gp.set_hyperparameters({{"noise_stddev", 1.0}});
  CHECK_THAT(gp.predict(line({0.0})).mean(0), WithinAbs(1.0, 1e-9));
  CHECK_THAT(gp.predict(line({5.0})).mean(0), WithinAbs(0.5, 1e-6));
}

TEST_CASE("Without observations the posterior is the prior", "[gp][posterior]") {
  GaussianProcess gp(1, make_isotropic(KernelType::kMatern52, 0.4, 1.5), {.mean = -2.0});
  const Marginals result = gp.predict(line({0.0, 3.0}));
  CHECK(result.mean == Vector::Constant(2, -2.0));
  CHECK(result.stddev == Vector::Constant(2, 1.5));
  CHECK(gp.log_likelihood() == 0.0);
  CHECK(gp.jitter() == 0.0);
  CHECK(gp.predict(Points(0, 1)).mean.size() == 0);
  CHECK(gp.gradient(Point::Zero(1)).mean_gradient(0) == 0.0);
  Rng rng = make_stream(1, "prior");
  CHECK(gp.sample(line({0.0, 3.0}), 2, rng).allFinite());
}

TEST_CASE("A grown model and a rebuilt one have the same bits", "[gp][determinism]") {
  Rng rng = make_stream(10, "rebuild");
  const Points x = random_points(60, 2, rng);
  const Vector y = draw_normals(rng, 60);
  const Points at = random_points(20, 2, rng);
  for (const double noise : {0.1, 0.0}) {
    CAPTURE(noise);
    const auto make = [&] {
      return GaussianProcess(
          2, make_isotropic(KernelType::kSquaredExponential, 3.0, 1.0), {.noise_stddev = noise});
    };
    GaussianProcess grown = make();
    add_all(grown, x, y);
    GaussianProcess rebuilt = make();
    rebuilt.set_hyperparameters({{"length_scale", 0.1}});
    add_all(rebuilt, x, y);
    rebuilt.set_hyperparameters({{"length_scale", 3.0}});
    CHECK(grown.jitter() == rebuilt.jitter());
    CHECK((noise > 0.0) == (grown.jitter() == 0.0));
    CHECK(grown.log_likelihood() == rebuilt.log_likelihood());
    CHECK(same_bits(grown.predict(at).mean, rebuilt.predict(at).mean));
    CHECK(same_bits(grown.predict(at).stddev, rebuilt.predict(at).stddev));
  }
}

TEST_CASE("Predictions have the same bits on any number of threads", "[gp][determinism]") {
  Rng rng = make_stream(11, "threads");
  const Points x = random_points(30, 2, rng);
  const Vector y = draw_normals(rng, 30);
  const Points at = random_points(1100, 2, rng);
  GaussianProcess gp(2, make_isotropic(KernelType::kMatern52, 0.5, 1.0), {.noise_stddev = 0.1});
  add_all(gp, x, y);
  Marginals one;
  with_threads(1, [&] { one = gp.predict(at); });
  for (const int threads : {2, 8}) {
    Marginals several;
    with_threads(threads, [&] { several = gp.predict(at); });
    CHECK(same_bits(one.mean, several.mean));
    CHECK(same_bits(one.stddev, several.stddev));
  }
}

TEST_CASE("Concurrent predictions on one model agree with those of one thread",
          "[gp][determinism]") {
  Rng rng = make_stream(12, "concurrent");
  const Points x = random_points(30, 2, rng);
  const Points at = random_points(300, 2, rng);
  GaussianProcess gp(2, make_isotropic(KernelType::kMatern52, 0.5, 1.0), {.noise_stddev = 0.1});
  add_all(gp, x, draw_normals(rng, 30));
  const Marginals expected = gp.predict(at);
  std::vector<Marginals> results(16);
  with_threads(4, [&] {
    parallel_for(16, 1, [&](Index begin, Index) {
      results[static_cast<std::size_t>(begin)] = gp.predict(at);
    });
  });
  for (const Marginals& result : results) {
    CHECK(same_bits(result.mean, expected.mean));
    CHECK(same_bits(result.stddev, expected.stddev));
  }
}

TEST_CASE("A clone is independent of its original", "[gp][clone]") {
  GaussianProcess gp = make_gp(KernelType::kMatern52, 0.4, 0.1);
  add_all(gp, line({0.0, 1.0}), column({1.0, -1.0}));
  gp.add_pending(Point::Constant(1, 0.3));
  const Points at = line({0.2, 0.5});
  const Marginals before = gp.predict(at);
  const std::unique_ptr<Surrogate> copy = gp.clone();
  CHECK(same_bits(copy->predict(at).mean, before.mean));
  CHECK(same_bits(copy->predict(at).stddev, before.stddev));
  CHECK(copy->log_likelihood() == gp.log_likelihood());
  copy->add(Point::Constant(1, 0.2), 5.0);
  copy->set_hyperparameters({{"length_scale", 3.0}});
  copy->clear_pending();
  CHECK(same_bits(gp.predict(at).mean, before.mean));
  CHECK(same_bits(gp.predict(at).stddev, before.stddev));
  CHECK(gp.num_observations() == 2);
  CHECK(hyperparameter(gp, "length_scale") == 0.4);
}

TEST_CASE("Clearing forgets the observations and keeps the hyper-parameters", "[gp][posterior]") {
  GaussianProcess gp = make_gp(KernelType::kMatern52, 0.4, 0.1);
  add_all(gp, line({0.0, 1.0}), column({1.0, -1.0}));
  gp.set_hyperparameters({{"amplitude", 2.0}});
  gp.clear();
  CHECK(gp.num_observations() == 0);
  CHECK(gp.predict(line({0.0})).mean(0) == 0.0);
  CHECK(gp.predict(line({0.0})).stddev(0) == 2.0);
  gp.add(Point::Constant(1, 0.0), 3.0);
  GaussianProcess anew = make_gp(KernelType::kMatern52, 0.4, 0.1, 2.0);
  anew.add(Point::Constant(1, 0.0), 3.0);
  CHECK(same_bits(gp.predict(line({0.1})).mean, anew.predict(line({0.1})).mean));
}

TEST_CASE("Bad observations are refused and leave the model as it was", "[gp][bad_input]") {
  GaussianProcess gp = make_gp(KernelType::kMatern52, 0.4, 0.1);
  add_all(gp, line({0.0, 1.0}), column({1.0, -1.0}));
  const Points at = line({0.2, 0.5});
  const Marginals before = gp.predict(at);
  const Point x = Point::Constant(1, 2.0);
  CHECK(mentions(refusal([&] { gp.add(x, std::nan("")); }), {"value", "nan"}));
  CHECK(mentions(refusal([&] { gp.add(x, INFINITY); }), {"value", "inf"}));
  CHECK(mentions(refusal([&] { gp.add(x, 1e200); }), {"value", "1e+200", "1e+100"}));
  CHECK(mentions(refusal([&] { gp.add(x, 1.0, -0.5); }), {"noise_stddev", "-0.5"}));
  CHECK(mentions(refusal([&] { gp.add(x, 1.0, std::nan("")); }), {"noise_stddev", "nan"}));
  CHECK(mentions(refusal([&] { gp.add(Point::Zero(3), 1.0); }), {"size 3", "size 1"}));
  CHECK(mentions(refusal([&] { gp.add(Point::Constant(1, std::nan("")), 1.0); }), {"point"}));
  CHECK(mentions(refusal([&] { gp.add_pending(Point::Zero(2)); }), {"size 2", "size 1"}));
  CHECK(mentions(refusal([&] { (void)gp.predict(Points::Zero(1, 2)); }), {"size 2", "size 1"}));
  CHECK(gp.num_observations() == 2);
  CHECK(same_bits(gp.predict(at).mean, before.mean));
  CHECK(same_bits(gp.predict(at).stddev, before.stddev));
}

TEST_CASE("A kernel that overflows at a point refuses it", "[gp][bad_input]") {
  GaussianProcess gp = make_gp(KernelType::kLinear, 1.0, 0.1);
  gp.add(Point::Constant(1, 1.0), 1.0);
  CHECK_THROWS_AS(gp.add(Point::Constant(1, 1e200), 1.0), InvalidArgument);
  CHECK(gp.num_observations() == 1);
  CHECK(std::isfinite(gp.predict(line({2.0})).mean(0)));
}

TEST_CASE("Hyper-parameters are set by name, all or none", "[gp][hyperparameters]") {
  GaussianProcess gp(2,
                     make_kernel(KernelType::kMatern52, Eigen::Vector2d(0.3, 0.6), 1.5),
                     {.mean = 0.2, .noise_stddev = 0.1});
  const std::vector<Hyperparameter> all = gp.hyperparameters();
  REQUIRE(all.size() == 5);
  CHECK(all[0].name == "length_scale_0");
  CHECK(all[1].name == "length_scale_1");
  CHECK(all[2].name == "amplitude");
  CHECK(all[3].name == "mean");
  CHECK(all[4].name == "noise_stddev");
  gp.set_hyperparameters({{"length_scale_1", 2.0}, {"noise_stddev", 0.0}});
  CHECK(hyperparameter(gp, "length_scale_0") == 0.3);
  CHECK(hyperparameter(gp, "length_scale_1") == 2.0);
  CHECK(gp.noise_stddev() == 0.0);
  const auto set = [&](const std::string& name, double value) {
    return refusal([&] { gp.set_hyperparameters({{"mean", 9.0}, {name, value}}); });
  };
  CHECK(mentions(set("length_scale", 1.0), {"length_scale", "known", "length_scale_0"}));
  CHECK(mentions(set("amplitude", 0.0), {"amplitude"}));
  CHECK(mentions(set("noise_stddev", -1.0), {"noise_stddev", "-1"}));
  CHECK(mentions(set("mean", std::nan("")), {"mean"}));
  CHECK(hyperparameter(gp, "mean") == 0.2);
}

TEST_CASE("Options out of range are refused by name", "[gp][bad_input]") {
  const auto make = [](GaussianProcessOptions options) {
    return refusal(
        [&] { GaussianProcess(1, make_isotropic(KernelType::kMatern52, 1.0, 1.0), options); });
  };
  CHECK(make({}).empty());
  CHECK(mentions(make({.noise_stddev = -1.0}), {"noise_stddev", "-1"}));
  CHECK(mentions(make({.mean = std::nan("")}), {"mean", "nan"}));
  CHECK(mentions(make({.memory_limit = 0.0}), {"memory_limit"}));
  CHECK(mentions(make({.fit = {.parameters = {"lenght_scale"}}}), {"lenght_scale", "known"}));
  CHECK(mentions(make({.fit = {.parameters = {"mean", "mean"}}}), {"mean", "more than once"}));
  CHECK(mentions(make({.fit = {.restarts = -1}}), {"restarts", "-1"}));
  CHECK(mentions(make({.fit = {.max_iterations = 0}}), {"max_iterations", "0"}));
  CHECK(mentions(make({.fit = {.amplitude = {2.0, 1.0}}}), {"amplitude", "2", "1"}));
  CHECK(mentions(make({.fit = {.length_scale = {std::nan(""), 1.0}}}), {"length_scale", "nan"}));
  CHECK(mentions(refusal([] { GaussianProcess(1, nullptr); }), {"kernel"}));
  CHECK(
      mentions(refusal([] { GaussianProcess(0, make_isotropic(KernelType::kMatern52, 1.0, 1.0)); }),
               {"dimension", "0"}));
  CHECK(mentions(refusal([] {
                   GaussianProcess(3,
                                   make_kernel(KernelType::kMatern52, Eigen::Vector2d(1, 1), 1.0));
                 }),
                 {"3", "2"}));
}

TEST_CASE("Quadratic requests beyond the memory limit are refused beforehand", "[gp][memory]") {
  GaussianProcess gp(
      1, make_isotropic(KernelType::kMatern52, 1.0, 1.0), {.memory_limit = 8.0 * 100 * 100});
  const Points fine = Points::Zero(100, 1);
  const Points many = Points::Zero(101, 1);
  Rng rng = make_stream(1, "memory");
  CHECK_NOTHROW(gp.covariance(fine, fine));
  CHECK_THROWS_AS(gp.covariance(many, many), MemoryLimitExceeded);
  CHECK_THROWS_AS(gp.sample(many, 1, rng), MemoryLimitExceeded);
}

}  // namespace
}  // namespace pomlux
