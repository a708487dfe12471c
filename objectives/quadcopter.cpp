// SPDX-License-Identifier: MIT
#include <cmath>  // std::tanh
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/objectives/noise.hpp>
#include <pomlux/objectives/quadcopter.hpp>

namespace pomlux {
namespace {

/// Points that a thread takes at a time: enough to outweigh handing them out.
constexpr Index kPointsAtOnce = 16;

}  // namespace

quadcopter::Control draw_quadcopter_disturbance(std::uint64_t seed) {
  Rng rng = make_stream(seed, "quadcopter_disturbance");
  return draw_normals(rng, quadcopter::kControls).cwiseAbs2();
}

Quadcopter::Quadcopter(const quadcopter::Control& disturbance, const QuadcopterOptions& options)
    : disturbance_(disturbance), noise_stddev_(options.noise_stddev) {
  require_nonnegative("quadcopter", "disturbance", disturbance);
  require_noise_stddev("quadcopter", noise_stddev_);
  nominal_ = quadcopter::find_nominal_controls({.tolerance = options.control_tolerance});
}

double Quadcopter::value_of(double cost) {
  return std::isnan(cost) ? -1.0 : -std::tanh((cost - 100.0) / 100.0);
}

Vector Quadcopter::evaluate(const PointsRef& points, Rng& rng) const {
  return with_noise(*true_values(points), noise_stddev_, rng);
}

std::optional<Vector> Quadcopter::true_values(const PointsRef& points) const {
  require_same_size("quadcopter", "columns of points", points.cols(), "the dimension", dimension());
  for (Index i = 0; i < points.rows(); ++i) {
    require_nonnegative(
        "quadcopter", "row " + format_number(i) + " of points", points.row(i).transpose());
  }
  Vector values(points.rows());
  parallel_for(points.rows(), kPointsAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const quadcopter::Control gains = points.row(i).transpose();
      values(i) = value_of(quadcopter::flight_cost(nominal_.controls,
                                                   quadcopter::make_feedback(disturbance_, gains)));
    }
  });
  return values;
}

}  // namespace pomlux
