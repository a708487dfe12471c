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
  CHECK(minimize.ask()->candidate == 3);
  CHECK_THAT(std::exp(minimize.last_ask().score), WithinRel(0.1795820, 1e-6));
  CHECK(minimize.ask()->candidate == 2);  // 3 is pending
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
