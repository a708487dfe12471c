// SPDX-License-Identifier: MIT
#include <limits>    // infinities
#include <optional>  // starts
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/threshold.hpp>

#include "catch.hpp"
#include "pom_oracle.hpp"

using pomlux::f_lite;
using pomlux::FLiteOptions;
using pomlux::Index;
using pomlux::Pom;
using pomlux::RootMethod;
using pomlux::Status;
using pomlux::Vector;
using namespace pomlux::test;

namespace {

const FLiteOptions kExact{.epsilon = 1e-15};

Vector vector(std::initializer_list<double> values) {
  Vector result(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

/// The paper's synthetic distribution: means uniform in [0, 5], standard deviations in [0.5, 10].
std::pair<Vector, Vector> synthetic(Index n) {
  pomlux::Rng rng = pomlux::make_stream(5, "f_lite_test");
  Vector mean(n), stddev(n);
  for (Index i = 0; i < n; ++i) {
    mean(i) = 5.0 * pomlux::draw_uniform(rng);
    stddev(i) = 0.5 + 9.5 * pomlux::draw_uniform(rng);
  }
  return {mean, stddev};
}

}  // namespace

TEST_CASE("F-LITE meets the oracle's relative tolerance in every entry", "[estimators][f_lite]") {
  for (const PomCase& c : pom_cases()) {
    CAPTURE(c.name);
    const Pom pom = f_lite(c.mean, c.stddev, kExact);
    const nlohmann::json& expected = c.data.at("flite");
    check_entries(pom.probabilities, to_vector(expected.at("p")), c.rtol("flite"));
    const double kappa = to_double(expected.at("kappa"));
    if (!std::isnan(kappa)) {
      REQUIRE(pom.kappa.has_value());
      CHECK_THAT(*pom.kappa, WithinAbs(kappa, c.location_tolerance(kappa)));
    }
    const double entropy = to_double(expected.at("entropy"));
    CHECK_THAT(pom.entropy(), WithinAbs(entropy, 1e-12 * std::max(1.0, entropy) + c.rtol("flite")));
    CHECK(pom.status != Status::kIterationLimit);
    CHECK_FALSE(pom.model_error.has_value());
  }
}

TEST_CASE("F-LITE by bisection agrees with the oracle within epsilon", "[estimators][f_lite]") {
  const FLiteOptions options{.epsilon = 1e-9, .root = RootMethod::kBisection};
  for (const PomCase& c : pom_cases()) {
    CAPTURE(c.name);
    const Pom pom = f_lite(c.mean, c.stddev, options);
    const Vector expected = to_vector(c.data.at("flite").at("p"));
    // Twice: once for the mid-point, once for the normalisation.
    const double tolerance = std::max(2.0 * options.epsilon, 2.0 * c.rtol("flite"));
    CHECK((pom.probabilities - expected).cwiseAbs().maxCoeff() <= tolerance);
  }
}

TEST_CASE("F-LITE keeps every entry within its epsilon for loose and tight ones",
          "[estimators][f_lite]") {
  for (const double epsilon : {0.3, 1e-2, 1e-4, 1e-7, 1e-10, 1e-13}) {
    for (const PomCase& c : pom_cases()) {
      CAPTURE(c.name, epsilon);
      const Pom pom = f_lite(c.mean, c.stddev, {.epsilon = epsilon});
      const Vector expected = to_vector(c.data.at("flite").at("p"));
      const double error = (pom.probabilities - expected).cwiseAbs().maxCoeff();
      REQUIRE(pom.numerical_error.has_value());
      CHECK(error <= *pom.numerical_error + c.rtol("flite"));
      if (pom.status == Status::kConverged) CHECK(error <= epsilon + c.rtol("flite"));
    }
  }
}

TEST_CASE("F-LITE of two arms has its threshold where both are equally likely to exceed it",
          "[estimators][f_lite]") {
  const Pom pom = f_lite(vector({0.0, 1.0}), vector({1.0, 1.0}), kExact);
  CHECK_THAT(*pom.kappa, WithinAbs(0.5, 1e-15));
  CHECK_THAT(pom.probabilities(0), WithinAbs(0.308537539, 1e-9));
  CHECK_THAT(pom.entropy(), WithinAbs(0.617925517, 1e-9));
}

TEST_CASE("F-LITE of one arm is certain", "[estimators][f_lite]") {
  for (const double stddev : {2.0, 0.0}) {
    const Pom pom = f_lite(vector({3.0}), vector({stddev}));
    CHECK(pom.probabilities(0) == 1.0);
    CHECK(pom.entropy() == 0.0);
    CHECK_FALSE(pom.kappa.has_value());
  }
}

TEST_CASE("F-LITE gives a certain arm what the others leave at the jump", "[estimators][f_lite]") {
  for (const RootMethod root : {RootMethod::kNewton, RootMethod::kBisection}) {
    const FLiteOptions options{.epsilon = 1e-9, .root = root};
    const Pom pom = f_lite(vector({0.0, 0.5}), vector({1.0, 0.0}), options);
    CHECK_THAT(pom.probabilities(0), WithinAbs(0.308537538725987, 1e-14));
    CHECK_THAT(pom.probabilities(1), WithinAbs(0.691462461274013, 1e-14));
    CHECK(pom.status == Status::kConverged);
  }
}

TEST_CASE("A certain arm below the threshold has probability zero", "[estimators][f_lite]") {
  const Vector mean = vector({0.0, 0.1, -1.0}), stddev = vector({1.0, 1.0, 0.0});
  const Pom pom = f_lite(mean, stddev, kExact);
  const Pom without = f_lite(mean.head(2), stddev.head(2), kExact);
  CHECK(pom.probabilities(2) == 0.0);
  CHECK_THAT(pom.probabilities(0), WithinRel(without.probabilities(0), 1e-14));
}

TEST_CASE("Certain arms that tie at the top share equally", "[estimators][f_lite]") {
  const Pom all_certain = f_lite(vector({0.0, 1.0, 0.5}), vector({0.0, 0.0, 0.0}));
  CHECK(all_certain.probabilities == vector({0.0, 1.0, 0.0}));
  CHECK(all_certain.entropy() == 0.0);
  CHECK(f_lite(vector({1.0, 1.0}), vector({0.0, 0.0})).probabilities == vector({0.5, 0.5}));
  const Pom mixed = f_lite(vector({1.0, 0.0, 1.0}), vector({0.0, 1.0, 0.0}), kExact);
  CHECK(mixed.probabilities(0) == mixed.probabilities(2));
  CHECK_THAT(mixed.probabilities(1), WithinRel(0.15865525393145705, 1e-14));
}

TEST_CASE("F-LITE resolves an arm narrower than the distance of two doubles",
          "[estimators][f_lite]") {
  // The limit stddev -> 0+ of the second arm, at any distance of the first.
  for (const double stddev : {1e-6, 1e-16, 1e-30, 1e-300, 5e-324}) {
    for (const double mean : {0.5, -0.7, 1e3}) {
      CAPTURE(stddev, mean);
      const double rest = pomlux::normal_cdf(0.5);
      const Pom pom = f_lite(vector({mean, mean + 0.5}), vector({1.0, stddev}), kExact);
      CHECK_THAT(pom.probabilities(1), WithinAbs(rest, stddev + 2e-15));
      CHECK(pom.status != Status::kIterationLimit);
      const Pom behind = f_lite(vector({mean + 0.25, mean, mean}), vector({stddev, 1.0, 1.0}));
      CHECK_THAT(behind.probabilities.sum(), WithinAbs(1.0, 1e-14));
    }
  }
}

TEST_CASE("F-LITE with an epsilon below rounding ends at the best attainable",
          "[estimators][f_lite]") {
  for (const RootMethod root : {RootMethod::kNewton, RootMethod::kBisection}) {
    const auto [mean, stddev] = synthetic(1000);
    const Pom pom = f_lite(mean, stddev, {.epsilon = 1e-30, .root = root});
    const Pom reference = f_lite(mean, stddev, {.epsilon = 1e-14});
    CHECK(pom.status == Status::kRoundingLimited);
    CHECK((pom.probabilities - reference.probabilities).cwiseAbs().maxCoeff() < 1e-15);
  }
}

TEST_CASE("F-LITE reports its iteration limit", "[estimators][f_lite]") {
  for (const RootMethod root : {RootMethod::kNewton, RootMethod::kBisection}) {
    const auto [mean, stddev] = synthetic(100);
    const Pom pom = f_lite(mean, stddev, {.epsilon = 1e-12, .root = root, .max_iterations = 2});
    CHECK(pom.status == Status::kIterationLimit);
    CHECK_THAT(pom.probabilities.sum(), WithinAbs(1.0, 1e-14));
    CHECK(*pom.numerical_error > 1e-12);
  }
}

TEST_CASE("Newton's method needs at most eight passes on the paper's distribution",
          "[estimators][f_lite]") {
  for (const Index n : {10, 100, 1000, 10000, 100000}) {
    const auto [mean, stddev] = synthetic(n);
    const Pom pom = f_lite(mean, stddev, {.alpha = 100.0});
    CAPTURE(n, pom.iterations);
    CHECK(pom.iterations <= 8);
    CHECK(pom.status == Status::kConverged);
  }
}

TEST_CASE("A threshold is found from any start, and in few passes from nearby",
          "[estimators][f_lite]") {
  const auto [mean, stddev] = synthetic(300);
  const pomlux::ThresholdOptions options{.epsilon = 1e-12};
  const auto solve = [&, &mu = mean, &sigma = stddev](std::optional<double> start) {
    pomlux::ThresholdOptions from = options;
    from.start = start;
    return pomlux::solve_threshold(mu, sigma, pomlux::Sigmoid::kNormalCdf, from).pom;
  };
  const Pom expected = solve(std::nullopt);
  for (const double start : {-1e300, 0.0, *expected.kappa, 17.0, 1e300}) {
    CAPTURE(start);
    const Pom found = solve(start);
    CHECK(found.status == Status::kConverged);
    CHECK((found.probabilities - expected.probabilities).cwiseAbs().maxCoeff() <= 1e-12);
  }
  CHECK(solve(*expected.kappa + 0.01).iterations <= 3);
  CHECK(solve(*expected.kappa + 0.01).iterations < expected.iterations);
}

TEST_CASE("F-LITE of many arms: one million sum to one, equal arms share equally",
          "[estimators][f_lite]") {
  const auto [mean, stddev] = synthetic(1000000);
  const Pom pom = f_lite(mean, stddev);
  CHECK_THAT(pom.probabilities.sum(), WithinAbs(1.0, 1e-9));
  const Pom equal = f_lite(Vector::Constant(1000, 2.0), Vector::Constant(1000, 3.0));
  CHECK((equal.probabilities.array() - 0.001).abs().maxCoeff() < 1e-15);
  CHECK_THAT(equal.entropy(), WithinAbs(6.907755279, 1e-9));
}

TEST_CASE("Many equal arms, which a sample finds at once, share equally", "[estimators][f_lite]") {
  const Index n = 40000;
  for (const int max_iterations : {1, 2, 200}) {
    const FLiteOptions options{.max_iterations = max_iterations};
    const Pom pom = f_lite(Vector::Constant(n, 2.0), Vector::Constant(n, 3.0), options);
    CAPTURE(max_iterations);
    CHECK((pom.probabilities.array() * n - 1.0).abs().maxCoeff() < 1e-12);
    CHECK(pom.iterations <= max_iterations);
  }
}

TEST_CASE("F-LITE of a dominated arm underflows to zero with zero entropy",
          "[estimators][f_lite]") {
  const Pom pom = f_lite(vector({0.0, 100.0}), vector({1.0, 1.0}));
  CHECK(pom.probabilities == vector({0.0, 1.0}));
  CHECK(pom.entropy() == 0.0);
}

TEST_CASE("F-LITE survives the extremes of double", "[estimators][f_lite]") {
  const double huge = std::numeric_limits<double>::max();
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const double m : {huge, -huge, 1e200, 0.0, tiny}) {
    for (const double s : {huge, 1e-200, tiny, 0.0}) {
      for (const RootMethod root : {RootMethod::kNewton, RootMethod::kBisection}) {
        CAPTURE(m, s);
        const Pom pom = f_lite(vector({m, -m, 0.0}), vector({s, 1.0, s}), {.root = root});
        CHECK_THAT(pom.probabilities.sum(), WithinAbs(1.0, 1e-14));
      }
    }
  }
}

TEST_CASE("F-LITE options name the field, the value and the range", "[estimators][f_lite]") {
  CHECK_THROWS_WITH(pomlux::FLite({.epsilon = 0.0}), "f_lite: epsilon is 0; must be in (0, 1)");
  CHECK_THROWS_WITH(pomlux::FLite({.epsilon = std::nan("")}),
                    "f_lite: epsilon is nan; must be in (0, 1)");
  CHECK_THROWS_WITH(pomlux::FLite({.alpha = -1.0}), "f_lite: alpha is -1; must be >= 0 and finite");
  CHECK_THROWS_WITH(pomlux::FLite({.max_iterations = 0}),
                    "f_lite: max_iterations is 0; must be >= 1");
  CHECK_THROWS_WITH(f_lite(vector({0.0, 1.0}), vector({1.0, -0.2})),
                    "f_lite: stddev[1] is -0.2; every entry must be >= 0 and finite");
  CHECK_THROWS_AS(f_lite(Vector(0), Vector(0)), pomlux::InvalidArgument);
  CHECK_THROWS_AS(f_lite(vector({0.0}), vector({1.0, 2.0})), pomlux::InvalidArgument);
  CHECK_THROWS_AS(f_lite(vector({std::nan("")}), vector({1.0})), pomlux::InvalidArgument);
}
