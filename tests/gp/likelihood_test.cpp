// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/likelihood.hpp>

#include "dense.hpp"
#include "gp_cases.hpp"

namespace pomlux {
namespace {

using namespace test;
using nlohmann::json;

Vector noise_of_case(const json& row) {
  const Index n = static_cast<Index>(row["y"].size());
  if (row["noise_std"].is_array()) return to_vector(row["noise_std"]);
  return Vector::Constant(n, row["noise_std"].get<double>());
}

std::unique_ptr<Kernel> kernel_of_case(const json& row) {
  return make_kernel(kernel_from_oracle(row["kernel"]),
                     to_vector(row["length_scale"]),
                     row["amplitude"].get<double>());
}

/// Five points of a sine-like curve.
const Points kWaveX = line({0, 0.25, 0.5, 0.75, 1});
const Vector kWaveY = column({0.1, 0.9, 0.2, -0.8, -0.1});

TEST_CASE("The likelihood and its gradients agree with the high-precision oracle",
          "[gp][likelihood]") {
  const json cases = load_oracle("gp.json")["regression"];  // named: the loop must not outlive it
  REQUIRE(cases.size() == 26);
  for (const json& row : cases) {
    CAPTURE(row["name"].get<std::string>());
    const Likelihood result = log_marginal_likelihood(*kernel_of_case(row),
                                                      row["mean"].get<double>(),
                                                      noise_of_case(row),
                                                      to_points(row["X"]),
                                                      to_vector(row["y"]));
    CHECK(std::isfinite(result.value));
    CHECK(result.kernel_gradient.allFinite());
    if (!row["double_feasible"].get<bool>()) continue;
    CHECK_THAT(
        result.value,
        WithinAbs(row["log_marginal_likelihood"].get<double>(), row["tol"]["lml"].get<double>()));
    Vector expected(result.kernel_gradient.size());
    expected << to_vector(row["grad_log_length_scale"]), row["grad_log_amplitude"].get<double>();
    const double mean = row["grad_mean"].get<double>();
    const double noise = row["grad_log_noise_std"].get<double>();
    const double largest =
        std::max({1.0, expected.cwiseAbs().maxCoeff(), std::abs(mean), std::abs(noise)});
    const double tolerance = row["tol"]["grad_rel"].get<double>() * largest;
    CHECK((result.kernel_gradient - expected).cwiseAbs().maxCoeff() <= tolerance);
    CHECK_THAT(result.mean_gradient, WithinAbs(mean, tolerance));
    CHECK_THAT(result.log_noise_gradient, WithinAbs(noise, tolerance));
    if (row.contains("grad_log_noise_std_each")) {
      const Vector each = to_vector(row["grad_log_noise_std_each"]);
      CHECK((result.log_noise_gradient_each - each).cwiseAbs().maxCoeff() <= tolerance);
    }
  }
}

TEST_CASE("The likelihood of a small set has its known value for four kernels",
          "[gp][likelihood]") {
  const std::vector<std::pair<KernelType, double>> cases = {
      {KernelType::kSquaredExponential, -4.754938043},
      {KernelType::kMatern52, -4.934625121},
      {KernelType::kMatern32, -5.019536228},
      {KernelType::kMatern12, -5.197172543}};
  for (const auto& [type, expected] : cases) {
    CAPTURE(to_string(type));
    const Likelihood result = log_marginal_likelihood(
        *make_isotropic(type, 0.3, 1.0), 0.0, Vector::Constant(5, 0.1), kWaveX, kWaveY);
    CHECK_THAT(result.value, WithinAbs(expected, 1e-9));
  }
}

TEST_CASE("The gradient for logs of variances has its known value", "[gp][likelihood]") {
  const Likelihood result =
      log_marginal_likelihood(*make_isotropic(KernelType::kMatern52, 0.3, 1.0),
                              0.0,
                              Vector::Constant(5, 0.1),
                              kWaveX,
                              kWaveY);
  CHECK_THAT(result.kernel_gradient(0), WithinAbs(0.0480069, 1e-7));
  CHECK_THAT(0.5 * result.kernel_gradient(1), WithinAbs(-1.0915807, 1e-7));
  CHECK_THAT(0.5 * result.log_noise_gradient, WithinAbs(-0.0233893, 1e-7));
}

TEST_CASE("The gradient stays right with a repeated input", "[gp][likelihood]") {
  Points x(6, 1);
  x << kWaveX, 0.25;
  Vector y(6);
  y << kWaveY, 0.9;
  const double step = 1e-6;
  const auto value = [&](double length, double amplitude, double noise) {
    return log_marginal_likelihood(*make_isotropic(KernelType::kMatern52, length, amplitude),
                                   0.0,
                                   Vector::Constant(6, noise),
                                   x,
                                   y);
  };
  const Likelihood result = value(0.3, 1.0, 0.1);
  const double up = std::exp(step);
  CHECK(result.jitter == 0.0);
  CHECK_THAT(result.kernel_gradient(0),
             WithinAbs((value(0.3 * up, 1, 0.1).value - value(0.3 / up, 1, 0.1).value) / (2 * step),
                       1e-5));
  CHECK_THAT(
      result.kernel_gradient(1),
      WithinAbs((value(0.3, up, 0.1).value - value(0.3, 1 / up, 0.1).value) / (2 * step), 1e-5));
  CHECK_THAT(result.log_noise_gradient,
             WithinAbs((value(0.3, 1, 0.1 * up).value - value(0.3, 1, 0.1 / up).value) / (2 * step),
                       1e-5));
}

TEST_CASE("The linear kernel without offset has its known likelihood", "[gp][likelihood]") {
  const Likelihood result = log_marginal_likelihood(*make_isotropic(KernelType::kLinear, 1.0, 0.0),
                                                    0.0,
                                                    Vector::Constant(3, 0.1),
                                                    line({1, 2, 3}),
                                                    column({1.1, 1.9, 3.2}));
  CHECK_THAT(result.value, WithinAbs(-2.1146432, 1e-7));
  CHECK(result.kernel_gradient(1) == 0.0);
}

TEST_CASE("The profile mean is where the gradient for the mean vanishes", "[gp][likelihood]") {
  const std::unique_ptr<Kernel> kernel = make_isotropic(KernelType::kMatern52, 0.3, 1.0);
  const Vector noise = Vector::LinSpaced(5, 0.1, 0.3);
  for (const double offset : {0.0, 1e6}) {
    const Vector y = kWaveY.array() + offset;
    const Likelihood profile = profile_log_marginal_likelihood(*kernel, noise, kWaveX, y);
    CHECK_THAT(profile.mean_gradient, WithinAbs(0.0, 1e-12 + 1e-15 * offset / 0.01));
    const Likelihood fixed = log_marginal_likelihood(*kernel, profile.mean, noise, kWaveX, y);
    CHECK(fixed.value == profile.value);
    CHECK(log_marginal_likelihood(*kernel, profile.mean + 0.01, noise, kWaveX, y).value <
          profile.value);
    CHECK(log_marginal_likelihood(*kernel, profile.mean - 0.01, noise, kWaveX, y).value <
          profile.value);
  }
}

TEST_CASE("The likelihood is right beyond one block of the inverse", "[gp][likelihood]") {
  Rng rng = make_stream(5, "likelihood");
  const Points x = random_points(131, 2, rng);
  const Vector y = draw_normals(rng, 131);
  const Vector noise = Vector::Constant(131, 0.3);
  const std::unique_ptr<Kernel> kernel = make_isotropic(KernelType::kMatern52, 0.5, 1.0);
  const Likelihood result = log_marginal_likelihood(*kernel, 0.1, noise, x, y);
  Matrix gram = kernel->matrix(x);
  gram.diagonal() += noise.cwiseAbs2();
  const Matrix inverse = inverse_by_lu(gram);  // another method
  const Vector alpha = inverse * (y.array() - 0.1).matrix();
  const Matrix weights = alpha * alpha.transpose() - inverse;
  const Vector expected = 0.5 * kernel->contract_gradient(x, weights);
  CHECK((result.kernel_gradient - expected).cwiseAbs().maxCoeff() <=
        1e-9 * std::max(1.0, expected.cwiseAbs().maxCoeff()));
  CHECK_THAT(result.log_noise_gradient, WithinAbs(0.09 * weights.trace(), 1e-7));
}

TEST_CASE("A singular matrix gets jitter that is reported", "[gp][likelihood]") {
  const Likelihood result =
      log_marginal_likelihood(*make_isotropic(KernelType::kSquaredExponential, 0.3, 1.0),
                              0.0,
                              Vector::Zero(3),
                              line({0.2, 0.2, 0.7}),
                              column({1.0, 1.0, -0.5}));
  CHECK(result.jitter > 0.0);
  CHECK(result.jitter <= 1e-12);
  CHECK(std::isfinite(result.value));
}

TEST_CASE("The likelihood of no observation is 0", "[gp][likelihood]") {
  const std::unique_ptr<Kernel> kernel = make_isotropic(KernelType::kMatern52, 0.3, 1.0);
  CHECK(log_marginal_likelihood(*kernel, 0.0, Vector(), Points(0, 1), Vector()).value == 0.0);
  CHECK_THROWS_AS(profile_log_marginal_likelihood(*kernel, Vector(), Points(0, 1), Vector()),
                  InvalidArgument);
}

TEST_CASE("The likelihood refuses sizes that differ and values that are not finite",
          "[gp][likelihood]") {
  const std::unique_ptr<Kernel> kernel = make_isotropic(KernelType::kMatern52, 0.3, 1.0);
  const Vector noise = Vector::Constant(5, 0.1);
  Vector bad = kWaveY;
  bad(3) = std::nan("");
  CHECK(mentions(refusal([&] { (void)log_marginal_likelihood(*kernel, 0.0, noise, kWaveX, bad); }),
                 {"y[3]"}));
  CHECK_THROWS_AS(log_marginal_likelihood(*kernel, 0.0, noise, kWaveX, kWaveY.head(4)),
                  InvalidArgument);
  CHECK_THROWS_AS(log_marginal_likelihood(*kernel, 0.0, -noise, kWaveX, kWaveY), InvalidArgument);
}

}  // namespace
}  // namespace pomlux
