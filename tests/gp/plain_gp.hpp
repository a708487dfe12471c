// SPDX-License-Identifier: MIT
#pragma once
// The textbook's Gaussian process with one matrix per step and the standard library's functions:
// what the blocked and vectorised one is tested against, and timed against.

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <pomlux/gp/kernel.hpp>

namespace pomlux::test {

/// One length scale per dimension.
struct PlainGp {
  KernelType type;
  Vector length_scale;
  double amplitude;
  double noise;

  [[nodiscard]] double covariance(const Point& a, const Point& b) const {
    double squared = 0.0, absolute = 0.0;
    for (Index c = 0; c < a.size(); ++c) {
      const double step = (a(c) - b(c)) / length_scale(c);
      squared += step * step;
      absolute += std::abs(step);
    }
    const double variance = amplitude * amplitude;
    const double r = std::sqrt(squared);
    const double r3 = std::sqrt(3.0) * r, r5 = std::sqrt(5.0) * r;
    switch (type) {
      case KernelType::kSquaredExponential:
        return variance * std::exp(-0.5 * squared);
      case KernelType::kMatern12:
        return variance * std::exp(-r);
      case KernelType::kMatern32:
        return variance * (1.0 + r3) * std::exp(-r3);
      case KernelType::kMatern52:
        return variance * (1.0 + r5 + 5.0 / 3.0 * squared) * std::exp(-r5);
      default:
        return variance * std::exp(-absolute);
    }
  }

  [[nodiscard]] Matrix matrix(const Points& x, const Points& y) const {
    Matrix result(x.rows(), y.rows());
    for (Index j = 0; j < y.rows(); ++j) {
      for (Index i = 0; i < x.rows(); ++i) result(i, j) = covariance(x.row(i), y.row(j));
    }
    return result;
  }

  struct Evaluation {
    double value;
    double mean;      ///< that maximises the value
    Vector gradient;  ///< logs of the length scales, of the amplitude and of the noise
  };
  /// Squared-exponential kernel alone: one matrix of derivatives per parameter.
  [[nodiscard]] Evaluation likelihood(const Points& x, const Vector& y) const {
    const Index n = x.rows();
    const Matrix k = matrix(x, x);
    const Matrix noisy = k + noise * noise * Matrix::Identity(n, n);
    const Eigen::LLT<Matrix> factor(noisy);
    const Matrix inverse = factor.solve(Matrix::Identity(n, n));
    Evaluation result;
    const Vector weights = inverse.rowwise().sum();
    result.mean = weights.dot(y) / weights.sum();
    const Vector residual = y.array() - result.mean;
    const Vector alpha = factor.solve(residual);
    result.value = -0.5 * residual.dot(alpha) - factor.matrixLLT().diagonal().array().log().sum() -
                   0.5 * static_cast<double>(n) * std::log(2.0 * std::numbers::pi);
    const Matrix outer = alpha * alpha.transpose() - inverse;
    result.gradient.resize(x.cols() + 2);
    for (Index c = 0; c < x.cols(); ++c) {
      Matrix derivative(n, n);
      for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) {
          derivative(i, j) = k(i, j) * std::pow((x(i, c) - x(j, c)) / length_scale(c), 2);
        }
      }
      result.gradient(c) = 0.5 * outer.cwiseProduct(derivative).sum();
    }
    result.gradient(x.cols()) = outer.cwiseProduct(k).sum();
    result.gradient(x.cols() + 1) = noise * noise * outer.trace();
    return result;
  }

  struct Prediction {
    Vector mean, variance;
  };
  [[nodiscard]] Prediction predict(const Points& x,
                                   const Vector& y,
                                   double mean,
                                   const Points& at) const {
    Matrix noisy = matrix(x, x);
    noisy.diagonal().array() += noise * noise;
    const Eigen::LLT<Matrix> factor(noisy);
    const Vector alpha = factor.solve((y.array() - mean).matrix());
    const Matrix cross = matrix(x, at);
    Prediction result;
    result.mean = (cross.transpose() * alpha).array() + mean;
    result.variance = amplitude * amplitude -
                      factor.matrixL().solve(cross).colwise().squaredNorm().transpose().array();
    return result;
  }
};

}  // namespace pomlux::test
