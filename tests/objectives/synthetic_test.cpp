// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/objectives/synthetic.hpp>

#include "catch.hpp"

namespace {

using namespace pomlux;

constexpr SyntheticRanges kPaper{0.0, 5.0, 0.5, 10.0};

}  // namespace

TEST_CASE("Synthetic vectors are uniform on their ranges", "[objectives][synthetic]") {
  constexpr Index kArms = 20'000;
  const IndependentGaussian f = draw_synthetic(kPaper, kArms, 3);
  REQUIRE(f.size() == kArms);
  const auto check = [&](const VectorView& values, double lower, double upper) {
    CHECK(values.minCoeff() >= lower);
    CHECK(values.maxCoeff() < upper);
    // Five standard errors of the average, and of the average square about the centre; fixed seed.
    const double width = upper - lower;
    const double center = 0.5 * (lower + upper);
    const double error = width / std::sqrt(12.0 * kArms);
    CHECK(std::abs(values.mean() - center) < 5.0 * error);
    const double variance = (values.array() - center).square().mean();
    const double variance_error = width * width / std::sqrt(180.0 * kArms);
    CHECK(std::abs(variance - width * width / 12.0) < 5.0 * variance_error);
  };
  check(f.mean(), 0.0, 5.0);
  check(f.stddev(), 0.5, 10.0);
}

TEST_CASE("Synthetic vectors are drawn from the stream of seed and size",
          "[objectives][synthetic]") {
  const IndependentGaussian f = draw_synthetic(kPaper, 7, 11);
  Rng rng = make_stream(11, "synthetic", 7);
  for (Index i = 0; i < 7; ++i) CHECK(f.mean()(i) == 5.0 * draw_uniform(rng));
  for (Index i = 0; i < 7; ++i) CHECK(f.stddev()(i) == 0.5 + 9.5 * draw_uniform(rng));
  CHECK(draw_synthetic(kPaper, 8, 11).mean()(0) != f.mean()(0));
  CHECK(draw_synthetic(kPaper, 7, 12).mean()(0) != f.mean()(0));
}

TEST_CASE("Synthetic ranges may be points and must be ranges", "[objectives][synthetic]") {
  const IndependentGaussian f = draw_synthetic({2.0, 2.0, 0.0, 0.0}, 1, 0);
  CHECK(f.mean()(0) == 2.0);
  CHECK(f.stddev()(0) == 0.0);
  CHECK_THROWS_WITH(validate(SyntheticRanges{3.0, 2.0, 0.5, 1.0}),
                    ContainsSubstring("mean is from 3 to 2"));
  CHECK_THROWS_WITH(
      validate(SyntheticRanges{0.0, std::numeric_limits<double>::infinity(), 0.5, 1.0}),
      ContainsSubstring("mean is from 0 to inf"));
  CHECK_THROWS_WITH(validate(SyntheticRanges{-1e308, 1e308, 0.5, 1.0}),
                    ContainsSubstring("distance"));
  CHECK_THROWS_WITH(validate(SyntheticRanges{0.0, 1.0, std::nan(""), 1.0}),
                    ContainsSubstring("stddev"));
  CHECK_THROWS_WITH(validate(SyntheticRanges{0.0, 1.0, -0.5, 1.0}),
                    ContainsSubstring("stddev is from -0.5"));
  CHECK_THROWS_AS(draw_synthetic(kPaper, 0, 0), InvalidArgument);
}
