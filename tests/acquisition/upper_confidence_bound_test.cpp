// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <pomlux/acquisition/upper_confidence_bound.hpp>
#include <pomlux/core/errors.hpp>

#include "catch.hpp"
#include "oracle.hpp"

namespace {

using namespace pomlux;

constexpr double kUcbRelativeError = 1e-14;  // of the oracle

Vector scores_of(const UpperConfidenceBound& rule, const GaussianVector& f, Index step) {
  Rng rng = make_stream(1, "test");
  const Rng before = rng;
  const Vector scores = rule.score({f, std::nullopt, 0.0, 0.0, step}, rng);
  CHECK(rng == before);
  return scores;
}

}  // namespace

TEST_CASE("UCB and its schedule agree with the oracle", "[acquisition][ucb]") {
  const nlohmann::json oracle = test::load_oracle("acquisition.json");
  for (const nlohmann::json& row : oracle.at("ucb")) {
    const Index n = row.at("domain_size"), t = row.at("t");
    const double delta = row.at("delta"), beta = test::to_double(row.at("beta"));
    CAPTURE(n, t, delta);
    CHECK_THAT(gp_ucb_beta(n, t, delta), WithinRel(beta, kUcbRelativeError));
    const Vector mean = test::to_vector(row.at("mu")), stddev = test::to_vector(row.at("sigma"));
    const Vector expected = test::to_vector(row.at("ucb"));
    const Vector fixed =
        scores_of(UpperConfidenceBound({.beta = beta}), IndependentGaussian(mean, stddev), t);
    for (Index i = 0; i < fixed.size(); ++i) {
      CHECK_THAT(fixed(i), WithinRel(expected(i), kUcbRelativeError));
    }
    // Through the schedule: n candidates, the first of them the oracle's.
    const Index m = std::min(n, mean.size());
    Vector long_mean = Vector::Zero(n), long_stddev = Vector::Zero(n);
    long_mean.head(m) = mean.head(m);
    long_stddev.head(m) = stddev.head(m);
    const Vector scheduled = scores_of(
        UpperConfidenceBound({.delta = delta}), IndependentGaussian(long_mean, long_stddev), t);
    for (Index i = 0; i < m; ++i) {
      CHECK_THAT(scheduled(i), WithinRel(expected(i), kUcbRelativeError));
    }
  }
}

TEST_CASE("beta 4 adds two standard deviations", "[acquisition][ucb]") {
  const IndependentGaussian f(Vector::Ones(1), Vector::Constant(1, 2.0));
  CHECK(scores_of(UpperConfidenceBound({.beta = 4.0}), f, 1)(0) == 5.0);
  CHECK(scores_of(UpperConfidenceBound({.beta = 0.0}), f, 1)(0) == 1.0);
}

TEST_CASE("The schedule grows with the step and is positive from the first", "[acquisition][ucb]") {
  CHECK(gp_ucb_beta(1, 1, 0.999) > 0.0);
  CHECK(gp_ucb_beta(625, 2, 0.1) > gp_ucb_beta(625, 1, 0.1));
  CHECK(std::isfinite(gp_ucb_beta(Index{1} << 40, Index{1} << 40, 1e-300)));
}

TEST_CASE("UCB options out of range are refused with the value", "[acquisition][ucb]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(UpperConfidenceBound({.beta = -1.0}), ContainsSubstring("beta is -1"));
  CHECK_THROWS_WITH(UpperConfidenceBound({.beta = nan}), ContainsSubstring("beta is nan"));
  CHECK_THROWS_WITH(UpperConfidenceBound({.delta = 0.0}), ContainsSubstring("delta is 0"));
  CHECK_THROWS_WITH(UpperConfidenceBound({.delta = 1.0}), ContainsSubstring("delta is 1"));
  CHECK_THROWS_AS(gp_ucb_beta(0, 1, 0.1), InvalidArgument);
  CHECK_THROWS_AS(gp_ucb_beta(1, 0, 0.1), InvalidArgument);
}
