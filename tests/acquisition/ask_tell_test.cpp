// SPDX-License-Identifier: MIT
// The ask/tell loop with the real model, rules and estimator.
#include <cmath>
#include <memory>
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/acquisition/thompson_sampling.hpp>
#include <pomlux/acquisition/upper_confidence_bound.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <set>
#include <thread>

#include "catch.hpp"

namespace {

using namespace pomlux;

std::unique_ptr<GaussianProcess> model(KernelType type,
                                       double length_scale,
                                       double noise_stddev,
                                       Index dimension = 1) {
  return std::make_unique<GaussianProcess>(
      dimension,
      make_kernel(type, Vector::Constant(1, length_scale), 1.0),
      GaussianProcessOptions{.mean = 0.0, .noise_stddev = noise_stddev});
}

Domain line(double lower, double upper, Index n) {
  const std::vector<Index> counts = {n};
  return Domain::grid(Vector::Constant(1, lower), Vector::Constant(1, upper), counts);
}

/// Grid 0, 0.1 ... 1 with three observations of a parabola around 0.3, no fitting.
Optimizer parabola(Sense sense) {
  Optimizer optimizer(line(0.0, 1.0, 11),
                      model(KernelType::kSquaredExponential, 0.3, 1e-3),
                      std::make_unique<ExpectedImprovement>(),
                      {.sense = sense, .fit_every = 0});
  optimizer.tell(0, 0.09);
  optimizer.tell(5, 0.04);
  optimizer.tell(10, 0.49);
  return optimizer;
}

/// The candidates of a whole fitted run with this rule.
std::vector<Index> fitted_run(std::unique_ptr<Acquisition> rule, std::uint64_t seed) {
  const Domain domain = line(0.0, 4.0, 60);
  Optimizer optimizer(domain,
                      model(KernelType::kMatern52, 1.0, 0.1),
                      std::move(rule),
                      {.seed = seed, .initial = 4});
  std::vector<Index> asked;
  for (int i = 0; i < 12; ++i) {
    const Suggestion suggestion = *optimizer.ask();
    asked.push_back(suggestion.candidate);
    optimizer.tell(suggestion, std::sin(3.0 * suggestion.point(0)) - 0.2 * suggestion.point(0));
  }
  return asked;
}

}  // namespace

TEST_CASE("Minimising and maximising suggest the candidates of their sense",
          "[acquisition][optimizer]") {
  Optimizer minimize = parabola(Sense::kMinimize);
  CHECK(minimize.best_observed()->value == 0.04);
  const Suggestion first = *minimize.ask();
  CHECK(first.candidate == 3);
  CHECK_THAT(std::exp(minimize.last_ask().score), WithinRel(0.1795820, 1e-6));
  minimize.tell_failed(first);  // the next in the ranking, of the same belief
  CHECK(minimize.ask()->candidate == 2);
  CHECK_THAT(std::exp(minimize.last_ask().score), WithinRel(0.1684405, 1e-6));

  Optimizer maximize = parabola(Sense::kMaximize);
  CHECK(maximize.best_observed()->value == 0.49);
  CHECK(maximize.ask()->candidate == 8);
  CHECK_THAT(std::exp(maximize.last_ask().score), WithinRel(0.1050826, 1e-6));
  CHECK(maximize.posterior().mean() == minimize.posterior().mean());  // the user's sign
  const Pom low = minimize.pom(FLite()), high = maximize.pom(FLite());
  CHECK(low.total_variation(high) > 0.1);
  CHECK(high.top(1) != low.top(1));
}

TEST_CASE("The best observation and the best mean differ under noise", "[acquisition][optimizer]") {
  Points points(2, 1);
  points << 0.0, 10.0;
  Optimizer optimizer(Domain(points),
                      model(KernelType::kSquaredExponential, 1.0, 1.0),
                      std::make_unique<ExpectedImprovement>(),
                      {.fit_every = 0});
  for (const double value : {1.1, 0.9, 1.0, 0.8, 1.2}) optimizer.tell(0, value);
  optimizer.tell(1, 1.3);
  CHECK(optimizer.best_observed()->candidate == 1);
  CHECK(optimizer.best_observed()->value == 1.3);
  const Incumbent best = optimizer.best_by_model();
  CHECK(best.candidate == 0);
  CHECK_THAT(best.value, WithinRel(0.8333333, 1e-6));
  CHECK_THAT(best.stddev, WithinRel(0.4082483, 1e-6));
  CHECK_THAT(optimizer.posterior().mean()(1), WithinRel(0.65, 1e-6));
  CHECK_THAT(optimizer.posterior().stddev()(1), WithinRel(0.7071068, 1e-6));
}

TEST_CASE("The order of telling does not change the model", "[acquisition][optimizer]") {
  const auto told_in = [](std::vector<std::size_t> order) {
    Optimizer optimizer(line(0.0, 1.0, 10),
                        model(KernelType::kMatern52, 0.3, 0.1),
                        std::make_unique<ExpectedImprovement>(),
                        {.seed = 1, .fit_every = 0});
    optimizer.tell(2, 0.3);
    optimizer.tell(7, -0.4);
    const std::vector<Suggestion> asked = optimizer.ask(3);
    for (const std::size_t i : order) optimizer.tell(asked[i], 0.1 * static_cast<double>(i));
    const VectorView mean = optimizer.posterior().mean(), stddev = optimizer.posterior().stddev();
    return std::pair<Vector, Vector>(mean, stddev);
  };
  const auto in_order = told_in({0, 1, 2}), mixed = told_in({2, 0, 1});
  CHECK((in_order.first - mixed.first).cwiseAbs().maxCoeff() < 1e-9);
  CHECK((in_order.second - mixed.second).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("Without any observation the optimiser asks from the prior", "[acquisition][optimizer]") {
  Optimizer optimizer(line(0.0, 1.0, 5),
                      model(KernelType::kMatern52, 0.3, 0.1),
                      std::make_unique<ExpectedImprovement>());
  CHECK(optimizer.ask()->candidate == 0);  // all scores are equal
  CHECK(std::isfinite(optimizer.last_ask().score));
  CHECK(optimizer.last_ask().fit.status == Status::kNotRun);
  CHECK_THAT(optimizer.pom(FLite()).entropy(), WithinRel(std::log(5.0), 1e-9));
}

TEST_CASE("Refused tells do not change the next answer", "[acquisition][optimizer]") {
  Optimizer touched = parabola(Sense::kMaximize), other = parabola(Sense::kMaximize);
  CHECK_THROWS_AS(touched.tell(2, std::nan("")), InvalidArgument);
  CHECK_THROWS_AS(touched.tell(2, INFINITY), InvalidArgument);
  CHECK(touched.num_told() == 3);
  CHECK(touched.ask()->candidate == other.ask()->candidate);
  CHECK(touched.last_ask().score == other.last_ask().score);
}

TEST_CASE("Constant, single and huge observations never give NaN", "[acquisition][optimizer]") {
  const std::vector<std::vector<double>> told = {{2.0, 2.0, 2.0}, {-7.0}, {1e200, -1e200, 0.0}};
  for (const std::vector<double>& values : told) {
    CAPTURE(values);
    Optimizer optimizer(line(0.0, 1.0, 11),
                        model(KernelType::kMatern52, 0.3, 0.1),
                        std::make_unique<ExpectedImprovement>());
    try {
      for (std::size_t i = 0; i < values.size(); ++i) {
        optimizer.tell(static_cast<Index>(5 * i), values[i]);
      }
      const Suggestion suggestion = *optimizer.ask();
      CHECK((suggestion.candidate % 5 != 0 ||
             suggestion.candidate >= 5 * static_cast<Index>(values.size())));
      CHECK_FALSE(std::isnan(optimizer.last_ask().score));
      CHECK(optimizer.posterior().mean().allFinite());
      CHECK(optimizer.posterior().stddev().allFinite());
    } catch (const InvalidArgument&) {
      CHECK(values[0] == 1e200);  // only values whose squares overflow may be refused
    }
  }
}

TEST_CASE("An axis without extent does not disturb the other", "[acquisition][optimizer]") {
  const std::vector<Index> counts = {1, 9};
  const Domain domain = Domain::grid(Eigen::Vector2d(1.0, 0.0), Eigen::Vector2d(1.0, 2.0), counts);
  Optimizer optimizer(domain,
                      model(KernelType::kMatern52, 0.5, 0.01, 2),
                      std::make_unique<ExpectedImprovement>(),
                      {.seed = 1, .initial = 2, .initial_design = InitialDesign::kSobol});
  for (int i = 0; i < 7; ++i) {
    const Suggestion suggestion = *optimizer.ask();
    optimizer.tell(suggestion, -std::abs(suggestion.point(1) - 1.25));
  }
  CHECK(optimizer.best_observed()->candidate == 5);
}

TEST_CASE("With repeats and noise the loop goes on past the domain's size",
          "[acquisition][optimizer]") {
  Optimizer optimizer(line(0.0, 3.0, 4),
                      model(KernelType::kSquaredExponential, 1.0, 0.5),
                      std::make_unique<ExpectedImprovement>(),
                      {.repeats = true, .fit_every = 0});
  std::multiset<Index> asked;
  for (int i = 0; i < 10; ++i) {
    const Suggestion suggestion = *optimizer.ask();
    asked.insert(suggestion.candidate);
    const double x = suggestion.point(0);
    optimizer.tell(suggestion, -(x - 2.0) * (x - 2.0));
  }
  CHECK(asked.size() == 10);
  CHECK(asked.count(2) > 1);
}

TEST_CASE("A seed decides a whole run, alone, in turn and in threads", "[acquisition][optimizer]") {
  const auto make_rule = [](int which) -> std::unique_ptr<Acquisition> {
    if (which == 0) return std::make_unique<ExpectedImprovement>();
    if (which == 1) return std::make_unique<UpperConfidenceBound>();
    return std::make_unique<ThompsonSampling>();
  };
  for (int which = 0; which < 3; ++which) {
    CAPTURE(which);
    const std::vector<Index> first = fitted_run(make_rule(which), 0);
    const std::vector<Index> second = fitted_run(make_rule(which), 1);
    CHECK(first == fitted_run(make_rule(which), 0));
    CHECK(first != second);
    std::vector<Index> threaded_first, threaded_second;
    std::thread thread([&] { threaded_first = fitted_run(make_rule(which), 0); });
    threaded_second = fitted_run(make_rule(which), 1);
    thread.join();
    CHECK(threaded_first == first);
    CHECK(threaded_second == second);
  }
}

TEST_CASE("Two scales of an input are learnt", "[acquisition][optimizer]") {
  // f(a, b) = -a² - (b / 100)² on [-1, 1] x [-100, 100], one length scale per dimension.
  const std::vector<Index> counts = {15, 15};
  const Domain domain =
      Domain::grid(Eigen::Vector2d(-1.0, -100.0), Eigen::Vector2d(1.0, 100.0), counts);
  int close = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    auto kernel = make_kernel(KernelType::kMatern52, Eigen::Vector2d(1.0, 100.0), 1.0);
    Optimizer optimizer(domain,
                        std::make_unique<GaussianProcess>(2, std::move(kernel)),
                        std::make_unique<ExpectedImprovement>(),
                        {.seed = seed, .initial = 5});
    for (int i = 0; i < 30; ++i) {
      const Suggestion suggestion = *optimizer.ask();
      const double a = suggestion.point(0), b = suggestion.point(1) / 100.0;
      optimizer.tell(suggestion, -a * a - b * b);
    }
    const Point best = domain.point(optimizer.best_observed()->candidate);
    const double step = 2.0 / 14.0;
    if (std::abs(best(0)) < 1.01 * step && std::abs(best(1)) < 101.0 * step) ++close;
  }
  CHECK(close == 3);
}

TEST_CASE("Deterministic rules see pending points as observed at their means",
          "[acquisition][optimizer]") {
  const Domain domain = line(0.0, 1.0, 201);
  const UpperConfidenceBoundOptions rule{.beta = 9.0};
  Optimizer optimizer(domain,
                      model(KernelType::kMatern52, 0.2, 0.05),
                      std::make_unique<UpperConfidenceBound>(rule),
                      {.fit_every = 0});
  auto reference = model(KernelType::kMatern52, 0.2, 0.05);
  const auto tell = [&](Index candidate, double value) {
    optimizer.tell(candidate, value);
    reference->add(domain.point(candidate), value);
  };
  tell(40, 0.3);
  tell(150, 0.8);
  std::vector<Suggestion> batch = optimizer.ask(4);
  batch.push_back(*optimizer.ask());  // one by one is the same
  REQUIRE(batch.size() == 5);
  for (const Suggestion& suggestion : batch) {
    const Marginals marginals = reference->predict(domain.points());
    Index best = 0;
    (marginals.mean + 3.0 * marginals.stddev).maxCoeff(&best);
    CHECK(suggestion.candidate == best);
    reference->add_pending(domain.point(suggestion.candidate));
  }
  // What the user sees is the belief given the values alone.
  reference->clear_pending();
  const Marginals marginals = reference->predict(domain.points());
  CHECK((optimizer.posterior().stddev() - marginals.stddev).cwiseAbs().maxCoeff() < 1e-12);
  // An answered or failed trial is not pending any more.
  optimizer.tell(batch[1], 0.5);
  reference->add(batch[1].point, 0.5);
  optimizer.tell_failed(batch[2]);
  for (const std::size_t i : {0U, 3U, 4U}) reference->add_pending(batch[i].point);
  const Marginals rest = reference->predict(domain.points());
  Vector scores = rest.mean + 3.0 * rest.stddev;
  scores(batch[2].candidate) = -kInfinity;  // failed
  Index best = 0;
  scores.maxCoeff(&best);
  CHECK(optimizer.ask()->candidate == best);
}

TEST_CASE("A Thompson batch is made of independent draws of one belief",
          "[acquisition][optimizer]") {
  const Domain domain = line(0.0, 1.0, 30);
  Optimizer optimizer(domain,
                      model(KernelType::kMatern52, 0.2, 0.05),
                      std::make_unique<ThompsonSampling>(),
                      {.seed = 3, .fit_every = 0});
  optimizer.tell(12, 1.0);
  const GaussianVector& belief = optimizer.posterior();
  const ThompsonSampling rule;
  std::vector<Vector> draws;
  for (std::uint64_t asked = 0; asked < 3; ++asked) {
    Rng rng = make_stream(3, "acquisition", asked);
    draws.push_back(rule.score({belief, 1.0, belief.mean().maxCoeff(), 0.05, 1}, rng));
  }
  std::set<Index> used = {12};
  for (const Vector& draw : draws) {
    Index best = -1;
    for (Index i = 0; i < draw.size(); ++i) {
      if (!used.contains(i) && (best < 0 || draw(i) > draw(best))) best = i;
    }
    CHECK(optimizer.ask()->candidate == best);
    used.insert(best);
  }
}

TEST_CASE("A restored optimiser goes on bit for bit", "[acquisition][optimizer]") {
  const Domain domain = line(0.0, 4.0, 60);
  const auto value_at = [](const Suggestion& suggestion) {
    return std::sin(3.0 * suggestion.point(0)) - 0.2 * suggestion.point(0);
  };
  for (const bool standardizes : {false, true}) {
    const auto make = [&](std::unique_ptr<Acquisition> rule) {
      auto surrogate = std::make_unique<GaussianProcess>(
          1,
          make_kernel(KernelType::kMatern52, Vector::Constant(1, 1.0), 1.0),
          GaussianProcessOptions{.mean = 0.0, .noise_stddev = 0.1, .standardizes = standardizes});
      return Optimizer(
          domain, std::move(surrogate), std::move(rule), {.seed = 5, .initial = 3, .fit_every = 3});
    };
    const auto make_rule = [](int kind) -> std::unique_ptr<Acquisition> {
      if (kind == 0) return std::make_unique<ExpectedImprovement>();
      if (kind == 1) return std::make_unique<UpperConfidenceBound>();
      return std::make_unique<ThompsonSampling>();
    };
    for (int kind = 0; kind < 3; ++kind) {
      Optimizer whole = make(make_rule(kind));
      const auto step = [&](Optimizer& optimizer, int i) {
        const std::vector<Suggestion> batch = optimizer.ask(2);
        // Answered late, in turned order, with a failure, and with foreign data.
        if (i % 4 == 3) {
          optimizer.tell_failed(batch[1]);
        } else {
          optimizer.tell(batch[1], value_at(batch[1]));
        }
        if (i % 5 == 2) optimizer.tell(Index{7}, 0.25, 0.5);
        optimizer.tell(
            batch[0], value_at(batch[0]), i % 3 == 0 ? std::optional(0.2) : std::nullopt);
      };
      for (int i = 0; i < 14; ++i) {
        Optimizer copy = make(make_rule(kind));
        copy.restore(whole.state());
        REQUIRE(copy.posterior().mean() == whole.posterior().mean());
        REQUIRE(copy.posterior().stddev() == whole.posterior().stddev());
        step(copy, i);
        step(whole, i);
        const OptimizerState a = copy.state(), b = whole.state();
        REQUIRE(a.parameters == b.parameters);
        REQUIRE(a.told == b.told);
        REQUIRE(a.asked == b.asked);
        REQUIRE(a.told_at_fit == b.told_at_fit);
        for (std::size_t k = 0; k < b.trials.size(); ++k) {
          REQUIRE(a.trials[k].candidate == b.trials[k].candidate);
          REQUIRE(a.trials[k].value == b.trials[k].value);
        }
        REQUIRE(copy.posterior().mean() == whole.posterior().mean());
        REQUIRE(copy.posterior().stddev() == whole.posterior().stddev());
      }
    }
  }
}

TEST_CASE("A state that contradicts itself is refused and changes nothing",
          "[acquisition][optimizer]") {
  const auto make = [] { return parabola(Sense::kMaximize); };
  Optimizer source = make();
  static_cast<void>(source.ask());
  const OptimizerState good = source.state();
  CHECK_THROWS_AS(source.restore(good), InvalidArgument);  // not fresh
  Optimizer target(line(0.0, 1.0, 11),
                   model(KernelType::kSquaredExponential, 0.3, 1e-3),
                   std::make_unique<ExpectedImprovement>(),
                   {.fit_every = 0});
  const auto refuses = [&](auto change) {
    OptimizerState bad = good;
    change(bad);
    CHECK_THROWS_AS(target.restore(bad), InvalidArgument);
    CHECK(target.trials().empty());
    CHECK(target.num_told() == 0);
    CHECK(target.surrogate().num_observations() == 0);
  };
  refuses([](OptimizerState& s) { s.trials[0].candidate = 11; });
  refuses([](OptimizerState& s) { s.trials[0].point.array() += 0.05; });  // of another domain
  refuses([](OptimizerState& s) { s.trials[0].value.reset(); });
  refuses([](OptimizerState& s) { s.trials[0].value = std::nan(""); });
  refuses([](OptimizerState& s) { s.trials[0].state = TrialState::kFailed; });
  refuses([](OptimizerState& s) { s.told.pop_back(); });
  refuses([](OptimizerState& s) { s.told.push_back(0); });
  refuses([](OptimizerState& s) { s.told.push_back(99); });
  refuses([](OptimizerState& s) { s.told_at_fit = 4; });
  refuses([](OptimizerState& s) { s.initial_asked = 1; });
  refuses([](OptimizerState& s) { s.asked = -1; });
  refuses([](OptimizerState& s) { s.parameters = Vector::Ones(2); });
  refuses([](OptimizerState& s) { s.parameters(0) = -1.0; });
  target.restore(good);
  CHECK(target.posterior().mean() == source.posterior().mean());
}
