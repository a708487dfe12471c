// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/objectives/noise.hpp>
#include <pomlux/objectives/tabulated.hpp>
#include <utility>  // std::move

namespace pomlux {

Tabulated::Tabulated(Domain domain, Vector values, double noise_stddev)
    : domain_(std::move(domain)), values_(std::move(values)), noise_stddev_(noise_stddev) {
  require_same_size("tabulated", "values", values_.size(), "the domain", domain_.size());
  require_finite("tabulated", "values", values_);
  require_noise_stddev("tabulated", noise_stddev);
}

Index Tabulated::dimension() const { return domain_.dimension(); }

Vector Tabulated::evaluate(const PointsRef& points, Rng& rng) const {
  return with_noise(*true_values(points), noise_stddev_, rng);
}

std::optional<Vector> Tabulated::true_values(const PointsRef& points) const {
  require_same_size("tabulated", "columns of points", points.cols(), "the dimension", dimension());
  Vector values(points.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    const Index candidate = domain_.find(points.row(i));
    if (candidate < 0) {
      fail("tabulated", "row " + std::to_string(i) + " of points is not a point of the table");
    }
    values(i) = values_(candidate);
  }
  return values;
}

Tabulated make_gp_sample(Domain domain,
                         const MatrixRef& covariance,
                         double noise_stddev,
                         Rng& rng) {
  require_same_size("gp_sample", "covariance", covariance.rows(), "the domain", domain.size());
  const Matrix root = semidefinite_root(covariance);
  Vector values = root * draw_normals(rng, root.cols());
  return {std::move(domain), std::move(values), noise_stddev};
}

Tabulated make_random_linear(Domain domain, double noise_stddev, Rng& rng) {
  Vector values = domain.points() * draw_normals(rng, domain.dimension());
  return {std::move(domain), std::move(values), noise_stddev};
}

}  // namespace pomlux
