// SPDX-License-Identifier: MIT
// The rules EST and information gain.
#include <cmath>
#include <pomlux/acquisition/est_acquisition.hpp>
#include <pomlux/acquisition/information_gain.hpp>
#include <pomlux/core/errors.hpp>
#include <vector>

#include "catch.hpp"

namespace {

using namespace pomlux;

Vector exploration_scores(const Acquisition& rule, const GaussianVector& f, double noise_stddev) {
  const AcquisitionContext context{f, std::nullopt, f.mean().maxCoeff(), noise_stddev, 1};
  Rng rng = make_stream(1, "test");
  return rule.score(context, rng);
}

}  // namespace

TEST_CASE("EST ranks by the distance to the expected maximum in standard deviations",
          "[acquisition][est]") {
  const Eigen::Vector3d mean(0.0, 0.4, 1.1), stddev(1.5, 0.7, 0.2);
  const IndependentGaussian f(mean, stddev);
  const Vector scores = exploration_scores(EstAcquisition(), f, 0.1);
  constexpr double kExpectedMax = 1.359142395;
  double log_cdf = 0.0;
  const auto cdf = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
  for (Index x = 0; x < 3; ++x) log_cdf += std::log(cdf((kExpectedMax - mean(x)) / stddev(x)));
  for (Index x = 0; x < 3; ++x) {
    const double c = (mean(x) - kExpectedMax) / stddev(x);
    CHECK_THAT(scores(x), WithinRel(std::log(cdf(c) / cdf(-c)) + log_cdf, 1e-7));
  }
  CHECK_THROWS_WITH(EstAcquisition({.max_nodes = 1}), ContainsSubstring("max_nodes is 1"));
}

TEST_CASE("EST keeps the order where probabilities underflow", "[acquisition][est]") {
  const IndependentGaussian f(Eigen::Vector3d(0.0, -200.0, -100.0), Eigen::Vector3d(1.0, 1.0, 1.0));
  const Vector scores = exploration_scores(EstAcquisition(), f, 0.1);
  CHECK(scores(0) > scores(2));
  CHECK(scores(2) > scores(1));
  CHECK(std::isfinite(scores(1)));
}

TEST_CASE("Information gain is half the logarithm of one plus signal to noise",
          "[acquisition][information_gain]") {
  // stddev, noise_stddev, gain from 60-digit arithmetic.
  const std::vector<std::vector<double>> reference = {{1.0, 1.0, 0.34657359027997264},
                                                      {2.0, 0.5, 1.4166066720281081},
                                                      {1e-9, 1.0, 5e-19},
                                                      {1e12, 0.1, 29.933606208922594},
                                                      {1e10, 1.0, 23.025850929940457},
                                                      {1e11, 1.0, 25.328436022934504},
                                                      {1e200, 1e-150, 805.9047825479159}};
  for (const std::vector<double>& row : reference) {
    CAPTURE(row[0], row[1]);
    CHECK_THAT(information_gain(row[0], row[1]), WithinRel(row[2], kInformationGainRelativeError));
  }
  CHECK(information_gain(0.0, 1.0) == 0.0);
}

TEST_CASE("Information gain ranks by the standard deviation, with and without noise",
          "[acquisition][information_gain]") {
  const IndependentGaussian f(Eigen::Vector4d(5.0, 0.0, 0.0, 1.0),
                              Eigen::Vector4d(0.0, 2.0, 1e-3, 1.0));
  for (const double noise_stddev : {1.0, 1e-300, 0.0}) {
    CAPTURE(noise_stddev);
    const Vector scores = exploration_scores(InformationGain(), f, noise_stddev);
    CHECK(scores(1) > scores(3));
    CHECK(scores(3) > scores(2));
    CHECK(scores(2) > scores(0));
    CHECK(scores(0) == 0.0);
    CHECK(scores.allFinite());
  }
}
