// SPDX-License-Identifier: MIT
#include <cmath>  // std::log
#include <pomlux/core/normal.hpp>
#include <pomlux/estimators/f_lite_derivative.hpp>
#include <pomlux/estimators/threshold.hpp>

namespace pomlux {

FLiteDerivative::FLiteDerivative(const VectorRef& mean,
                                 const VectorRef& stddev,
                                 const FLiteOptions& options) {
  constexpr std::string_view where = "FLiteDerivative";
  validate(options);
  require_marginals(where, mean, stddev);
  const Index n = mean.size();
  for (Index i = 0; i < n; ++i) {
    if (!is_certain(stddev(i))) continue;
    fail(where,
         "stddev[" + format_number(i) + "] is " + format_number(stddev(i)) +
             "; derivatives need every stddev >= " + format_number(kCertainStddev));
  }
  const ThresholdOptions threshold{.epsilon = effective_epsilon(options.epsilon, options.alpha, n),
                                   .root = options.root,
                                   .max_iterations = options.max_iterations};
  ThresholdSolution solution = solve_threshold(mean, stddev, Sigmoid::kNormalCdf, threshold);
  pom_ = std::move(solution.pom);
  h_ = Vector::Zero(n);
  slope_ = Vector::Zero(n);
  if (n == 1) return;
  for (Index i = 0; i < n; ++i) {
    slope_(i) = (solution.offset - (mean(i) - solution.base)) / stddev(i);
    h_(i) = normal_pdf(slope_(i)) / stddev(i);
  }
  h_.maxCoeff(&largest_);
  for (Index i = 0; i < n; ++i) others_ += i == largest_ ? 0.0 : h_(i);
  total_ = others_ + h_(largest_);
}

FLiteDerivative::Gradient FLiteDerivative::with_stddev(Vector mean_part) const {
  Gradient gradient;
  gradient.stddev = mean_part.cwiseProduct(slope_);
  gradient.mean = std::move(mean_part);
  return gradient;
}

Vector FLiteDerivative::jvp(const VectorRef& mean_direction,
                            const VectorRef& stddev_direction) const {
  require_same_size(
      "FLiteDerivative::jvp", "mean_direction", mean_direction.size(), "mean", h_.size());
  require_same_size(
      "FLiteDerivative::jvp", "stddev_direction", stddev_direction.size(), "mean", h_.size());
  if (!(total_ > 0.0)) return Vector::Zero(h_.size());
  const Vector direction = mean_direction + stddev_direction.cwiseProduct(slope_);
  const double kappa_change = h_.dot(direction) / total_;
  Vector change = h_.cwiseProduct((direction.array() - kappa_change).matrix());
  // The changes sum to zero; that of the largest h may cancel when formed directly.
  change(largest_) = 0.0;
  change(largest_) = -change.sum();
  return change;
}

FLiteDerivative::Gradient FLiteDerivative::vjp(const VectorRef& weights) const {
  require_same_size("FLiteDerivative::vjp", "weights", weights.size(), "mean", h_.size());
  if (!(total_ > 0.0)) return with_stddev(Vector::Zero(h_.size()));
  // h_z (w_z - average of w), relative to the weight of the largest h: that arm keeps its digits.
  const double reference = weights(largest_);
  double excess = 0.0;
  for (Index i = 0; i < h_.size(); ++i) {
    // An arm with h = 0 moves nothing, whatever its weight.
    if (h_(i) > 0.0 && i != largest_) excess += h_(i) * (weights(i) - reference);
  }
  excess /= total_;
  Vector gradient(h_.size());
  for (Index i = 0; i < h_.size(); ++i) {
    gradient(i) = h_(i) > 0.0 ? h_(i) * ((weights(i) - reference) - excess) : 0.0;
  }
  return with_stddev(std::move(gradient));
}

FLiteDerivative::Gradient FLiteDerivative::entropy_gradient() const {
  // d(-q log q) = -(log q + 1) dq; the 1 drops out as the dq sum to zero.
  Vector weights(h_.size());
  for (Index i = 0; i < h_.size(); ++i) weights(i) = -log_normal_cdf(-slope_(i));
  return vjp(weights);
}

FLiteDerivative::Gradient FLiteDerivative::kappa_gradient() const {
  if (!(total_ > 0.0)) return with_stddev(Vector::Zero(h_.size()));
  return with_stddev(h_ / total_);
}

Matrix FLiteDerivative::jacobian_mean(double memory_limit) const {
  const Index n = h_.size();
  require_memory("FLiteDerivative::jacobian_mean", n, n, memory_limit);
  if (!(total_ > 0.0)) return Matrix::Zero(n, n);
  Matrix jacobian = -h_ * (h_ / total_).transpose();
  for (Index z = 0; z < n; ++z) {
    // Without cancellation: the share of the others, summed directly for the largest.
    const double rest = z == largest_ ? others_ : total_ - h_(z);
    jacobian(z, z) = h_(z) * (rest / total_);
  }
  return jacobian;
}

Matrix FLiteDerivative::jacobian_stddev(double memory_limit) const {
  return jacobian_mean(memory_limit) * slope_.asDiagonal();
}

}  // namespace pomlux
