// SPDX-License-Identifier: MIT
// What every objective keeps. A new one joins by one line in make_cases().
#include <functional>
#include <memory>
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/quadcopter.hpp>
#include <pomlux/objectives/tabulated.hpp>
#include <pomlux/objectives/test_function.hpp>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

using namespace pomlux;

struct Case {
  std::string name;
  std::function<std::unique_ptr<Objective>(double noise_stddev)> make;
  Points points;  // some of its domain
};

Domain line() {
  const std::vector<Index> counts = {5};
  return Domain::grid(Vector::Zero(1), Vector::Ones(1), counts);
}

std::vector<Case> make_cases() {
  const auto gp_sample = [](double noise_stddev) -> std::unique_ptr<Objective> {
    Rng rng = make_stream(1, "test");
    return std::make_unique<Tabulated>(
        make_gp_sample(line(), Matrix::Identity(5, 5), noise_stddev, rng));
  };
  const auto random_linear = [](double noise_stddev) -> std::unique_ptr<Objective> {
    Rng rng = make_stream(1, "test");
    return std::make_unique<Tabulated>(make_random_linear(line(), noise_stddev, rng));
  };
  const auto flight = [](double noise_stddev) -> std::unique_ptr<Objective> {
    return std::make_unique<Quadcopter>(draw_quadcopter_disturbance(1),
                                        QuadcopterOptions{.noise_stddev = noise_stddev});
  };
  std::vector<Case> cases{{"gp_sample", gp_sample, line().points()},
                          {"random_linear", random_linear, line().points()},
                          {"quadcopter", flight, Points::Constant(2, 4, 8.0)}};
  for (const TestFunctionRow& row : test_function_table()) {
    const auto make = [name = row.name](double noise_stddev) -> std::unique_ptr<Objective> {
      return std::make_unique<TestFunction>(name, 0, noise_stddev);
    };
    const Index d = row.smallest_dimension;
    cases.push_back({row.name, make, Points::Constant(4, d, 0.25)});
  }
  return cases;
}

}  // namespace

TEST_CASE("An objective without noise evaluates to its true values and draws nothing",
          "[objectives]") {
  for (const Case& c : make_cases()) {
    CAPTURE(c.name);
    const auto objective = c.make(0.0);
    Rng rng = make_stream(2, "test");
    const Rng before = rng;
    const std::optional<Vector> truth = objective->true_values(c.points);
    REQUIRE(truth.has_value());
    CHECK(truth->size() == c.points.rows());
    CHECK(truth->allFinite());
    CHECK(objective->evaluate(c.points, rng) == *truth);
    CHECK(rng == before);
    CHECK(objective->noise_stddev() == 0.0);
    CHECK(objective->dimension() == c.points.cols());
    CHECK(objective->evaluate(Points(0, c.points.cols()), rng).size() == 0);
  }
}

TEST_CASE("The noise of an objective repeats with the stream and has its stddev", "[objectives]") {
  constexpr int kRepeats = 1000;
  for (const Case& c : make_cases()) {
    CAPTURE(c.name);
    const auto objective = c.make(0.5);
    CHECK(objective->noise_stddev() == 0.5);
    Rng first = make_stream(3, "test"), second = make_stream(3, "test");
    const Vector truth = *objective->true_values(c.points);
    double square = 0.0;
    for (int i = 0; i < kRepeats; ++i) {
      const Vector values = objective->evaluate(c.points, first);
      if (i == 0) CHECK(values == objective->evaluate(c.points, second));
      square += (values - truth).squaredNorm();
    }
    // The relative standard error of a variance is sqrt(2 / count); six of them, fixed seed.
    const double count = kRepeats * static_cast<double>(truth.size());
    CHECK_THAT(square / count, WithinRel(0.25, 6.0 * std::sqrt(2.0 / count)));
  }
}

TEST_CASE("An objective refuses points of another dimension and bad noise", "[objectives]") {
  for (const Case& c : make_cases()) {
    CAPTURE(c.name);
    const auto objective = c.make(0.0);
    Rng rng = make_stream(4, "test");
    const Points wide = Points::Zero(1, c.points.cols() + 1);
    CHECK_THROWS_AS(objective->evaluate(wide, rng), InvalidArgument);
    CHECK_THROWS_AS(objective->true_values(wide), InvalidArgument);
    const Points bad = Points::Constant(1, c.points.cols(), std::nan(""));
    CHECK_THROWS_AS(objective->evaluate(bad, rng), InvalidArgument);
    CHECK_THROWS_AS(c.make(-0.1), InvalidArgument);
    CHECK_THROWS_AS(c.make(std::nan("")), InvalidArgument);
  }
}
