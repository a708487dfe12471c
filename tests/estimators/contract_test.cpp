// SPDX-License-Identifier: MIT
// What every estimator promises. A new one joins by one line in `estimators()`.
#include <algorithm>   // std::find_if
#include <functional>  // factories
#include <limits>      // largest double
#include <memory>      // estimators
#include <pomlux/core/errors.hpp>
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/core/pom_estimator.hpp>
#include <pomlux/estimators/a_lite.hpp>
#include <pomlux/estimators/est.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/local_hazard.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <pomlux/estimators/vapor.hpp>
#include <vector>  // the list

#include "catch.hpp"
#include "pom_oracle.hpp"

using namespace pomlux;
using pomlux::test::pom_cases;
using pomlux::test::PomCase;

namespace {

struct Entry {
  std::string name;
  std::shared_ptr<const PomEstimator> estimator;
  bool is_random = false;
};

const std::vector<Entry>& estimators() {
  static const std::vector<Entry> list{
      {"f_lite", std::make_shared<FLite>(FLiteOptions{.epsilon = 1e-13})},
      {"f_lite bisection",
       std::make_shared<FLite>(FLiteOptions{.epsilon = 1e-13, .root = RootMethod::kBisection})},
      {"vapor", std::make_shared<Vapor>(VaporOptions{.epsilon = 1e-13})},
      {"vapor bisection",
       std::make_shared<Vapor>(VaporOptions{.epsilon = 1e-13, .root = RootMethod::kBisection})},
      {"a_lite", std::make_shared<ALite>(ALiteOptions{.epsilon = 1e-13})},
      {"a_lite one", std::make_shared<ALite>(ALiteOptions{.variant = ALiteVariant::kOne})},
      {"a_lite two", std::make_shared<ALite>(ALiteOptions{.variant = ALiteVariant::kTwo})},
      {"est", std::make_shared<Est>(EstOptions{.epsilon = 1e-13})},
      {"independence", std::make_shared<Independence>(IndependenceOptions{.epsilon = 1e-13})},
      {"local_hazard", std::make_shared<LocalHazard>()},
      {"ts_mc", std::make_shared<TsMc>(TsMcOptions{.samples = 4000}), true},
  };
  return list;
}

Pom estimate(const Entry& entry, const Vector& mean, const Vector& stddev) {
  Rng rng = make_stream(1, "contract");
  return entry.estimator->estimate(IndependentGaussian(mean, stddev), rng);
}

/// Largest difference that rounding of the inputs may cause, or the noise of the sampler.
double tolerance(const Entry& entry) { return entry.is_random ? 0.05 : 1e-9; }

double distance(const Pom& a, const Vector& b) {
  return (a.probabilities - b).cwiseAbs().maxCoeff();
}

/// A covariance that nobody has checked.
class Unchecked final : public GaussianVector {
 public:
  explicit Unchecked(Matrix covariance)
      : covariance_(std::move(covariance)),
        mean_(Vector::Zero(covariance_.rows())),
        stddev_(covariance_.diagonal().cwiseSqrt()) {}
  [[nodiscard]] VectorView mean() const override { return {mean_.data(), mean_.size()}; }
  [[nodiscard]] VectorView stddev() const override { return {stddev_.data(), stddev_.size()}; }
  [[nodiscard]] bool has_covariance() const override { return true; }
  [[nodiscard]] double covariance(Index i, Index j) const override { return covariance_(i, j); }

 private:
  Matrix covariance_;
  Vector mean_, stddev_;
};

struct Belief {
  Vector mean;
  Vector stddev;
};

/// The second example of the case collection, a dozen unequal arms, and a posterior with certain
/// and nearly certain arms.
const std::vector<Belief>& beliefs() {
  static const std::vector<Belief> list = [] {
    std::vector<Belief> result;
    result.push_back(
        {(Vector(3) << 0.0, 0.4, 1.1).finished(), (Vector(3) << 1.5, 0.7, 0.2).finished()});
    Vector mean(12), stddev(12);
    for (Index i = 0; i < 12; ++i) {
      mean(i) = std::sin(1.7 * static_cast<double>(i));
      stddev(i) = 0.3 + 0.1 * static_cast<double>((7 * i) % 12);
    }
    result.push_back({mean, stddev});
    return result;
  }();
  return list;
}

}  // namespace

TEST_CASE("Every estimator gives a distribution on every case of the oracle",
          "[estimators][contract]") {
  for (const Entry& entry : estimators()) {
    for (const PomCase& c : pom_cases()) {
      CAPTURE(entry.name, c.name);
      const Pom pom = estimate(entry, c.mean, c.stddev);
      CHECK(pom.size() == c.size());
      CHECK(pom.probabilities.minCoeff() >= 0.0);
      CHECK(pom.probabilities.maxCoeff() <= 1.0 + 1e-15);
      CHECK(pom.status != Status::kNotRun);
      CHECK_FALSE(pom.model_error.has_value());
      CHECK(pom.numerical_error.has_value() != entry.is_random);
      CHECK(pom.sampling_error.has_value() == entry.is_random);
      CHECK(pom.entropy() >= 0.0);
      CHECK(pom.entropy() <= std::log(static_cast<double>(c.size())) + 1e-12);
    }
  }
}

TEST_CASE("Every estimator gives the one arm there is probability 1", "[estimators][contract]") {
  for (const Entry& entry : estimators()) {
    for (const double stddev : {2.0, 0.0, 1e-300}) {
      CAPTURE(entry.name, stddev);
      const Pom pom = estimate(entry, Vector::Constant(1, 3.0), Vector::Constant(1, stddev));
      CHECK(pom.probabilities(0) == 1.0);
      CHECK(pom.entropy() == 0.0);
    }
  }
}

TEST_CASE("Every estimator gives all to the best of certain arms", "[estimators][contract]") {
  const Vector mean = (Vector(3) << 0.0, 1.0, 0.5).finished();
  for (const Entry& entry : estimators()) {
    CAPTURE(entry.name);
    const Pom pom = estimate(entry, mean, Vector::Zero(3));
    CHECK(pom.probabilities == Vector::Unit(3, 1));
    CHECK(pom.entropy() == 0.0);
    const Pom tied = estimate(entry, Vector::Ones(2), Vector::Zero(2));
    // Independent estimators share ties; a sample's argmax is its lowest index.
    CHECK(tied.probabilities(0) == (entry.is_random ? 1.0 : 0.5));
  }
}

TEST_CASE("Every estimator shares equally among equal arms", "[estimators][contract]") {
  for (const Entry& entry : estimators()) {
    CAPTURE(entry.name);
    const Pom pom = estimate(entry, Vector::Constant(1000, 2.0), Vector::Constant(1000, 3.0));
    const double error = entry.is_random ? 5.0 * std::sqrt(0.001 / 4000.0) : 1e-9;
    CHECK(distance(pom, Vector::Constant(1000, 0.001)) < error);
    if (!entry.is_random) CHECK_THAT(pom.entropy(), WithinAbs(6.907755279, 1e-9));
  }
}

TEST_CASE("Every estimator survives tiny, huge and shifted values", "[estimators][contract]") {
  const double huge = 1e308;
  const std::vector<Belief> extremes{
      {(Vector(3) << 1e9, 1e9 + 0.5, 1e9).finished(), (Vector(3) << 1.0, 1e-12, 1e-6).finished()},
      {(Vector(3) << 0.0, 0.5, -1.0).finished(), (Vector(3) << 1e12, 1e-12, 0.0).finished()},
      {(Vector(3) << huge, -huge, 0.0).finished(), (Vector(3) << huge, 1.0, 0.0).finished()},
      {(Vector(2) << 0.0, 100.0).finished(), Vector::Ones(2)},
      {(Vector(2) << 0.0, 0.0).finished(), (Vector(2) << 1e-200, 5e-324).finished()},
      {(Vector(3) << 0.0, 0.0, 0.0).finished(), (Vector(3) << 1e-280, 1e280, 1.0).finished()},
      {Vector::LinSpaced(50, 0.0, 1e-15), Vector::Constant(50, 1e-15)},
  };
  for (const Entry& entry : estimators()) {
    for (std::size_t k = 0; k < extremes.size(); ++k) {
      CAPTURE(entry.name, k);
      CHECK_THAT(estimate(entry, extremes[k].mean, extremes[k].stddev).probabilities.sum(),
                 WithinAbs(1.0, 1e-13));
    }
  }
}

TEST_CASE("No size of mean or stddev changes a probability", "[estimators][contract]") {
  // Each belief, and the same in units and from an origin that double is at home with.
  const Vector three = (Vector(3) << 0.0, -0.6, -1.5).finished();
  const Vector widths = (Vector(3) << 1.0, 2.0, 0.5).finished();
  const auto with_far = [](const Vector& v, double last) {
    Vector result(v.size() + 1);
    result << v, last;
    return result;
  };
  const double huge = 0.25 * std::numeric_limits<double>::max();
  struct Pair {
    Belief extreme, plain;
  };
  const std::vector<Pair> pairs{
      {{1e-300 * three, 1e-300 * widths}, {three, widths}},
      {{1e-310 * three, 1e-310 * widths}, {three, widths}},
      {{1e307 * three, 1e307 * widths}, {three, widths}},
      {{(Vector(2) << huge, -4.0 * huge).finished(), Vector::Constant(2, 2.0 * huge)},
       {(Vector(2) << 1.0, -4.0).finished(), Vector::Constant(2, 2.0)}},
      {{Vector::Constant(3, 1e308), widths}, {Vector::Zero(3), widths}},
      {{with_far(three, -1e308), with_far(widths, 3.0)},
       {with_far(three, -1e5), with_far(widths, 3.0)}},
      {{with_far(1e-290 * three, -1e308), with_far(1e-290 * widths, 1e300)},
       {with_far(three, -1e5), with_far(widths, 3.0)}},
      {{with_far(1e-300 * three, -0.5), with_far(1e-300 * widths, 0.0)},
       {with_far(three, -1e5), with_far(widths, 0.0)}},
  };
  for (const Entry& entry : estimators()) {
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      CAPTURE(entry.name, k);
      const Pom extreme = estimate(entry, pairs[k].extreme.mean, pairs[k].extreme.stddev);
      const Pom plain = estimate(entry, pairs[k].plain.mean, pairs[k].plain.stddev);
      CHECK(distance(extreme, plain.probabilities) < tolerance(entry));
      CHECK(extreme.status == plain.status);
      if (extreme.kappa) CHECK(std::isfinite(*extreme.kappa));
    }
  }
}

TEST_CASE("Stddevs that double cannot tell apart next to a wider one are refused",
          "[estimators][contract]") {
  const Vector stddev = (Vector(4) << 1e300, 1e-2, 2e-2, 3.0).finished();
  for (const Entry& entry : estimators()) {
    CAPTURE(entry.name);
    CHECK_THROWS_WITH(estimate(entry, Vector::Zero(4), stddev),
                      ContainsSubstring("arms 1 and 2 have standard deviations of 0.01 and 0.02"));
  }
}

TEST_CASE("Permuted arms give permuted probabilities", "[estimators][contract]") {
  for (const Entry& entry : estimators()) {
    for (const Belief& b : beliefs()) {
      CAPTURE(entry.name);
      const Pom pom = estimate(entry, b.mean, b.stddev);
      const Pom reversed = estimate(entry, b.mean.reverse(), b.stddev.reverse());
      CHECK(distance(reversed, pom.probabilities.reverse()) < tolerance(entry));
    }
  }
}

TEST_CASE("A common shift or scale changes no probability", "[estimators][contract]") {
  for (const Entry& entry : estimators()) {
    for (const Belief& b : beliefs()) {
      CAPTURE(entry.name);
      const Pom pom = estimate(entry, b.mean, b.stddev);
      const Vector shifted = b.mean.array() + 1e3;
      CHECK(distance(estimate(entry, shifted, b.stddev), pom.probabilities) < tolerance(entry));
      for (const double scale : {1e-6, 7.0, 1e6}) {
        const Pom scaled = estimate(entry, scale * b.mean, scale * b.stddev);
        CHECK(distance(scaled, pom.probabilities) < tolerance(entry));
      }
      const Vector far = 1e6 * b.mean.array() + 1e9;
      CHECK(distance(estimate(entry, far, 1e6 * b.stddev), pom.probabilities) <
            std::max(1e-6, tolerance(entry)));
    }
  }
}

TEST_CASE("An arm's probability does not fall with its own mean", "[estimators][contract]") {
  for (const Entry& entry : estimators()) {
    if (entry.is_random) continue;
    for (const Belief& b : beliefs()) {
      for (Index x = 0; x < b.mean.size(); x += 3) {
        double last = 0.0;
        for (double shift = -2.0; shift <= 2.0; shift += 0.25) {
          CAPTURE(entry.name, x, shift);
          const Vector mean = b.mean + shift * Vector::Unit(b.mean.size(), x);
          const double p = estimate(entry, mean, b.stddev).probabilities(x);
          CHECK(p >= last - 1e-9);
          last = p;
        }
      }
    }
  }
}

TEST_CASE("Deterministic estimators leave the generator untouched, bit for bit",
          "[estimators][contract]") {
  for (const Entry& entry : estimators()) {
    if (entry.is_random) continue;
    CAPTURE(entry.name);
    Rng used = make_stream(2, "contract");
    (void)entry.estimator->estimate(IndependentGaussian(Vector::Zero(3), Vector::Ones(3)), used);
    CHECK(used == make_stream(2, "contract"));
  }
}

TEST_CASE("Every estimator gives the same bits on any number of threads",
          "[estimators][contract]") {
  Rng rng = make_stream(3, "contract");
  const Index n = 40000;  // enough for the searches that begin with a sample
  Vector mean(n), stddev(n);
  for (Index i = 0; i < n; ++i) {
    mean(i) = 5.0 * draw_uniform(rng);
    stddev(i) = 0.5 + 9.5 * draw_uniform(rng);
  }
  for (const Entry& entry : estimators()) {
    if (entry.is_random) continue;  // see its own test
    CAPTURE(entry.name);
    std::vector<Vector> results;
    for (const int threads : {1, 2, 8}) {
      with_threads(threads,
                   [&] { results.push_back(estimate(entry, mean, stddev).probabilities); });
    }
    CHECK(results[0] == results[1]);
    CHECK(results[0] == results[2]);
  }
}

TEST_CASE("An epsilon below rounding ends at the best attainable", "[estimators][contract]") {
  const std::vector<Entry> unattainable{
      {"f_lite", std::make_shared<FLite>(FLiteOptions{.epsilon = 1e-30})},
      {"vapor", std::make_shared<Vapor>(VaporOptions{.epsilon = 1e-30})},
      {"a_lite", std::make_shared<ALite>(ALiteOptions{.epsilon = 1e-30})},
      {"est", std::make_shared<Est>(EstOptions{.epsilon = 1e-30})},
      {"independence", std::make_shared<Independence>(IndependenceOptions{.epsilon = 1e-30})},
  };
  for (const Entry& entry : unattainable) {
    const auto attainable =
        std::find_if(estimators().begin(), estimators().end(), [&](const Entry& other) {
          return other.name == entry.name;
        });
    for (const Belief& b : beliefs()) {
      CAPTURE(entry.name);
      const Pom pom = estimate(entry, b.mean, b.stddev);
      CHECK(pom.status == Status::kRoundingLimited);
      CHECK(distance(pom, estimate(*attainable, b.mean, b.stddev).probabilities) < 1e-12);
    }
  }
}

TEST_CASE("A dominant arm leaves the others their small probabilities", "[estimators][contract]") {
  // Of two arms with stddev 1 and means d apart: Phi(-d / 2) for F-LITE, Phi(-d / sqrt(2)) for IA.
  for (const double p : {1e-12, 1e-300}) {
    const double d = -normal_quantile(p);
    const Vector apart = (Vector(2) << 0.0, 2.0 * d).finished();
    const Vector near = (Vector(2) << 0.0, std::sqrt(2.0) * d).finished();
    const Pom lite = estimate(estimators().front(), apart, Vector::Ones(2));
    const Pom exact = independence(near, Vector::Ones(2), IndependenceOptions{.epsilon = 1e-13});
    CAPTURE(p);
    CHECK_THAT(lite.probabilities(0), WithinRel(p, 1e-10));
    CHECK_THAT(exact.probabilities(0), WithinRel(p, 1e-10));
    CHECK_THAT(lite.probabilities(1), WithinAbs(1.0 - p, 1e-15));
    for (const Entry& entry : estimators()) {
      if (entry.is_random) continue;
      const Pom pom = estimate(entry, apart, Vector::Ones(2));
      CAPTURE(entry.name);
      CHECK_THAT(pom.probabilities.sum(), WithinAbs(1.0, 1e-14));
      CHECK(pom.probabilities(1) > 0.9);
    }
  }
}

TEST_CASE("Every estimator refuses what is no belief", "[estimators][contract]") {
  for (const Entry& entry : estimators()) {
    CAPTURE(entry.name);
    CHECK_THROWS_AS(estimate(entry, Vector::Zero(2), Vector::Constant(2, -1.0)), InvalidArgument);
    CHECK_THROWS_AS(estimate(entry, Vector::Constant(2, std::nan("")), Vector::Ones(2)),
                    InvalidArgument);
  }
}

TEST_CASE("Who reads correlations refuses those beyond 1", "[estimators][contract]") {
  for (const Index n : {Index{2}, Index{40}}) {
    Matrix covariance = Matrix::Identity(n, n);
    covariance(0, 1) = covariance(1, 0) = 1.5;
    Rng rng = make_stream(4, "contract");
    const Unchecked f(covariance);
    CHECK_THROWS_WITH(ts_mc(f, rng), ContainsSubstring("a correlation of 1.5"));
    CHECK_THROWS_WITH(local_hazard(f, rng), ContainsSubstring("a correlation of 1.5"));
    covariance(0, 1) = covariance(1, 0) = 1.0 + 1e-10;
    CHECK_NOTHROW(local_hazard(Unchecked(covariance), rng));
    CHECK_NOTHROW(ts_mc(Unchecked(covariance), rng));
  }
}
