// SPDX-License-Identifier: MIT
#include <cmath>
#include <pomlux/estimators/est.hpp>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "pom_oracle.hpp"

using pomlux::est_with_bound;
using pomlux::EstResult;
using pomlux::Index;
using pomlux::Status;
using pomlux::Vector;
using namespace pomlux::test;

TEST_CASE("EST meets the oracle's relative tolerance in every entry, normalised and raw",
          "[estimators][est]") {
  for (const PomCase& c : pom_cases()) {
    CAPTURE(c.name);
    const EstResult result = est_with_bound(c.mean, c.stddev, {.epsilon = 1e-14});
    const nlohmann::json& expected = c.data.at("est");
    check_entries(result.pom.probabilities, to_vector(expected.at("p_normalised")), c.rtol("est"));
    check_entries(result.log_lower_bound.array().exp(),
                  to_vector(expected.at("p_unnormalised")),
                  c.rtol("est"));
    const double kappa = to_double(expected.at("kappa_tilde"));
    REQUIRE(result.pom.kappa.has_value());
    CHECK_THAT(*result.pom.kappa, WithinAbs(kappa, c.location_tolerance(kappa)));
    CHECK(result.pom.status != Status::kIterationLimit);
  }
}

TEST_CASE("EST's raw values bound the probabilities under independence from below",
          "[estimators][est]") {
  for (const PomCase& c : pom_cases()) {
    CAPTURE(c.name);
    const Vector bound = est_with_bound(c.mean, c.stddev).log_lower_bound.array().exp();
    const Vector ia = to_vector(c.data.at("ia"));
    for (Index i = 0; i < c.size(); ++i) CHECK(bound(i) <= ia(i) * (1.0 + 1e-8) + 1e-300);
  }
}

TEST_CASE("EST gives nothing to a certain arm that others may overtake", "[estimators][est]") {
  const Vector mean = (Vector(2) << 0.0, 0.5).finished();
  const Vector stddev = (Vector(2) << 1.0, 0.0).finished();
  const Vector p = pomlux::est(mean, stddev).probabilities;
  CHECK(p(0) == 1.0);
  CHECK(p(1) == 0.0);
}

TEST_CASE("A certain arm that no other overtakes in double precision takes all",
          "[estimators][est]") {
  const Vector mean = (Vector(3) << 0.0, 50.0, 50.0).finished();
  const Vector stddev = (Vector(3) << 1.0, 0.0, 0.0).finished();
  const Vector p = pomlux::est(mean, stddev).probabilities;
  CHECK(p(0) < 1e-300);
  CHECK(p(1) == 0.5);
  CHECK(p(2) == 0.5);
}

TEST_CASE("EST against the positive part has the threshold of the arms and a certain 0",
          "[estimators][est]") {
  const Vector mean = (Vector(3) << -1.2, -0.4, -2.0).finished();
  const Vector stddev = (Vector(3) << 0.5, 0.3, 1.5).finished();
  const pomlux::Pom pom = pomlux::est(mean, stddev, {.epsilon = 1e-12, .positive_part = true});
  // E[max(F*, 0)] = int_0^inf (1 - prod_x Phi((f - mean_x) / stddev_x)) df, by a fine midpoint sum.
  double expected = 0.0;
  constexpr double kStep = 1e-4;
  for (double f = 0.5 * kStep; f < 15.0; f += kStep) {
    double below = 1.0;
    for (Index i = 0; i < 3; ++i) {
      below *= 0.5 * std::erfc((mean(i) - f) / (stddev(i) * std::sqrt(2.0)));
    }
    expected += kStep * (1.0 - below);
  }
  CHECK(std::abs(*pom.kappa - expected) < 1e-7);
  CHECK(*pom.kappa > *pomlux::est(mean, stddev).kappa);
  CHECK(std::abs(pom.probabilities.sum() - 1.0) < 1e-14);
  // Where nothing else is uncertain, too: one arm, or certain ones alone.
  const pomlux::Pom one =
      pomlux::est(Vector::Constant(1, -3.0), Vector::Ones(1), {.positive_part = true});
  CHECK(std::abs(*one.kappa - 3.8215e-4) < 1e-8);  // phi(3) - 3 Phi(-3)
  CHECK(one.probabilities(0) == 1.0);
  const Vector below = (Vector(2) << -1.0, -2.0).finished();
  const pomlux::Pom certain = pomlux::est(below, Vector::Zero(2), {.positive_part = true});
  CHECK(*certain.kappa == 0.0);
  CHECK(certain.probabilities(0) == 1.0);
  // Far above 0 there is no difference.
  const Vector high = mean.array() + 50.0;
  const Vector p = pomlux::est(high, stddev, {.positive_part = true}).probabilities;
  CHECK((p - pomlux::est(high, stddev).probabilities).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("EST converges for a leader of any width above a wide arm", "[estimators][est]") {
  for (const double gap : {0.0, 2.0, 4.0, 7.0, 12.0}) {
    for (const double narrow : {0.1, 1e-2, 1e-4, 1e-6, 1e-12}) {
      const Vector mean = (Vector(2) << 0.0, -gap).finished();
      const Vector stddev = (Vector(2) << narrow, 1.0).finished();
      const pomlux::Pom pom = pomlux::est(mean, stddev);
      // E max = -gap Phi(-a) + theta phi(a), theta = hypot of the stddevs, a = gap / theta.
      const double theta = std::hypot(narrow, 1.0), a = gap / theta;
      const double expected = theta * std::exp(-0.5 * a * a) / std::sqrt(2.0 * std::acos(-1.0)) -
                              0.5 * gap * std::erfc(a / std::sqrt(2.0));
      CAPTURE(gap, narrow, pom.iterations);
      CHECK(pom.status == Status::kConverged);
      CHECK(pom.iterations < 2000);
      CHECK_THAT(*pom.kappa, WithinRel(expected, 1e-5) || WithinAbs(expected, 1e-10 * narrow));
    }
  }
}

TEST_CASE("EST's numerical error bounds what its entries are off by", "[estimators][est]") {
  const auto vector = [](double a, double b, double c) {
    return (Vector(3) << a, b, c).finished();
  };
  const std::vector<std::pair<Vector, Vector>> beliefs{
      {vector(0.0, 0.5, -1.0), vector(1e12, 1e-12, 0.0)},
      {vector(1e9, 1e9 + 0.5, 1e9), vector(1.0, 1e-12, 1e-6)},
      {vector(0.0, 0.0, 0.0), vector(1e-280, 1e80, 1.0)},
      {vector(0.0, 0.3989422804, 0.2), vector(1.0, 1e-7, 0.5)},
      {vector(0.0, -7.0, -0.4), vector(1e-6, 1.0, 0.5)},
      {vector(0.0, 0.5, -30.0), vector(1.0, 0.5, 1e-9)}};
  for (const auto& [mean, stddev] : beliefs) {
    CAPTURE(mean.transpose(), stddev.transpose());
    const pomlux::Pom finest = pomlux::est(mean, stddev, {.epsilon = 1e-15});
    for (const double epsilon : {1e-3, 1e-6, 1e-10}) {
      const pomlux::Pom pom = pomlux::est(mean, stddev, {.epsilon = epsilon});
      const double distance = (pom.probabilities - finest.probabilities).cwiseAbs().maxCoeff();
      CAPTURE(epsilon, *pom.numerical_error, distance, *finest.numerical_error);
      CHECK(distance <= *pom.numerical_error + *finest.numerical_error);
      CHECK((pom.status == Status::kConverged) == (*pom.numerical_error <= epsilon));
      CHECK(*pom.numerical_error < 1e-3);
    }
  }
}

TEST_CASE("EST options name the field, the value and the range", "[estimators][est]") {
  CHECK_THROWS_WITH(pomlux::Est({.epsilon = 2.0}), "est: epsilon is 2; must be in (0, 1)");
  CHECK_THROWS_WITH(pomlux::Est({.max_nodes = 3}), "est: max_nodes is 3; must be >= 64");
}
