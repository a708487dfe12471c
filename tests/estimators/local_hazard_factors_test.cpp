// SPDX-License-Identifier: MIT
// Averages over common factors of local_hazard, and beliefs that need them.
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/normal.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/local_hazard_nodes.hpp>
#include <vector>

#include "hazard_cases.hpp"

namespace {

using namespace pomlux;
using namespace pomlux::test;

/// Loadings of unit norm.
Matrix draw_loadings(Rng& rng, Index n, Index factors) {
  Matrix loadings(n, factors);
  for (Index j = 0; j < factors; ++j) loadings.col(j) = draw_normals(rng, n);
  loadings.rowwise().normalize();
  return loadings;
}

DenseGaussian with_factors(const Vector& mean, const Matrix& loadings, double deviation) {
  Matrix covariance = loadings * loadings.transpose();
  covariance.diagonal().array() += deviation * deviation;
  return {mean, covariance};
}

HazardArms alone(const Vector& mean, const Vector& stddev) {
  HazardArms arms;
  for (Index i = 0; i < mean.size(); ++i) arms.arms.push_back(i);
  arms.mean = mean;
  arms.stddev = stddev;
  arms.inverse_stddev = stddev.cwiseInverse();
  arms.count.assign(arms.arms.size(), 0);
  return arms;
}

TEST_CASE("An average over two factors is that over a fine grid", "[estimators][local_hazard]") {
  constexpr Index kArms = 60;
  constexpr int kGrid = 60;
  constexpr double kDeviation = 0.5;
  Rng rng = make_stream(31, "local_hazard_factors_test");
  const Vector mean = draw_normals(rng, kArms);
  const Matrix loadings = draw_loadings(rng, kArms, 2);
  const Vector stddev = Vector::Constant(kArms, kDeviation);
  Vector expected = Vector::Zero(kArms);
  for (int a = 0; a < kGrid; ++a) {
    for (int b = 0; b < kGrid; ++b) {
      const Vector u =
          (Vector(2) << normal_quantile((a + 0.5) / kGrid), normal_quantile((b + 0.5) / kGrid))
              .finished();
      const Pom given = independence(mean + loadings * u, stddev, {.epsilon = 1e-4});
      expected += given.probabilities / (kGrid * kGrid);
    }
  }
  const HazardArms arms = alone(mean, stddev);
  const std::vector<bool> none(kArms, false);
  const auto average = [&](double floor, double tolerance) {
    return average_over_factors(arms, loadings, none, floor, 200, tolerance);
  };
  const FactorAverage coarse = average(-kInfinity, 1.0), fine = average(-kInfinity, 0.0);
  CHECK(coarse.nodes == kFewestNodes);
  CHECK(fine.nodes == kMostNodes);
  CHECK(fine.roughness < coarse.roughness);
  CHECK(total_variation(coarse.average.probabilities, expected) < 0.01);
  CHECK(total_variation(fine.average.probabilities, expected) < 0.003);
  CHECK_THAT(fine.average.probabilities.sum(), WithinAbs(1.0, 1e-12));
  // A certain arm there takes what all others leave below it, and so far below nothing.
  const HazardAverage shared = average(3.0, 0.0).average;
  CHECK_THAT(shared.probabilities.sum() + shared.certain, WithinAbs(1.0, 1e-12));
  CHECK(shared.certain > 0.05);
  CHECK(average(-20.0, 0.0).average.certain < 1e-3);
  CHECK_THAT(average(20.0, 0.0).average.certain, WithinAbs(1.0, 1e-9));
}

TEST_CASE("Nodes leave out no arm that matters", "[estimators][local_hazard]") {
  // Twenty sure arms that are best where the wide one falls far.
  Vector mean = Vector::Constant(21, -2.75), stddev = Vector::Constant(21, 0.05);
  mean(0) = 0.0;
  stddev(0) = 1.0;
  for (Index i = 1; i < 21; ++i) mean(i) += 5e-5 * static_cast<double>(i);
  const Vector expected = independence(mean, stddev, {.epsilon = 1e-8}).probabilities;
  REQUIRE(expected.tail(20).sum() > 0.003);
  const FactorAverage found = average_over_factors(
      alone(mean, stddev), Matrix::Ones(21, 1), std::vector<bool>(21, false), -kInfinity, 200, 0.0);
  CHECK_THAT(found.average.probabilities.tail(20).sum(), WithinAbs(expected.tail(20).sum(), 2e-4));
}

TEST_CASE("Strong factors are integrated over though neighbours seem to see all",
          "[estimators][local_hazard]") {
  struct Case {
    Index n, factors;
    double deviation;
  };
  for (const Case& c : {Case{20, 2, 0.25}, Case{60, 3, 0.1}, Case{150, 3, 0.1}}) {
    CAPTURE(c.n, c.factors, c.deviation);
    Rng rng = make_stream(32, "local_hazard_factors_test");
    const Vector mean = draw_normals(rng, c.n);
    const DenseGaussian f = with_factors(mean, draw_loadings(rng, c.n, c.factors), c.deviation);
    const TsMcResult truth = ts_mc(f, rng, {.samples = 50000});
    const LocalHazardResult result = hazard_of(f);
    CHECK(result.regime == HazardRegime::kFactors);
    CHECK(hazard_distance(result, truth.pom.probabilities) <=
          2.0 * *result.pom.model_error + *truth.pom.sampling_error);
    CHECK(*result.pom.model_error < 0.02);
  }
}

TEST_CASE("One arm a hundred times as wide as the others hides no factors",
          "[estimators][local_hazard]") {
  Rng rng = make_stream(37, "local_hazard_factors_test");
  constexpr Index kArms = 60;
  Vector mean = draw_normals(rng, kArms);
  Matrix covariance = with_factors(mean, draw_loadings(rng, kArms, 3), 0.25).covariance_matrix();
  constexpr double kTimes = 100.0;
  covariance.row(0) *= kTimes;
  covariance.col(0) *= kTimes;
  mean(0) = -1.2 * kTimes;
  const DenseGaussian f(mean, covariance);
  const TsMcResult truth = ts_mc(f, rng, {.samples = 50000});
  REQUIRE(truth.pom.probabilities(0) > 0.05);
  const LocalHazardResult result = hazard_of(f);
  CHECK(result.regime == HazardRegime::kFactors);
  CHECK(result.factors >= 3);
  CHECK(hazard_distance(result, truth.pom.probabilities) <=
        2.0 * *result.pom.model_error + *truth.pom.sampling_error);
}

TEST_CASE("One factor keeps neighbours where the rest is correlated",
          "[estimators][local_hazard]") {
  constexpr Index kArms = 200;
  Matrix covariance(kArms, kArms);
  Vector mean(kArms);
  for (Index i = 0; i < kArms; ++i) {
    mean(i) = std::sin(static_cast<double>(i * i));
    for (Index j = 0; j < kArms; ++j) {
      covariance(i, j) = 1.0 + std::pow(0.85, std::abs(static_cast<double>(i - j)));
    }
  }
  const DenseGaussian f(mean, covariance);
  Rng rng = make_stream(33, "local_hazard_factors_test");
  const TsMcResult truth = ts_mc(f, rng, {.samples = 50000});
  const LocalHazardResult result = hazard_of(f);
  CHECK(result.factors == 1);
  CHECK(hazard_distance(result, truth.pom.probabilities) <=
        2.0 * *result.pom.model_error + *truth.pom.sampling_error);
  CHECK(*result.pom.model_error < 0.03);
}

TEST_CASE("Factors beside a certain arm, or with too few panels, give probabilities",
          "[estimators][local_hazard]") {
  Rng rng = make_stream(34, "local_hazard_factors_test");
  for (int trial = 0; trial < 20; ++trial) {
    CAPTURE(trial);
    const Index n = 5 + draw_index(rng, 36);
    Vector mean = draw_normals(rng, n);
    Matrix covariance = with_factors(mean, draw_loadings(rng, n, 3), 0.5).covariance_matrix();
    mean(0) = 1.0 + trial / 3.0;
    covariance.row(0).setZero();
    covariance.col(0).setZero();
    const DenseGaussian f(mean, covariance);
    for (const Index m : {0, 16}) {
      for (const int panels : {1, 200}) {
        CAPTURE(m, panels);
        const LocalHazard estimator(
            {.neighbours = m, .regime = HazardRegime::kFactors, .max_panels = panels});
        Rng stream = make_stream(35, "local_hazard_factors_test");
        CHECK_THAT(estimator.estimate(f, stream).probabilities.sum(), WithinAbs(1.0, 1e-9));
      }
    }
  }
}

TEST_CASE("The order of the arms moves an average over factors by no more than its error",
          "[estimators][local_hazard]") {
  constexpr Index kArms = 60;
  Rng rng = make_stream(36, "local_hazard_factors_test");
  const Vector mean = draw_normals(rng, kArms);
  const DenseGaussian f = with_factors(mean, draw_loadings(rng, kArms, 3), 0.5);
  const LocalHazardResult expected = hazard_of(f);
  REQUIRE(expected.factors >= 3);
  const std::vector<Index> order = draw_without_replacement(rng, kArms, kArms);
  const DenseGaussian permuted(mean(order), f.covariance_matrix()(order, order));
  Vector back(kArms);
  back(order) = hazard_of(permuted).pom.probabilities;
  CHECK(hazard_distance(expected, back) <= *expected.pom.model_error);
}

}  // namespace
