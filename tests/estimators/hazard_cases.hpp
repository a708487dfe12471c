// SPDX-License-Identifier: MIT
#pragma once
// Correlated beliefs for the tests of local_hazard, and what its results are compared with.

#include <cmath>       // std::exp
#include <functional>  // kernels
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/estimators/local_hazard.hpp>
#include <pomlux/estimators/local_hazard_arms.hpp>
#include <pomlux/estimators/ts_mc.hpp>

namespace pomlux::test {

/// Covariance of the difference of two points.
using PlainKernel = std::function<double(const Point&)>;

inline PlainKernel squared_exponential(double length_scale) {
  return [=](const Point& d) {
    return std::exp(-0.5 * d.squaredNorm() / (length_scale * length_scale));
  };
}

inline PlainKernel exponential_l1(double length_scale) {
  return [=](const Point& d) { return std::exp(-d.lpNorm<1>() / length_scale); };
}

inline Matrix kernel_matrix(const Points& points, const PlainKernel& kernel) {
  Matrix result(points.rows(), points.rows());
  for (Index j = 0; j < result.cols(); ++j) {
    for (Index i = 0; i < result.rows(); ++i) result(i, j) = kernel(points.row(i) - points.row(j));
  }
  return result;
}

/// [n, 1]: 0, 1, ...
inline Points line(Index n) { return Vector::LinSpaced(n, 0.0, static_cast<double>(n - 1)); }

/// [side², 2]
inline Points square(Index side) {
  Points result(side * side, 2);
  for (Index i = 0; i < result.rows(); ++i) {
    result.row(i) << static_cast<double>(i % side), static_cast<double>(i / side);
  }
  return result;
}

/// A draw from the prior, observed at some points with noise.
inline DenseGaussian draw_posterior(const Matrix& prior,
                                    Index observations,
                                    double noise_stddev,
                                    std::uint64_t seed) {
  Rng rng = make_stream(seed, "hazard_cases");
  const Matrix root = semidefinite_root(prior, 1.0);
  const Vector truth = root * draw_normals(rng, root.cols());
  const auto at = draw_without_replacement(rng, prior.rows(), observations);
  Matrix gram(observations, observations), cross(observations, prior.cols());
  Vector values(observations);
  for (Index a = 0; a < observations; ++a) {
    const Index i = at[static_cast<std::size_t>(a)];
    values(a) = truth(i) + noise_stddev * draw_normal(rng);
    cross.row(a) = prior.row(i);
    for (Index b = 0; b < observations; ++b) {
      gram(a, b) = prior(i, at[static_cast<std::size_t>(b)]);
    }
    gram(a, a) += noise_stddev * noise_stddev;
  }
  const CholeskyFactor factor(gram);
  const Matrix v = factor.solve_lower(cross);
  Matrix covariance = prior - v.transpose() * v;
  covariance = (0.5 * (covariance + covariance.transpose())).eval();
  covariance.diagonal() = covariance.diagonal().cwiseMax(1e-12);
  return {v.transpose() * factor.solve_lower(values), covariance};
}

/// Every arm of f, for find_neighbours.
inline HazardArms every_arm(const GaussianVector& f) {
  HazardArms result;
  for (Index i = 0; i < f.size(); ++i) result.arms.push_back(i);
  result.mean = f.mean();
  result.stddev = f.stddev();
  result.inverse_stddev = result.stddev.cwiseInverse();
  return result;
}

inline LocalHazardResult hazard_of(const GaussianVector& f,
                                   const LocalHazardOptions& options = {}) {
  Rng rng = make_stream(0, "hazard_cases");
  return local_hazard(f, rng, options);
}

inline double hazard_distance(const LocalHazardResult& result, const VectorRef& p) {
  return total_variation(result.pom.probabilities, p);
}

}  // namespace pomlux::test
