// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <pomlux/core/errors.hpp>

namespace {

using namespace pomlux;
using Catch::Matchers::Equals;

TEST_CASE("A check names the argument, the entry, its value and what is allowed",
          "[core][errors]") {
  CHECK_THROWS_WITH(require_nonnegative("f_lite", "stddev", Eigen::Vector3d(1.0, -0.2, 2.0)),
                    Equals("f_lite: stddev[1] is -0.2; every entry must be >= 0 and finite"));
  CHECK_THROWS_WITH(require_finite("f_lite", "mean", Eigen::Vector2d(0.0, -kInfinity)),
                    Equals("f_lite: mean[1] is -inf; every entry must be finite"));
  CHECK_THROWS_AS(require_nonnegative("f", "s", Eigen::Vector2d(kNaN, 1.0)), InvalidArgument);
  CHECK_THROWS_AS(require_nonnegative("f", "s", Eigen::Vector2d(0.0, kInfinity)), InvalidArgument);
  CHECK_NOTHROW(require_nonnegative("f", "s", Eigen::Vector2d(0.0, 1e308)));
  CHECK_NOTHROW(require_finite("f", "x", Vector()));
}

TEST_CASE("Sizes that differ are both in the message", "[core][errors]") {
  CHECK_NOTHROW(require_same_size("f", "a", 3, "b", 3));
  CHECK_THROWS_WITH(require_same_size("predict", "x", 3, "the domain", 2),
                    Equals("predict: x has size 3, the domain has size 2; they must agree"));
}

TEST_CASE("A quadratic allocation beyond the limit is refused with its size", "[core][errors]") {
  CHECK_NOTHROW(require_memory("f", 20'000, 20'000));
  CHECK_THROWS_WITH(
      require_memory("joint_sample", 50'000, 50'000),
      Equals("joint_sample: would allocate 50000 x 50000 numbers (20 GB), more than the limit of 8 "
             "GB; use fewer candidates or observations, or raise the limit"));
  CHECK_THROWS_WITH(require_memory("f", 10, 20, 1000.0),
                    Catch::Contains("(1.6 kB)") && Catch::Contains("limit of 1 kB"));
  // Beyond the range of any integer type.
  CHECK_THROWS_AS(require_memory("f", Index{1} << 62, Index{1} << 62), MemoryLimitExceeded);
}

TEST_CASE("Every status has its own name", "[core][errors]") {
  CHECK(to_string(Status::kConverged) == "converged");
  CHECK(to_string(Status::kRoundingLimited) == "rounding_limited");
  CHECK(to_string(Status::kInaccurate) == "inaccurate");
  CHECK(to_string(Status::kIterationLimit) == "iteration_limit");
  CHECK(to_string(Status::kLineSearchFailed) == "line_search_failed");
  CHECK(to_string(Status::kFellBack) == "fell_back");
  CHECK(to_string(Status::kNotRun) == "not_run");
}

}  // namespace
