// SPDX-License-Identifier: MIT
#include <cmath>  // std::isfinite
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/noise.hpp>

namespace pomlux {

void require_noise_stddev(std::string_view objective, double noise_stddev) {
  if (std::isfinite(noise_stddev) && noise_stddev >= 0.0) return;
  fail(objective, "noise_stddev is " + format_number(noise_stddev) + "; must be >= 0 and finite");
}

Vector with_noise(Vector values, double noise_stddev, Rng& rng) {
  if (noise_stddev > 0.0) values += noise_stddev * draw_normals(rng, values.size());
  return values;
}

}  // namespace pomlux
