// SPDX-License-Identifier: MIT
#include <algorithm>
#include <pomlux/estimators/a_lite.hpp>

#include "catch.hpp"
#include "pom_oracle.hpp"

using pomlux::a_lite_with_match;
using pomlux::ALiteOptions;
using pomlux::ALiteResult;
using pomlux::ALiteVariant;
using pomlux::Index;
using pomlux::RootMethod;
using pomlux::Status;
using pomlux::Vector;
using namespace pomlux::test;

namespace {

/// Entries before normalisation.
Vector raw(const ALiteResult& result) { return result.sum_raw * result.pom.probabilities; }

/// A dominant arm has no defined quartiles in double precision: its entry absolutely, the order of
/// magnitude of the others (see the oracle's README).
void check_dominated(const Vector& actual, const Vector& expected) {
  Index winner = 0;
  expected.maxCoeff(&winner);
  for (Index i = 0; i < actual.size(); ++i) {
    CAPTURE(i, actual(i), expected(i));
    if (i == winner) {
      CHECK_THAT(actual(i), WithinAbs(expected(i), 1e-10));
    } else {
      CHECK(actual(i) <= 2.0 * expected(i));
      CHECK(actual(i) >= 0.5 * expected(i));
    }
  }
}

}  // namespace

TEST_CASE("A-LITE meets the oracle's relative tolerance in every entry", "[estimators][a_lite]") {
  for (const PomCase& c : pom_cases()) {
    CAPTURE(c.name);
    const ALiteResult result = a_lite_with_match(c.mean, c.stddev, {.epsilon = 1e-15});
    const nlohmann::json& expected = c.data.at("alite");
    CHECK(result.pom.status != Status::kIterationLimit);
    if (std::isnan(c.rtol("alite"))) {
      check_dominated(result.pom.probabilities, to_vector(expected.at("p")));
      continue;
    }
    check_entries(result.pom.probabilities, to_vector(expected.at("p")), c.rtol("alite"));
    const double m = to_double(expected.at("m")), s = to_double(expected.at("s"));
    CHECK_THAT(result.m, WithinAbs(m, c.location_tolerance(m)));
    CHECK_THAT(result.s, WithinAbs(s, c.location_tolerance(s)));
  }
}

TEST_CASE("A-LITE-I and A-LITE-II meet the oracle before normalisation", "[estimators][a_lite]") {
  for (const PomCase& c : pom_cases()) {
    if (c.size() == 1 || std::isnan(c.rtol("alite"))) continue;
    CAPTURE(c.name);
    const nlohmann::json& expected = c.data.at("alite");
    const ALiteResult one = a_lite_with_match(c.mean, c.stddev, {.variant = ALiteVariant::kOne});
    check_entries(raw(one), to_vector(expected.at("p_I")), c.rtol("alite"));
    const ALiteResult two = a_lite_with_match(c.mean, c.stddev, {.variant = ALiteVariant::kTwo});
    check_entries(raw(two), to_vector(expected.at("p_II")), c.rtol("alite"));
  }
}

TEST_CASE("A-LITE by the nested bisection agrees with the oracle within epsilon",
          "[estimators][a_lite]") {
  const ALiteOptions options{.epsilon = 1e-8, .root = RootMethod::kBisection};
  for (const PomCase& c : pom_cases()) {
    if (c.has_certain_arm()) continue;
    CAPTURE(c.name);
    const ALiteResult result = a_lite_with_match(c.mean, c.stddev, options);
    const Vector expected = to_vector(c.data.at("alite").at("p"));
    if (std::isnan(c.rtol("alite"))) {
      CHECK_THAT(result.pom.probabilities.sum(), WithinAbs(1.0, 1e-14));
      continue;
    }
    CAPTURE(*result.pom.numerical_error, result.pom.iterations);
    CHECK(result.pom.status == Status::kConverged);
    // The sum before normalisation carries the errors of all entries.
    const double tolerance = 2.0 * static_cast<double>(c.size()) * options.epsilon;
    CHECK((result.pom.probabilities - expected).cwiseAbs().maxCoeff() <= tolerance);
  }
}

TEST_CASE("A-LITE by bisection refuses a certain arm and ends in any case",
          "[estimators][a_lite]") {
  const Vector mean = (Vector(2) << 0.0, 0.5).finished();
  const Vector stddev = (Vector(2) << 1.0, 0.0).finished();
  CHECK_THROWS_WITH(pomlux::a_lite(mean, stddev, {.root = RootMethod::kBisection}),
                    "a_lite: root: bisection needs every stddev > 0; 1 are 0; use root: newton");
  const Vector far = (Vector(2) << 0.0, 50.0).finished();
  const ALiteResult result =
      a_lite_with_match(far, Vector::Ones(2), {.epsilon = 1e-30, .root = RootMethod::kBisection});
  CHECK(result.pom.status == Status::kRoundingLimited);
  CHECK_THAT(result.pom.probabilities(1), WithinAbs(1.0, 1e-10));
}

TEST_CASE("A-LITE of a certain winner is normalised and not NaN", "[estimators][a_lite]") {
  for (const double distance : {10.0, 100.0, 1e6}) {
    const Vector mean = (Vector(3) << 0.0, distance, 0.5).finished();
    for (const ALiteVariant variant :
         {ALiteVariant::kOne, ALiteVariant::kTwo, ALiteVariant::kBoth}) {
      const ALiteResult result = a_lite_with_match(mean, Vector::Ones(3), {.variant = variant});
      CHECK_THAT(result.pom.probabilities(1), WithinAbs(1.0, 1e-10));
    }
  }
}

TEST_CASE("A-LITE of a leader that holds nearly all the mass does not see units",
          "[estimators][a_lite]") {
  // Others far narrower than the leader at its lower quartile, -0.67 standard deviations: what they
  // add to the leader's quartiles underflows here and there, yet they keep a fifth of the mass.
  for (const double narrow : {0.1, 8e-3, 1e-3, 1e-6}) {
    for (const double below : {0.6, 0.70, 0.75, 0.93, 2.0}) {
      const Vector mean = (Vector(4) << -below, 0.0, -1.1, -3.5).finished();
      const Vector stddev = (Vector(4) << narrow, 1.0, 0.6 * narrow, 0.1).finished();
      const pomlux::Pom pom = pomlux::a_lite(mean, stddev);
      for (const double scale : {1e-3, 7.0, 1e90}) {
        CAPTURE(narrow, below, scale);
        const pomlux::Pom scaled = pomlux::a_lite(scale * mean, scale * stddev);
        const double change = (scaled.probabilities - pom.probabilities).cwiseAbs().maxCoeff();
        CHECK(change < 1e-9);
        CHECK(change <= *pom.numerical_error + *scaled.numerical_error);
        CHECK(scaled.status == Status::kConverged);
      }
    }
  }
}

TEST_CASE("A-LITE by bisection knows when rounding leaves a leader's entry open",
          "[estimators][a_lite]") {
  const Vector mean = (Vector(3) << 0.0, -0.747213, -6.0).finished();
  const Vector stddev = (Vector(3) << 1.0, 3e-4, 0.2).finished();
  const pomlux::Pom exact = pomlux::a_lite(mean, stddev);
  for (const double scale : {1e-3, 1.0, 7.0}) {
    const pomlux::Pom pom = pomlux::a_lite(
        scale * mean, scale * stddev, {.epsilon = 1e-8, .root = RootMethod::kBisection});
    CHECK(pom.status == Status::kRoundingLimited);
    CHECK((pom.probabilities - exact.probabilities).cwiseAbs().maxCoeff() <= *pom.numerical_error);
  }
}

TEST_CASE("A-LITE reports where rounding decides what the leader gets", "[estimators][a_lite]") {
  // A wide arm far below: it raises both quartiles of the leader by as much where its width makes
  // the remainder at the upper one a third of that at the lower one, and the second stage jumps.
  double low = 1.0, high = 100.0, low_p = 0.0, high_p = 0.0;
  double largest_error = 0.0;
  const auto entry = [&](double wide) {
    const Vector mean = (Vector(3) << 0.0, -0.69, -7.0 * wide).finished();
    const Vector stddev = (Vector(3) << 1.0, 1e-6, wide).finished();
    const ALiteResult result = a_lite_with_match(mean, stddev);
    largest_error = std::max(largest_error, *result.pom.numerical_error);
    return result.pom.probabilities(0);
  };
  low_p = entry(low);
  high_p = entry(high);
  CHECK(low_p - high_p > 0.02);
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    const double p = entry(middle);
    (p > 0.5 * (low_p + high_p) ? low : high) = middle;
  }
  CHECK(largest_error > 1e-3);
}

TEST_CASE("A-LITE reports its iteration limit", "[estimators][a_lite]") {
  const Vector mean = Vector::LinSpaced(50, 0.0, 5.0);
  for (const RootMethod root : {RootMethod::kNewton, RootMethod::kBisection}) {
    const ALiteResult result = a_lite_with_match(
        mean, Vector::Ones(50), {.epsilon = 1e-12, .root = root, .max_iterations = 2});
    CHECK(result.pom.status == Status::kIterationLimit);
    CHECK_THAT(result.pom.probabilities.sum(), WithinAbs(1.0, 1e-14));
  }
}

TEST_CASE("A-LITE options name the field, the value and the range", "[estimators][a_lite]") {
  CHECK_THROWS_WITH(pomlux::ALite({.epsilon = -1.0}), "a_lite: epsilon is -1; must be in (0, 1)");
  CHECK_THROWS_WITH(pomlux::ALite({.max_iterations = 1}),
                    "a_lite: max_iterations is 1; must be >= 2");
}
