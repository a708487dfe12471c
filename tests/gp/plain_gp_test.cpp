// SPDX-License-Identifier: MIT
// The blocked and vectorised model against the textbook's.
#include "plain_gp.hpp"

#include <catch.hpp>
#include <cmath>
#include <pomlux/gp/likelihood.hpp>

#include "gp_cases.hpp"

namespace pomlux {
namespace {

using namespace test;

/// Around the sizes of tiles, vectors and strips at every level, and several strips.
const std::vector<Index> kSizes = {1, 2, 4, 5, 8, 9, 12, 13, 24, 25, 33, 71, 131};
const std::vector<Index> kDimensions = {1, 3, 6};

PlainGp make_plain(KernelType type, Index d) {
  return {type, Vector::LinSpaced(d, 0.5, 1.4), 1.3, 0.2};
}

std::unique_ptr<Kernel> kernel_of(const PlainGp& plain) {
  return make_kernel(plain.type, plain.length_scale, plain.amplitude);
}

const std::vector<KernelType> kStationary(kAllKernels.begin(), kAllKernels.end() - 1);

TEST_CASE("Covariance matrices are those of plain loops", "[gp][plain]") {
  for (const KernelType type : kStationary) {
    for (const Index n : kSizes) {
      for (const Index d : kDimensions) {
        CAPTURE(to_string(type), n, d);
        Rng rng = make_stream(30, "plain", static_cast<std::uint64_t>(100 * n + d));
        const Points x = random_points(n, d, rng);
        const Points y = random_points(7, d, rng);
        const PlainGp plain = make_plain(type, d);
        const std::unique_ptr<Kernel> kernel = kernel_of(plain);
        const double variance = plain.amplitude * plain.amplitude;
        const Matrix own = kernel->matrix(x);
        CHECK((own - plain.matrix(x, x)).cwiseAbs().maxCoeff() <= 8 * kEpsilon * variance);
        CHECK(own.maxCoeff() <= variance);
        CHECK((own.diagonal().array() == variance).all());
        const Matrix cross = kernel->matrix(x, y);
        CHECK((cross - plain.matrix(x, y)).cwiseAbs().maxCoeff() <= 8 * kEpsilon * variance);
        // An entry has the same bits in any block, either way round.
        CHECK(same_bits(kernel->matrix(y, x).transpose(), cross));
        CHECK(same_bits(kernel->matrix(x.bottomRows(1), y), cross.bottomRows(1)));
        CHECK(same_bits(kernel->matrix(x, x), own));
        Matrix wide = Matrix::Constant(n + 3, 7, 7.0);
        kernel->write_matrix(x, y, wide.topRows(n));
        CHECK(same_bits(wide.topRows(n), cross));
        CHECK((wide.bottomRows(3).array() == 7.0).all());
      }
    }
  }
}

TEST_CASE("The likelihood and its gradient are those of plain loops", "[gp][plain]") {
  LikelihoodWorkspace workspace;  // used again at other sizes
  for (const Index n : kSizes) {
    for (const Index d : kDimensions) {
      CAPTURE(n, d);
      Rng rng = make_stream(31, "plain", static_cast<std::uint64_t>(100 * n + d));
      const Points x = random_points(n, d, rng);
      const Vector y = draw_normals(rng, n);
      const PlainGp plain = make_plain(KernelType::kSquaredExponential, d);
      const Vector noise = Vector::Constant(n, plain.noise);
      const PlainGp::Evaluation expected = plain.likelihood(x, y);
      const Likelihood found =
          profile_log_marginal_likelihood(*kernel_of(plain), noise, x, y, workspace);
      CHECK(std::abs(found.mean - expected.mean) <= 1e-11);
      CHECK(std::abs(found.value - expected.value) <= 1e-11 * (1.0 + std::abs(expected.value)));
      Vector gradient(found.kernel_gradient.size() + 1);
      gradient << found.kernel_gradient, found.log_noise_gradient;
      CHECK((gradient - expected.gradient).cwiseAbs().maxCoeff() <=
            1e-10 * (1.0 + expected.gradient.cwiseAbs().maxCoeff()));
      // A workspace that has seen other data changes nothing.
      const Likelihood fresh = profile_log_marginal_likelihood(*kernel_of(plain), noise, x, y);
      CHECK(fresh.value == found.value);
      CHECK(same_bits(fresh.kernel_gradient, found.kernel_gradient));
    }
  }
}

TEST_CASE("Predictions are those of plain loops", "[gp][plain]") {
  for (const KernelType type : kStationary) {
    for (const Index n : kSizes) {
      CAPTURE(to_string(type), n);
      Rng rng = make_stream(32, "plain", static_cast<std::uint64_t>(n));
      const Points x = random_points(n, 2, rng);
      const Vector y = draw_normals(rng, n);
      const Points at = random_points(53, 2, rng);
      const PlainGp plain = make_plain(type, 2);
      GaussianProcess gp(2, kernel_of(plain), {.mean = 0.3, .noise_stddev = plain.noise});
      add_all(gp, x, y);
      const Marginals found = gp.predict(at);
      const PlainGp::Prediction expected = plain.predict(x, y, 0.3, at);
      CHECK((found.mean - expected.mean).cwiseAbs().maxCoeff() <= 1e-11);
      CHECK((found.stddev.cwiseAbs2() - expected.variance).cwiseAbs().maxCoeff() <= 1e-12);
      const Marginals last = gp.predict(at.bottomRows(1));
      CHECK(last.mean(0) == found.mean(52));
      CHECK(last.stddev(0) == found.stddev(52));
    }
  }
}

TEST_CASE("Predictions at candidates have the bits of the posterior over them",
          "[gp][plain][determinism]") {
  Rng rng = make_stream(33, "plain");
  const Domain domain(random_points(500, 3, rng));
  GaussianProcess gp(
      3, make_kernel(KernelType::kMatern52, Vector::Constant(3, 0.7), 1.0), {.noise_stddev = 0.1});
  for (Index i = 0; i < 70; ++i) {
    gp.add(random_points(1, 3, rng).row(0), draw_normal(rng));
    if (i == 40 || i == 41) (void)gp.posterior(domain);  // the rest grows, over two slabs
  }
  gp.add_pending(domain.point(7));
  const GaussianVector& posterior = gp.posterior(domain);
  const Marginals predicted = gp.predict(domain.points());
  CHECK(same_bits(posterior.mean(), predicted.mean));
  CHECK(same_bits(posterior.stddev(), predicted.stddev));
}

}  // namespace
}  // namespace pomlux
