// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <numbers>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/types.hpp>
#include <pomlux/estimators/normal_maximum.hpp>
#include <stdexcept>

namespace {

using namespace pomlux;

TEST_CASE("Moments of the maximum of few normals have closed forms", "[estimators][maximum]") {
  const double pi = std::numbers::pi, root = std::sqrt(pi);
  const NormalMaximum one = normal_maximum(1.0), two = normal_maximum(2.0),
                      three = normal_maximum(3.0);
  CHECK_THAT(one.mean, WithinAbs(0.0, 1e-12));
  CHECK_THAT(one.stddev, WithinAbs(1.0, 1e-12));
  CHECK_THAT(two.mean, WithinAbs(1.0 / root, 1e-12));
  CHECK_THAT(two.stddev, WithinAbs(std::sqrt(1.0 - 1.0 / pi), 1e-12));
  CHECK_THAT(three.mean, WithinAbs(1.5 / root, 1e-12));
  CHECK_THAT(three.stddev,
             WithinAbs(std::sqrt(1.0 + std::sqrt(3.0) / (2.0 * pi) - 2.25 / pi), 1e-12));
}

TEST_CASE("Moments of the maximum of many normals are the known ones", "[estimators][maximum]") {
  struct Row {
    double n, mean, stddev;
  };
  for (const Row& row : {Row{10, 1.5388, 0.5868},
                         Row{100, 2.5076, 0.4294},
                         Row{1000, 3.2414, 0.3514},
                         Row{1e6, 4.8629, 0.2480},
                         Row{1e10, 6.4467, 0.1916},
                         Row{1e50, 14.9715, 0.0850}}) {
    CAPTURE(row.n);
    const NormalMaximum maximum = normal_maximum(row.n);
    CHECK_THAT(maximum.mean, WithinAbs(row.mean, 5.1e-5));
    CHECK_THAT(maximum.stddev, WithinAbs(row.stddev, 5.1e-5));
  }
}

TEST_CASE("The quadrature of the maximum has converged", "[estimators][maximum]") {
  for (const double n : {1.0, 1.5, 2.0, 40.0, 1e3, 1e9, 1e20, 1e50}) {
    CAPTURE(n);
    const NormalMaximum usual = normal_maximum(n), finer = normal_maximum(n, 1024);
    CHECK_THAT(usual.mean, WithinAbs(finer.mean, 1e-12));
    CHECK_THAT(usual.stddev, WithinAbs(finer.stddev, 1e-12));
    // The ends: Phi(z)^n = exp(-40), and about n (1 - Phi(z)) = exp(-40).
    CHECK_THAT(n * log_normal_cdf(usual.lowest), WithinRel(-40.0, 1e-9));
    CHECK_THAT(std::log(n) + log_normal_cdf(-usual.highest), WithinRel(-40.0, 1e-9));
  }
}

TEST_CASE("The density of the maximum is that of its definition", "[estimators][maximum]") {
  for (const double z : {-6.0, -1.0, 0.0, 0.7, 3.0, 9.0}) {
    CAPTURE(z);
    CHECK_THAT(normal_maximum_density(1.0, z), WithinRel(normal_pdf(z), 1e-13));
    CHECK_THAT(normal_maximum_density(2.0, z),
               WithinRel(2.0 * normal_pdf(z) * normal_cdf(z), 1e-13));
  }
  CHECK(std::isnan(normal_maximum_density(2.0, kNaN)));
}

TEST_CASE("The maximum of less than one normal is refused", "[estimators][maximum]") {
  for (const double n : {0.5, -1.0, 1e281, kNaN}) {
    CHECK_THROWS_WITH(normal_maximum(n), Catch::Contains("n is"));
  }
}

}  // namespace
