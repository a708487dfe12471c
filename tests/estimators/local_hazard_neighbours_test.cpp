// SPDX-License-Identifier: MIT
// Which arms local_hazard takes as neighbours, and what more of them do.
#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <numeric>
#include <pomlux/core/normal.hpp>
#include <pomlux/estimators/local_hazard_local.hpp>
#include <vector>

#include "hazard_cases.hpp"

namespace {

using namespace pomlux;
using namespace pomlux::test;

/// Of few factors, so that all signs and sizes occur; every fifth arm has its neighbour's.
DenseGaussian mixed_belief(Index n, std::uint64_t seed) {
  Rng rng = make_stream(seed, "local_hazard_neighbours_test");
  Matrix loadings(n, 3);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < 3; ++k) loadings(i, k) = draw_normal(rng);
    if (i % 5 == 4) loadings.row(i) = loadings.row(i - 1);
  }
  Matrix covariance = loadings * loadings.transpose();
  covariance.diagonal().array() += 0.3;
  Vector mean(n);
  for (Index i = 0; i < n; ++i) mean(i) = draw_normal(rng);
  return {std::move(mean), std::move(covariance)};
}

TEST_CASE("Neighbours are the arms with the largest absolute correlations",
          "[estimators][local_hazard]") {
  // All pairs of few, of many and, by columns, of more; some asked for more than there are.
  for (const Index n : {7, 40, 300, 700}) {
    const DenseGaussian f = mixed_belief(n, 1);
    for (const Index m : {1, 3, 8, 16, 64}) {
      CAPTURE(n, m);
      HazardArms found = every_arm(f);
      find_neighbours(f, {.most = m}, found);
      const Index most = std::min(m, n - 1);
      REQUIRE(found.most == most);
      for (Index x = 0; x < n; x += 1 + n / 40) {
        std::vector<double> sizes;
        for (Index z = 0; z < n; ++z) {
          if (z != x) sizes.push_back(std::abs(f.covariance(x, z)) / f.stddev()(x) / f.stddev()(z));
        }
        std::sort(sizes.begin(), sizes.end(), std::greater<>());
        REQUIRE(found.count[static_cast<std::size_t>(x)] == most);
        std::vector<Index> taken;
        for (Index j = 0; j < most; ++j) {
          const auto slot = static_cast<std::size_t>(x * most + j);
          const Index z = found.neighbours[slot];
          const double correlation = f.covariance(x, z) / f.stddev()(x) / f.stddev()(z);
          // Sizes within a millionth may come in another order.
          CHECK(std::abs(std::abs(correlation) - sizes[static_cast<std::size_t>(j)]) < 2e-6);
          CHECK(std::abs(double{found.correlation[slot]} - correlation) < 1e-6);
          taken.push_back(z);
        }
        std::sort(taken.begin(), taken.end());
        CHECK(std::adjacent_find(taken.begin(), taken.end()) == taken.end());
        CHECK(std::find(taken.begin(), taken.end(), x) == taken.end());
      }
    }
  }
}

TEST_CASE("Of equally correlated arms the higher ones are neighbours",
          "[estimators][local_hazard]") {
  const Index n = 50;
  Matrix covariance = Matrix::Constant(n, n, 0.5);
  covariance.diagonal().setOnes();
  const DenseGaussian f(Vector::LinSpaced(n, 0.0, 1.0), covariance);
  HazardArms found = every_arm(f);
  find_neighbours(f, {.most = 8}, found);
  for (Index j = 0; j < 8; ++j) {
    CHECK(found.neighbours[static_cast<std::size_t>(j)] == n - 1 - j);
    CHECK(found.neighbours[static_cast<std::size_t>((n - 1) * 8 + j)] == n - 2 - j);
  }
}

TEST_CASE("Twice as many neighbours bring local hazard nearer the truth on smooth planes",
          "[estimators][local_hazard]") {
  const LocalHazardOptions options;
  double before = 0.0, after = 0.0;
  for (const std::uint64_t seed : {21, 22, 23}) {
    CAPTURE(seed);
    const DenseGaussian f =
        draw_posterior(kernel_matrix(square(20), squared_exponential(5.0)), 12, 0.1, seed);
    Rng rng = make_stream(seed, "local_hazard_neighbours_test truth");
    const TsMcResult truth = ts_mc(f, rng, {.samples = 150000});
    const auto bias = [&](const Vector& probabilities) {
      const double all = total_variation(probabilities, truth.pom.probabilities);
      const double noise = *truth.pom.sampling_error;
      return std::sqrt(std::max(0.0, all * all - noise * noise));
    };
    HazardArms arms = every_arm(f);
    find_neighbours(
        f, {.most = options.neighbours, .spread_beyond = options.strong_correlation}, arms);
    const Vector weights = Vector::Ones(f.size());
    const LocalRegime local(f, arms, weights, -kInfinity, options);
    HazardEstimate best = local.estimate();
    const double doubt = local.check(best);
    const HazardEstimate refined = local.refined(best.error);
    REQUIRE(doubt > 0.02);
    REQUIRE(doubt < 0.1);
    CHECK(best.error >= doubt);
    CHECK(refined.error >= best.error);
    CHECK(refined.unseen <= best.unseen);
    before += bias(best.probabilities);
    after += bias(refined.probabilities);
    // What kAuto does and kLocal does not: among those arms that may win, so not to the bit.
    const LocalHazardResult automatic = hazard_of(f);
    REQUIRE(automatic.regime == HazardRegime::kLocal);
    const Vector& given = hazard_of(f, {.regime = HazardRegime::kLocal}).pom.probabilities;
    const auto is_nearer_refined = [&](const Vector& p) {
      return total_variation(p, refined.probabilities) < total_variation(p, best.probabilities);
    };
    CHECK(is_nearer_refined(automatic.pom.probabilities));
    CHECK_FALSE(is_nearer_refined(given));
    const auto sequentially = [&](HazardRegime regime) {
      return hazard_of(f, {.moments = HazardMoments::kSequential, .regime = regime});
    };
    CHECK(sequentially(HazardRegime::kAuto).pom.probabilities ==
          sequentially(HazardRegime::kLocal).pom.probabilities);
  }
  CAPTURE(before, after);
  CHECK(after < 0.8 * before);
}

TEST_CASE("Twice as many neighbours see more of a rough plane", "[estimators][local_hazard]") {
  const DenseGaussian f =
      draw_posterior(kernel_matrix(square(20), exponential_l1(3.0)), 30, 0.1, 12);
  const LocalHazardResult automatic = hazard_of(f);
  const LocalHazardResult given = hazard_of(f, {.regime = HazardRegime::kLocal});
  REQUIRE(automatic.regime == HazardRegime::kLocal);
  CHECK(automatic.unseen_correlation < 0.6 * given.unseen_correlation);
  CHECK(*automatic.pom.model_error < *given.pom.model_error);
  CHECK(hazard_distance(automatic, given.pom.probabilities) < 2.0 * *given.pom.model_error);
  // Not along a line, where no more is to be seen, nor where the moments are given.
  const DenseGaussian chain =
      draw_posterior(kernel_matrix(line(300), squared_exponential(1.5)), 60, 0.1, 11);
  CHECK(hazard_of(chain).pom.probabilities ==
        hazard_of(chain, {.regime = HazardRegime::kLocal}).pom.probabilities);
  const auto sequentially = [&](HazardRegime regime) {
    return hazard_of(f, {.moments = HazardMoments::kSequential, .regime = regime});
  };
  CHECK(sequentially(HazardRegime::kAuto).pom.probabilities ==
        sequentially(HazardRegime::kLocal).pom.probabilities);
}

TEST_CASE("Up to three arms are exact", "[estimators][local_hazard]") {
  Rng rng = make_stream(2, "local_hazard_neighbours_test");
  for (int trial = 0; trial < 40; ++trial) {
    CAPTURE(trial);
    // Of all correlations, nearly 1 and -1 among them.
    Matrix factor(3, 3);
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) factor(i, j) = draw_normal(rng) * (j == 2 ? 0.05 : 1.0);
    }
    const Matrix covariance = factor * factor.transpose();
    const Vector mean = 0.7 * draw_normals(rng, 3);
    const LocalHazardResult result = hazard_of(DenseGaussian(mean, covariance));
    if (result.active_arms < 3) continue;  // some cannot win
    // P(F_x > F_y, F_x > F_z) by Simpson's rule over the lead over y.
    for (Index x = 0; x < 3; ++x) {
      const Index y = (x + 1) % 3, z = (x + 2) % 3;
      const auto between = [&](Index a, Index b, Index c, Index d) {
        return covariance(a, c) - covariance(a, d) - covariance(b, c) + covariance(b, d);
      };
      const double first = std::sqrt(between(x, y, x, y)), second = std::sqrt(between(x, z, x, z));
      const double correlation = between(x, y, x, z) / first / second;
      const double rest = std::sqrt(1.0 - correlation * correlation);
      const double h = (mean(x) - mean(y)) / first, k = (mean(x) - mean(z)) / second;
      constexpr int kSteps = 4000;
      const double low = -9.0, width = std::min(h, 9.0) - low;
      double sum = 0.0;
      for (int t = 0; t <= kSteps; ++t) {
        const double at = low + width * t / kSteps;
        const double weight = t == 0 || t == kSteps ? 1.0 : t % 2 == 0 ? 2.0 : 4.0;
        sum += weight * normal_pdf(at) * normal_cdf((k - correlation * at) / rest);
      }
      CHECK_THAT(result.pom.probabilities(x), WithinAbs(sum * width / kSteps / 3.0, 1e-7));
    }
    CHECK(*result.pom.model_error < 1e-9);
    CHECK(result.pom.status == Status::kConverged);
  }
  const DenseGaussian pair((Vector(2) << 0.3, 0.0).finished(),
                           (Matrix(2, 2) << 1.0, -0.9, -0.9, 2.0).finished());
  CHECK_THAT(hazard_of(pair).pom.probabilities(0),
             WithinAbs(normal_cdf(0.3 / std::sqrt(1.0 + 2.0 + 1.8)), 1e-14));
  // Perfectly correlated, the higher one always wins.
  const DenseGaussian same((Vector(4) << 0.0, 1e-6, -5e-6, 2e-6).finished(), Matrix::Ones(4, 4));
  CHECK(hazard_of(same).pom.probabilities == (Vector(4) << 0.0, 0.0, 0.0, 1.0).finished());
}

TEST_CASE("With room for all arms a random walk's highest point follows the arcsine law",
          "[estimators][local_hazard]") {
  for (const Index n : {4, 10, 17}) {
    Matrix covariance(n, n);
    Vector back = Vector::Ones(n);  // P(a walk's k steps stay below its start)
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) covariance(i, j) = static_cast<double>(std::min(i, j) + 1);
      if (i > 0)
        back(i) = back(i - 1) * static_cast<double>(2 * i - 1) / static_cast<double>(2 * i);
    }
    const LocalHazardResult result = hazard_of(DenseGaussian(Vector::Zero(n), covariance));
    CHECK(hazard_distance(result, back.cwiseProduct(back.reverse())) < 0.003);
  }
}

TEST_CASE("Local hazard warns where the ends of a nearly linear field hold all",
          "[estimators][local_hazard]") {
  // A fine grid of a smooth prior, on which neighbours are nearly equal; a plane; a line's values.
  const std::vector<Matrix> covariances{
      kernel_matrix(line(300), squared_exponential(300.0)),
      kernel_matrix(line(40), squared_exponential(2000.0)),
      kernel_matrix(square(12), squared_exponential(300.0)),
      (line(20).array() - 7.3).matrix() * (line(20).array() - 7.3).matrix().transpose()};
  for (const Matrix& covariance : covariances) {
    const DenseGaussian f(Vector::Zero(covariance.rows()), covariance);
    CAPTURE(covariance.rows());
    Rng rng = make_stream(3, "local_hazard_neighbours_test");
    const Vector truth = ts_mc(f, rng, {.samples = 20000}).pom.probabilities;
    const LocalHazardResult result = hazard_of(f);
    CHECK(result.pom.status == Status::kInaccurate);
    CHECK(hazard_distance(result, truth) <= 2.0 * *result.pom.model_error + 0.02);
    CHECK(hazard_distance(hazard_of(f, {.allow_sampling = true}), truth) < 0.05);
  }
}

}  // namespace
