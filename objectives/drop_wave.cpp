// SPDX-License-Identifier: MIT
#include <pomlux/objectives/drop_wave.hpp>

#include <cmath>  // std::cos

#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/noise.hpp>

namespace pomlux {

double drop_wave(double x0, double x1) {
  const double square = x0 * x0 + x1 * x1;
  return (1.0 + std::cos(12.0 * std::sqrt(square))) / (0.5 * square + 2.0);
}

DropWave::DropWave(double noise_stddev) : noise_stddev_(noise_stddev) {
  require_noise_stddev("drop_wave", noise_stddev);
}

Vector DropWave::evaluate(const PointsRef& points, Rng& rng) const {
  return with_noise(*true_values(points), noise_stddev_, rng);
}

std::optional<Vector> DropWave::true_values(const PointsRef& points) const {
  require_same_size("drop_wave", "columns of points", points.cols(), "the dimension", dimension());
  Vector values(points.rows());
  for (Index i = 0; i < points.rows(); ++i) values(i) = drop_wave(points(i, 0), points(i, 1));
  return values;
}

}  // namespace pomlux
