// SPDX-License-Identifier: MIT
#include <cmath>  // std::cos, std::hypot
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/drop_wave.hpp>
#include <pomlux/objectives/noise.hpp>

namespace pomlux {

double drop_wave(double x0, double x1) {
  const double r = std::hypot(x0, x1);
  return (1.0 + std::cos(12.0 * r)) / (0.5 * r * r + 2.0);
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
  for (Index i = 0; i < points.rows(); ++i) {
    const std::string row = "row " + format_number(i) + " of points";
    require_finite("drop_wave", row, points.row(i).transpose());
    values(i) = drop_wave(points(i, 0), points(i, 1));
  }
  return values;
}

}  // namespace pomlux
