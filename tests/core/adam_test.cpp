// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/adam.hpp>

namespace {

using namespace pomlux;

/// f(x) = slope x on one coordinate.
ObjectiveWithGradient line_of(double slope) {
  return [slope](const Vector& x, Vector& gradient) {
    gradient(0) = slope;
    return slope * x(0);
  };
}

TEST_CASE("Adam moves by the learning rate along a constant slope", "[core][adam]") {
  for (const double slope : {-20.0, 3.0}) {
    CAPTURE(slope);
    const AdamResult result = minimize_by_adam(
        line_of(slope), Vector::Ones(1), {.learning_rate = 0.5, .max_iterations = 7});
    CHECK(result.iterations == 7);
    CHECK(result.status == Status::kIterationLimit);
    CHECK_THAT(result.x(0), WithinAbs(1.0 - 3.5 * slope / (std::abs(slope) + 1e-8), 1e-12));
  }
}

TEST_CASE("The first updates of Adam are those of its definition", "[core][adam]") {
  // Gradients 1, -2, 0.5 at x_0, x_1, x_2, whatever x is.
  const double slopes[] = {1.0, -2.0, 0.5};
  int i = 0;
  const auto f = [&](const Vector&, Vector& gradient) {
    gradient(0) = slopes[i++];
    return 0.0;
  };
  const AdamResult result = minimize_by_adam(f, Vector::Zero(1), {.max_iterations = 3});
  // u = 0.1, -0.11, -0.049; v = 0.001, 0.004999, 0.005244001
  double expected = -0.01 * (0.1 / 0.1) / (std::sqrt(0.001 / 0.001) + 1e-8);
  expected -= 0.01 * (-0.11 / 0.19) / (std::sqrt(0.004999 / 0.001999) + 1e-8);
  expected -= 0.01 * (-0.049 / 0.271) / (std::sqrt(0.005244001 / 0.002997001) + 1e-8);
  CHECK_THAT(result.x(0), WithinAbs(expected, 1e-15));
}

TEST_CASE("Adam stops where 99 updates lower the value by less than 1e-3", "[core][adam]") {
  // Each update lowers the value by 0.01 slope² / (slope + 1e-8).
  const double critical = 1e-3 / 0.99 + 1e-8;
  const AdamResult flat = minimize_by_adam(line_of(critical * (1 - 1e-6)), Vector::Zero(1));
  CHECK(flat.status == Status::kConverged);
  CHECK(flat.iterations == 101);
  const AdamResult steep = minimize_by_adam(line_of(critical * (1 + 1e-6)), Vector::Zero(1));
  CHECK(steep.status == Status::kIterationLimit);
  CHECK(steep.iterations == 1000);
  // Flat from update 150 on: of the test after update 200, but not of that after update 100.
  int i = 0;
  const auto bend = [&](const Vector&, Vector& gradient) {
    gradient(0) = 1.0;
    return -std::min(1e-4 * ++i, 1e-4 * 111.0);
  };
  CHECK(minimize_by_adam(bend, Vector::Zero(1)).iterations == 201);
}

TEST_CASE("Adam keeps the best of a path that leaves the function's domain", "[core][adam]") {
  // (x - 1)² for x <= 1.05: the momentum carries the search beyond the minimum.
  const auto bowl = [](const Vector& x, Vector& gradient) {
    gradient = 2.0 * (x.array() - 1.0);
    return x(0) > 1.05 ? std::nan("") : (x.array() - 1.0).square().sum();
  };
  const AdamResult result = minimize_by_adam(bowl, Vector::Zero(1), {.learning_rate = 0.1});
  CHECK(result.status == Status::kFellBack);
  CHECK(result.iterations > 5);
  CHECK_THAT(result.x(0), WithinAbs(1.0, 0.06));
  CHECK(result.x(0) <= 1.05);

  const auto nowhere = [](const Vector&, Vector& gradient) {
    gradient.setConstant(INFINITY);
    return 1.0;
  };
  const AdamResult none = minimize_by_adam(nowhere, Vector::Constant(2, 3.0));
  CHECK(none.status == Status::kFellBack);
  CHECK(none.iterations == 1);
  CHECK(none.x == Vector::Constant(2, 3.0));
}

TEST_CASE("Adam without coordinates, and what it refuses", "[core][adam]") {
  const AdamResult nothing = minimize_by_adam(line_of(1.0), Vector(0));
  CHECK(nothing.status == Status::kNotRun);
  CHECK(nothing.iterations == 0);
  const Vector start = Vector::Zero(1);
  CHECK_THROWS_WITH(minimize_by_adam(line_of(1.0), start, {.learning_rate = 0.0}),
                    Catch::Contains("learning_rate is 0"));
  CHECK_THROWS_WITH(minimize_by_adam(line_of(1.0), start, {.max_iterations = 0}),
                    Catch::Contains("max_iterations is 0"));
  CHECK_THROWS_WITH(minimize_by_adam(line_of(1.0), Vector::Constant(1, INFINITY)),
                    Catch::Contains("start"));
}

}  // namespace
