// SPDX-License-Identifier: MIT
// Ask and tell over boxes, with the real model and rules.
#include <cmath>
#include <memory>
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/acquisition/thompson_sampling.hpp>
#include <pomlux/acquisition/upper_confidence_bound.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/gp/box_model.hpp>
#include <set>

#include "catch.hpp"

namespace {

using namespace pomlux;

Box unit_box(Index d) { return Box(Vector::Zero(d), Vector::Ones(d)); }

BoxAxis box_axis(std::string name, double lower, double upper, bool is_integer = false) {
  BoxAxis result;
  result.name = std::move(name);
  result.lower = lower;
  result.upper = upper;
  result.is_integer = is_integer;
  return result;
}

/// A continuous, a whole, a logarithmic and a categorical axis.
Box mixed_box() {
  BoxAxis rate = box_axis("rate", 1e-3, 10.0);
  rate.scale = AxisScale::kLog;
  BoxAxis kind;
  kind.name = "kind";
  kind.categories = {"a", "b", "c"};
  return Box({box_axis("x", -1.0, 1.0), box_axis("n", 1.0, 20.0, true), rate, kind});
}

/// Largest, 0, at x = 0.3, n = 13, rate = 0.1, kind = b.
double mixed_value(const Point& p) {
  const double log_rate = std::log10(p(2)) + 1.0;
  return -(std::pow(p(0) - 0.3, 2) + std::pow((p(1) - 13.0) / 19.0, 2) + 0.1 * log_rate * log_rate +
           (p(3) == 1.0 ? 0.0 : 0.5));
}

Optimizer over(Box box, OptimizerOptions options, std::unique_ptr<Acquisition> rule = nullptr) {
  if (!rule) rule = std::make_unique<ExpectedImprovement>();
  const Index d = box.model_dimension();
  return Optimizer(std::move(box), make_box_model(d), std::move(rule), std::move(options));
}

double bowl(const Point& p) {
  return (p(0) - 0.37) * (p(0) - 0.37) + 2.0 * (p(1) - 0.61) * (p(1) - 0.61);
}

std::vector<Point> minimise(Optimizer& optimizer, int steps) {
  std::vector<Point> asked;
  for (int i = 0; i < steps; ++i) {
    const Suggestion suggestion = *optimizer.ask();
    asked.push_back(suggestion.point);
    optimizer.tell(suggestion, bowl(suggestion.point));
  }
  return asked;
}

}  // namespace

TEST_CASE("A rule's slope is the derivative of its score", "[acquisition][box]") {
  std::vector<std::unique_ptr<Acquisition>> rules;
  rules.push_back(std::make_unique<ExpectedImprovement>());
  rules.push_back(std::make_unique<ProbabilityOfImprovement>());
  rules.push_back(std::make_unique<UpperConfidenceBound>());
  for (const auto& rule : rules) {
    for (const double mean : {-8.0, -0.4, 0.0, 2.5}) {
      for (const double stddev : {0.2, 1.5}) {
        CAPTURE(mean, stddev);
        const DenseGaussian f(Vector::Constant(1, mean), Matrix::Constant(1, 1, stddev * stddev));
        const AcquisitionContext context{f, 0.3, mean, 0.1, 4};
        Rng rng = make_stream(1, "test");
        const ScoreSlope at = *rule->slope(context, mean, stddev);
        CHECK_THAT(at.score, WithinRel(rule->score(context, rng)(0), 1e-12));
        const double step = 1e-5;
        const auto score = [&](double m, double s) { return rule->slope(context, m, s)->score; };
        const double by_mean = (score(mean + step, stddev) - score(mean - step, stddev)) / 2e-5;
        const double by_stddev = (score(mean, stddev + step) - score(mean, stddev - step)) / 2e-5;
        // Truncation: step² times the third derivative, below 1e6 for log scores at z = -40.
        CHECK_THAT(at.by_mean, WithinRel(by_mean, 1e-5) || WithinAbs(by_mean, 1e-7));
        CHECK_THAT(at.by_stddev, WithinRel(by_stddev, 1e-5) || WithinAbs(by_stddev, 1e-7));
      }
    }
  }
  const DenseGaussian f(Vector::Zero(1), Matrix::Identity(1, 1));
  CHECK_FALSE(ThompsonSampling().slope({f, 0.3, 0.0, 0.1, 1}, 0.0, 1.0));
  const ScoreSlope known = *ExpectedImprovement().slope({f, 0.3, 0.0, 0.1, 1}, 0.0, 0.0);
  CHECK(known.score == -kInfinity);
  CHECK(std::isnan(known.by_mean));
}

TEST_CASE("A smooth function is minimised between the candidates", "[acquisition][box]") {
  Optimizer optimizer = over(unit_box(2),
                             {.seed = 5,
                              .sense = Sense::kMinimize,
                              .initial = 6,
                              .search = {.candidates = 64, .around = 16}});
  minimise(optimizer, 20);
  // 64 points of the square are some 0.06 apart, which is 1e-3 in value.
  CHECK(optimizer.best_observed()->value < 1e-5);
}

TEST_CASE("Without polishing the choice is a candidate", "[acquisition][box]") {
  Optimizer optimizer = over(unit_box(2), {.seed = 5, .initial = 3, .search = {.polished = 0}});
  for (int i = 0; i < 5; ++i) {
    const Domain candidates = optimizer.domain();
    const Suggestion suggestion = *optimizer.ask();
    if (!suggestion.is_initial) CHECK(candidates.find(suggestion.point) >= 0);
    optimizer.tell(suggestion, -bowl(suggestion.point));
  }
}

TEST_CASE("Points asked for lie in the box and differ", "[acquisition][box]") {
  Optimizer optimizer = over(mixed_box(), {.seed = 2, .initial = 8});
  std::set<std::vector<double>> seen;
  for (int i = 0; i < 30; ++i) {
    const Suggestion suggestion = *optimizer.ask();
    CHECK(optimizer.box()->contains(suggestion.point));
    CHECK(suggestion.candidate == i);
    CHECK(seen.emplace(suggestion.point.begin(), suggestion.point.end()).second);
    optimizer.tell(suggestion, mixed_value(suggestion.point));
  }
  const Incumbent best = *optimizer.best_observed();
  const Point at = optimizer.trials()[static_cast<std::size_t>(best.candidate)].point;
  CHECK(at(3) == 1.0);
  CHECK(best.value > -0.01);
}

TEST_CASE("Known points keep their numbers in front of the candidates", "[acquisition][box]") {
  Optimizer optimizer =
      over(unit_box(2), {.seed = 1, .initial = 2, .search = {.candidates = 50, .around = 10}});
  CHECK(optimizer.domain().size() == 50);
  const Suggestion first = *optimizer.ask();
  const Suggestion second = *optimizer.ask();
  optimizer.tell(second, 1.0);
  optimizer.tell(first, 2.0);
  const Domain domain = optimizer.domain();
  CHECK(domain.size() == 52);
  CHECK(domain.point(0) == first.point);
  CHECK(domain.point(1) == second.point);
  const GaussianVector& f = optimizer.posterior();
  CHECK(f.size() == 52);
  CHECK_THAT(f.mean()(0), WithinAbs(2.0, 0.2));
  const Pom pom = optimizer.pom(FLite());
  CHECK_THAT(pom.probabilities.sum(), WithinAbs(1.0, 1e-9));
  CHECK(optimizer.best_by_model().candidate < 52);
  // A candidate behind them may be told by its row, too.
  optimizer.tell(Index(20), 0.5);
  CHECK(optimizer.trials().back().candidate == 2);
  CHECK(optimizer.trials().back().point == domain.point(20));
}

TEST_CASE("Any point of the box can be told, others are refused", "[acquisition][box]") {
  Optimizer optimizer = over(mixed_box(), {.seed = 1, .initial = 2});
  Point point(4);
  point << 0.123, 7.0, 0.5, 2.0;
  optimizer.tell(point, 3.0);
  CHECK(optimizer.trials().back().is_foreign);
  CHECK(optimizer.best_observed()->candidate == 0);
  optimizer.tell(point, 2.0);  // a repeat
  CHECK(optimizer.trials().back().candidate == 0);
  point(1) = 7.5;
  CHECK_THROWS_WITH(optimizer.tell(point, 1.0), ContainsSubstring("n is 7.5"));
  point(1) = 8.0;
  CHECK_THROWS_AS(optimizer.tell(point, std::nan("")), InvalidArgument);
  CHECK(optimizer.trials().size() == 2);
  optimizer.tell(point, 1.0);
  CHECK(optimizer.trials().back().candidate == 1);
}

TEST_CASE("A batch over a box spreads", "[acquisition][box]") {
  Optimizer optimizer = over(unit_box(2), {.seed = 4, .initial = 8});
  for (int i = 0; i < 8; ++i) {
    const Suggestion suggestion = *optimizer.ask();
    optimizer.tell(suggestion,
                   std::sin(9.0 * suggestion.point(0)) * std::cos(7.0 * suggestion.point(1)));
  }
  const std::vector<Suggestion> batch = optimizer.ask(4);
  REQUIRE(batch.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK((batch[i].point - batch[j].point).norm() > 1e-3);
  }
}

TEST_CASE("A box of few points is enumerated and runs out", "[acquisition][box]") {
  const auto small = [] {
    BoxAxis kind;
    kind.name = "kind";
    kind.categories = {"a", "b"};
    return Box({box_axis("n", 1.0, 3.0, true), kind});
  };
  for (const InitialDesign design : {InitialDesign::kRandom, InitialDesign::kSobol}) {
    Optimizer optimizer = over(small(), {.seed = 1, .initial = 4, .initial_design = design});
    std::set<std::pair<double, double>> seen;
    while (const auto suggestion = optimizer.ask()) {
      seen.emplace(suggestion->point(0), suggestion->point(1));
      optimizer.tell(*suggestion, suggestion->point(0));
    }
    CHECK(seen.size() == 6);
    CHECK(optimizer.trials().size() == 6);
  }
  // More than the candidates of a step: every point is found all the same.
  Optimizer larger = over(Box({box_axis("n", 0.0, 29.0, true)}),
                          {.seed = 1, .initial = 3, .search = {.candidates = 4, .around = 2}});
  while (const auto suggestion = larger.ask()) larger.tell(*suggestion, suggestion->point(0));
  CHECK(larger.trials().size() == 30);
}

TEST_CASE("With repeats a known point of a box may be asked again", "[acquisition][box]") {
  Optimizer optimizer =
      over(Box({box_axis("n", 0.0, 1.0, true)}), {.seed = 1, .initial = 2, .repeats = true});
  for (int i = 0; i < 5; ++i) {
    const Suggestion suggestion = *optimizer.ask();
    CHECK(suggestion.candidate < 2);
    optimizer.tell(suggestion, suggestion.point(0));
  }
}

TEST_CASE("A search of a box repeats with its seed, on any number of threads",
          "[acquisition][box]") {
  const auto run = [](std::uint64_t seed, int threads) {
    std::vector<Point> asked;
    with_threads(threads, [&] {
      Optimizer optimizer =
          over(unit_box(2), {.seed = seed, .sense = Sense::kMinimize, .initial = 4});
      asked = minimise(optimizer, 9);
    });
    return asked;
  };
  const std::vector<Point> first = run(1, 1);
  CHECK(first == run(1, 2));
  CHECK(first != run(2, 1));
}

TEST_CASE("A restored search of a box continues bit for bit", "[acquisition][box]") {
  const OptimizerOptions options{.seed = 9, .sense = Sense::kMinimize, .initial = 4};
  Optimizer whole = over(unit_box(2), options), half = over(unit_box(2), options);
  minimise(whole, 8);
  minimise(half, 8);
  const Suggestion pending = *half.ask();
  CHECK(pending.point == whole.ask()->point);
  Optimizer restored = over(unit_box(2), options);
  restored.restore(half.state());
  CHECK(restored.domain().points() == whole.domain().points());
  for (Optimizer* one : {&whole, &restored}) one->tell(pending, bowl(pending.point));
  CHECK(minimise(whole, 4) == minimise(restored, 4));

  OptimizerState state = whole.state();
  state.trials[3].candidate = 2;
  Optimizer fresh = over(unit_box(2), options);
  CHECK_THROWS_WITH(fresh.restore(state), ContainsSubstring("trial 3 has candidate 2"));
  state = whole.state();
  state.trials[0].point(0) = 1.5;
  CHECK_THROWS_WITH(fresh.restore(state), ContainsSubstring("x_0 is 1.5"));
  CHECK(fresh.trials().empty());
}

TEST_CASE("Options of a box are checked", "[acquisition][box]") {
  CHECK_THROWS_WITH(over(unit_box(1), {.search = {.candidates = 0, .around = 0}}),
                    ContainsSubstring("search.candidates is 0"));
  CHECK_THROWS_WITH(over(unit_box(1), {.search = {.candidates = 5, .around = 6}}),
                    ContainsSubstring("search.around is 6; must be in 0..5"));
  CHECK_THROWS_WITH(over(unit_box(1), {.search = {.polished = -1}}),
                    ContainsSubstring("search.polished is -1"));
  CHECK_THROWS_WITH(over(unit_box(1), {.initial_candidates = {1}}),
                    ContainsSubstring("initial_candidates has 1 entries"));
  CHECK_THROWS_WITH(
      Optimizer(mixed_box(), make_box_model(4), std::make_unique<ExpectedImprovement>()),
      ContainsSubstring("6"));
  CHECK_THROWS_WITH(make_box_model(0), ContainsSubstring("dimension is 0"));
}
