// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/estimators/independence.hpp>

#include "catch.hpp"
#include "pom_oracle.hpp"

using pomlux::independence;
using pomlux::IndependenceOptions;
using pomlux::Index;
using pomlux::Pom;
using pomlux::Quadrature;
using pomlux::Status;
using pomlux::Vector;
using namespace pomlux::test;

TEST_CASE("IA meets the oracle's relative tolerance in every entry", "[estimators][independence]") {
  for (const PomCase& c : pom_cases()) {
    CAPTURE(c.name);
    const Pom pom = independence(c.mean, c.stddev, {.epsilon = 1e-14});
    CAPTURE(pom.iterations, *pom.numerical_error);
    check_entries(pom.probabilities, to_vector(c.data.at("ia")), c.rtol("ia"));
    const double entropy = to_double(c.data.at("ia_entropy"));
    CHECK_THAT(pom.entropy(), WithinAbs(entropy, 1e-12 * std::max(1.0, entropy) + c.rtol("ia")));
    CHECK(pom.status != Status::kIterationLimit);
  }
}

TEST_CASE("IA keeps its stated error for loose and tight epsilons", "[estimators][independence]") {
  for (const double epsilon : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    for (const PomCase& c : pom_cases()) {
      CAPTURE(c.name, epsilon);
      const Pom pom = independence(c.mean, c.stddev, {.epsilon = epsilon});
      const Vector expected = to_vector(c.data.at("ia"));
      const double error = (pom.probabilities - expected).cwiseAbs().maxCoeff();
      CHECK(error <= *pom.numerical_error + c.rtol("ia"));
      CHECK(*pom.numerical_error <= epsilon);
      CHECK(pom.status == Status::kConverged);
    }
  }
}

TEST_CASE("IA with an epsilon below rounding ends at the best attainable",
          "[estimators][independence]") {
  const PomCase& c = pom_cases()[6];
  const Pom pom = independence(c.mean, c.stddev, {.epsilon = 1e-30});
  CHECK(pom.status == Status::kRoundingLimited);
  check_entries(pom.probabilities, to_vector(c.data.at("ia")), c.rtol("ia"));
}

TEST_CASE("IA sees an arm that a shared equally spaced grid would miss",
          "[estimators][independence]") {
  const Vector mean = (Vector(2) << 0.0, 0.5).finished();
  for (const double narrow : {1e-6, 1e-12, 1e-30, 0.0}) {
    const Vector stddev = (Vector(2) << 1.0, narrow).finished();
    const Pom pom = independence(mean, stddev, {.epsilon = 1e-12});
    CAPTURE(narrow, pom.iterations);
    CHECK_THAT(pom.probabilities(0), WithinRel(0.308537538725987, 1e-11));
    CHECK(pom.iterations < 4000);
  }
}

TEST_CASE("IA converges for a leader of any width above a wide arm", "[estimators][independence]") {
  for (const double gap : {0.0, 0.5, 2.0, 3.0, 3.5, 4.0, 5.0, 7.0, 20.0, 36.0}) {
    for (const double narrow : {0.5, 0.1, 1e-2, 1e-4, 1e-6, 1e-12, 1e-30, 1e-100, 1e-300, 0.0}) {
      const Vector mean = (Vector(2) << 0.0, -gap).finished();
      const Vector stddev = (Vector(2) << narrow, 1.0).finished();
      const Pom pom = independence(mean, stddev);
      const double expected = 0.5 * std::erfc(gap / std::sqrt(2.0) / std::hypot(narrow, 1.0));
      CAPTURE(gap, narrow, pom.iterations);
      CHECK(pom.status == Status::kConverged);
      CHECK(pom.iterations < 5000);
      CHECK_THAT(pom.probabilities(1), WithinRel(expected, 1e-10));
      CHECK(std::abs(pom.probabilities(1) - expected) <= *pom.numerical_error);
    }
  }
}

TEST_CASE("IA of a known leader takes no longer among many wide arms",
          "[estimators][independence]") {
  Vector mean = Vector::LinSpaced(1000, -4.0, -6.0), stddev = Vector::Ones(1000);
  mean(0) = 0.0;
  stddev(0) = 1e-5;
  const Pom pom = independence(mean, stddev);
  CHECK(pom.status == Status::kConverged);
  CHECK(pom.iterations < 1000);
  CHECK(*pom.numerical_error < 1e-9);
}

TEST_CASE("IA of many narrow arms among wide ones sums to one before normalisation",
          "[estimators][independence]") {
  // What the last two rules differ by would show in the error estimate.
  pomlux::Rng rng = pomlux::make_stream(3, "independence_test");
  Vector mean(200), stddev(200);
  for (Index i = 0; i < 200; ++i) {
    mean(i) = pomlux::draw_uniform(rng);
    stddev(i) = std::pow(10.0, -4.0 * pomlux::draw_uniform(rng));
  }
  const Pom coarse = independence(mean, stddev, {.epsilon = 1e-6});
  const Pom fine = independence(mean, stddev, {.epsilon = 1e-13});
  CHECK(fine.status == Status::kConverged);
  CHECK((coarse.probabilities - fine.probabilities).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("Certain arms that tie at the top share what IA gives them",
          "[estimators][independence]") {
  const Vector mean = (Vector(4) << 0.0, 0.5, 0.5, 0.2).finished();
  const Vector stddev = (Vector(4) << 1.0, 0.0, 0.0, 0.0).finished();
  const Vector p = independence(mean, stddev).probabilities;
  CHECK_THAT(p(0), WithinRel(0.308537538725987, 1e-9));
  CHECK(p(1) == p(2));
  CHECK(p(3) == 0.0);
}

TEST_CASE("IA by the guaranteed rule is within its epsilon before normalisation",
          "[estimators][independence]") {
  for (const double epsilon : {0.25, 1e-2, 1e-3}) {
    const IndependenceOptions options{.epsilon = epsilon, .quadrature = Quadrature::kGuaranteed};
    for (const PomCase& c : pom_cases()) {
      if (c.has_certain_arm() || c.stddev.maxCoeff() > 20.0 * c.stddev.minCoeff()) continue;
      CAPTURE(c.name, epsilon);
      const Pom pom = independence(c.mean, c.stddev, options);
      const Vector expected = to_vector(c.data.at("ia"));
      // The normalisation divides by a sum that is off by at most n epsilon.
      const double factor = 1.0 + static_cast<double>(c.size()) * expected.maxCoeff();
      CHECK((pom.probabilities - expected).cwiseAbs().maxCoeff() <= factor * epsilon);
    }
  }
}

TEST_CASE("IA by the guaranteed rule refuses what it cannot do", "[estimators][independence]") {
  const Vector mean = (Vector(2) << 0.0, 0.5).finished();
  const IndependenceOptions options{.epsilon = 1e-6, .quadrature = Quadrature::kGuaranteed};
  CHECK_THROWS_WITH(independence(mean, (Vector(2) << 1.0, 0.0).finished(), options),
                    "independence: quadrature: guaranteed needs every stddev > 0; 1 are 0; use "
                    "quadrature: spectral");
  CHECK_THROWS_AS(independence(mean, (Vector(2) << 1.0, 1e-9).finished(), options),
                  pomlux::InvalidArgument);
}

TEST_CASE("IA options name the field, the value and the range", "[estimators][independence]") {
  CHECK_THROWS_WITH(pomlux::Independence({.epsilon = 0.0}),
                    "independence: epsilon is 0; must be in (0, 1)");
  CHECK_THROWS_WITH(pomlux::Independence({.max_nodes = 10}),
                    "independence: max_nodes is 10; must be >= 64");
}
