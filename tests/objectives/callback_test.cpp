// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <pomlux/objectives/callback.hpp>
#include <stdexcept>
#include <vector>

#include "catch.hpp"

namespace {

using namespace pomlux;

/// A bench that is on fire at its `bad`-th call.
CallbackObjective bench(int& calls, int bad) {
  return {1, [&calls, bad](const PointRef& x) {
            if (++calls == bad) throw std::out_of_range("the bench is on fire");
            return x(0) * (1.0 - x(0));
          }};
}

Optimizer make_optimizer() {
  const std::vector<Index> counts = {11};
  return {Domain::grid(Vector::Zero(1), Vector::Ones(1), counts),
          std::make_unique<GaussianProcess>(
              1, make_kernel(KernelType::kMatern52, Vector::Constant(1, 0.3), 1.0)),
          std::make_unique<ExpectedImprovement>(),
          {.seed = 5, .initial = 2}};
}

}  // namespace

TEST_CASE("A callback is called row by row and keeps its sense", "[objectives][callback]") {
  std::vector<double> seen;
  const CallbackObjective objective(
      2,
      [&](const PointRef& x) {
        seen.push_back(x(0));
        return x(0) - x(1);
      },
      Sense::kMinimize);
  Points points(2, 2);
  points << 1.0, 2.0, 3.0, 1.0;
  Rng rng = make_stream(1, "test");
  const Rng before = rng;
  CHECK(objective.evaluate(points, rng) == Vector(Eigen::Vector2d(-1.0, 2.0)));
  CHECK(rng == before);
  CHECK(seen == std::vector<double>{1.0, 3.0});
  CHECK(objective.sense() == Sense::kMinimize);
  CHECK(objective.observe(points, rng).noise_stddev.empty());
  CHECK(!objective.true_values(points));
  CHECK_THROWS_AS(objective.evaluate(Points::Zero(1, 3), rng), InvalidArgument);
}

TEST_CASE("A callback must be there, and its values finite", "[objectives][callback]") {
  CHECK_THROWS_AS(CallbackObjective(1, {}), InvalidArgument);
  CHECK_THROWS_AS(CallbackObjective(0, [](const PointRef&) { return 0.0; }), InvalidArgument);
  const CallbackObjective broken(1, [](const PointRef&) { return kNaN; });
  Rng rng = make_stream(1, "test");
  CHECK_THROWS_AS(broken.evaluate(Points::Constant(1, 1, 0.5), rng), EvaluationFailed);
  CHECK_THROWS_WITH(broken.evaluate(Points::Constant(1, 1, 0.5), rng),
                    ContainsSubstring("nan at (0.5)"));
}

TEST_CASE("An optimiser whose callback throws holds its data and goes on",
          "[objectives][callback]") {
  int calls = 0;
  const CallbackObjective objective = bench(calls, 5);
  Optimizer optimizer = make_optimizer();
  Rng rng = make_stream(1, "test");
  std::vector<Index> candidates;
  for (int i = 0; i < 8; ++i) {
    const std::optional<Suggestion> suggestion = optimizer.ask();
    REQUIRE(suggestion);
    const Points point = suggestion->point;
    if (i == 4) {
      CHECK_THROWS_AS(objective.evaluate(point, rng), std::out_of_range);
      CHECK(optimizer.num_told() == 4);
      optimizer.tell_failed(*suggestion);
    } else {
      optimizer.tell(*suggestion, objective.evaluate(point, rng)(0));
    }
    for (const Index before : candidates) CHECK(before != suggestion->candidate);
    candidates.push_back(suggestion->candidate);
  }
  CHECK(optimizer.num_told() == 7);
  CHECK(optimizer.best_observed()->value <= 0.25);
  CHECK(optimizer.posterior().mean().allFinite());
}
