// SPDX-License-Identifier: MIT
#include <cmath>
#include <pomlux/acquisition/max_value_entropy_search.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/normal.hpp>

#include "catch.hpp"
#include "oracle.hpp"

namespace {

using namespace pomlux;

/// log P[max F <= y] of independent arms in extended precision.
long double log_cdf_of_max(const Vector& mean, const Vector& stddev, double y) {
  long double sum = 0.0L;
  for (Index x = 0; x < mean.size(); ++x) {
    const long double z = (static_cast<long double>(y) - mean(x)) / stddev(x);
    const long double tail = 0.5L * std::erfc(std::abs(z) / std::sqrt(2.0L));
    sum += z < 0.0L ? std::log(tail) : std::log1p(-tail);
  }
  return sum;
}

Vector mes_scores(const GaussianVector& f, const MaxValueOptions& options, std::uint64_t seed) {
  const AcquisitionContext context{f, std::nullopt, f.mean().maxCoeff(), 0.1, 1};
  Rng rng = make_stream(seed, "test");
  return MaxValueEntropySearch(options).score(context, rng);
}

/// Of a mean over 20000 slices with one draw each: a slice's standard deviation is at most the
/// gain's range in it, and these add up to less than 5 over all; five standard errors.
constexpr double kStratifiedError = 5.0 * 5.0 / 20000.0;

const Eigen::Vector4d kMean(0.0, 0.4, 1.1, -0.5);
const Eigen::Vector4d kStddev(1.5, 0.7, 0.2, 2.0);

/// E over the maximum of independent arms of the gain of arm `x`, by the trapezoid rule on the
/// density of the maximum.
double expected_gain(Index x) {
  double sum = 0.0, mass = 0.0;
  for (double y = -3.0; y < 16.0; y += 1e-3) {
    const auto cdf = [&](double at) {
      return std::exp(static_cast<double>(log_cdf_of_max(kMean, kStddev, at)));
    };
    const double share = cdf(y + 5e-4) - cdf(y - 5e-4);
    sum += share * max_value_gain((y - kMean(x)) / kStddev(x));
    mass += share;
  }
  return sum / mass;
}

}  // namespace

TEST_CASE("The gain of max-value entropy search agrees with the oracle", "[acquisition][mes]") {
  int rows = 0;
  for (const nlohmann::json& row : test::load_oracle("max_value.json")) {
    const double gamma = row.at("gamma").get<double>();
    CAPTURE(gamma);
    CHECK_THAT(max_value_gain(gamma),
               WithinRel(row.at("gain").get<double>(), kMaxValueGainRelativeError));
    ++rows;
  }
  CHECK(rows == 51);
}

TEST_CASE("The gain falls from infinity to zero", "[acquisition][mes]") {
  CHECK(max_value_gain(-kInfinity) == kInfinity);
  CHECK(max_value_gain(kInfinity) == 0.0);
  CHECK(max_value_gain(1e300) == 0.0);
  CHECK(std::isnan(max_value_gain(kNaN)));
  bool falls = true;
  for (double gamma = -40.0; gamma < 30.0; gamma += 0.01) {
    falls = falls && max_value_gain(gamma + 0.01) < max_value_gain(gamma);
  }
  CHECK(falls);
}

TEST_CASE("A quantile of the maximum of independent arms inverts its law", "[acquisition][mes]") {
  for (const double u : {5e-324, 1e-200, 1e-60, 1e-12, 1e-3, 0.25, 0.5, 0.9, 1.0 - 1e-9}) {
    CAPTURE(u);
    const double y = independent_max_quantile(kMean, kStddev, u);
    CHECK_THAT(static_cast<double>(log_cdf_of_max(kMean, kStddev, y)),
               WithinRel(std::log(u), 1e-9));
  }
  for (const Index n : {Index{1}, Index{2}, Index{20000}}) {
    const Vector mean = Vector::Constant(n, 3.0), stddev = Vector::Constant(n, 0.5);
    for (const double u : {5e-324, 1e-60, 0.5, 1.0 - 1e-15}) {
      CAPTURE(n, u);
      const double z = normal_quantile_of_log(std::log(u) / static_cast<double>(n));
      CHECK_THAT(independent_max_quantile(mean, stddev, u), WithinRel(3.0 + 0.5 * z, 1e-11));
    }
  }
}

TEST_CASE("A certain arm bounds the quantiles of the maximum", "[acquisition][mes]") {
  const Eigen::Vector2d mean(1.0, 0.0), stddev(0.0, 1.0);
  CHECK(independent_max_quantile(mean, stddev, 0.5) == 1.0);  // below P[F_1 <= 1] = 0.84
  CHECK_THAT(independent_max_quantile(mean, stddev, 0.9), WithinRel(normal_quantile(0.9), 1e-11));
  CHECK(independent_max_quantile(mean, Vector::Zero(2), 0.9) == 1.0);
  CHECK(independent_max_quantile(Vector::Constant(1, 2.0), Vector::Constant(1, 3.0), 0.5) == 2.0);
  CHECK_THAT(independent_max_quantile(Vector::Zero(1), Vector::Constant(1, 1e-310), 0.5),
             WithinAbs(0.0, 1e-310));
  CHECK_THROWS_WITH(independent_max_quantile(mean, stddev, 1.0), ContainsSubstring("u is 1"));
}

TEST_CASE("Max-value entropy search averages the gain over the law of the maximum",
          "[acquisition][mes]") {
  const IndependentGaussian f(kMean, kStddev);
  constexpr Index kSamples = 20000;
  const Vector independent =
      mes_scores(f, {.maximum = MaximumSource::kIndependent, .samples = kSamples}, 1);
  const Vector joint = mes_scores(f, {.maximum = MaximumSource::kJoint, .samples = kSamples}, 2);
  for (Index x = 0; x < 4; ++x) {
    CAPTURE(x);
    const double expected = expected_gain(x);
    CHECK_THAT(independent(x), WithinAbs(expected, kStratifiedError));
    // No gain here exceeds 1.5, so five standard errors are below this.
    CHECK_THAT(joint(x), WithinAbs(expected, 5.0 * 1.5 / std::sqrt(2.0 * kSamples)));
  }
}

TEST_CASE("The Gumbel law has the median and the interquartile range of the maximum",
          "[acquisition][mes]") {
  constexpr Index kArms = 1000;
  const IndependentGaussian f(Vector::Zero(kArms), Vector::Ones(kArms));
  // Quantile u of the largest of equal arms is that of one at u^(1/n).
  const auto quantile = [](double u) {
    return -normal_quantile(-std::expm1(std::log(u) / static_cast<double>(kArms)));
  };
  const double b =
      (quantile(0.75) - quantile(0.25)) / (std::log(-std::log(0.25)) - std::log(-std::log(0.75)));
  const double a = quantile(0.5) + b * std::log(-std::log(0.5));
  double expected = 0.0;
  for (double t = -6.0; t < 40.0; t += 1e-3) {
    expected += 1e-3 * std::exp(-t - std::exp(-t)) * max_value_gain(a + b * t);
  }
  const Vector scores = mes_scores(f, {.maximum = MaximumSource::kGumbel, .samples = 20000}, 1);
  CHECK_THAT(scores(0), WithinAbs(expected, kStratifiedError));
  CHECK(scores == Vector::Constant(kArms, scores(0)));
}

TEST_CASE("Max-value entropy search sees correlation by joint samples alone",
          "[acquisition][mes]") {
  // Two copies of one arm: the maximum is N(0, 1), but 2 phi Phi were they independent.
  const DenseGaussian f(Vector::Zero(2), Matrix::Ones(2, 2));
  double copies = 0.0, strangers = 0.0;
  for (double z = -10.0; z < 10.0; z += 1e-3) {
    copies += 1e-3 * normal_pdf(z) * max_value_gain(z);
    strangers += 2e-3 * normal_pdf(z) * normal_cdf(z) * max_value_gain(z);
  }
  const Vector joint = mes_scores(f, {.samples = 4000}, 1);
  const Vector independent =
      mes_scores(f, {.maximum = MaximumSource::kIndependent, .samples = 20000}, 1);
  // The standard deviation of max_value_gain(Z) is below 0.5; five standard errors.
  CHECK_THAT(joint(0), WithinAbs(copies, 5.0 * 0.5 / std::sqrt(4000.0)));
  CHECK_THAT(independent(0), WithinAbs(strangers, kStratifiedError));
  CHECK(copies - strangers > 0.2);
}

TEST_CASE("Max-value entropy search has no gain where nothing is uncertain", "[acquisition][mes]") {
  const DenseGaussian f(Eigen::Vector3d(1.0, 0.0, 2.0),
                        Eigen::Vector3d(0.0, 1.0, 0.0).asDiagonal());
  for (const MaximumSource maximum :
       {MaximumSource::kJoint, MaximumSource::kIndependent, MaximumSource::kGumbel}) {
    const Vector scores = mes_scores(f, {.maximum = maximum}, 1);
    CHECK(scores(0) == 0.0);
    CHECK(scores(1) > 0.0);
    CHECK(scores(2) == 0.0);
  }
  CHECK_THROWS_WITH(MaxValueEntropySearch({.samples = 0}), ContainsSubstring("samples is 0"));
}
