// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/types.hpp>

namespace {

using namespace pomlux;

TEST_CASE("The quantile of a logarithm inverts log_normal_cdf at any depth", "[core][normal]") {
  for (const double z : {-1e150,
                         -4e4,
                         -60.0,
                         -38.5,
                         -37.5,
                         -37.0,
                         -15.0,
                         -1.0,
                         -1e-3,
                         0.0,
                         0.3,
                         2.0,
                         8.5,
                         20.0,
                         37.0}) {
    CAPTURE(z);
    const double inverse = normal_quantile_of_log(log_normal_cdf(z));
    CHECK(std::abs(inverse - z) <= kNormalQuantileOfLogError * std::max(1.0, std::abs(z)));
  }
  CHECK(normal_quantile_of_log(0.0) == kInfinity);
  CHECK(normal_quantile_of_log(-kInfinity) == -kInfinity);
  CHECK(std::isnan(normal_quantile_of_log(1e-3)));
  CHECK(std::isnan(normal_quantile_of_log(std::nan(""))));
}

}  // namespace
