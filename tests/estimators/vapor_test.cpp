// SPDX-License-Identifier: MIT
#include <pomlux/estimators/vapor.hpp>

#include "catch.hpp"
#include "pom_oracle.hpp"

using pomlux::Pom;
using pomlux::RootMethod;
using pomlux::Status;
using pomlux::vapor;
using pomlux::VaporOptions;
using pomlux::Vector;
using namespace pomlux::test;

TEST_CASE("F-VAPOR meets the oracle's relative tolerance in every entry", "[estimators][vapor]") {
  for (const PomCase& c : pom_cases()) {
    CAPTURE(c.name);
    const Pom pom = vapor(c.mean, c.stddev, {.epsilon = 1e-15});
    const nlohmann::json& expected = c.data.at("vapor");
    check_entries(pom.probabilities, to_vector(expected.at("p")), c.rtol("vapor"));
    const double nu = to_double(expected.at("nu"));
    if (!std::isnan(nu)) {
      REQUIRE(pom.kappa.has_value());
      CHECK_THAT(*pom.kappa, WithinAbs(nu, c.location_tolerance(nu)));
    }
    const double entropy = to_double(expected.at("entropy"));
    CHECK_THAT(pom.entropy(), WithinAbs(entropy, 1e-12 * std::max(1.0, entropy) + c.rtol("vapor")));
    CHECK(pom.status != Status::kIterationLimit);
  }
}

TEST_CASE("F-VAPOR by bisection agrees with the oracle within epsilon", "[estimators][vapor]") {
  const VaporOptions options{.epsilon = 1e-9, .root = RootMethod::kBisection};
  for (const PomCase& c : pom_cases()) {
    CAPTURE(c.name);
    const Vector p = vapor(c.mean, c.stddev, options).probabilities;
    const Vector expected = to_vector(c.data.at("vapor").at("p"));
    // Twice: once for the mid-point, once for the normalisation.
    const double tolerance = std::max(2.0 * options.epsilon, 2.0 * c.rtol("vapor"));
    CHECK((p - expected).cwiseAbs().maxCoeff() <= tolerance);
  }
}

TEST_CASE("F-VAPOR gives a certain arm what the others leave at the jump", "[estimators][vapor]") {
  const Vector mean = (Vector(2) << 0.0, 0.5).finished();
  const Vector stddev = (Vector(2) << 1.0, 0.0).finished();
  const Pom pom = vapor(mean, stddev);
  CHECK_THAT(pom.probabilities(0), WithinAbs(0.440346, 1e-6));
  CHECK_THAT(pom.probabilities(1), WithinAbs(0.559654, 1e-6));
}

TEST_CASE("F-VAPOR of a dominated arm keeps its small entry", "[estimators][vapor]") {
  const Vector mean = (Vector(2) << 0.0, 100.0).finished();
  const Pom pom = vapor(mean, Vector::Ones(2), {.epsilon = 1e-14});
  CHECK_THAT(pom.probabilities(0), WithinRel(5.4473e-5, 1e-5));
  CHECK_THAT(pom.entropy(), WithinRel(5.89279e-4, 1e-5));
}

TEST_CASE("F-VAPOR options name the field, the value and the range", "[estimators][vapor]") {
  CHECK_THROWS_WITH(pomlux::Vapor({.epsilon = 1.0}), "vapor: epsilon is 1; must be in (0, 1)");
  CHECK_THROWS_AS(pomlux::Vapor({.alpha = -1.0}), pomlux::InvalidArgument);
  CHECK_THROWS_AS(pomlux::Vapor({.max_iterations = 0}), pomlux::InvalidArgument);
}
