// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/gp/gaussian_process.hpp>

#include "gp_cases.hpp"

namespace pomlux {
namespace {

using namespace test;

/// Forty noise-free points of a smooth curve: a plain Cholesky factorisation fails.
GaussianProcess make_too_smooth() {
  GaussianProcess gp = make_gp(KernelType::kSquaredExponential, 1.0, 0.0);
  for (int i = 0; i < 40; ++i) {
    const double x = i / 39.0;
    gp.add(Point::Constant(1, x), std::sin(3.0 * x));
  }
  return gp;
}

TEST_CASE("An exact repeat without noise gets jitter and changes nothing else",
          "[gp][degenerate]") {
  GaussianProcess gp = make_gp(KernelType::kSquaredExponential, 0.3, 0.0);
  add_all(gp, line({0.2, 0.2, 0.7}), column({1.0, 1.0, -0.5}));
  const Marginals result = gp.predict(line({0.4, 0.2, 0.7}));
  CHECK_THAT(result.mean(0), WithinAbs(0.4756387, 1e-3));
  CHECK_THAT(result.stddev(0) * result.stddev(0), WithinAbs(0.1823054, 1e-3));
  CHECK_THAT(result.mean(1), WithinAbs(1.0, 1e-3));
  CHECK_THAT(result.mean(2), WithinAbs(-0.5, 1e-3));
  CHECK(result.stddev.tail(2).cwiseAbs2().maxCoeff() <= 1e-3);
  CHECK(gp.jitter() > 0.0);
  CHECK(gp.jitter() <= 1e-12);
}

TEST_CASE("A contradicting repeat with noise is averaged", "[gp][degenerate]") {
  GaussianProcess gp = make_gp(KernelType::kSquaredExponential, 0.3, 0.1);
  add_all(gp, line({0.2, 0.2, 0.7}), column({1.0, 3.0, -0.5}));
  const Marginals result = gp.predict(line({0.2}));
  CHECK_THAT(result.mean(0), WithinAbs(1.9887463, 1e-7));
  CHECK_THAT(result.stddev(0) * result.stddev(0), WithinAbs(0.0049735, 1e-7));
  CHECK(gp.jitter() == 0.0);
}

TEST_CASE("A contradicting repeat without noise is averaged too", "[gp][degenerate]") {
  GaussianProcess gp = make_gp(KernelType::kSquaredExponential, 0.3, 0.0);
  add_all(gp, line({0.2, 0.2, 0.7}), column({1.0, 3.0, -0.5}));
  const Marginals result = gp.predict(line({0.2, 0.4, 0.7}));
  CHECK_THAT(result.mean(0), WithinAbs(2.0, 0.1));
  CHECK_THAT(result.mean(2), WithinAbs(-0.5, 0.1));
  CHECK(result.mean.allFinite());
  CHECK(gp.jitter() > 0.0);
}

TEST_CASE("A too smooth model interpolates with a small reported jitter", "[gp][degenerate]") {
  const GaussianProcess gp = make_too_smooth();
  CHECK(gp.jitter() > 0.0);
  CHECK(gp.jitter() <= 1e-9);
  for (int i = 0; i < 40; ++i) {
    const Marginals at = gp.predict(Points::Constant(1, 1, i / 39.0));
    CHECK_THAT(at.mean(0), WithinAbs(std::sin(3.0 * i / 39.0), 1e-3));
  }
  const GaussianProcess again = make_too_smooth();
  const Points grid = line({0.01, 0.5, 0.77, 1.5});
  CHECK(same_bits(gp.predict(grid).mean, again.predict(grid).mean));
  CHECK(same_bits(gp.predict(grid).stddev, again.predict(grid).stddev));
}

TEST_CASE("Joint samples of a singular posterior pass through the data", "[gp][sample]") {
  const GaussianProcess gp = make_too_smooth();
  Points at(79, 1);
  for (int i = 0; i < 79; ++i) at(i, 0) = i / 78.0;
  const Marginals marginals = gp.predict(at);
  CHECK((marginals.stddev.array() >= 0.0).all());
  CHECK(marginals.stddev.allFinite());
  Rng rng = make_stream(7, "sample");
  const Matrix samples = gp.sample(at, 10, rng);
  REQUIRE(samples.rows() == 79);
  REQUIRE(samples.cols() == 10);
  REQUIRE(samples.allFinite());
  for (int i = 0; i < 79; i += 2) {
    CHECK((samples.row(i).array() - std::sin(3.0 * i / 78.0)).abs().maxCoeff() <= 0.01);
  }
}

TEST_CASE("Joint samples have the posterior's mean and covariance", "[gp][sample]") {
  GaussianProcess gp = make_gp(KernelType::kMatern32, 0.5, 0.2);
  add_all(gp, line({0.0, 0.6}), column({1.0, -1.0}));
  const Points at = line({0.1, 0.5, 1.5});
  Rng rng = make_stream(8, "sample");
  const Index m = 40000;
  const Matrix samples = gp.sample(at, m, rng);
  const Vector mean = samples.rowwise().mean();
  const Matrix centred = samples.colwise() - mean;
  const Matrix covariance = centred * centred.transpose() / static_cast<double>(m);
  // Standard errors: sd / sqrt(m) <= 0.005 and at most sqrt(2) variance / sqrt(m) <= 0.0071; z = 5.
  CHECK((mean - gp.predict(at).mean).cwiseAbs().maxCoeff() <= 0.025);
  CHECK((covariance - gp.covariance(at, at)).cwiseAbs().maxCoeff() <= 0.036);
  CHECK(make_gp(KernelType::kMatern32, 0.5, 0.2).sample(at, 2, rng).allFinite());  // no data yet
  CHECK(gp.sample(at, 0, rng).cols() == 0);
  CHECK(gp.sample(Points(0, 1), 3, rng).rows() == 0);
}

TEST_CASE("Variance far outside the data of a linear kernel is not negative", "[gp][degenerate]") {
  GaussianProcess gp = make_gp(KernelType::kLinear, 1.0, 1e-5, 0.0);
  for (int i = 1; i <= 10; ++i) gp.add(Point::Constant(1, i), i);
  const Marginals result = gp.predict(line({50.0}));
  CHECK(result.stddev(0) >= 0.0);
  CHECK_THAT(result.stddev(0) * result.stddev(0), WithinAbs(6.4935e-10, 1e-6));
  CHECK_THAT(result.mean(0), WithinAbs(50.0, 1e-6));
}

TEST_CASE("A pending point lowers the variance and leaves the mean", "[gp][pending]") {
  GaussianProcess gp = make_gp(KernelType::kMatern52, 0.4, 0.1);
  add_all(gp, line({0.0, 1.0}), column({1.0, -1.0}));
  const Points at = line({0.2, 0.5, 0.5001, 0.9});
  const Marginals before = gp.predict(at);
  gp.add_pending(Point::Constant(1, 0.5));
  const Marginals pending = gp.predict(at);
  CHECK((pending.mean - before.mean).cwiseAbs().maxCoeff() <= 1e-15);
  // As if it had been observed: any value gives this variance.
  const std::unique_ptr<Surrogate> observed = gp.clone();
  observed->clear_pending();
  observed->add(Point::Constant(1, 0.5), 17.0);
  CHECK((pending.stddev - observed->predict(at).stddev).cwiseAbs().maxCoeff() <= 1e-14);
  gp.clear_pending();
  CHECK(same_bits(gp.predict(at).stddev, before.stddev));
  CHECK(same_bits(gp.predict(at).mean, before.mean));
}

TEST_CASE("Pending points survive observations and hyper-parameters that change", "[gp][pending]") {
  GaussianProcess late = make_gp(KernelType::kMatern52, 0.4, 0.1);
  late.add_pending(Point::Constant(1, 0.5));
  late.add_pending(Point::Constant(1, 0.8));
  add_all(late, line({0.0, 1.0}), column({1.0, -1.0}));
  late.set_hyperparameters({{"length_scale", 0.7}, {"mean", 0.3}});
  GaussianProcess early(
      1, make_isotropic(KernelType::kMatern52, 0.7, 1.0), {.mean = 0.3, .noise_stddev = 0.1});
  add_all(early, line({0.0, 1.0}), column({1.0, -1.0}));
  early.add_pending(Point::Constant(1, 0.5));
  early.add_pending(Point::Constant(1, 0.8));
  const Points at = line({0.2, 0.5, 0.9});
  CHECK(same_bits(late.predict(at).mean, early.predict(at).mean));
  CHECK(same_bits(late.predict(at).stddev, early.predict(at).stddev));
}

TEST_CASE("A pending point that is known without noise already is no trouble", "[gp][pending]") {
  GaussianProcess gp = make_gp(KernelType::kSquaredExponential, 0.4, 0.0);
  gp.add(Point::Constant(1, 0.5), 1.0);
  gp.add_pending(Point::Constant(1, 0.5));
  gp.add_pending(Point::Constant(1, 0.9));
  gp.add_pending(Point::Constant(1, 0.9));
  const Marginals result = gp.predict(line({0.5, 0.9, 0.7}));
  CHECK(result.mean.allFinite());
  CHECK(result.stddev(0) == 0.0);
  CHECK(result.stddev(1) <= 1e-7);
  CHECK(result.stddev(2) > 0.0);
  CHECK(gp.jitter() == 0.0);
}

TEST_CASE("Gradients of mean and stddev agree with differences", "[gp][gradient]") {
  Rng rng = make_stream(9, "gradient");
  const Points x = random_points(12, 2, rng);
  const Vector y = draw_normals(rng, 12);
  const Points at = random_points(1, 2, rng);
  const double step = 1e-6;
  for (const KernelType type : kAllKernels) {
    CAPTURE(to_string(type));
    GaussianProcess gp(2, make_isotropic(type, 0.8, 1.2), {.mean = 0.4, .noise_stddev = 0.2});
    add_all(gp, x, y);
    gp.add_pending(Point::Constant(2, 0.1));
    const PointGradient gradient = gp.gradient(at.row(0));
    const Marginals here = gp.predict(at);
    CHECK_THAT(gradient.mean, WithinAbs(here.mean(0), 1e-12));
    CHECK_THAT(gradient.stddev, WithinAbs(here.stddev(0), 1e-12));
    for (Index k = 0; k < 2; ++k) {
      Points both(2, 2);
      both << at, at;
      both(0, k) += step;
      both(1, k) -= step;
      const Marginals around = gp.predict(both);
      CHECK_THAT(gradient.mean_gradient(k),
                 WithinAbs((around.mean(0) - around.mean(1)) / (2 * step), 1e-7));
      CHECK_THAT(gradient.stddev_gradient(k),
                 WithinAbs((around.stddev(0) - around.stddev(1)) / (2 * step), 1e-7));
    }
  }
}

TEST_CASE("A posterior that is all rounding can be sampled: the samples are the mean",
          "[gp][degenerate]") {
  GaussianProcess gp = make_too_smooth();
  const Domain domain(Points(Vector::LinSpaced(60, 0.0, 1.0)));
  const GaussianVector& posterior = gp.posterior(domain);
  Rng rng = make_stream(5, "test", 0);
  const NegatedGaussian negated(posterior);
  for (const GaussianVector* f : {&posterior, static_cast<const GaussianVector*>(&negated)}) {
    const Matrix samples = draw_samples(*f, 20, rng);
    CHECK((samples.colwise() - f->mean()).cwiseAbs().maxCoeff() < 1e-4);
  }
}

TEST_CASE("The gradient of stddev is 0 where nothing is uncertain", "[gp][gradient]") {
  GaussianProcess gp = make_gp(KernelType::kSquaredExponential, 0.4, 0.0);
  gp.add(Point::Constant(1, 0.5), 1.0);
  const PointGradient gradient = gp.gradient(Point::Constant(1, 0.5));
  CHECK(gradient.stddev == 0.0);
  CHECK(gradient.stddev_gradient(0) == 0.0);
  CHECK_THAT(gradient.mean, WithinAbs(1.0, 1e-15));
}

TEST_CASE("A call that throws leaves the model as it was", "[gp][conditioning]") {
  GaussianProcess gp(1, make_isotropic(KernelType::kLinear, 1.0, 1.0), {.noise_stddev = 0.1});
  add_all(gp, line({0.0, 1.0}), column({0.5, 2.0}));
  const Vector before = gp.predict(line({0.3, 2.0})).mean;
  CHECK_THROWS_AS(gp.add_pending(Point::Constant(1, 1e160)), InvalidArgument);
  CHECK_THROWS_AS(gp.add(Point::Constant(1, 1e160), 1.0), InvalidArgument);
  CHECK(gp.num_observations() == 2);
  CHECK(same_bits(gp.predict(line({0.3, 2.0})).mean, before));
  gp.add(Point::Constant(1, 2.0), 3.0);
  CHECK(gp.num_observations() == 3);

  // A pending point that overflows only now is left out, and the new values hold.
  gp.add_pending(Point::Constant(1, 1e100));
  gp.set_hyperparameters({{"length_scale", 1e-100}});
  CHECK(hyperparameter(gp, "length_scale") == 1e-100);
  gp.set_hyperparameters({{"length_scale", 1.0}});
  CHECK(gp.predict(line({2.0})).mean.allFinite());
  gp.clear();
  CHECK(gp.num_observations() == 0);
}

TEST_CASE("What overflows is refused, not returned", "[gp][conditioning]") {
  GaussianProcess gp(1, make_isotropic(KernelType::kLinear, 1.0, 1.0), {.noise_stddev = 0.1});
  add_all(gp, line({0.0, 1.0}), column({0.5, 2.0}));
  const Points far = line({1e200, -1e200});
  Rng rng = make_stream(0, "sample");
  CHECK_THROWS_AS(gp.predict(far), InvalidArgument);
  CHECK_THROWS_AS(gp.covariance(far, far), InvalidArgument);
  CHECK_THROWS_AS(gp.sample(far, 2, rng), InvalidArgument);
  CHECK_THROWS_AS(gp.gradient(far.row(0)), InvalidArgument);
}

}  // namespace
}  // namespace pomlux
