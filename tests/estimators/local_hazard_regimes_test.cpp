// SPDX-License-Identifier: MIT
// Common factors and joint samples of local_hazard, and its choice between regimes.
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/local_hazard.hpp>
#include <pomlux/estimators/local_hazard_factors.hpp>
#include <vector>

#include "hazard_cases.hpp"

namespace {

using namespace pomlux;
using namespace pomlux::test;

/// Arms with one common factor, F = mean + loading u + own deviation.
struct OneFactor {
  Vector mean, loading, deviation;

  [[nodiscard]] DenseGaussian gaussian() const {
    Matrix covariance = loading * loading.transpose();
    covariance.diagonal() += deviation.cwiseAbs2();
    return {mean, covariance};
  }

  /// Independence averaged over the factor: quasi-exact.
  [[nodiscard]] Vector exact(int nodes) const {
    Vector sum = Vector::Zero(mean.size());
    for (int k = 0; k < nodes; ++k) {
      const double u = normal_quantile((k + 0.5) / nodes);
      const Vector given = mean + u * loading;
      sum += independence(given, deviation, {.epsilon = 1e-6}).probabilities;
    }
    return sum / nodes;
  }
};

/// Correlation 0.8, unequal standard deviations.
OneFactor equicorrelated(Index n) {
  Rng rng = make_stream(21, "local_hazard_regimes_test");
  OneFactor result{draw_normals(rng, n), Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const double stddev = 0.5 + draw_uniform(rng);
    result.loading(i) = std::sqrt(0.8) * stddev;
    result.deviation(i) = std::sqrt(0.2) * stddev;
  }
  return result;
}

/// Arms with several common factors and a diagonal, all of the same variance.
struct ManyFactors {
  Vector mean;
  Matrix loadings;
  double deviation;

  [[nodiscard]] DenseGaussian gaussian() const {
    Matrix covariance = loadings * loadings.transpose();
    covariance.diagonal().array() += deviation * deviation;
    return {mean, covariance};
  }
};

ManyFactors many_factors(Index n, Index factors) {
  Rng rng = make_stream(25, "local_hazard_regimes_test");
  ManyFactors result{draw_normals(rng, n), Matrix(n, factors), 0.5};
  for (Index j = 0; j < factors; ++j) result.loadings.col(j) = draw_normals(rng, n);
  result.loadings.rowwise().normalize();
  return result;
}

std::vector<Index> all_arms(Index n) {
  std::vector<Index> arms;
  for (Index i = 0; i < n; ++i) arms.push_back(i);
  return arms;
}

TEST_CASE("A factor and a diagonal are told apart", "[estimators][local_hazard]") {
  const OneFactor truth = equicorrelated(150);
  const DenseGaussian f = truth.gaussian();
  const Matrix w = common_factors(f, all_arms(150), Vector::Constant(150, 1.0 / 150.0), 1);
  REQUIRE(w.cols() == 1);
  const double sign = w(0, 0) > 0.0 ? 1.0 : -1.0;
  CHECK((sign * w - truth.loading).cwiseAbs().maxCoeff() < 1e-3);
  const ResidualGaussian rest(f, w);
  CHECK((rest.stddev() - truth.deviation).cwiseAbs().maxCoeff() < 2e-3);
  CHECK_THAT(rest.covariance(3, 3), WithinRel(rest.stddev()(3) * rest.stddev()(3), 1e-12));
  CHECK(std::abs(rest.covariance(3, 4)) < 1e-3);
  const DenseGaussian diagonal(truth.mean, truth.deviation.cwiseAbs2().asDiagonal());
  CHECK(common_factors(diagonal, all_arms(150), Vector::Constant(150, 1.0 / 150.0), 2).cols() == 0);
}

TEST_CASE("Arms with a common factor are solved by integrating over it",
          "[estimators][local_hazard]") {
  const OneFactor truth = equicorrelated(200);
  const Vector expected = truth.exact(500);
  const DenseGaussian f = truth.gaussian();
  const LocalHazardResult result = hazard_of(f);
  CHECK(result.regime == HazardRegime::kFactors);
  CHECK(result.factors == 1);
  CHECK(result.pom.status == Status::kConverged);
  CHECK(hazard_distance(result, expected) < 0.005);
  CHECK(hazard_distance(result, expected) <= 2.0 * *result.pom.model_error);
  const LocalHazardResult local = hazard_of(f, {.regime = HazardRegime::kLocal});
  CHECK(hazard_distance(local, expected) > 2.0 * hazard_distance(result, expected));
  CHECK(local.pom.status == Status::kInaccurate);
}

TEST_CASE("Two common factors are integrated over as by a fine grid",
          "[estimators][local_hazard]") {
  const ManyFactors truth = many_factors(60, 2);
  constexpr int kNodes = 60;
  Vector expected = Vector::Zero(60);
  for (int a = 0; a < kNodes; ++a) {
    for (int b = 0; b < kNodes; ++b) {
      const Vector u =
          (Vector(2) << normal_quantile((a + 0.5) / kNodes), normal_quantile((b + 0.5) / kNodes))
              .finished();
      const Vector given = truth.mean + truth.loadings * u;
      expected += independence(given, Vector::Constant(60, truth.deviation), {.epsilon = 1e-4})
                      .probabilities /
                  (kNodes * kNodes);
    }
  }
  const LocalHazardResult result = hazard_of(truth.gaussian());
  CHECK(result.regime == HazardRegime::kFactors);
  CHECK(hazard_distance(result, expected) < 0.01);
  CHECK(hazard_distance(result, expected) <= 2.0 * *result.pom.model_error);
}

TEST_CASE("Three to eight common factors are integrated over", "[estimators][local_hazard]") {
  for (const Index factors : {3, 8}) {
    CAPTURE(factors);
    const DenseGaussian f = many_factors(100, factors).gaussian();
    const LocalHazardResult result = hazard_of(f);
    Rng rng = make_stream(26, "local_hazard_regimes_test");
    const TsMcResult truth = ts_mc(f, rng, {.samples = 100000});
    const double noise = *truth.pom.sampling_error;
    CHECK(result.regime == HazardRegime::kFactors);
    CHECK(result.factors >= factors);
    CHECK(result.pom.status == Status::kConverged);
    CHECK(hazard_distance(result, truth.pom.probabilities) < 0.01 + noise);
    CHECK(hazard_distance(result, truth.pom.probabilities) <=
          2.0 * *result.pom.model_error + noise);
    const LocalHazardResult local = hazard_of(f, {.regime = HazardRegime::kLocal});
    CHECK(hazard_distance(local, truth.pom.probabilities) > 0.03);
  }
}

TEST_CASE("A long length scale with a short one on top is one of factors and a rest",
          "[estimators][local_hazard]") {
  const PlainKernel near = exponential_l1(1.0), far = squared_exponential(15.0);
  const DenseGaussian f = draw_posterior(
      kernel_matrix(square(15), [=](const Point& d) { return near(d) + far(d); }), 5, 0.1, 27);
  const LocalHazardResult result = hazard_of(f);
  Rng rng = make_stream(28, "local_hazard_regimes_test");
  const TsMcResult truth = ts_mc(f, rng, {.samples = 100000});
  const double noise = *truth.pom.sampling_error;
  CHECK(result.regime == HazardRegime::kFactors);
  CHECK(hazard_distance(result, truth.pom.probabilities) < 0.015 + noise);
  CHECK(hazard_distance(result, truth.pom.probabilities) <= 2.0 * *result.pom.model_error + noise);
}

TEST_CASE("Common factors are found in any unit", "[estimators][local_hazard]") {
  const OneFactor truth = equicorrelated(100);
  const DenseGaussian plain = truth.gaussian();
  const LocalHazardResult expected = hazard_of(plain);
  REQUIRE(expected.regime == HazardRegime::kFactors);
  for (const double unit : {0x1p-498, 0x1p498}) {
    CAPTURE(unit);
    const DenseGaussian f(unit * truth.mean, unit * unit * plain.covariance_matrix());
    CHECK(hazard_distance(hazard_of(f), expected.pom.probabilities) < 1e-9);
  }
}

TEST_CASE("Where neighbours see all that matters, the choice is local",
          "[estimators][local_hazard]") {
  const DenseGaussian f =
      draw_posterior(kernel_matrix(line(200), squared_exponential(1.5)), 40, 0.1, 22);
  const LocalHazardResult result = hazard_of(f, {.allow_sampling = true});
  CHECK(result.regime == HazardRegime::kLocal);
  CHECK(result.pom.probabilities ==
        hazard_of(f, {.regime = HazardRegime::kLocal}).pom.probabilities);
}

TEST_CASE("Many features without structure are warned of, or sampled where that is allowed",
          "[estimators][local_hazard]") {
  Rng rng = make_stream(23, "local_hazard_regimes_test");
  Matrix features(300, 10);
  for (Index j = 0; j < features.cols(); ++j) features.col(j) = draw_normals(rng, 300);
  Matrix covariance = features * features.transpose();
  covariance.diagonal().array() += 1e-6;
  const DenseGaussian f(Vector::Zero(300), covariance);
  const LocalHazardResult quiet = hazard_of(f);
  CHECK(quiet.pom.status == Status::kInaccurate);
  CHECK_FALSE(quiet.pom.sampling_error.has_value());
  const LocalHazardResult sampled = hazard_of(f, {.allow_sampling = true});
  CHECK(sampled.regime == HazardRegime::kSampling);
  REQUIRE(sampled.pom.sampling_error.has_value());
  Rng stream = make_stream(24, "local_hazard_regimes_test");
  const TsMcResult truth = ts_mc(f, stream, {.samples = 200000});
  CHECK(hazard_distance(sampled, truth.pom.probabilities) <
        2.0 * *sampled.pom.model_error + *truth.pom.sampling_error);
  CHECK(*sampled.pom.model_error < 0.03);
}

TEST_CASE("Every regime gives the same bits on any number of threads",
          "[estimators][local_hazard]") {
  for (const DenseGaussian& f : {equicorrelated(120).gaussian(), many_factors(60, 3).gaussian()}) {
    for (const HazardRegime regime :
         {HazardRegime::kAuto, HazardRegime::kFactors, HazardRegime::kSampling}) {
      std::vector<Vector> results;
      for (const int threads : {1, 2, 8}) {
        with_threads(threads, [&] {
          results.push_back(hazard_of(f, {.regime = regime}).pom.probabilities);
        });
      }
      CHECK(results[0] == results[1]);
      CHECK(results[0] == results[2]);
    }
  }
}

}  // namespace
