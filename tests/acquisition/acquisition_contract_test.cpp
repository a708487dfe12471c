// SPDX-License-Identifier: MIT
// What every rule keeps. A new one joins by one line in make_rules().
#include <memory>
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/acquisition/thompson_sampling.hpp>
#include <pomlux/acquisition/upper_confidence_bound.hpp>
#include <pomlux/core/errors.hpp>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

using namespace pomlux;

struct Rule {
  std::string name;
  std::unique_ptr<Acquisition> acquisition;
  bool draws = false;
};

std::vector<Rule> make_rules() {
  std::vector<Rule> rules;
  rules.push_back({"ei", std::make_unique<ExpectedImprovement>()});
  rules.push_back(
      {"ei best_mean", std::make_unique<ExpectedImprovement>(IncumbentRule::kBestMean)});
  rules.push_back({"pi", std::make_unique<ProbabilityOfImprovement>()});
  rules.push_back({"ucb", std::make_unique<UpperConfidenceBound>()});
  rules.push_back({"ts", std::make_unique<ThompsonSampling>(), true});
  return rules;
}

AcquisitionContext context_of(const GaussianVector& f, std::optional<double> best_observed) {
  return {f, best_observed, f.mean().maxCoeff(), 0.1, 3};
}

}  // namespace

TEST_CASE("A rule scores a subset in its order as it scores all", "[acquisition][contract]") {
  const DenseGaussian f(Eigen::Vector3d(0.5, 0.1, 0.3),
                        Eigen::Vector3d(1.0, 1.0, 4.0).asDiagonal());
  const std::vector<Index> subset = {2, 0};
  for (const Rule& rule : make_rules()) {
    CAPTURE(rule.name);
    Rng first = make_stream(1, "test"), second = make_stream(1, "test");
    const Vector all = rule.acquisition->score(context_of(f, 0.7), first);
    const Vector some = rule.acquisition->score(context_of(f, 0.7), subset, second);
    REQUIRE(all.size() == 3);
    REQUIRE(some.size() == 2);
    CHECK(some(0) == all(2));
    CHECK(some(1) == all(0));
    CHECK(all.allFinite());
  }
}

TEST_CASE("A rule that does not draw leaves the stream, one that does repeats with it",
          "[acquisition][contract]") {
  const DenseGaussian f(Vector::Zero(4), Matrix::Identity(4, 4));
  for (const Rule& rule : make_rules()) {
    CAPTURE(rule.name);
    const Rng start = make_stream(2, "test");
    Rng first = start, second = start;
    const Vector scores = rule.acquisition->score(context_of(f, 0.7), first);
    CHECK(scores == rule.acquisition->score(context_of(f, 0.7), second));
    CHECK((first == start) == !rule.draws);
  }
}

TEST_CASE("A rule has no NaN for certain, constant or single candidates",
          "[acquisition][contract]") {
  const DenseGaussian certain(Eigen::Vector3d(1.0, 1.0, -2.0), Matrix::Zero(3, 3));
  const DenseGaussian mixed(Eigen::Vector2d(1.0, 0.0), Eigen::Vector2d(0.0, 1.0).asDiagonal());
  const DenseGaussian single(Vector::Zero(1), Matrix::Identity(1, 1));
  for (const GaussianVector* f : {&certain, &mixed, &single}) {
    for (const Rule& rule : make_rules()) {
      for (const std::optional<double> best :
           {std::optional<double>(1.0), std::optional<double>()}) {
        CAPTURE(rule.name, f->size(), best.has_value());
        Rng rng = make_stream(3, "test");
        const Vector scores = rule.acquisition->score(context_of(*f, best), rng);
        CHECK_FALSE(scores.hasNaN());
        CHECK((scores.array() < std::numeric_limits<double>::infinity()).all());
      }
    }
  }
}
