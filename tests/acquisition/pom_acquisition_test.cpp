// SPDX-License-Identifier: MIT
#include <cmath>
#include <pomlux/acquisition/pom_acquisition.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>

#include "catch.hpp"

namespace {

using namespace pomlux;

AcquisitionContext context_of(const GaussianVector& f) {
  return {f, std::nullopt, f.mean().maxCoeff(), 0.1, 1};
}

}  // namespace

TEST_CASE("The most probable candidates are scored by the logarithm of their probability",
          "[acquisition][pom]") {
  const IndependentGaussian f(Eigen::Vector3d(0.0, 0.4, 1.1), Eigen::Vector3d(1.5, 0.7, 0.2));
  Rng rng = make_stream(1, "test");
  const Vector scores = PomAcquisition(std::make_unique<Independence>()).score(context_of(f), rng);
  const double expected[] = {0.221970572, 0.137701292, 0.640328135};
  for (Index x = 0; x < 3; ++x) CHECK_THAT(std::exp(scores(x)), WithinRel(expected[x], 1e-8));
}

TEST_CASE("Candidates that cannot be the best are out", "[acquisition][pom]") {
  const IndependentGaussian f(Eigen::Vector2d(0.0, 1.0), Eigen::Vector2d(0.0, 0.0));
  for (const PomRule rule : {PomRule::kArgmax, PomRule::kSample}) {
    Rng rng = make_stream(1, "test");
    const Vector scores = PomAcquisition(std::make_unique<FLite>(), rule).score(context_of(f), rng);
    CHECK(scores(0) == -kInfinity);
    CHECK(std::isfinite(scores(1)));
  }
  CHECK_THROWS_WITH(PomAcquisition(nullptr), ContainsSubstring("the estimator is missing"));
}

TEST_CASE("The best of any subset is a draw from the probability of maximality on it",
          "[acquisition][pom]") {
  const IndependentGaussian f(Eigen::Vector3d(0.0, 0.4, 1.1), Eigen::Vector3d(1.5, 0.7, 0.2));
  const PomAcquisition rule(std::make_unique<FLite>(), PomRule::kSample);
  const Vector p = f_lite(f.mean(), f.stddev()).probabilities;
  constexpr int kDraws = 20000;
  const auto check = [&](const std::vector<Index>& subset) {
    double total = 0.0;
    for (const Index x : subset) total += p(x);
    Vector counts = Vector::Zero(static_cast<Index>(subset.size()));
    Rng rng = make_stream(2, "test");
    for (int i = 0; i < kDraws; ++i) {
      Index best = 0;
      rule.score(context_of(f), subset, rng).maxCoeff(&best);
      counts(best) += 1.0;
    }
    for (std::size_t i = 0; i < subset.size(); ++i) {
      const double expected = p(subset[i]) / total;
      // Five standard errors, fixed seed.
      CHECK_THAT(counts(static_cast<Index>(i)) / kDraws,
                 WithinAbs(expected, 5.0 * std::sqrt(expected * (1.0 - expected) / kDraws)));
    }
  };
  check({0, 1, 2});
  check({1, 0});
}
