// SPDX-License-Identifier: MIT
// The mechanics of ask and tell, with a model made for it; tests/acquisition has the real ones.
#include <cmath>
#include <limits>
#include <pomlux/core/optimizer.hpp>
#include <set>
#include <utility>

#include "catch.hpp"
#include "fake_surrogate.hpp"

namespace {

using namespace pomlux;
using namespace pomlux::test;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Domain line(Index n) {
  Points points(n, 1);
  for (Index i = 0; i < n; ++i) points(i, 0) = static_cast<double>(i);
  return Domain(points);
}

Optimizer make(Index n, Probe& probe, OptimizerOptions options = {}, double score_noise = 0.0) {
  return Optimizer(line(n),
                   std::make_unique<FakeSurrogate>(1, probe),
                   std::make_unique<FakeAcquisition>(probe, score_noise),
                   std::move(options));
}

double parabola(Index candidate) {
  const auto x = static_cast<double>(candidate);
  return -(x - 2.0) * (x - 2.0);
}

std::vector<Index> candidates_of(const std::vector<Suggestion>& suggestions) {
  std::vector<Index> result;
  for (const Suggestion& suggestion : suggestions) result.push_back(suggestion.candidate);
  return result;
}

/// The candidates of `steps` rounds of ask and tell.
std::vector<Index> run(Optimizer& optimizer, int steps) {
  std::vector<Index> asked;
  for (int i = 0; i < steps; ++i) {
    const std::optional<Suggestion> suggestion = optimizer.ask();
    if (!suggestion) break;
    asked.push_back(suggestion->candidate);
    optimizer.tell(*suggestion, parabola(suggestion->candidate));
  }
  return asked;
}

}  // namespace

TEST_CASE("Without repeats every candidate is asked once, then nothing is left",
          "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(4, probe);
  const std::vector<Index> asked = run(optimizer, 10);
  CHECK(std::set<Index>(asked.begin(), asked.end()) == std::set<Index>{0, 1, 2, 3});
  CHECK(asked.size() == 4);
  CHECK_FALSE(optimizer.ask().has_value());
  CHECK(optimizer.ask(3).empty());
  CHECK(optimizer.best_observed()->value == 0.0);
  CHECK(optimizer.best_observed()->candidate == 2);
}

TEST_CASE("With repeats the optimiser goes on and never asks what is pending",
          "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(4, probe, {.repeats = true});
  CHECK(run(optimizer, 10).size() == 10);
  CHECK(optimizer.num_told() == 10);
  CHECK(candidates_of(optimizer.ask(6)).size() == 4);
  CHECK_FALSE(optimizer.ask().has_value());
}

TEST_CASE("A domain of one candidate is asked once", "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(1, probe);
  CHECK(run(optimizer, 3) == std::vector<Index>{0});
  CHECK(optimizer.pom(FakeEstimator()).probabilities == Vector::Ones(1));
}

TEST_CASE("Several asks without tells give different candidates", "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(10, probe);
  optimizer.tell(3, 1.0);
  optimizer.tell(4, 2.0);
  const auto first = optimizer.ask(), second = optimizer.ask(), third = optimizer.ask();
  const std::set<Index> asked = {first->candidate, second->candidate, third->candidate, 3, 4};
  CHECK(asked.size() == 5);
  // Told in any order, by suggestion, candidate or point.
  optimizer.tell(*third, 0.3);
  optimizer.tell(first->candidate, 0.1);
  optimizer.tell(second->point, 0.2);
  CHECK(optimizer.trials()[2].value == 0.1);
  CHECK(optimizer.trials()[3].value == 0.2);
  CHECK(optimizer.trials()[4].value == 0.3);
  CHECK_FALSE(optimizer.trials()[3].is_foreign);
  CHECK(optimizer.num_told() == 5);
  CHECK(optimizer.ask(9).size() == 5);
}

TEST_CASE("A suggestion is answered once", "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(5, probe);
  const Suggestion told = *optimizer.ask(), failed = *optimizer.ask();
  optimizer.tell(told, 1.0);
  CHECK_THROWS_WITH(optimizer.tell(told, 2.0), ContainsSubstring("told before"));
  CHECK_THROWS_WITH(optimizer.tell_failed(told), ContainsSubstring("told before"));
  optimizer.tell_failed(failed);
  CHECK_THROWS_WITH(optimizer.tell(failed, 2.0), ContainsSubstring("failed before"));
  CHECK_THROWS_WITH(optimizer.tell(Suggestion{7, 0, {}, false}, 2.0),
                    ContainsSubstring("trial 7 for candidate 0 was not asked"));
  CHECK_THROWS_WITH(optimizer.tell(Suggestion{0, 4, {}, false}, 2.0),
                    ContainsSubstring("trial 0 is for candidate 0"));
  CHECK(optimizer.num_told() == 1);
  // A second value of a candidate is foreign data.
  optimizer.tell(told.candidate, 3.0);
  CHECK(optimizer.num_told() == 2);
  CHECK(optimizer.trials().back().is_foreign);
}

TEST_CASE("A failed candidate is not asked again, even with repeats", "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(3, probe, {.repeats = true});
  const Suggestion failed = *optimizer.ask();
  optimizer.tell_failed(failed);
  for (const Index candidate : run(optimizer, 8)) CHECK(candidate != failed.candidate);
  CHECK(optimizer.trials()[0].state == TrialState::kFailed);
  CHECK_FALSE(optimizer.trials()[0].value.has_value());
}

TEST_CASE("A refused tell leaves everything as it was", "[core][optimizer]") {
  Probe probe, untouched;
  Optimizer optimizer = make(6, probe, {.seed = 3}, 0.5);
  Optimizer other = make(6, untouched, {.seed = 3}, 0.5);
  for (Optimizer* each : {&optimizer, &other}) {
    each->tell(1, 0.1);
    each->tell(2, 0.7);
    each->tell(5, -0.2);
  }
  const Suggestion pending = *optimizer.ask();
  static_cast<void>(other.ask());
  CHECK_THROWS_WITH(optimizer.tell(2, kNan),
                    ContainsSubstring("candidate 2") && ContainsSubstring("nan"));
  CHECK_THROWS_WITH(optimizer.tell(2, kInfinity), ContainsSubstring("inf"));
  CHECK_THROWS_WITH(optimizer.tell(pending, -kInfinity), ContainsSubstring("-inf"));
  CHECK_THROWS_WITH(optimizer.tell(2, 1.0, -0.1), ContainsSubstring("noise_stddev"));
  CHECK_THROWS_WITH(optimizer.tell(2, 1.0, kNan), ContainsSubstring("noise_stddev"));
  CHECK_THROWS_WITH(optimizer.tell(6, 1.0), ContainsSubstring("candidate 6 is not in 0..5"));
  CHECK_THROWS_WITH(optimizer.tell(-1, 1.0), ContainsSubstring("candidate -1"));
  const Point wide = Point::Zero(3), outside = Point::Constant(1, 0.5);
  CHECK_THROWS_WITH(optimizer.tell(wide, 1.0),
                    ContainsSubstring("size 3") && ContainsSubstring("size 1"));
  CHECK_THROWS_WITH(optimizer.tell(outside, 1.0), ContainsSubstring("(0.5) is not a candidate"));
  probe.throws_in_add = true;
  CHECK_THROWS_WITH(optimizer.tell(pending, 1.0), "add");
  CHECK_THROWS_WITH(optimizer.tell(0, 1.0), "add");
  probe.throws_in_add = false;
  CHECK(optimizer.num_told() == 3);
  CHECK(optimizer.trials().size() == 4);
  CHECK(optimizer.trials()[3].state == TrialState::kAsked);
  CHECK(optimizer.ask()->candidate == other.ask()->candidate);
  optimizer.tell(pending, 1.0);
  CHECK(optimizer.num_told() == 4);
}

TEST_CASE("A part that throws in ask leaves the optimiser usable", "[core][optimizer]") {
  Probe probe, untouched;
  Optimizer optimizer = make(8, probe, {.seed = 4}, 0.5);
  Optimizer other = make(8, untouched, {.seed = 4}, 0.5);
  optimizer.tell(1, 1.0);
  other.tell(1, 1.0);
  probe.throws_in_fit = true;
  CHECK_THROWS_WITH(optimizer.ask(), "fit");
  probe.throws_in_fit = false;
  probe.throws_in_posterior = true;
  CHECK_THROWS_WITH(optimizer.ask(), "posterior");
  probe.throws_in_posterior = false;
  probe.scores_until_throw = 2;  // the third of a batch
  CHECK_THROWS_WITH(optimizer.ask(4), "score");
  probe.scores_until_throw = -1;
  CHECK(optimizer.trials().size() == 1);
  CHECK(candidates_of(optimizer.ask(4)) == candidates_of(other.ask(4)));
  CHECK(probe.fit_draws == untouched.fit_draws);
}

TEST_CASE("Two optimisers in turn answer as each alone", "[core][optimizer]") {
  Probe probe;
  Optimizer alone_a = make(20, probe, {.seed = 1, .initial = 3}, 1.0);
  Optimizer alone_b = make(20, probe, {.seed = 2, .initial = 3}, 1.0);
  const std::vector<Index> a = run(alone_a, 12), b = run(alone_b, 12);
  CHECK(a != b);
  Optimizer turn_a = make(20, probe, {.seed = 1, .initial = 3}, 1.0);
  Optimizer turn_b = make(20, probe, {.seed = 2, .initial = 3}, 1.0);
  for (std::size_t i = 0; i < 12; ++i) {
    CHECK(run(turn_a, 1).at(0) == a[i]);
    CHECK(run(turn_b, 1).at(0) == b[i]);
  }
}

TEST_CASE("Looking does not change what is asked", "[core][optimizer]") {
  Probe probe;
  Optimizer blind = make(20, probe, {.seed = 5, .initial = 2}, 1.0);
  const std::vector<Index> expected = run(blind, 8);
  Optimizer looking = make(20, probe, {.seed = 5, .initial = 2}, 1.0);
  Rng own = make_stream(1, "test");
  for (const Index candidate : expected) {
    static_cast<void>(looking.posterior());
    static_cast<void>(looking.pom(FakeEstimator()));
    static_cast<void>(looking.pom(FakeEstimator(), own));
    static_cast<void>(looking.best_by_model());
    static_cast<void>(looking.best_observed());
    CHECK(run(looking, 1).at(0) == candidate);
  }
}

TEST_CASE("The fit follows its schedule", "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(30, probe, {.initial = 2, .fit_every = 3});
  CHECK(optimizer.fit().status == Status::kNotRun);  // nothing told yet
  run(optimizer, 2);
  CHECK(probe.fits == 0);  // none in the initial design
  CHECK(optimizer.last_ask().fit.status == Status::kNotRun);
  run(optimizer, 1);  // first suggestion of the acquisition
  CHECK(probe.fits == 1);
  CHECK(optimizer.last_ask().fit.status == Status::kConverged);
  run(optimizer, 2);
  CHECK(probe.fits == 1);
  CHECK(optimizer.last_ask().fit.status == Status::kNotRun);
  static_cast<void>(optimizer.posterior());  // never refits, whatever was told
  run(optimizer, 1);
  CHECK(probe.fits == 2);
  optimizer.fit();
  CHECK(probe.fits == 3);
  run(optimizer, 3);
  CHECK(probe.fits == 3);
  run(optimizer, 1);
  CHECK(probe.fits == 4);
  static_cast<void>(optimizer.ask(4));  // nothing new told after the first
  CHECK(probe.fits == 4);

  Probe never;
  Optimizer fixed = make(30, never, {.fit_every = 0});
  run(fixed, 5);
  CHECK(never.fits == 0);
}

TEST_CASE("The initial design comes first and is the seed's own", "[core][optimizer]") {
  Probe probe;
  for (const InitialDesign design : {InitialDesign::kRandom, InitialDesign::kSobol}) {
    Optimizer first = make(50, probe, {.seed = 0, .initial = 10, .initial_design = design});
    Optimizer again = make(50, probe, {.seed = 0, .initial = 10, .initial_design = design});
    Optimizer other = make(50, probe, {.seed = 1, .initial = 10, .initial_design = design});
    const std::vector<Suggestion> asked = first.ask(11);
    const std::vector<Index> initial = candidates_of({asked.begin(), asked.begin() + 10});
    CHECK(std::set<Index>(initial.begin(), initial.end()).size() == 10);
    CHECK(asked[9].is_initial);
    CHECK_FALSE(asked[10].is_initial);
    CHECK(candidates_of(again.ask(10)) == initial);
    CHECK(candidates_of(other.ask(10)) != initial);
  }
}

TEST_CASE("A drawn design keeps its size when a candidate cannot be asked", "[core][optimizer]") {
  Probe probe;
  Optimizer plain = make(6, probe, {.seed = 2, .initial = 4});
  const std::vector<Index> planned = candidates_of(plain.ask(4));
  Optimizer told = make(6, probe, {.seed = 2, .initial = 4});
  told.tell(planned[1], 1.0);  // foreign data takes it away
  const std::vector<Suggestion> asked = told.ask(6);
  REQUIRE(asked.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) CHECK(asked[i].is_initial == (i < 4));
  CHECK(asked[0].candidate == planned[0]);

  // Drawn with replacement, all at once: pending ones are replaced; more than the domain: it waits.
  Optimizer batch = make(4, probe, {.seed = 2, .initial = 6, .repeats = true});
  const std::vector<Suggestion> first = batch.ask(6);
  REQUIRE(first.size() == 4);
  for (const Suggestion& suggestion : first) batch.tell(suggestion, 0.0);
  CHECK(batch.ask()->is_initial);
  CHECK(batch.ask()->is_initial);
  CHECK_FALSE(batch.ask()->is_initial);
}

TEST_CASE("Listed initial candidates are asked in their order", "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(6, probe, {.initial_candidates = {4, 1, 5}});
  optimizer.tell(1, 0.0);
  const std::vector<Suggestion> asked = optimizer.ask(3);
  CHECK(asked[0].candidate == 4);
  CHECK(asked[1].candidate == 5);
  CHECK_FALSE(asked[2].is_initial);
  CHECK_THROWS_WITH(make(6, probe, {.initial_candidates = {4, 6}}),
                    ContainsSubstring("initial_candidates[1]") && ContainsSubstring("0..5"));
  CHECK_THROWS_WITH(make(6, probe, {.initial_candidates = {4, 4}}),
                    ContainsSubstring("initial_candidates[1]"));
  CHECK_NOTHROW(make(6, probe, {.initial_candidates = {4, 4}, .repeats = true}));
}

TEST_CASE("Minimising turns the rules and the probability, not what the user sees",
          "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(4, probe, {.sense = Sense::kMinimize});
  optimizer.tell(0, 5.0);
  optimizer.tell(1, -3.0);
  optimizer.tell(2, 2.0);
  CHECK(optimizer.best_observed()->value == -3.0);
  CHECK(optimizer.best_observed()->candidate == 1);
  CHECK(optimizer.best_by_model().candidate == 1);
  CHECK(optimizer.best_by_model().value == -3.0);
  CHECK(optimizer.posterior().mean()(0) == 5.0);
  CHECK(optimizer.pom(FakeEstimator()).top(1) == std::vector<Index>{1});
  CHECK(optimizer.ask()->candidate == 3);  // the only one left: -0 + 1
  CHECK(optimizer.last_ask().score == 1.0);

  Optimizer maximize = make(4, probe);
  maximize.tell(0, -5.0);
  maximize.tell(1, -3.0);
  maximize.tell(2, -9.0);
  CHECK(maximize.best_observed()->value == -3.0);
  CHECK(maximize.pom(FakeEstimator()).top(1) == std::vector<Index>{3});  // mean 0 is larger
}

TEST_CASE("The best observation is the first of equals, and absent before any",
          "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(4, probe);
  CHECK_FALSE(optimizer.best_observed().has_value());
  optimizer.tell(3, 1.0);
  optimizer.tell(0, 1.0);
  CHECK(optimizer.best_observed()->candidate == 3);
  CHECK(optimizer.best_observed()->stddev == 0.0);
}

TEST_CASE("Ties go to the lowest candidate", "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(5, probe);
  CHECK(candidates_of(optimizer.ask(5)) == std::vector<Index>{0, 1, 2, 3, 4});
}

TEST_CASE("An optimiser refuses missing parts and options out of range", "[core][optimizer]") {
  Probe probe;
  const auto surrogate = [&](Index d) { return std::make_unique<FakeSurrogate>(d, probe); };
  const auto rule = [&] { return std::make_unique<FakeAcquisition>(probe); };
  CHECK_THROWS_WITH(Optimizer(line(2), nullptr, rule()), ContainsSubstring("surrogate is missing"));
  CHECK_THROWS_WITH(Optimizer(line(2), surrogate(1), nullptr),
                    ContainsSubstring("acquisition is missing"));
  CHECK_THROWS_WITH(Optimizer(line(2), surrogate(3), rule()),
                    ContainsSubstring("size 1") && ContainsSubstring("size 3"));
  CHECK_THROWS_WITH(make(4, probe, {.initial = -1}), ContainsSubstring("initial is -1"));
  CHECK_THROWS_WITH(make(4, probe, {.initial = 5}),
                    ContainsSubstring("initial is 5") && ContainsSubstring("4 candidates"));
  CHECK_NOTHROW(make(4, probe, {.initial = 5, .repeats = true}));
  CHECK_THROWS_WITH(make(4, probe, {.initial = 2, .initial_candidates = {1}}),
                    ContainsSubstring("initial is 2 with 1 initial_candidates"));
  CHECK_THROWS_WITH(make(4, probe, {.fit_every = -1}), ContainsSubstring("fit_every is -1"));
  Optimizer optimizer = make(4, probe);
  CHECK_THROWS_WITH(optimizer.ask(0), ContainsSubstring("q is 0"));
}

TEST_CASE("A rule's answer is checked for size, range and NaN", "[core][acquisition]") {
  struct Broken final : Acquisition {
    explicit Broken(Vector scores) : scores_(std::move(scores)) {}
    Vector do_score(const AcquisitionContext&, std::span<const Index>, Rng&) const override {
      return scores_;
    }
    Vector scores_;
  };
  const IndependentGaussian f(Vector::Zero(3), Vector::Ones(3));
  const AcquisitionContext context{f, std::nullopt, 0.0, 0.0, 1};
  Rng rng = make_stream(1, "test");
  CHECK_THROWS_WITH(Broken(Vector::Zero(2)).score(context, rng),
                    ContainsSubstring("size 2") && ContainsSubstring("size 3"));
  CHECK_THROWS_WITH(Broken(Vector::Constant(3, kNan)).score(context, rng),
                    ContainsSubstring("nan for candidate 0"));
  const std::vector<Index> outside = {0, 3};
  CHECK_THROWS_WITH(Broken(Vector::Zero(2)).score(context, outside, rng),
                    ContainsSubstring("candidate 3 is not in 0..2"));
  CHECK(Broken(Vector::Constant(3, -kInfinity)).score(context, rng).size() == 3);
}

TEST_CASE("An ask that gives nothing leaves no trace", "[core][optimizer]") {
  Probe probe;
  Optimizer optimizer = make(1, probe, {.initial_candidates = {0, 0}, .repeats = true});
  const Suggestion first = *optimizer.ask();
  CHECK_FALSE(optimizer.ask().has_value());  // pending
  CHECK(optimizer.initial_asked() == 1);
  optimizer.tell(first, 1.0);
  CHECK(optimizer.ask()->is_initial);
  CHECK(optimizer.initial_asked() == 2);
  CHECK(optimizer.asked() == 0);
}
