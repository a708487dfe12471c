// SPDX-License-Identifier: MIT
// The paper's fit against the same algorithm written down plainly.
#include <Eigen/Cholesky>
#include <catch.hpp>
#include <cmath>
#include <gp/fit_cases.hpp>
#include <gp/gp_cases.hpp>
#include <pomlux/core/errors.hpp>

namespace pomlux {
namespace {

using namespace test;

/// Log noise, mean, log length scale, log amplitude.
using Theta = Eigen::Vector4d;

/// Negative log marginal likelihood without n/2 log 2 pi, isotropic Matern-5/2, and its gradient.
double plain_loss(const Points& x, const Vector& y, const Theta& theta, Theta& gradient) {
  const Index n = x.rows();
  const double variance = std::exp(2.0 * theta(3));
  Matrix k(n, n), by_length(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      const double t = std::sqrt(5.0) * (x.row(i) - x.row(j)).norm() / std::exp(theta(2));
      k(i, j) = variance * (1.0 + t + t * t / 3.0) * std::exp(-t);
      by_length(i, j) = variance * t * t * (1.0 + t) / 3.0 * std::exp(-t);
    }
  }
  Matrix noisy = k;
  const double noise_variance = std::exp(2.0 * theta(0));
  noisy.diagonal().array() += noise_variance;
  const Eigen::LLT<Matrix> factor(noisy);
  const Vector residual = y.array() - theta(1);
  const Vector alpha = factor.solve(residual);
  const Matrix inner = factor.solve(Matrix::Identity(n, n)) - alpha * alpha.transpose();
  gradient(0) = noise_variance * inner.trace();
  gradient(1) = -alpha.sum();
  gradient(2) = 0.5 * inner.cwiseProduct(by_length).sum();
  gradient(3) = inner.cwiseProduct(k).sum();
  return 0.5 * residual.dot(alpha) + factor.matrixLLT().diagonal().array().log().sum();
}

struct PlainFit {
  int iterations = 0;
  bool is_stopped = false;
};

/// All losses are kept, and the test is that of the text: L_i + 1e-3 > L_{i-99}.
PlainFit plain_fit(const Points& x, const Vector& y, Theta& theta, int limit = 1000) {
  Theta u = Theta::Zero(), v = Theta::Zero(), gradient;
  std::vector<double> losses;
  for (int i = 0; i < limit; ++i) {
    losses.push_back(plain_loss(x, y, theta, gradient));
    for (int k = 0; k < 4; ++k) {
      u(k) = 0.9 * u(k) + 0.1 * gradient(k);
      v(k) = 0.999 * v(k) + 0.001 * gradient(k) * gradient(k);
      const double u_hat = u(k) / (1.0 - std::pow(0.9, i + 1));
      const double v_hat = v(k) / (1.0 - std::pow(0.999, i + 1));
      theta(k) -= 0.01 * u_hat / (std::sqrt(v_hat) + 1e-8);
    }
    if (i >= 100 && i % 100 == 0 &&
        losses[static_cast<std::size_t>(i)] + 1e-3 > losses[static_cast<std::size_t>(i - 99)]) {
      return {i + 1, true};
    }
  }
  return {limit, false};
}

GaussianProcess adam_model(Index dimension,
                           double amplitude = 1.0,
                           double noise = 1.0,
                           FitOptions fit = {}) {
  fit.method = FitMethod::kAdam;
  return {dimension,
          make_isotropic(KernelType::kMatern52, 1.0, amplitude),
          {.noise_stddev = noise, .fit = fit}};
}

Theta theta_of(const GaussianProcess& gp) {
  return {std::log(hyperparameter(gp, "noise_stddev")),
          hyperparameter(gp, "mean"),
          std::log(hyperparameter(gp, "length_scale")),
          std::log(hyperparameter(gp, "amplitude"))};
}

/// Fits both, from where they are, and compares.
FitReport check_fit(GaussianProcess& gp, const Points& x, const Vector& y, Theta& theta) {
  const PlainFit plain = plain_fit(x, y, theta);
  Rng rng = make_stream(0, "fit");
  const FitReport report = gp.fit(rng);
  CHECK(report.iterations == plain.iterations);
  CHECK(report.evaluations == plain.iterations);
  CHECK(report.status == (plain.is_stopped ? Status::kConverged : Status::kIterationLimit));
  CHECK((theta_of(gp) - theta).cwiseAbs().maxCoeff() <= 1e-8);
  CHECK(report.log_likelihood == gp.log_likelihood());
  return report;
}

/// The drop-wave function, noise 0.1, at random points.
struct Waves {
  Points x;
  Vector y;
  explicit Waves(Index n) {
    Rng rng = make_stream(71, "waves");
    x = 2.5 * random_points(n, 2, rng);
    const Vector r = x.rowwise().norm();
    y = (1.0 + (12.0 * r.array()).cos()) / (0.5 * r.array().square() + 2.0);
    y += 0.1 * draw_normals(rng, n);
  }
};

TEST_CASE("Adam's fit is the paper's, step after step of an optimisation", "[gp][fit][adam]") {
  const Waves data(40);
  GaussianProcess gp = adam_model(2);
  Theta theta = Theta::Zero();
  int stopped = 0, first = 0, last = 0;
  for (Index n = 0; n < 40; ++n) {
    gp.add(data.x.row(n), data.y(n));
    if (n + 1 < 10 || (n + 1) % 10 > 1) continue;  // after 10, 11, 20, 21, ... values
    CAPTURE(n);
    const FitReport report = check_fit(gp, data.x.topRows(n + 1), data.y.head(n + 1), theta);
    if (report.status == Status::kConverged) ++stopped;
    if (first == 0) first = report.iterations;
    last = report.iterations;
  }
  CHECK(stopped > 0);
  CHECK(first > last);  // a warm start ends sooner
}

TEST_CASE("Adam's fit of a noise-free function lets the noise collapse", "[gp][fit][adam]") {
  Rng rng = make_stream(72, "smooth");
  const Points x = 2.0 * random_points(30, 2, rng);
  const Vector y = x.rowwise().squaredNorm().array().cos() + 0.3 * x.col(0).array();
  GaussianProcess gp = adam_model(2);
  add_all(gp, x, y);
  Theta theta = Theta::Zero();
  int limited = 0;
  for (int i = 0; i < 6; ++i) {
    if (check_fit(gp, x, y, theta).status == Status::kIterationLimit) ++limited;
  }
  CHECK(limited > 0);
  CHECK(gp.noise_stddev() < 1e-4);  // below the floor of L-BFGS
  CHECK(gp.jitter() == 0.0);
}

TEST_CASE("Nothing keeps Adam's amplitude and noise from being tiny", "[gp][fit][adam]") {
  const Waves data(20);
  const Vector y = 3e-8 * data.y;
  GaussianProcess gp = adam_model(2, 3e-8, 1e-6);
  add_all(gp, data.x, y);
  Theta theta(std::log(1e-6), 0.0, 0.0, std::log(3e-8));
  (void)check_fit(gp, data.x, y, theta);
  CHECK(gp.jitter() == 0.0);
  CHECK(hyperparameter(gp, "amplitude") < 1e-6);
  CHECK(range_in_force(gp, "amplitude").lower == 0.0);
  CHECK(range_in_force(gp, "amplitude").upper == INFINITY);
  CHECK(range_in_force(gp, "mean").lower == -INFINITY);
}

TEST_CASE("A covariance that is singular to rounding gets jitter and is fitted on",
          "[gp][fit][adam]") {
  Rng rng = make_stream(73, "singular");
  const Points x = random_points(200, 1, rng);
  const Vector y = (2.0 * x.col(0)).array().sin();
  for (const double noise : {1e-6, 1e-8}) {
    CAPTURE(noise);
    GaussianProcess gp(1,
                       make_isotropic(KernelType::kSquaredExponential, 1.0, 1.0),
                       {.noise_stddev = noise, .fit = {.method = FitMethod::kAdam}});
    add_all(gp, x, y);
    CHECK((gp.jitter() > 0.0) == (noise < 1e-6));  // of 200 values: below 3e-7 amplitudes
    CHECK(gp.jitter() <= 1e-12);
    const FitReport report = gp.fit(rng);
    CHECK((report.status == Status::kConverged || report.status == Status::kIterationLimit));
    CHECK(std::isfinite(report.log_likelihood));
    CHECK((gp.predict(x).mean - y).cwiseAbs().maxCoeff() < 1e-3);
  }
}

TEST_CASE("Adam's fit honours its options", "[gp][fit][adam]") {
  const Waves data(25);
  Rng rng = make_stream(0, "fit");
  {  // a limit, and a second fit from the constructor's values with fresh moments
    GaussianProcess gp = adam_model(2, 1.0, 1.0, {.warm_start = false, .max_iterations = 150});
    add_all(gp, data.x, data.y);
    Theta theta = Theta::Zero();
    const PlainFit plain = plain_fit(data.x, data.y, theta, 150);
    for (int i = 0; i < 2; ++i) {
      CHECK(gp.fit(rng).iterations == plain.iterations);
      CHECK((theta_of(gp) - theta).cwiseAbs().maxCoeff() <= 1e-10);
    }
  }
  {  // the first update moves every coordinate by the learning rate, and only those that are fitted
    GaussianProcess gp = adam_model(
        2,
        1.0,
        1.0,
        {.parameters = {"mean", "amplitude"}, .max_iterations = 1, .learning_rate = 0.2});
    add_all(gp, data.x, data.y);
    (void)gp.fit(rng);
    const Theta moved = theta_of(gp).cwiseAbs();
    CHECK(moved(0) == 0.0);
    CHECK_THAT(moved(1), WithinAbs(0.2, 1e-6));
    CHECK(moved(2) == 0.0);
    CHECK_THAT(moved(3), WithinAbs(0.2, 1e-6));
  }
}

TEST_CASE("Tied length scales move together in Adam's fit", "[gp][fit][adam]") {
  const Waves data(25);
  Points stretched = data.x;
  stretched.col(1) *= 100.0;
  GaussianProcess gp(2,
                     make_kernel(KernelType::kMatern52, Eigen::Vector2d(1.0, 100.0), 1.0),
                     {.fit = {.method = FitMethod::kAdam, .ties_length_scales = true}});
  add_all(gp, stretched, data.y);
  Rng rng = make_stream(0, "fit");
  (void)gp.fit(rng);
  Theta theta = Theta::Zero();
  (void)plain_fit(data.x, data.y, theta);
  CHECK_THAT(std::log(hyperparameter(gp, "length_scale_0")), WithinAbs(theta(2), 1e-8));
  CHECK_THAT(std::log(hyperparameter(gp, "length_scale_1") / 100.0), WithinAbs(theta(2), 1e-8));
}

TEST_CASE("Adam's fit keeps what it had where the likelihood overflows", "[gp][fit][adam]") {
  GaussianProcess gp = adam_model(1, 1e-100, 1e-100);
  add_all(gp, line({0, 1}), column({-1e100, 1e100}));
  Rng rng = make_stream(0, "fit");
  const FitReport report = gp.fit(rng);
  CHECK(report.status == Status::kFellBack);
  CHECK(report.iterations == 1);
  CHECK_THAT(hyperparameter(gp, "amplitude"), WithinRel(1e-100, 1e-12));
}

TEST_CASE("Adam's fit of nothing", "[gp][fit][adam]") {
  Rng rng = make_stream(0, "fit");
  GaussianProcess empty = adam_model(1);
  CHECK(empty.fit(rng).status == Status::kNotRun);
  GaussianProcess fixed = adam_model(1, 1.0, 0.0, {.parameters = {}});
  fixed.add(Point::Constant(1, 0.0), 1.0);
  CHECK(fixed.fit(rng).status == Status::kNotRun);
  GaussianProcess quiet = adam_model(1);
  quiet.add(Point::Constant(1, 0.0), 1.0);
  quiet.set_hyperparameters({{"noise_stddev", 0.0}});
  CHECK(quiet.fit(rng).iterations > 0);
  CHECK(quiet.noise_stddev() == 0.0);
  CHECK(hyperparameter(quiet, "length_scale") == 1.0);  // one point says nothing about it
}

TEST_CASE("What Adam does not use is refused", "[gp][fit][adam]") {
  const auto refused = [](FitOptions fit, double noise = 1.0) {
    return refusal([&] { (void)adam_model(1, 1.0, noise, std::move(fit)); });
  };
  CHECK(refused({}).empty());
  CHECK(mentions(refused({.restarts = 2}), {"restarts = 2", "Adam"}));
  CHECK(mentions(refused({.length_scale = {0.1, 1.0}}), {"range of length_scale"}));
  CHECK(mentions(refused({.noise_stddev = {.lower = 1e-9}}), {"range of noise_stddev"}));
  CHECK(mentions(refused({.amplitude_prior = LogNormalPrior{}}), {"amplitude_prior"}));
  CHECK(mentions(refused({.default_priors = DefaultPriors::kFromData}), {"default_priors"}));
  CHECK(mentions(refused({.learning_rate = -1.0}), {"learning_rate", "-1"}));
  CHECK(mentions(refused({.max_iterations = 0}), {"max_iterations", "0"}));
  CHECK(mentions(refused({}, 0.0), {"noise_stddev is 0"}));
  CHECK(mentions(refusal([] { validate(FitOptions{.learning_rate = 0.1}); }),
                 {"learning_rate is 0.1", "0.01"}));
}

}  // namespace
}  // namespace pomlux
