// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/minimize.hpp>
#include <pomlux/core/rng.hpp>
#include <stdexcept>

namespace {

using namespace pomlux;

Bounds box(Index d, double lower, double upper) {
  return {Vector::Constant(d, lower), Vector::Constant(d, upper)};
}

double rosenbrock(const Vector& x, Vector& gradient) {
  double value = 0.0;
  gradient.setZero();
  for (Index i = 0; i + 1 < x.size(); ++i) {
    const double a = x(i + 1) - x(i) * x(i);
    const double b = 1.0 - x(i);
    value += 100.0 * a * a + b * b;
    gradient(i) += -400.0 * a * x(i) - 2.0 * b;
    gradient(i + 1) += 200.0 * a;
  }
  return value;
}

double sphere(const Vector& x, Vector& gradient) {
  gradient = 2.0 * x;
  return x.squaredNorm();
}

TEST_CASE("The Rosenbrock function is minimised without bounds", "[core][minimize]") {
  for (const Index d : {2, 10}) {
    const MinimizeResult result =
        minimize(rosenbrock, Vector::Constant(d, -1.2), box(d, -kInfinity, kInfinity));
    CHECK(result.status == Status::kConverged);
    CHECK((result.x - Vector::Ones(d)).cwiseAbs().maxCoeff() < 1e-5);
    CHECK(result.value < 1e-10);
    CHECK(result.evaluations < 200);
    CHECK(result.iterations < 120);
  }
}

TEST_CASE("A minimum on the bounds is found", "[core][minimize]") {
  // With x_0 <= 0.5 the minimum is (0.5, 0.25), value 0.25.
  const Bounds bounds{Eigen::Vector2d(-2.0, -2.0), Eigen::Vector2d(0.5, 2.0)};
  const MinimizeResult result = minimize(rosenbrock, Eigen::Vector2d(-1.2, 1.0), bounds);
  CHECK(result.status == Status::kConverged);
  CHECK(result.x(0) == 0.5);
  CHECK_THAT(result.x(1), WithinAbs(0.25, 1e-6));
  CHECK_THAT(result.value, WithinAbs(0.25, 1e-9));

  const MinimizeResult corner = minimize(sphere, Vector::Constant(3, 4.0), box(3, 1.0, 5.0));
  CHECK(corner.status == Status::kConverged);
  CHECK(corner.x == Vector::Ones(3));
}

TEST_CASE("A start outside the bounds is clipped, one on them can leave", "[core][minimize]") {
  const MinimizeResult result = minimize(sphere, Vector::Constant(2, 100.0), box(2, -1.0, 2.0));
  CHECK(result.status == Status::kConverged);
  CHECK(result.x.norm() < 1e-6);
  const MinimizeResult infinite = minimize(sphere, Vector::Constant(2, kInfinity), box(2, -1., 2.));
  CHECK(infinite.x.norm() < 1e-6);
}

TEST_CASE("Coordinates with equal bounds are fixed", "[core][minimize]") {
  Bounds bounds = box(3, -5.0, 5.0);
  bounds.lower(1) = bounds.upper(1) = 0.5;
  const MinimizeResult result = minimize(rosenbrock, Vector::Constant(3, -1.0), bounds);
  CHECK(result.status == Status::kConverged);
  CHECK(result.x(1) == 0.5);
  CHECK_THAT(result.x(2), WithinAbs(0.25, 1e-6));

  const MinimizeResult all = minimize(rosenbrock, Vector::Zero(2), box(2, 0.5, 0.5));
  CHECK(all.status == Status::kNotRun);
  CHECK(all.x == Vector::Constant(2, 0.5));
  CHECK(all.value == Approx(6.5));
  CHECK(all.evaluations == 1);
}

TEST_CASE("Without coordinates f is evaluated once", "[core][minimize]") {
  const MinimizeResult result =
      minimize([](const Vector&, Vector&) { return 3.0; }, Vector(), box(0, 0.0, 1.0));
  CHECK(result.status == Status::kNotRun);
  CHECK(result.value == 3.0);
  CHECK(result.x.size() == 0);
}

TEST_CASE("A region without values is stepped around", "[core][minimize]") {
  // sum x_i - log x_i has its minimum at 1; beyond 0 it has no value, and beyond 3 we take it away.
  for (const double nothing : {kNaN, kInfinity, -kInfinity}) {
    const auto f = [nothing](const Vector& x, Vector& gradient) {
      if (x.minCoeff() <= 0.0 || x.maxCoeff() > 3.0) return nothing;
      gradient = 1.0 - x.cwiseInverse().array();
      return (x.array() - x.array().log()).sum();
    };
    int found = 0;
    for (std::uint64_t i = 0; i < 50; ++i) {
      Rng rng = make_stream(i, "minimize_test");
      Vector start(3);
      for (double& entry : start) entry = std::exp(-7.0 + 8.0 * draw_uniform(rng));
      const MinimizeResult result = minimize(f, start, box(3, -10.0, 10.0));
      REQUIRE(result.x.allFinite());
      REQUIRE(std::isfinite(result.value));
      if ((result.x - Vector::Ones(3)).cwiseAbs().maxCoeff() < 1e-3) ++found;
    }
    CAPTURE(nothing);
    CHECK(found >= 48);
  }
}

TEST_CASE("A gradient without a value is treated as no value", "[core][minimize]") {
  const auto f = [](const Vector& x, Vector& gradient) {
    gradient = 2.0 * x;
    if (x(0) < 0.5) gradient(0) = kNaN;
    return x.squaredNorm();
  };
  const MinimizeResult result = minimize(f, Vector::Constant(2, 3.0), box(2, -10.0, 10.0));
  CHECK(result.x.allFinite());
  CHECK(result.x(0) >= 0.5);
  CHECK(result.value < 18.0);
  // An entry that f does not write is not a number either.
  const MinimizeResult unwritten =
      minimize([](const Vector& x, Vector&) { return x.sum(); }, Vector::Ones(2), box(2, 0.0, 2.0));
  CHECK(unwritten.status == Status::kLineSearchFailed);
}

TEST_CASE("Without a value at the start the start comes back, marked", "[core][minimize]") {
  const auto f = [](const Vector&, Vector&) { return kNaN; };
  const MinimizeResult result = minimize(f, Vector::Ones(2), box(2, 0.0, 5.0));
  CHECK(result.status == Status::kLineSearchFailed);
  CHECK(result.x == Vector::Ones(2));
  CHECK(std::isnan(result.value));
}

TEST_CASE("Flat tails, wrong gradients and huge values end without an exception",
          "[core][minimize]") {
  const auto bump = [](const Vector& x, Vector& gradient) {
    const double value = -std::exp(-0.5 * x.squaredNorm());
    gradient = -value * x;
    return value;
  };
  const auto wrong = [](const Vector& x, Vector& gradient) {
    gradient = -2.0 * x;
    return x.squaredNorm();
  };
  const auto huge = [](const Vector& x, Vector& gradient) {
    gradient = 2e200 * x;
    return 1e200 * x.squaredNorm();
  };
  const auto kink = [](const Vector& x, Vector& gradient) {
    gradient = x.cwiseSign();
    return x.cwiseAbs().sum();
  };
  int failures = 0;
  for (std::uint64_t i = 0; i < 50; ++i) {
    Rng rng = make_stream(i, "minimize_test");
    const Vector start = 2.0 * draw_normals(rng, 3);
    for (const ObjectiveWithGradient& f : {ObjectiveWithGradient(bump),
                                           ObjectiveWithGradient(wrong),
                                           ObjectiveWithGradient(huge),
                                           ObjectiveWithGradient(kink)}) {
      Vector gradient(3);
      const MinimizeResult result = minimize(f, start, box(3, -20.0, 20.0));
      REQUIRE(result.x.allFinite());
      REQUIRE(result.value <= f(start, gradient));
      REQUIRE(result.value == f(result.x, gradient));
    }
    const MinimizeResult result = minimize(bump, start, box(3, -20.0, 20.0));
    Vector gradient(3);
    (void)bump(result.x, gradient);
    if (gradient.cwiseAbs().maxCoeff() > 1e-4) ++failures;
  }
  CHECK(failures == 0);
  CHECK(minimize(wrong, Vector::Ones(2), box(2, -5.0, 5.0)).status == Status::kLineSearchFailed);
}

TEST_CASE("The iteration limit is kept and reported", "[core][minimize]") {
  const MinimizeResult result =
      minimize(rosenbrock, Vector::Constant(10, -1.2), box(10, -5.0, 5.0), {.max_iterations = 5});
  CHECK(result.status == Status::kIterationLimit);
  CHECK(result.iterations == 5);
}

TEST_CASE("The limit of evaluations is kept and reported", "[core][minimize]") {
  const Vector start = Vector::Constant(10, -1.2);
  const MinimizeResult whole = minimize(rosenbrock, start, box(10, -5.0, 5.0));
  for (const int limit : {1, 2, 7, 20}) {
    Index calls = 0;
    const auto counted = [&](const Vector& x, Vector& gradient) {
      ++calls;
      return rosenbrock(x, gradient);
    };
    const MinimizeResult result =
        minimize(counted, start, box(10, -5.0, 5.0), {.max_evaluations = limit});
    CHECK(result.status == Status::kIterationLimit);
    CHECK(calls == limit);
    CHECK(result.evaluations == limit);
    Vector gradient(10);
    CHECK(result.value == rosenbrock(result.x, gradient));
    CHECK((limit == 1 ? result.x == start : result.value > whole.value));
  }
  const MinimizeResult same =
      minimize(rosenbrock, start, box(10, -5.0, 5.0), {.max_evaluations = whole.evaluations + 1});
  CHECK(same.x == whole.x);
  CHECK(same.status == whole.status);
}

TEST_CASE("A search whose target is out of reach gives up", "[core][minimize]") {
  const Vector start = Vector::Ones(3);
  const Bounds wide = box(3, -5.0, 5.0), narrow = box(3, 0.9, 5.0);
  // At the start, f = 3 with slopes of 2: steps of 0.1 lead to 2.4 at best, those to the bounds to
  // 2.4, too.
  for (const double target : {-1.0, 2.39}) {
    CHECK(minimize(sphere, start, wide, {.target = target, .reach = 0.1}).evaluations == 1);
    const MinimizeResult result = minimize(sphere, start, narrow, {.target = target, .reach = 9.0});
    CHECK(result.status == Status::kConverged);
    CHECK(result.evaluations == 1);
    CHECK(result.x == start);
  }
  for (const MinimizeOptions& options :
       {MinimizeOptions{.target = 2.41, .reach = 0.1}, MinimizeOptions{.reach = 0.1}}) {
    CHECK(minimize(sphere, start, wide, options).x.norm() < 1e-6);
    CHECK(minimize(sphere, start, narrow, options).x == Vector::Constant(3, 0.9));
  }
  CHECK_THROWS_WITH(minimize(sphere, start, wide, {.reach = -1.0}),
                    Catch::Contains("reach is -1; must be >= 0"));
}

TEST_CASE("A short memory gets there, too", "[core][minimize]") {
  for (const int memory : {1, 3, 20}) {
    const MinimizeResult result =
        minimize(rosenbrock, Vector::Constant(4, -1.2), box(4, -5.0, 5.0), {.memory = memory});
    CHECK(result.status == Status::kConverged);
    CHECK((result.x - Vector::Ones(4)).cwiseAbs().maxCoeff() < 1e-4);
  }
}

TEST_CASE("A stationary start is left where it is", "[core][minimize]") {
  const MinimizeResult result = minimize(sphere, Vector::Zero(4), box(4, -1.0, 1.0));
  CHECK(result.status == Status::kConverged);
  CHECK(result.evaluations == 1);
  CHECK(result.iterations == 0);
}

TEST_CASE("Exceptions of the function itself pass", "[core][minimize]") {
  int calls = 0;
  const auto f = [&calls](const Vector& x, Vector& gradient) {
    if (++calls == 3) throw std::logic_error("mine");  // a type the solver throws too
    return rosenbrock(x, gradient);
  };
  CHECK_THROWS_WITH(minimize(f, Vector::Constant(2, -1.2), box(2, -5.0, 5.0)), "mine");
  CHECK(calls == 3);
}

TEST_CASE("The same call gives the same bits", "[core][minimize]") {
  const MinimizeResult a = minimize(rosenbrock, Vector::Constant(6, -1.2), box(6, -5.0, 5.0));
  const MinimizeResult b = minimize(rosenbrock, Vector::Constant(6, -1.2), box(6, -5.0, 5.0));
  CHECK(a.x == b.x);
  CHECK(a.evaluations == b.evaluations);
}

TEST_CASE("Arguments that do not fit are refused by name", "[core][minimize]") {
  const Vector start = Vector::Zero(2);
  CHECK_THROWS_WITH(minimize(sphere, start, box(3, 0.0, 1.0)), Catch::Contains("bounds.lower"));
  CHECK_THROWS_WITH(minimize(sphere, start, box(2, 1.0, 0.0)),
                    Catch::Contains("bounds.lower[0] is 1") && Catch::Contains("bounds.upper[0]"));
  CHECK_THROWS_AS(minimize(sphere, start, box(2, kNaN, 1.0)), InvalidArgument);
  CHECK_THROWS_WITH(minimize(sphere, Eigen::Vector2d(0.0, kNaN), box(2, 0.0, 1.0)),
                    Catch::Contains("start[1] is nan"));
  CHECK_THROWS_WITH(minimize(sphere, start, box(2, 0.0, 1.0), {.max_iterations = 0}),
                    Catch::Contains("max_iterations is 0"));
  CHECK_THROWS_WITH(minimize(sphere, start, box(2, 0.0, 1.0), {.max_evaluations = 0}),
                    Catch::Contains("max_evaluations is 0"));
  CHECK_THROWS_WITH(minimize(sphere, start, box(2, 0.0, 1.0), {.memory = 0}),
                    Catch::Contains("memory is 0"));
  CHECK_THROWS_WITH(minimize(sphere, start, box(2, 0.0, 1.0), {.gradient_tolerance = 0.0}),
                    Catch::Contains("gradient_tolerance"));
  CHECK_THROWS_WITH(minimize(sphere, start, box(2, 0.0, 1.0), {.value_tolerance = -1.0}),
                    Catch::Contains("value_tolerance"));
  const auto resizing = [](const Vector&, Vector& gradient) {
    gradient = Vector::Zero(7);
    return 0.0;
  };
  CHECK_THROWS_WITH(minimize(resizing, start, box(2, 0.0, 1.0)), Catch::Contains("gradient"));
}

}  // namespace
