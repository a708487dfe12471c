// SPDX-License-Identifier: MIT
// What every rule keeps. A new one joins by one line in make_rules().
#include <memory>
#include <pomlux/acquisition/entropy_search.hpp>
#include <pomlux/acquisition/est_acquisition.hpp>
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/acquisition/information_gain.hpp>
#include <pomlux/acquisition/max_value_entropy_search.hpp>
#include <pomlux/acquisition/pom_acquisition.hpp>
#include <pomlux/acquisition/thompson_sampling.hpp>
#include <pomlux/acquisition/upper_confidence_bound.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/estimators/f_lite.hpp>
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
  rules.push_back({"ei given", std::make_unique<ExpectedImprovement>(IncumbentRule::kGiven, 0.2)});
  rules.push_back({"information_gain", std::make_unique<InformationGain>()});
  rules.push_back({"est", std::make_unique<EstAcquisition>()});
  rules.push_back({"pom", std::make_unique<PomAcquisition>(std::make_unique<FLite>())});
  rules.push_back({"pom sample",
                   std::make_unique<PomAcquisition>(std::make_unique<FLite>(), PomRule::kSample),
                   true});
  rules.push_back({"ts", std::make_unique<ThompsonSampling>(), true});
  rules.push_back({"entropy_search", std::make_unique<EntropySearch>()});
  rules.push_back({"entropy_search draws",
                   std::make_unique<EntropySearch>(
                       nullptr, EntropySearchOptions{.hypotheses = HypothesisRule::kDraws}),
                   true});
  rules.push_back({"ts low_rank",
                   std::make_unique<ThompsonSampling>(
                       JointSamplerOptions{.method = SamplingMethod::kLowRank, .max_rank = 2}),
                   true});
  for (const MaximumSource maximum :
       {MaximumSource::kJoint, MaximumSource::kIndependent, MaximumSource::kGumbel}) {
    rules.push_back({"mes " + std::to_string(static_cast<int>(maximum)),
                     std::make_unique<MaxValueEntropySearch>(MaxValueOptions{.maximum = maximum}),
                     true});
  }
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
  const DenseGaussian single_certain(Vector::Ones(1), Matrix::Zero(1, 1));
  // An arm measured well against its unmeasured twin, a copy of an arm, sizes far apart, and no
  // covariance.
  const DenseGaussian measured(Eigen::Vector2d(0.3, 0.0), Eigen::Vector2d(1e-18, 1.0).asDiagonal());
  const DenseGaussian copies(Eigen::Vector2d(0.0, 0.1), Matrix::Ones(2, 2));
  const DenseGaussian far_apart(Eigen::Vector3d(1e9, -1e9, 0.0),
                                Eigen::Vector3d(1e-12, 1e12, 1e-300).asDiagonal());
  const IndependentGaussian independent(Eigen::Vector3d(1.0, 0.0, 1.0),
                                        Eigen::Vector3d(0.0, 1.0, 2.0));
  const IndependentGaussian nearly_certain(Eigen::Vector3d(0.0, 1.0, 0.5),
                                           Eigen::Vector3d(1e-10, 1e-9, 1e-320));
  for (const GaussianVector* const f :
       std::initializer_list<const GaussianVector*>{&certain,
                                                    &mixed,
                                                    &single,
                                                    &single_certain,
                                                    &measured,
                                                    &copies,
                                                    &far_apart,
                                                    &independent,
                                                    &nearly_certain}) {
    for (const Rule& rule : make_rules()) {
      for (const std::optional<double> best :
           {std::optional<double>(1.0), std::optional<double>()}) {
        CAPTURE(rule.name, f->size(), best.has_value());
        Rng rng = make_stream(3, "test");
        const Vector scores = rule.acquisition->score(context_of(*f, best), rng);
        REQUIRE(scores.size() == f->size());
        CHECK_FALSE(scores.hasNaN());
        CHECK((scores.array() < std::numeric_limits<double>::infinity()).all());
      }
    }
  }
}

TEST_CASE("Rules whose batches are rankings or independent draws see the belief as it is",
          "[acquisition][contract]") {
  for (const Rule& rule : make_rules()) {
    CAPTURE(rule.name);
    const bool is_free = rule.name.starts_with("ts") || rule.name.starts_with("pom");
    CHECK(rule.acquisition->conditions_on_pending() == !is_free);
  }
}
