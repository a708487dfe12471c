// SPDX-License-Identifier: MIT
#include <cmath>
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/ts_mc.hpp>

#include "catch.hpp"
#include "oracle.hpp"

using pomlux::DenseGaussian;
using pomlux::IndependentGaussian;
using pomlux::Index;
using pomlux::make_stream;
using pomlux::Matrix;
using pomlux::Points;
using pomlux::Rng;
using pomlux::SamplePrecision;
using pomlux::Status;
using pomlux::ts_mc;
using pomlux::TsMcOptions;
using pomlux::TsMcResult;
using pomlux::Vector;
using namespace pomlux::test;

namespace {

DenseGaussian pair(double mean_0, double mean_1, double variance_1, double covariance) {
  return {(Vector(2) << mean_0, mean_1).finished(),
          (Matrix(2, 2) << 1.0, covariance, covariance, variance_1).finished()};
}

/// A smooth posterior-like covariance, numerically of low rank.
DenseGaussian smooth(Index n) {
  Matrix covariance(n, n);
  Vector mean(n);
  for (Index i = 0; i < n; ++i) {
    mean(i) = std::sin(0.3 * static_cast<double>(i));
    for (Index j = 0; j < n; ++j) {
      const double d = 0.2 * static_cast<double>(i - j);
      covariance(i, j) = std::exp(-0.5 * d * d);
    }
  }
  return {mean, covariance};
}

}  // namespace

TEST_CASE("TS-MC agrees with exact probabilities within five standard errors",
          "[estimators][ts_mc]") {
  const std::uint64_t samples = 40000;
  for (const nlohmann::json& c : load_oracle("pom_exact_correlated.json")) {
    const std::string name = c.at("name");
    if (name == "n3_exact_tie") continue;  // no unique maximiser; see the oracle's note
    CAPTURE(name);
    const DenseGaussian f(to_vector(c.at("mean")), Matrix(to_points(c.at("cov"))));
    const Vector p = to_vector(c.at("p"));
    Rng rng = make_stream(17, name);
    const TsMcResult result = ts_mc(f, rng, {.samples = samples});
    for (Index i = 0; i < p.size(); ++i) {
      CAPTURE(i, p(i), result.pom.probabilities(i));
      const double error = std::sqrt(p(i) * (1.0 - p(i)) / static_cast<double>(samples));
      const double accuracy = c.at("accuracy").get<double>();
      CHECK(std::abs(result.pom.probabilities(i) - p(i)) <= 5.0 * error + accuracy);
      if (p(i) == 0.0) CHECK(result.counts[static_cast<std::size_t>(i)] == 0);
    }
  }
}

TEST_CASE("TS-MC sees correlation that independence cannot", "[estimators][ts_mc]") {
  Rng rng = make_stream(1, "ts_mc_test");
  const TsMcResult result = ts_mc(pair(0.0, 0.3, 1.0, 0.9), rng, {.samples = 100000});
  CHECK_THAT(result.pom.probabilities(0), WithinAbs(0.251167, 0.005));
}

TEST_CASE("TS-MC of a singular covariance is exact where the answer is certain",
          "[estimators][ts_mc]") {
  for (const SamplePrecision precision : {SamplePrecision::kSingle, SamplePrecision::kDouble}) {
    Rng rng = make_stream(1, "ts_mc_test");
    const TsMcResult result =
        ts_mc(pair(0.0, 0.1, 1.0, 1.0), rng, {.samples = 20000, .precision = precision});
    CHECK(result.counts[0] == 0);
    CHECK(result.counts[1] == 20000);
    CHECK(result.pom.entropy() == 0.0);
  }
}

TEST_CASE("Of arms that are the same the first has what all of them have", "[estimators][ts_mc]") {
  Matrix covariance(3, 3);
  covariance << 1.0, 1.0, 0.3, 1.0, 1.0, 0.3, 0.3, 0.3, 1.0;
  const DenseGaussian f((Vector(3) << 0.0, 0.0, 0.1).finished(), covariance);
  for (const SamplePrecision precision : {SamplePrecision::kSingle, SamplePrecision::kDouble}) {
    Rng rng = make_stream(8, "ts_mc_test");
    const Vector p = ts_mc(f, rng, {.samples = 20000, .precision = precision}).pom.probabilities;
    CHECK(p(1) == 0.0);
    CHECK(std::abs(p(2) - normal_cdf(0.1 / std::sqrt(1.4))) < 0.02);  // six standard errors
  }
}

TEST_CASE("A single-precision product decides as a double one does", "[estimators][ts_mc]") {
  for (const double shift : {0.0, 1e9}) {
    const DenseGaussian base = smooth(60);
    const DenseGaussian f(base.mean().array() + shift, base.covariance_matrix());
    Rng rng_single = make_stream(2, "ts_mc_test"), rng_double = make_stream(2, "ts_mc_test");
    const TsMcResult single =
        ts_mc(f, rng_single, {.samples = 20000, .precision = SamplePrecision::kSingle});
    const TsMcResult in_double =
        ts_mc(f, rng_double, {.samples = 20000, .precision = SamplePrecision::kDouble});
    CHECK(single.counts == in_double.counts);
  }
}

TEST_CASE("Arms closer than single precision resolves are still told apart",
          "[estimators][ts_mc]") {
  // F_1 = F_0 + 1e-9 surely: float cannot see the difference, the answer is certain.
  Rng rng = make_stream(3, "ts_mc_test");
  const TsMcResult result = ts_mc(pair(0.0, 1e-9, 1.0, 1.0), rng, {.samples = 5000});
  CHECK(result.counts[1] == 5000);
}

TEST_CASE("TS-MC has the same counts on any number of threads", "[estimators][ts_mc]") {
  const DenseGaussian f = smooth(40);
  std::vector<std::vector<std::uint64_t>> counts;
  for (const int threads : {1, 2, 8}) {
    pomlux::with_threads(threads, [&] {
      Rng rng = make_stream(4, "ts_mc_test");
      counts.push_back(ts_mc(f, rng, {.samples = 10001}).counts);
    });
  }
  CHECK(counts[0] == counts[1]);
  CHECK(counts[0] == counts[2]);
}

TEST_CASE("TS-MC draws exactly the samples asked for", "[estimators][ts_mc]") {
  const DenseGaussian f = smooth(10);
  for (const std::uint64_t samples : {1u, 50u, 129u, 4097u}) {
    Rng rng = make_stream(5, "ts_mc_test");
    const TsMcResult result = ts_mc(f, rng, {.samples = samples});
    std::uint64_t sum = 0;
    for (const std::uint64_t count : result.counts) sum += count;
    CHECK(sum == samples);
    CHECK(result.pom.samples == samples);
    CHECK(result.entropy <= std::log(static_cast<double>(samples)) + 1e-12);
  }
}

TEST_CASE("alpha means floor(alpha^2 n^2) samples", "[estimators][ts_mc]") {
  // The paper's sweep on 625 points, and squares that rounding puts just below an integer.
  CHECK(pomlux::ts_mc_samples(0.01, 625) == 39);
  CHECK(pomlux::ts_mc_samples(0.03, 625) == 351);
  CHECK(pomlux::ts_mc_samples(0.1, 625) == 3906);
  CHECK(pomlux::ts_mc_samples(0.3, 625) == 35156);
  CHECK(pomlux::ts_mc_samples(1.0, 625) == 390625);
  CHECK(pomlux::ts_mc_samples(3.0, 625) == 3515625);
  CHECK(pomlux::ts_mc_samples(10.0, 625) == 39062500);
  CHECK(pomlux::ts_mc_samples(0.29, 100) == 841);
  CHECK(pomlux::ts_mc_samples(0.001, 10) == 1);
  CHECK_THROWS_AS(pomlux::ts_mc_samples(1e9, 1000000), pomlux::InvalidArgument);
  Rng rng = make_stream(5, "ts_mc_test");
  CHECK(ts_mc(smooth(10), rng, {.alpha = 2.0}).pom.samples == 400);
}

TEST_CASE("TS-MC stops at its target error and says if it was missed", "[estimators][ts_mc]") {
  const DenseGaussian f = smooth(20);
  Rng rng = make_stream(6, "ts_mc_test");
  const TsMcResult met = ts_mc(f, rng, {.samples = 10000000, .target_error = 0.01});
  CHECK(*met.pom.sampling_error <= 0.01);
  CHECK(*met.pom.samples % TsMcOptions::kTestEvery == 0);
  CHECK(*met.pom.samples < 100000);
  CHECK(met.pom.status == Status::kConverged);
  const TsMcResult missed = ts_mc(f, rng, {.samples = 100, .target_error = 1e-4});
  CHECK(missed.pom.status == Status::kIterationLimit);
}

TEST_CASE("A time-limited estimate can be repeated by its count", "[estimators][ts_mc]") {
  const DenseGaussian f = smooth(20);
  Rng rng = make_stream(7, "ts_mc_test");
  const TsMcResult timed =
      ts_mc(f, rng, {.samples = std::uint64_t{1} << 40, .time_limit_seconds = 0.02});
  Rng again = make_stream(7, "ts_mc_test");
  const TsMcResult repeated = ts_mc(f, again, {.samples = *timed.pom.samples});
  CHECK(timed.counts == repeated.counts);
}

TEST_CASE("TS-MC's standard errors and entropy follow their formulas", "[estimators][ts_mc]") {
  Rng rng = make_stream(8, "ts_mc_test");
  const TsMcResult r = ts_mc(smooth(5), rng, {.samples = 1000});
  double total_variation = 0.0;
  Index seen = 0;
  for (Index i = 0; i < 5; ++i) {
    const double p = r.pom.probabilities(i);
    CHECK_THAT(r.standard_errors(i), WithinRel(std::sqrt(p * (1.0 - p) / 1000.0), 1e-14));
    total_variation += 0.5 * std::sqrt(2.0 * p * (1.0 - p) / (3.14159265358979323846 * 1000.0));
    seen += p > 0.0 ? 1 : 0;
  }
  CHECK_THAT(*r.pom.sampling_error, WithinRel(total_variation, 1e-13));
  CHECK_THAT(r.corrected_entropy - r.entropy,
             WithinRel(static_cast<double>(seen - 1) / 2000.0, 1e-9));
  CHECK(r.entropy == r.pom.entropy());
  CHECK_THAT(pomlux::ts_mc_confidence(1000, 0.05),
             WithinRel(std::sqrt(std::log(40.0) / 2000.0), 1e-15));
  CHECK_THROWS_AS(pomlux::ts_mc_confidence(0, 0.05), pomlux::InvalidArgument);
  CHECK_THROWS_AS(pomlux::ts_mc_confidence(10, 1.0), pomlux::InvalidArgument);
}

TEST_CASE("TS-MC without a covariance samples independent arms", "[estimators][ts_mc]") {
  const IndependentGaussian f((Vector(2) << 0.0, 1.0).finished(), Vector::Ones(2));
  Rng rng = make_stream(9, "ts_mc_test");
  const TsMcResult result = ts_mc(f, rng, {.samples = 40000});
  const double p = 0.239750061;
  CHECK_THAT(result.pom.probabilities(0), WithinAbs(p, 5.0 * std::sqrt(p * (1 - p) / 40000.0)));
}

TEST_CASE("TS-MC of certain arms takes the best, the lowest index on ties", "[estimators][ts_mc]") {
  const Vector mean = (Vector(3) << 0.0, 1.0, 1.0).finished();
  const DenseGaussian f(mean, Matrix::Zero(3, 3));
  Rng rng = make_stream(10, "ts_mc_test");
  CHECK(ts_mc(f, rng, {.samples = 100}).counts == std::vector<std::uint64_t>{0, 100, 0});
}

TEST_CASE("TS-MC refuses options out of range and memory beyond its limit", "[estimators][ts_mc]") {
  Rng rng = make_stream(11, "ts_mc_test");
  CHECK_THROWS_WITH(pomlux::TsMc({.samples = 0}), "ts_mc: samples is 0; must be >= 1");
  CHECK_THROWS_WITH(pomlux::TsMc({.alpha = -1.0}), "ts_mc: alpha is -1; must be >= 0 and finite");
  CHECK_THROWS_AS(pomlux::TsMc({.target_error = -1.0}), pomlux::InvalidArgument);
  CHECK_THROWS_WITH(pomlux::TsMc({.batches = -1}), "ts_mc: batches is -1; must be in 0..1024");
  CHECK_THROWS_WITH(ts_mc(smooth(10), rng, {.samples = 3, .batches = 4}),
                    "ts_mc: 3 samples in 4 batches; must be at least one in each");
  CHECK_THROWS_AS(pomlux::TsMc({.time_limit_seconds = std::nan("")}), pomlux::InvalidArgument);
  CHECK_THROWS_AS(ts_mc(smooth(10), rng, {.memory_limit = 1000.0}), pomlux::MemoryLimitExceeded);
}

TEST_CASE("Batches of TS-MC are every b-th sample and pool to the whole", "[estimators][ts_mc]") {
  const DenseGaussian f = smooth(40);
  const std::uint64_t samples = 5003;  // 4 * 1250 + 3
  Rng rng = make_stream(31, "batches");
  Rng same = rng;
  Rng third = rng;
  const TsMcResult whole = ts_mc(f, rng, {.samples = samples});
  const TsMcResult parts = ts_mc(f, same, {.samples = samples, .batches = 4});
  CHECK(parts.counts == whole.counts);
  CHECK(whole.pom.batches.size() == 0);
  REQUIRE(parts.pom.batches.rows() == 40);
  REQUIRE(parts.pom.batches.cols() == 4);
  const Vector sizes = (Vector(4) << 1251, 1251, 1251, 1250).finished();
  const Vector pooled = parts.pom.batches * sizes / static_cast<double>(samples);
  CHECK((pooled - whole.pom.probabilities).cwiseAbs().maxCoeff() < 1e-15);
  // The first samples of a longer stream are those of a shorter one.
  const TsMcResult first = ts_mc(f, third, {.samples = 4, .batches = 4});
  for (Index part = 0; part < 4; ++part) CHECK(first.pom.batches.col(part).maxCoeff() == 1.0);
}
