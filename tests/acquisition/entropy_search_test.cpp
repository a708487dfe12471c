// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <map>
#include <oracle.hpp>
#include <pomlux/acquisition/entropy_search.hpp>
#include <pomlux/acquisition/expected_entropy.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/a_lite.hpp>
#include <pomlux/estimators/est.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <pomlux/estimators/vapor.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace pomlux;

/// Score of a rule that does not draw, or draws from this one stream.
Vector score(const EntropySearch& rule,
             const GaussianVector& f,
             double noise,
             std::span<const Index> subset = {}) {
  Rng rng = make_stream(5, "test");
  return rule.score({f, std::nullopt, f.mean().maxCoeff(), noise, 1}, subset, rng);
}

/// A model of a line with observations at every twentieth candidate.
struct Line {
  explicit Line(Index n, double noise = 0.2, double length_scale = 0.05)
      : domain(Domain::grid(Vector::Zero(1), Vector::Ones(1), std::vector<Index>{n})),
        gp(1,
           make_kernel(KernelType::kSquaredExponential, Vector::Constant(1, length_scale), 1.0),
           {.noise_stddev = noise}) {
    for (Index i = 0; i < n; i += 20) {
      gp.add(domain.point(i), std::sin(0.1 * static_cast<double>(i)));
    }
  }
  const GaussianVector& posterior() { return gp.posterior(domain); }
  Domain domain;
  GaussianProcess gp;
};

struct OracleCase {
  std::string name;
  DenseGaussian f;
  double noise;
  Vector gain;
  Index argmax;
};

std::vector<OracleCase> oracle_cases() {
  std::vector<OracleCase> cases;
  const auto oracle = test::load_oracle("acquisition.json");
  for (const auto& one : oracle.at("entropy_search")) {
    cases.push_back({one.at("name"),
                     {test::to_vector(one.at("mean")), test::to_points(one.at("cov"))},
                     one.at("noise_std"),
                     test::to_vector(one.at("information_gain")),
                     one.at("argmax")});
  }
  return cases;
}

/// Largest entropy difference of distributions over n arms with this total variation (Fannes).
double entropy_bound(double tv, Index n) {
  return tv * std::log(static_cast<double>(n - 1)) - tv * std::log(tv) -
         (1.0 - tv) * std::log1p(-tv);
}

/// Both ways to compute what an observation of each candidate is expected to leave.
void check_against_plain(const PomEstimator& estimator,
                         const GaussianVector& f,
                         double noise,
                         double tolerance) {
  Rng rng = make_stream(1, "test");
  const auto fast = make_expected_entropy(estimator, f, rng);
  const auto plain = make_plain_expected_entropy(estimator, f, rng);
  CHECK_THAT(fast->present(), WithinAbs(plain->present(), tolerance));
  HypotheticalPosterior after(f, noise);
  Innovations innovations{Vector::LinSpaced(9, -4.0, 4.0), Vector::Constant(9, 1.0 / 9.0)};
  innovations.values(3) = innovations.values(4);  // draws may be equal
  double worst = 0.0;
  for (Index x = 0; x < f.size(); ++x) {
    if (f.stddev()(x) == 0.0) continue;
    const Vector column = f.has_covariance()
                              ? f.covariance_column(x)
                              : Vector(Vector::Unit(f.size(), x) * std::pow(f.stddev()(x), 2));
    after.set_candidate(x, column);
    worst = std::max(worst,
                     std::abs(fast->after(after, innovations) - plain->after(after, innovations)));
  }
  CHECK(worst <= tolerance);
}

}  // namespace

TEST_CASE("Entropy search agrees with the oracle, with many nodes", "[acquisition][es]") {
  // What is left out beyond five standard deviations: 6e-7 of at most log n.
  for (const OracleCase& one : oracle_cases()) {
    CAPTURE(one.name);
    const EntropySearch rule(std::make_unique<FLite>(FLiteOptions{.epsilon = 1e-14}),
                             {.nodes = 2001});
    CHECK((score(rule, one.f, one.noise) - one.gain).cwiseAbs().maxCoeff() <= 1e-6);
  }
}

TEST_CASE("The quadrature keeps the errors that its header states", "[acquisition][es]") {
  const std::map<int, std::pair<double, double>> stated = {
      {13, {2e-2, 3e-2}}, {25, {2e-4, 2e-2}}, {49, {4e-7, 1e-2}}, {129, {1e-6, 1e-3}}};
  CHECK(EntropySearchOptions{}.nodes == 25);
  CHECK(kDefaultQuadratureError == 2e-4);
  for (const OracleCase& one : oracle_cases()) {
    for (const auto& [nodes, errors] : stated) {
      CAPTURE(one.name, nodes);
      const EntropySearch rule(nullptr, {.nodes = nodes});
      const Vector gain = score(rule, one.f, one.noise);
      const double error = (gain - one.gain).cwiseAbs().maxCoeff();
      CHECK(error <= (one.noise == 0.2 ? errors.first : errors.second));
      Index best = -1;
      gain.maxCoeff(&best);
      CHECK(best == one.argmax);
    }
  }
}

TEST_CASE("A hypothetical posterior is that of the model with the observation",
          "[acquisition][es]") {
  Line line(100);
  const GaussianVector& f = line.posterior();
  const Index x = 47;
  HypotheticalPosterior after(f, 0.2);
  after.set_candidate(x, f.covariance_column(x));
  after.set_innovation(1.3);
  const auto conditioned = line.gp.clone();
  conditioned->add(line.domain.point(x), f.mean()(x) + 1.3 * std::hypot(f.stddev()(x), 0.2));
  const GaussianVector& expected = conditioned->posterior(line.domain);
  CHECK((after.mean() - expected.mean()).cwiseAbs().maxCoeff() <= 1e-12);
  CHECK((after.stddev().cwiseAbs2() - expected.stddev().cwiseAbs2()).cwiseAbs().maxCoeff() <=
        1e-12);
  const Matrix covariance = expected.covariance_matrix();
  const std::vector<Index> rows = {3, 47, 60}, columns = {60, 2};
  CHECK((after.covariance_matrix() - covariance).cwiseAbs().maxCoeff() <= 1e-12);
  CHECK((after.covariance_column(60) - covariance.col(60)).cwiseAbs().maxCoeff() <= 1e-12);
  CHECK(
      (after.covariance_columns(columns) - covariance(Eigen::all, columns)).cwiseAbs().maxCoeff() <=
      1e-12);
  CHECK((after.covariance_block(rows, columns) - covariance(rows, columns)).cwiseAbs().maxCoeff() <=
        1e-12);
  CHECK_THAT(after.covariance(3, 60), WithinAbs(covariance(3, 60), 1e-12));
  CHECK(after.covariance(3, 3) == after.stddev()(3) * after.stddev()(3));
  CHECK(after.covariance_reference() == 1.0);
}

TEST_CASE("F-LITE from threshold to threshold is F-LITE to its tolerance", "[acquisition][es]") {
  Line line(100);
  const DenseGaussian with_certain(Eigen::Vector3d(0.1, 0.3, 0.2),
                                   Eigen::Vector3d(1.0, 0.0, 0.25).asDiagonal());
  const IndependentGaussian independent(Vector::LinSpaced(40, 0.0, 1.0), Vector::Ones(40));
  const DenseGaussian huge(1e150 * Eigen::Vector2d(0.1, 0.3),
                           Eigen::Vector2d(1e300, 1e299).asDiagonal());
  for (const GaussianVector* const f : {static_cast<const GaussianVector*>(&line.posterior()),
                                        static_cast<const GaussianVector*>(&with_certain),
                                        static_cast<const GaussianVector*>(&independent),
                                        static_cast<const GaussianVector*>(&huge)}) {
    for (const double noise : {0.2, 1e-3}) {
      for (const FLiteOptions& options : {FLiteOptions{},
                                          FLiteOptions{.alpha = 10.0},
                                          FLiteOptions{.root = RootMethod::kBisection}}) {
        const double epsilon =
            options.alpha > 0.0 ? 0.1 / static_cast<double>(f->size()) : options.epsilon;
        CAPTURE(f->size(), noise, epsilon);
        check_against_plain(FLite(options), *f, noise, entropy_bound(epsilon, f->size()));
      }
    }
  }
}

TEST_CASE("TS-MC by Matheron's rule has the entropies of TS-MC of each belief",
          "[acquisition][es]") {
  const TsMcOptions options{.samples = 20000};
  const TsMc estimator(options);
  for (const OracleCase& one : oracle_cases()) {
    Rng rng = make_stream(2, "test");
    const auto fast = make_expected_entropy(estimator, one.f, rng);
    HypotheticalPosterior after(one.f, one.noise);
    const Innovations innovations{Eigen::Vector3d(-1.0, 0.2, 1.5), Eigen::Vector3d(0.2, 0.5, 0.3)};
    for (Index x = 0; x < one.f.size(); ++x) {
      CAPTURE(one.name, x);
      after.set_candidate(x, one.f.covariance_column(x));
      const double found = fast->after(after, innovations);
      double expected = 0.0, variance = 0.0;
      for (Index k = 0; k < 3; ++k) {
        after.set_innovation(innovations.values(k));
        const TsMcResult direct = ts_mc(after, rng, options);
        expected += innovations.weights(k) * direct.entropy;
        variance += 2.0 * std::pow(innovations.weights(k) * direct.entropy_standard_error, 2);
      }
      // Five standard errors; where they vanish to first order, the second one.
      CHECK(std::abs(found - expected) <= 5.0 * std::sqrt(variance) + 1e-3);
    }
  }
}

TEST_CASE("Every estimator can stand behind entropy search, as the definition says",
          "[acquisition][es]") {
  std::vector<std::unique_ptr<PomEstimator>> estimators;
  estimators.push_back(std::make_unique<FLite>());
  estimators.push_back(std::make_unique<FLite>(FLiteOptions{.root = RootMethod::kBisection}));
  estimators.push_back(std::make_unique<ALite>());
  estimators.push_back(std::make_unique<Independence>());
  estimators.push_back(std::make_unique<Vapor>());
  estimators.push_back(std::make_unique<Est>());
  const OracleCase one = oracle_cases().at(1);
  const Index n = one.f.size(), nodes = 7;
  const double range = EntropySearchOptions::kInnovationRange;
  const Vector t = Vector::LinSpaced(nodes, -range, range);
  const Vector weights = (-0.5 * t.cwiseAbs2()).array().exp();
  Rng rng = make_stream(3, "test");
  while (!estimators.empty()) {
    const PomEstimator& estimator = *estimators.back();
    Vector expected = Vector::Constant(n, estimator.estimate(one.f, rng).entropy());
    for (Index x = 0; x < n; ++x) {
      const Vector column = one.f.covariance_column(x);
      const double variance = column(x) + one.noise * one.noise;
      for (Index k = 0; k < nodes; ++k) {
        const DenseGaussian after(
            one.f.mean() + column * (t(k) / std::sqrt(variance)),
            one.f.covariance_matrix() - column * column.transpose() / variance);
        expected(x) -= weights(k) / weights.sum() * estimator.estimate(after, rng).entropy();
      }
    }
    CAPTURE(estimators.size());
    const EntropySearch rule(std::move(estimators.back()), {.nodes = nodes});
    // Both sides are as accurate as the estimators' epsilon, 1e-10, allows.
    CHECK((score(rule, one.f, one.noise) - expected).cwiseAbs().maxCoeff() <=
          2.0 * entropy_bound(1e-10, n));
    estimators.pop_back();
  }
}

TEST_CASE("Scores have the same bits on any number of threads and in any subset",
          "[acquisition][es]") {
  Line line(90);
  const GaussianVector& f = line.posterior();
  const std::vector<Index> subset = {77, 3, 40, 41, 5};
  std::vector<std::unique_ptr<EntropySearch>> rules;
  rules.push_back(std::make_unique<EntropySearch>());
  rules.push_back(std::make_unique<EntropySearch>(
      nullptr, EntropySearchOptions{.hypotheses = HypothesisRule::kDraws}));
  rules.push_back(
      std::make_unique<EntropySearch>(std::make_unique<TsMc>(TsMcOptions{.samples = 150}),
                                      EntropySearchOptions{.hypotheses = HypothesisRule::kDraws}));
  for (const auto& rule : rules) {
    Vector alone, together;
    with_threads(1, [&] { alone = score(*rule, f, 0.2); });
    with_threads(2, [&] { together = score(*rule, f, 0.2); });
    CHECK(alone == together);
    const Vector some = score(*rule, f, 0.2, subset);
    for (std::size_t i = 0; i < subset.size(); ++i) CHECK(some(Index(i)) == alone(subset[i]));
  }
}

TEST_CASE("Draws of the observation scatter around the quadrature", "[acquisition][es]") {
  const OracleCase one = oracle_cases().at(2);
  const EntropySearch rule(nullptr, {.hypotheses = HypothesisRule::kDraws, .draws = 4000});
  // Entropies lie between 0 and log 20, so a mean of 4000 has a standard error below 0.024.
  CHECK((score(rule, one.f, one.noise) - one.gain).cwiseAbs().maxCoeff() <= 5.0 * 0.024);
}

TEST_CASE("A certain belief has nothing to tell", "[acquisition][es]") {
  const Vector mean = Eigen::Vector4d(0.3, 0.1, 0.9, 0.5);
  for (const double stddev : {0.0, 1e-10, 9e-10}) {
    const DenseGaussian joint(mean, Matrix::Identity(4, 4) * (stddev * stddev));
    const IndependentGaussian independent(mean, Vector::Constant(4, stddev));
    for (const GaussianVector* const f : {static_cast<const GaussianVector*>(&joint),
                                          static_cast<const GaussianVector*>(&independent)}) {
      for (const double noise : {0.0, 0.2}) {
        CAPTURE(stddev, noise);
        CHECK(score(EntropySearch(), *f, noise) == Vector::Zero(4));
        const EntropySearch sampled(std::make_unique<TsMc>(TsMcOptions{.samples = 50}));
        CHECK(score(sampled, *f, noise) == Vector::Zero(4));
      }
    }
  }
}

TEST_CASE("Candidates without uncertainty score 0 among others, with or without noise",
          "[acquisition][es]") {
  const DenseGaussian f(Eigen::Vector3d(0.1, 0.0, 0.2),
                        Eigen::Vector3d(0.0, 1.0, 0.0).asDiagonal());
  for (const double noise : {0.0, 0.3}) {
    const Vector gain = score(EntropySearch(), f, noise);
    CHECK(gain(0) == 0.0);
    CHECK(gain(2) == 0.0);
    CHECK(gain(1) > 0.1);
  }
}

TEST_CASE("One candidate, two equal ones and copies without noise are no trouble",
          "[acquisition][es]") {
  CHECK(score(EntropySearch(), DenseGaussian(Vector::Ones(1), Matrix::Identity(1, 1)), 0.1)(0) ==
        0.0);
  const Vector equal =
      score(EntropySearch(), DenseGaussian(Vector::Zero(2), Matrix::Identity(2, 2)), 0.1);
  CHECK_THAT(equal(0), WithinAbs(equal(1), 1e-12));
  CHECK(equal(0) > 0.1);
  // Perfectly correlated: an observation without noise leaves no variance anywhere.
  const DenseGaussian copies(Vector::Zero(3), Matrix::Ones(3, 3));
  CHECK(score(EntropySearch(), copies, 0.0).allFinite());
}

TEST_CASE("A model without noise on a fine grid gives numbers", "[acquisition][es]") {
  // Kind 3: smooth, noise 0, candidates at and between the data; variances round to nothing.
  Line line(79, 0.0, 1.0);
  const GaussianVector& f = line.posterior();
  CHECK(score(EntropySearch(), f, 0.0).allFinite());
  const EntropySearch sampled(std::make_unique<TsMc>(TsMcOptions{.samples = 20}),
                              {.hypotheses = HypothesisRule::kDraws});
  CHECK(score(sampled, f, 0.0).allFinite());
}

TEST_CASE("Of two equal candidates the one not yet measured is chosen", "[acquisition][es]") {
  const Domain domain = Domain::grid(Vector::Zero(1), Vector::Ones(1), std::vector<Index>{2});
  GaussianProcess gp(
      1, make_kernel(KernelType::kMatern52, Vector::Constant(1, 0.1), 1.0), {.noise_stddev = 0.01});
  for (int i = 0; i < 100; ++i) gp.add(domain.point(0), 0.2);
  for (const bool draws : {false, true}) {
    const EntropySearch rule(
        nullptr, {.hypotheses = draws ? HypothesisRule::kDraws : HypothesisRule::kQuadrature});
    const Vector gain = score(rule, gp.posterior(domain), 0.01);
    CHECK(gain(1) > gain(0) + 0.1);
  }
}

TEST_CASE("A shortlist keeps what the whole list scores, and -inf for the rest",
          "[acquisition][es]") {
  Line line(120);
  const GaussianVector& f = line.posterior();
  const Vector all = score(EntropySearch(), f, 0.2);
  const Vector some = score(EntropySearch(nullptr, {.shortlist = 30}), f, 0.2);
  Index kept = 0;
  for (Index x = 0; x < 120; ++x) {
    if (std::isinf(some(x))) continue;
    CHECK(some(x) == all(x));
    ++kept;
  }
  CHECK(kept == 30);
  CHECK(score(EntropySearch(nullptr, {.shortlist = 120}), f, 0.2) == all);
  const std::vector<Index> subset = {5, 50, 100};
  const Vector one = score(EntropySearch(nullptr, {.shortlist = 1}), f, 0.2, subset);
  CHECK((one.array() > -kInfinity).count() == 1);
}

TEST_CASE("Options out of range are refused by name", "[acquisition][es]") {
  CHECK_THROWS_AS(EntropySearch(nullptr, {.nodes = 1}), InvalidArgument);
  CHECK_THROWS_AS(EntropySearch(nullptr, {.draws = 0}), InvalidArgument);
  CHECK_THROWS_AS(EntropySearch(nullptr, {.shortlist = -1}), InvalidArgument);
  CHECK_THROWS_AS(EntropySearch(std::make_unique<TsMc>(TsMcOptions{.target_error = 0.1})),
                  InvalidArgument);
  CHECK_THROWS_AS(EntropySearch(std::make_unique<TsMc>(TsMcOptions{.time_limit_seconds = 1.0})),
                  InvalidArgument);
}

TEST_CASE("TS-MC refuses, before it starts, what its matrices would exceed", "[acquisition][es]") {
  Line line(100);
  // 3 n² doubles
  const EntropySearch fits(
      std::make_unique<TsMc>(TsMcOptions{.samples = 1, .memory_limit = 240000.0}),
      {.hypotheses = HypothesisRule::kDraws, .draws = 1});
  CHECK(score(fits, line.posterior(), 0.2).allFinite());
  const EntropySearch exceeds(
      std::make_unique<TsMc>(TsMcOptions{.samples = 1, .memory_limit = 239999.0}));
  CHECK_THROWS_AS(score(exceeds, line.posterior(), 0.2), MemoryLimitExceeded);
}
