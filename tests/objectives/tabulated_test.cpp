// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/tabulated.hpp>
#include <vector>

#include "catch.hpp"

namespace {

using namespace pomlux;

Domain line(Index n) {
  const std::vector<Index> counts = {n};
  return Domain::grid(Vector::Zero(1), Vector::Ones(1), counts);
}

}  // namespace

TEST_CASE("A table knows the points of its domain alone", "[objectives][tabulated]") {
  const Tabulated table(line(3), Eigen::Vector3d(1.0, -2.0, 3.0));
  Points points(2, 1);
  points << 1.0, 0.5;
  CHECK(*table.true_values(points) == Vector(Eigen::Vector2d(3.0, -2.0)));
  points(1, 0) = 0.4;
  CHECK_THROWS_WITH(table.true_values(points), ContainsSubstring("row 1"));
}

TEST_CASE("A table refuses values that do not fit", "[objectives][tabulated]") {
  CHECK_THROWS_WITH(Tabulated(line(3), Vector::Zero(2)),
                    ContainsSubstring("size 2") && ContainsSubstring("size 3"));
  CHECK_THROWS_WITH(Tabulated(line(2), Eigen::Vector2d(0.0, std::nan(""))),
                    ContainsSubstring("values[1]"));
  Rng rng = make_stream(1, "test");
  CHECK_THROWS_AS(make_gp_sample(line(3), Matrix::Identity(2, 2), 0.0, rng), InvalidArgument);
  CHECK_THROWS_AS(make_gp_sample(line(3), Matrix::Ones(3, 2), 0.0, rng), InvalidArgument);
}

TEST_CASE("A Gaussian sample path has its covariance", "[objectives][tabulated]") {
  Matrix covariance(3, 3);
  covariance << 4.0, 2.0, 0.0, 2.0, 4.0, -1.0, 0.0, -1.0, 1.0;
  constexpr int kDraws = 4000;
  const Domain domain = line(3);
  Rng rng = make_stream(2, "test");
  Matrix sum = Matrix::Zero(3, 3);
  for (int i = 0; i < kDraws; ++i) {
    const Tabulated path = make_gp_sample(domain, covariance, 0.0, rng);
    const Vector values = *path.true_values(domain.points());
    sum += values * values.transpose();
  }
  // Each entry has standard error at most sqrt(2) 4 / sqrt(draws); five of them, fixed seed.
  CHECK((sum / kDraws - covariance).cwiseAbs().maxCoeff() <
        5.0 * std::sqrt(2.0) * 4.0 / std::sqrt(kDraws));
}

TEST_CASE("A path of a singular covariance keeps its exact dependence", "[objectives][tabulated]") {
  Rng rng = make_stream(3, "test");
  const Domain domain = line(4);
  const Tabulated path = make_gp_sample(domain, Matrix::Ones(4, 4), 0.0, rng);
  const Vector values = *path.true_values(domain.points());
  CHECK((values.array() - values(0)).abs().maxCoeff() < 1e-14 * std::abs(values(0)));
}

TEST_CASE("A random linear function is linear with standard normal weights",
          "[objectives][tabulated]") {
  Rng rng = make_stream(4, "test");
  const Domain domain(Points::Identity(3000, 3000));
  const Tabulated f = make_random_linear(domain, 0.0, rng);
  const Vector weights = *f.true_values(domain.points());  // the unit vectors give the weights
  CHECK(std::abs(weights.mean()) < 5.0 / std::sqrt(3000.0));
  CHECK_THAT(weights.squaredNorm() / 3000.0, WithinAbs(1.0, 5.0 * std::sqrt(2.0 / 3000.0)));

  Points points(3, 2);
  points << 1.0, 2.0, 3.0, -1.0, 4.0, 1.0;  // the third is the sum of the others
  const Vector values = *make_random_linear(Domain(points), 0.0, rng).true_values(points);
  CHECK_THAT(values(2), WithinAbs(values(0) + values(1), 1e-14));
}
