// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <pomlux/acquisition/expected_improvement.hpp>

#include "catch.hpp"
#include "oracle.hpp"

namespace {

using namespace pomlux;

/// The oracle's tolerance grows without bound in z, but z is exact in its extreme rows.
constexpr double kLargestTolerance = 1e-8;

IndependentGaussian gaussian(std::initializer_list<double> mean,
                             std::initializer_list<double> stddev) {
  Vector m(static_cast<Index>(mean.size())), s(static_cast<Index>(stddev.size()));
  std::copy(mean.begin(), mean.end(), m.data());
  std::copy(stddev.begin(), stddev.end(), s.data());
  return {m, s};
}

Index argmax(const Vector& scores) {
  Index best = 0;
  scores.maxCoeff(&best);
  return best;
}

Vector scores_of(const Acquisition& rule,
                 const GaussianVector& f,
                 std::optional<double> best_observed) {
  const AcquisitionContext context{f, best_observed, f.mean().maxCoeff(), 0.0, 1};
  Rng rng = make_stream(1, "test");
  const Rng before = rng;
  const Vector scores = rule.score(context, rng);
  CHECK(rng == before);  // these rules draw nothing
  return scores;
}

}  // namespace

TEST_CASE("EI, log EI and PI agree with the oracle", "[acquisition][ei]") {
  const nlohmann::json oracle = test::load_oracle("acquisition.json");
  int finite = 0;
  for (const nlohmann::json& row : oracle.at("improvement")) {
    const double mean = test::to_double(row.at("mu")), stddev = test::to_double(row.at("sigma"));
    const double best = test::to_double(row.at("incumbent"));
    CAPTURE(mean, stddev, best);
    const double z = stddev > 0.0 ? (mean - best) / stddev : 0.0;
    const double tolerance = std::min(kImprovementRelativeError * (1.0 + z * z), kLargestTolerance);
    const double ei = test::to_double(row.at("ei")), log_ei = test::to_double(row.at("log_ei"));
    // Subnormal results are right to one of their units only.
    CHECK_THAT(expected_improvement(mean, stddev, best),
               WithinRel(ei, tolerance) || WithinAbs(ei, 1e-322));
    if (std::isfinite(log_ei)) {
      ++finite;
      CHECK_THAT(log_expected_improvement(mean, stddev, best), WithinRel(log_ei, tolerance));
    } else {
      CHECK(log_expected_improvement(mean, stddev, best) == -kInfinity);
    }
    const double computed_pi = probability_of_improvement(mean, stddev, best);
    if (row.at("pi").is_null()) {
      CHECK(computed_pi == 0.5);  // the documented convention at stddev = 0 and equality
      continue;
    }
    const double pi = test::to_double(row.at("pi"));
    CHECK_THAT(computed_pi, WithinRel(pi, tolerance) || WithinAbs(pi, 1e-322));
    if (pi > 1e-300) {
      const double log_pi = log_probability_of_improvement(mean, stddev, best);
      CHECK_THAT(log_pi, WithinRel(std::log(pi), tolerance) || WithinAbs(std::log(pi), tolerance));
    }
  }
  CHECK(finite > 100);
}

TEST_CASE("log EI is right on both sides of each branch and far out", "[acquisition][ei]") {
  // z, log(phi(z) + z Phi(z)) from 60-digit arithmetic.
  const std::vector<std::pair<double, double>> reference = {
      {-0.5, -1.6205162643873199193},
      {-0.9999999999999999, -2.4851210257126411253},
      {-1.0, -2.4851210257126413368},
      {-1.0000001, -2.4851212161397683908},
      {-5.0, -16.744301162660990143},
      {-30.0, -457.72465376059800405},
      {-99.99999, -5010.1285786003594229},
      {-100.0, -5010.1295788002497923},
      {-100.00001, -5010.1305790002401418},
      {-1e3, -500014.73445209115845},
      {-1e8, -5000000000000037.7603},
      {-1e100, -5.000000000000000159e199},
      {-1e154, -5.0000000000000003695e307}};
  for (const auto& [z, expected] : reference) {
    CAPTURE(z);
    CHECK_THAT(log_expected_improvement(z, 1.0, 0.0), WithinRel(expected, 1e-14));
    if (expected > -700.0) {
      CHECK_THAT(expected_improvement(z, 1.0, 0.0), WithinRel(std::exp(expected), 1e-12));
    }
  }
}

TEST_CASE("log EI rises with the mean across its branches", "[acquisition][ei]") {
  for (const double centre : {-100.0, -1.0}) {
    double last = -kInfinity;
    bool rises = true;
    for (int i = -500; i <= 500; ++i) {
      const double value = log_expected_improvement(centre + 1e-6 * i, 1.0, 0.0);
      rises = rises && value > last;
      last = value;
    }
    CAPTURE(centre);
    CHECK(rises);
  }
}

TEST_CASE("EI has the values of its definition", "[acquisition][ei]") {
  CHECK_THAT(expected_improvement(0.0, 1.0, 0.0), WithinRel(0.3989422804, 1e-9));
  CHECK_THAT(expected_improvement(3.0, 2.0, 2.0), WithinRel(1.3955931148, 1e-9));
  CHECK_THAT(expected_improvement(0.2, 0.5, 0.6), WithinRel(0.0601036169, 1e-9));
  CHECK_THAT(expected_improvement(0.1, 1.0, 0.6), WithinRel(0.1977965574, 1e-9));
  // The lower mean wins by its larger spread.
  CHECK(argmax(scores_of(ExpectedImprovement(), gaussian({0.2, 0.1}, {0.5, 1.0}), 0.6)) == 1);
}

TEST_CASE("Improvement without uncertainty is the plain difference", "[acquisition][ei]") {
  CHECK(expected_improvement(1.0, 0.0, 0.5) == 0.5);
  CHECK(expected_improvement(0.3, 0.0, 0.5) == 0.0);
  CHECK(log_expected_improvement(1.0, 0.0, 0.5) == std::log(0.5));
  CHECK(log_expected_improvement(0.3, 0.0, 0.5) == -kInfinity);
  CHECK(log_probability_of_improvement(0.3, 0.0, 0.5) == -kInfinity);
  CHECK(log_probability_of_improvement(1.0, 0.0, 0.5) == 0.0);
  const Vector scores = scores_of(ExpectedImprovement(), gaussian({0.5, 0.2}, {0.0, 0.0}), 0.5);
  CHECK(scores == Vector::Constant(2, -kInfinity));
}

TEST_CASE("Scalars pass NaN through and survive extreme ratios", "[acquisition][ei]") {
  const double nan = std::nan("");
  CHECK(std::isnan(expected_improvement(nan, 1.0, 0.0)));
  CHECK(std::isnan(log_expected_improvement(0.0, nan, 0.0)));
  CHECK(std::isnan(log_expected_improvement(-200.0, 1.0, nan)));
  CHECK(std::isnan(expected_improvement(nan, 0.0, 0.0)));
  CHECK_THAT(log_expected_improvement(1.0, 1e-320, 0.0), WithinAbs(0.0, 1e-15));
  CHECK(expected_improvement(1.0, 1e-320, 0.0) == 1.0);
  CHECK(expected_improvement(-1.0, 1e-320, 0.0) == 0.0);
  CHECK(log_expected_improvement(-1.0, 1e-320, 0.0) == -kInfinity);
}

TEST_CASE("Underflow does not decide between candidates", "[acquisition][ei]") {
  const auto rank = [](const Acquisition& rule, bool with_c) {
    return argmax(with_c ? scores_of(rule, gaussian({0, 1, 0.5, -1}, {1, 1, 1.01, 2}), 40.0)
                         : scores_of(rule, gaussian({0, 1, 0.5}, {1, 1, 1.01}), 40.0));
  };
  const Vector scores =
      scores_of(ExpectedImprovement(), gaussian({0, 1, 0.5, -1}, {1, 1, 1.01, 2}), 40.0);
  const double expected[] = {-808.298569, -768.748030, -772.997101, -216.398721};
  for (Index i = 0; i < 4; ++i) CHECK_THAT(scores(i), WithinAbs(expected[i], 1e-6));
  CHECK(rank(ExpectedImprovement(), false) == 1);
  CHECK(rank(ExpectedImprovement(), true) == 3);
  CHECK(rank(ProbabilityOfImprovement(), false) == 1);
  CHECK(rank(ProbabilityOfImprovement(), true) == 3);
}

TEST_CASE("EI by value ties where it underflows, and else ranks as its logarithm",
          "[acquisition][ei]") {
  const ExpectedImprovement by_value(
      IncumbentRule::kBestObserved, std::nullopt, ImprovementScale::kValue);
  const IndependentGaussian f = gaussian({0.2, 0.1, 0.3}, {0.5, 1.0, 0.2});
  const Vector values = scores_of(by_value, f, 0.6);
  const Vector logs = scores_of(ExpectedImprovement(), f, 0.6);
  for (Index i = 0; i < 3; ++i) CHECK_THAT(values(i), WithinRel(std::exp(logs(i)), 1e-12));
  CHECK((scores_of(by_value, gaussian({0, 1, 0.5}, {1, 1, 1.01}), 40.0).array() == 0.0).all());
  const AcquisitionContext context{f, 0.6, 0.3, 0.0, 1};
  const std::optional<ScoreSlope> slope = by_value.slope(context, 0.2, 0.5);
  REQUIRE(slope);
  constexpr double kStep = 1e-6;
  const auto ei = [](double mean, double stddev) {
    return expected_improvement(mean, stddev, 0.6);
  };
  CHECK(slope->score == ei(0.2, 0.5));
  CHECK_THAT(slope->by_mean,
             WithinRel((ei(0.2 + kStep, 0.5) - ei(0.2 - kStep, 0.5)) / (2 * kStep), 1e-7));
  CHECK_THAT(slope->by_stddev,
             WithinRel((ei(0.2, 0.5 + kStep) - ei(0.2, 0.5 - kStep)) / (2 * kStep), 1e-7));
}

TEST_CASE("Scaling every value keeps the order", "[acquisition][ei]") {
  const Vector scores = scores_of(ExpectedImprovement(), gaussian({0.2, 0.1}, {0.5, 1.0}), 0.6);
  const Vector scaled = scores_of(ExpectedImprovement(), gaussian({200, 100}, {500, 1000}), 600.0);
  for (Index i = 0; i < 2; ++i) CHECK_THAT(scaled(i) - scores(i), WithinRel(std::log(1e3), 1e-13));
}

TEST_CASE("The incumbent is the best observation, or the best mean", "[acquisition][ei]") {
  const IndependentGaussian f = gaussian({0.5, 0.1}, {1.0, 1.0});
  const auto ei = [](double mean, double best) {
    return log_expected_improvement(mean, 1.0, best);
  };
  CHECK(scores_of(ExpectedImprovement(), f, 2.0)(0) == ei(0.5, 2.0));
  CHECK(scores_of(ExpectedImprovement(IncumbentRule::kBestMean), f, 2.0)(1) == ei(0.1, 0.5));
  CHECK(scores_of(ExpectedImprovement(), f, std::nullopt)(1) == ei(0.1, 0.5));
  CHECK(scores_of(ProbabilityOfImprovement(IncumbentRule::kBestMean), f, 2.0)(0) == std::log(0.5));
}

TEST_CASE("A given incumbent counts before and after the first observation", "[acquisition][ei]") {
  const IndependentGaussian f = gaussian({0.5, 0.1}, {1.0, 1.0});
  const ExpectedImprovement ei(IncumbentRule::kGiven, 0.3);
  for (const std::optional<double> best : {std::optional<double>(2.0), std::optional<double>()}) {
    CHECK(scores_of(ei, f, best)(0) == log_expected_improvement(0.5, 1.0, 0.3));
    CHECK(scores_of(ProbabilityOfImprovement(IncumbentRule::kGiven, 0.5), f, best)(0) ==
          std::log(0.5));
  }
  CHECK_THROWS_WITH(ExpectedImprovement(IncumbentRule::kGiven), ContainsSubstring("is missing"));
  CHECK_THROWS_WITH(ExpectedImprovement(IncumbentRule::kBestMean, 1.5),
                    ContainsSubstring("an incumbent of 1.5 is given"));
  CHECK_THROWS_WITH(ProbabilityOfImprovement(IncumbentRule::kGiven, kInfinity),
                    ContainsSubstring("is inf"));
}
