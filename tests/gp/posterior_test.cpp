// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/gp/gaussian_process.hpp>

#include "gp_cases.hpp"

namespace pomlux {
namespace {

using namespace test;

/// More candidates than one chunk of the implementation, in two dimensions.
Domain make_domain(Index n = 700) {
  Rng rng = make_stream(20, "domain");
  return Domain(random_points(n, 2, rng));
}

GaussianProcess make_model(double noise = 0.1) {
  return {2, make_isotropic(KernelType::kMatern52, 0.6, 1.3), {.mean = 0.5, .noise_stddev = noise}};
}

void add_random(GaussianProcess& gp, Index count, std::uint64_t stream) {
  Rng rng = make_stream(21, "observations", stream);
  const Points x = random_points(count, 2, rng);
  add_all(gp, x, draw_normals(rng, count));
}

TEST_CASE("The posterior over a domain agrees with predictions at its points", "[gp][posterior]") {
  const Domain domain = make_domain();
  GaussianProcess gp = make_model();
  for (std::uint64_t stage = 0; stage < 4; ++stage) {
    if (stage == 3) gp.add_pending(domain.point(5));
    const GaussianVector& posterior = gp.posterior(domain);
    const Marginals expected = gp.predict(domain.points());
    CHECK((posterior.mean() - expected.mean).cwiseAbs().maxCoeff() <= 1e-12);
    CHECK((posterior.stddev() - expected.stddev).cwiseAbs().maxCoeff() <= 1e-12);
    CHECK(posterior.coordinates() == &domain.points());
    CHECK(posterior.has_covariance());
    if (stage < 2) add_random(gp, 13, stage);
  }
}

TEST_CASE("All forms of the posterior covariance agree", "[gp][posterior]") {
  const Domain domain = make_domain(300);  // two blocks of the implementation
  GaussianProcess gp = make_model();
  add_random(gp, 9, 0);
  gp.add_pending(domain.point(17));
  const GaussianVector& posterior = gp.posterior(domain);
  const Matrix expected = gp.covariance(domain.points(), domain.points());
  const Matrix matrix = posterior.covariance_matrix();
  CHECK((matrix - expected).cwiseAbs().maxCoeff() <= 1e-13);
  CHECK(same_bits(matrix, matrix.transpose()));
  CHECK((matrix.diagonal() - posterior.stddev().cwiseAbs2()).cwiseAbs().maxCoeff() == 0.0);
  CHECK((posterior.covariance_column(17) - expected.col(17)).cwiseAbs().maxCoeff() <= 1e-13);
  const std::vector<Index> some = {290, 17, 3};
  const Matrix columns_of_some = posterior.covariance_columns(some);
  for (Index j = 0; j < 3; ++j) {
    CHECK(same_bits(columns_of_some.col(j), posterior.covariance_column(some[j])));
  }
  CHECK(columns_of_some(17, 1) == matrix(17, 17));
  CHECK_THAT(posterior.covariance(3, 290), WithinAbs(expected(3, 290), 1e-13));
  CHECK(posterior.covariance(3, 3) == matrix(3, 3));
  const std::vector<Index> rows = {4, 290, 7};
  const std::vector<Index> columns = {7, 0};
  const Matrix block = posterior.covariance_block(rows, columns);
  REQUIRE(block.rows() == 3);
  REQUIRE(block.cols() == 2);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 2; ++j) {
      CHECK_THAT(block(i, j), WithinAbs(expected(rows[i], columns[j]), 1e-13));
    }
  }
  CHECK(block(2, 0) == matrix(7, 7));
  // The same indices twice, in order and not.
  for (const std::vector<Index>& both : {std::vector<Index>{4, 7, 290}, {290, 4, 4}}) {
    const Matrix square = posterior.covariance_block(both, both);
    CHECK(same_bits(square, square.transpose()));
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) {
        CHECK_THAT(square(i, j), WithinAbs(expected(both[i], both[j]), 1e-13));
      }
    }
    CHECK(square(1, 1) == matrix(both[1], both[1]));
  }
  CHECK_THROWS_AS(posterior.covariance(0, 300), InvalidArgument);
  CHECK_THROWS_AS(posterior.covariance_column(-1), InvalidArgument);
  CHECK_THROWS_AS(posterior.covariance_columns(std::vector<Index>{300}), InvalidArgument);
  CHECK_THROWS_AS(posterior.covariance_block(std::vector<Index>{300}, columns), InvalidArgument);
}

TEST_CASE("A grown posterior has the bits of one computed anew", "[gp][determinism]") {
  const Domain domain = make_domain();
  for (const double noise : {0.1, 0.0}) {
    CAPTURE(noise);
    GaussianProcess grown = make_model(noise);
    GaussianProcess anew = make_model(noise);
    for (std::uint64_t step = 0; step < 40; ++step) {
      add_random(grown, 1, step);
      if (noise == 0.0 && step % 10 == 9) grown.add(domain.point(3), 0.5);  // repeats: jitter
      (void)grown.posterior(domain);
      add_random(anew, 1, step);
      if (noise == 0.0 && step % 10 == 9) anew.add(domain.point(3), 0.5);
    }
    const GaussianVector& a = grown.posterior(domain);
    const GaussianVector& b = anew.posterior(domain);
    CHECK(same_bits(a.mean(), b.mean()));
    CHECK(same_bits(a.stddev(), b.stddev()));
    CHECK(a.mean().allFinite());
  }
}

TEST_CASE("The posterior has the same bits on any number of threads", "[gp][determinism]") {
  const Domain domain = make_domain(1100);
  const auto run = [&](int threads) {
    Matrix result(1100, 3);
    with_threads(threads, [&] {
      GaussianProcess gp = make_model();
      add_random(gp, 25, 0);
      (void)gp.posterior(domain);
      add_random(gp, 1, 1);
      const GaussianVector& posterior = gp.posterior(domain);
      result << posterior.mean(), posterior.stddev(), posterior.covariance_matrix().col(700);
    });
    return result;
  };
  const Matrix one = run(1);
  CHECK(same_bits(one, run(2)));
  CHECK(same_bits(one, run(8)));
}

TEST_CASE("Pending points come and go without a trace", "[gp][pending]") {
  const Domain domain = make_domain();
  GaussianProcess gp = make_model();
  add_random(gp, 12, 0);
  const Vector mean = gp.posterior(domain).mean();
  const Vector stddev = gp.posterior(domain).stddev();
  gp.add_pending(domain.point(100));
  gp.add_pending(domain.point(200));
  CHECK(same_bits(gp.posterior(domain).mean(), mean));
  CHECK((gp.posterior(domain).stddev().array() <= stddev.array()).all());
  CHECK(gp.posterior(domain).stddev()(100) < 0.9 * stddev(100));
  gp.clear_pending();
  CHECK(same_bits(gp.posterior(domain).mean(), mean));
  CHECK(same_bits(gp.posterior(domain).stddev(), stddev));

  // A pending point that is told: as if it had never been pending.
  gp.add_pending(domain.point(100));
  (void)gp.posterior(domain);
  gp.clear_pending();
  gp.add(domain.point(100), 0.25);
  GaussianProcess direct = make_model();
  add_random(direct, 12, 0);
  direct.add(domain.point(100), 0.25);
  CHECK(same_bits(gp.posterior(domain).mean(), direct.posterior(domain).mean()));
  CHECK(same_bits(gp.posterior(domain).stddev(), direct.posterior(domain).stddev()));
}

TEST_CASE("The posterior follows the domain, the hyper-parameters and a clear", "[gp][posterior]") {
  const Domain domain = make_domain();
  const Domain other = make_domain(30).sample(20, *std::make_unique<Rng>(make_stream(1, "s")));
  GaussianProcess gp = make_model();
  add_random(gp, 12, 0);
  (void)gp.posterior(domain);
  CHECK(gp.posterior(other).size() == 20);
  gp.set_hyperparameters({{"length_scale", 0.2}, {"mean", -1.0}});
  CHECK((gp.posterior(domain).mean() - gp.predict(domain.points()).mean).cwiseAbs().maxCoeff() <=
        1e-12);
  gp.clear();
  CHECK((gp.posterior(domain).mean().array() == -1.0).all());
  CHECK((gp.posterior(domain).stddev().array() == 1.3).all());
  CHECK(gp.posterior(domain).covariance_column(0)(0) == 1.3 * 1.3);
  CHECK_THROWS_AS(gp.posterior(Domain(Points::Zero(3, 1))), InvalidArgument);
}

TEST_CASE("The posterior refuses a whole covariance beyond its memory limit", "[gp][memory]") {
  const Domain domain = make_domain(200);
  GaussianProcess gp(
      2, make_isotropic(KernelType::kMatern52, 0.6, 1.0), {.memory_limit = 8.0 * 199 * 200});
  add_random(gp, 3, 0);
  const GaussianVector& posterior = gp.posterior(domain);
  CHECK_THROWS_AS(posterior.covariance_matrix(), MemoryLimitExceeded);
  CHECK(posterior.covariance_column(0).size() == 200);
}

TEST_CASE("Sixty thousand candidates need no matrix of their square", "[gp][memory]") {
  // 28.8 GB if it were formed: beyond the default limit, and far more than the time of a test.
  const Domain domain = make_domain(60000);
  GaussianProcess gp = make_model();
  add_random(gp, 20, 0);
  const GaussianVector& posterior = gp.posterior(domain);
  CHECK(posterior.mean().allFinite());
  CHECK(posterior.covariance_column(59999).size() == 60000);
  CHECK_THROWS_AS(posterior.covariance_matrix(), MemoryLimitExceeded);
}

TEST_CASE("Every candidate known without noise has stddev near 0 and never NaN",
          "[gp][degenerate]") {
  Points points(11, 1);
  for (Index i = 0; i < 11; ++i) points(i, 0) = 0.1 * static_cast<double>(i);
  const Domain domain(points);
  GaussianProcess gp(
      1, make_isotropic(KernelType::kSquaredExponential, 2.0, 1.0), {.noise_stddev = 0.0});
  for (Index i = 0; i < 11; ++i) gp.add(domain.point(i), std::sin(points(i, 0)));
  const GaussianVector& posterior = gp.posterior(domain);
  CHECK(posterior.stddev().allFinite());
  CHECK((posterior.stddev().array() >= 0.0).all());
  CHECK(posterior.stddev().maxCoeff() <= 1e-5);
  CHECK(posterior.covariance_matrix().allFinite());
}

}  // namespace
}  // namespace pomlux
