// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <cmath>      // std::log
#include <numbers>    // pi
#include <optional>   // a mean that is not given
#include <pomlux/core/errors.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/gp/likelihood.hpp>

namespace pomlux {
namespace {

constexpr Index kColumns = 48;  // columns of L⁻¹ handled at once; bounds the work on known zeros

/// (L Lᵀ)⁻¹, lower triangle only: L⁻¹ block by block below its diagonal, then L⁻ᵀ L⁻¹ the same way.
Matrix lower_of_inverse(const MatrixRef& lower) {
  const Index n = lower.rows();
  Matrix root = Matrix::Zero(n, n);
  for (Index begin = 0; begin < n; begin += kColumns) {
    const Index width = std::min(kColumns, n - begin);
    const Index height = n - begin;
    Eigen::Ref<Matrix> block = root.block(begin, begin, height, width);
    block.topRows(width).setIdentity();
    lower.bottomRightCorner(height, height).triangularView<Eigen::Lower>().solveInPlace(block);
  }
  Matrix inverse = Matrix::Zero(n, n);
  for (Index begin = 0; begin < n; begin += kColumns) {
    const Index width = std::min(kColumns, n - begin);
    const Index end = begin + width;
    Eigen::Ref<Matrix> part = inverse.topLeftCorner(end, end);
    part.selfadjointView<Eigen::Lower>().rankUpdate(root.block(begin, 0, width, end).transpose());
  }
  return inverse;
}

Likelihood evaluate(const Kernel& kernel,
                    std::optional<double> mean,
                    const VectorRef& noise_stddev,
                    const PointsRef& x,
                    const VectorRef& y) {
  const char* where = "log_marginal_likelihood";
  const Index n = x.rows();
  require_same_size(where, "y", y.size(), "x", n);
  require_same_size(where, "noise_stddev", noise_stddev.size(), "x", n);
  require_finite(where, "y", y);
  require_nonnegative(where, "noise_stddev", noise_stddev);
  Likelihood result;
  if (n == 0) {
    result.mean = mean.value_or(0.0);
    result.kernel_gradient = Vector::Zero(kernel.parameters().size());
    result.log_noise_gradient_each = Vector::Zero(0);
    return result;
  }
  const Vector noise_variance = noise_stddev.cwiseAbs2();
  Matrix gram = kernel.matrix(x);
  gram.diagonal() += noise_variance;
  const CholeskyFactor factor(gram);
  result.jitter = factor.jitter();
  if (mean) {
    result.mean = *mean;
  } else {
    // About the average, so that a large common offset does not cost digits.
    const double average = (y / static_cast<double>(n)).sum();
    const Vector ones = factor.solve_lower(Vector::Ones(n));
    const Vector centred = factor.solve_lower(y.array() - average);
    result.mean = average + ones.dot(centred) / ones.squaredNorm();
  }
  const Vector residual = y.array() - result.mean;
  const Vector whitened = factor.solve_lower(residual);
  const Vector alpha = factor.solve(residual);
  result.value = -0.5 * whitened.squaredNorm() - 0.5 * factor.log_determinant() -
                 0.5 * static_cast<double>(n) * std::log(2.0 * std::numbers::pi);

  // d value / d theta = 1/2 tr((alpha alphaᵀ - (K + N)⁻¹) dK/dtheta)
  Matrix weights = -lower_of_inverse(factor.lower());
  weights.selfadjointView<Eigen::Lower>().rankUpdate(alpha);
  result.kernel_gradient = 0.5 * kernel.contract_gradient(x, weights);
  result.mean_gradient = alpha.sum();
  result.log_noise_gradient_each = weights.diagonal().cwiseProduct(noise_variance);
  result.log_noise_gradient = result.log_noise_gradient_each.sum();
  return result;
}

}  // namespace

Likelihood log_marginal_likelihood(const Kernel& kernel,
                                   double mean,
                                   const VectorRef& noise_stddev,
                                   const PointsRef& x,
                                   const VectorRef& y) {
  return evaluate(kernel, mean, noise_stddev, x, y);
}

Likelihood profile_log_marginal_likelihood(const Kernel& kernel,
                                           const VectorRef& noise_stddev,
                                           const PointsRef& x,
                                           const VectorRef& y) {
  if (x.rows() < 1) {
    fail("profile_log_marginal_likelihood", "x has no rows; at least one observation is needed");
  }
  return evaluate(kernel, std::nullopt, noise_stddev, x, y);
}

}  // namespace pomlux
