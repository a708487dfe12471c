// SPDX-License-Identifier: MIT
#include <cmath>  // std::isfinite
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/objectives/synthetic.hpp>
#include <string>   // messages
#include <utility>  // std::move

namespace pomlux {
namespace {

void require_range(const std::string& name, double lower, double upper) {
  if (std::isfinite(upper - lower) && lower <= upper) return;
  fail("synthetic",
       name + " is from " + format_number(lower) + " to " + format_number(upper) +
           "; allowed: finite bounds a finite distance apart, the lower one first");
}

Vector draw_uniforms(Rng& rng, Index n, double lower, double upper) {
  return Vector::NullaryExpr(n, [&] { return lower + (upper - lower) * draw_uniform(rng); });
}

}  // namespace

void validate(const SyntheticRanges& ranges) {
  require_range("mean", ranges.mean_lower, ranges.mean_upper);
  require_range("stddev", ranges.stddev_lower, ranges.stddev_upper);
  if (ranges.stddev_lower < 0.0) {
    fail("synthetic", "stddev is from " + format_number(ranges.stddev_lower) + "; allowed: >= 0");
  }
}

IndependentGaussian draw_synthetic(const SyntheticRanges& ranges, Index n, std::uint64_t seed) {
  validate(ranges);
  if (n < 1) fail("synthetic", "n is " + format_number(n) + "; allowed: >= 1");
  Rng rng = make_stream(seed, "synthetic", static_cast<std::uint64_t>(n));
  Vector mean = draw_uniforms(rng, n, ranges.mean_lower, ranges.mean_upper);
  Vector stddev = draw_uniforms(rng, n, ranges.stddev_lower, ranges.stddev_upper);
  return {std::move(mean), std::move(stddev)};
}

}  // namespace pomlux
