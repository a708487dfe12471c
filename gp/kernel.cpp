// SPDX-License-Identifier: MIT
#include <cmath>  // std::abs
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/kernel.hpp>
#include <pomlux/gp/kernel_parameters.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

using Array = Eigen::ArrayXd;

/// Distances beyond this count as equally far: every kernel is below 1e-300 of its variance or 0
/// there, and polynomial times exponential cannot become inf times 0.
constexpr double kFar = 1e6;

void require_same_dimension(const PointsRef& x, const PointsRef& y) {
  require_same_size("Kernel::matrix", "a point of x", x.cols(), "a point of y", y.cols());
}

/// A kernel whose parameters are length scales and an amplitude.
class ScaledKernel : public Kernel {
 public:
  std::vector<std::string> parameter_names() const override { return parameters_.names(); }
  Vector parameters() const override { return parameters_.values(); }
  void set_parameters(const VectorRef& values) override { parameters_.set_values(values); }
  Vector scaled_parameters(double factor) const override { return parameters_.scaled(factor); }

 protected:
  ScaledKernel(KernelType type, Vector length_scale, double amplitude)
      : parameters_(type, std::move(length_scale), amplitude) {}

  KernelParameters parameters_;
};

/// The five kernels that are a profile of a scaled distance s: s = r² of the enum's comment, or
/// the scaled L1 distance for kExponentialL1.
class DistanceKernel final : public ScaledKernel {
 public:
  DistanceKernel(KernelType type, Vector length_scale, double amplitude)
      : ScaledKernel(type, std::move(length_scale), amplitude), type_(type) {}

  std::unique_ptr<Kernel> clone() const override { return std::make_unique<DistanceKernel>(*this); }
  Matrix matrix(const PointsRef& x, const PointsRef& y) const override;
  Matrix matrix(const PointsRef& x) const override;
  Vector diagonal(const PointsRef& x) const override {
    parameters_.require_dimension(x.cols());
    return Vector::Constant(x.rows(), parameters_.variance());
  }
  std::vector<ParameterScale> parameter_scales(const PointsRef& x,
                                               const ValueScale& values) const override {
    parameters_.require_dimension(x.cols());
    return distance_parameter_scales(x, values, parameters_.is_isotropic());
  }
  Vector contract_gradient(const PointsRef& x, const MatrixRef& weights) const override;
  Points input_gradient(const PointRef& point, const PointsRef& y) const override;

 private:
  /// Term of coordinate k in s, for the given coordinates minus y: squared or absolute.
  template <typename Coordinates>
  void term(const Coordinates& x, double y, Index k, Array& out) const {
    const double scale = 1.0 / parameters_.length_scale(k);
    out = (x.array() - y) * scale;
    if (type_ == KernelType::kExponentialL1) {
      out = out.abs();
    } else {
      out = out.square();
    }
  }
  void distance(
      const Matrix& columns, Index first, const PointRef& y, Array& s, Array& buffer) const;
  void value(const Array& s, Array& k) const;
  void value_and_slope(const Array& s, Array& k, Array& slope) const;

  KernelType type_;
};

/// s between rows first, ... of `columns` (the points, column-major) and y.
void DistanceKernel::distance(
    const Matrix& columns, Index first, const PointRef& y, Array& s, Array& buffer) const {
  const Index count = columns.rows() - first;
  s.setZero(count);
  for (Index k = 0; k < columns.cols(); ++k) {
    term(columns.col(k).tail(count), y(k), k, buffer);
    s += buffer;
  }
  s = s.min(kFar);
}

/// Kernel values at s. Rounding may lift a polynomial times exponential above 1 near s = 0: capped.
void DistanceKernel::value(const Array& s, Array& k) const {
  switch (type_) {
    case KernelType::kSquaredExponential:
      k = (-0.5 * s).exp();
      break;
    case KernelType::kExponentialL1:
      k = (-s).exp();
      break;
    case KernelType::kMatern12:
      k = (-s.sqrt()).exp();
      break;
    case KernelType::kMatern32:
      k = (3.0 * s).sqrt();
      k = ((1.0 + k) * (-k).exp()).min(1.0);
      break;
    default:
      k = (5.0 * s).sqrt();
      k = ((1.0 + k + s * (5.0 / 3.0)) * (-k).exp()).min(1.0);
  }
  k *= parameters_.variance();
}

/// Also slope = -2 dk/ds (L1: -dk/ds), so that dk / d log length_scale_k = slope * term_k. At the
/// kink of kMatern12 (s = 0) the slope is infinite but meets a zero term: 0 stands for the product.
void DistanceKernel::value_and_slope(const Array& s, Array& k, Array& slope) const {
  value(s, k);
  const double variance = parameters_.variance();
  switch (type_) {
    case KernelType::kSquaredExponential:
    case KernelType::kExponentialL1:
      slope = k;
      break;
    case KernelType::kMatern12:
      slope = (s > 0.0).select(k / s.sqrt(), 0.0);
      break;
    case KernelType::kMatern32:
      slope = (3.0 * variance) * (-(3.0 * s).sqrt()).exp();
      break;
    default:
      slope = (5.0 * s).sqrt();
      slope = (5.0 / 3.0 * variance) * (1.0 + slope) * (-slope).exp();
  }
}

Matrix DistanceKernel::matrix(const PointsRef& x, const PointsRef& y) const {
  require_same_dimension(x, y);
  parameters_.require_dimension(x.cols());
  const Matrix columns = x;
  Matrix result(x.rows(), y.rows());
  Array s(x.rows()), k(x.rows());
  for (Index j = 0; j < y.rows(); ++j) {
    distance(columns, 0, y.row(j), s, k);
    value(s, k);
    result.col(j) = k;
  }
  return result;
}

Matrix DistanceKernel::matrix(const PointsRef& x) const {
  parameters_.require_dimension(x.cols());
  const Matrix columns = x;
  Matrix result(x.rows(), x.rows());
  Array s, k;
  for (Index j = 0; j < x.rows(); ++j) {
    distance(columns, j, x.row(j), s, k);
    value(s, k);
    result.col(j).tail(x.rows() - j) = k;
    result.row(j).tail(x.rows() - j) = k.matrix().transpose();
  }
  return result;
}

Vector DistanceKernel::contract_gradient(const PointsRef& x, const MatrixRef& weights) const {
  parameters_.require_dimension(x.cols());
  const Index n = x.rows();
  const Index lengths = parameters_.num_length_scales();
  const Matrix columns = x;
  Vector result = Vector::Zero(lengths + 1);
  Array s, buffer, k, slope;
  for (Index j = 0; j < n; ++j) {
    distance(columns, j, x.row(j), s, buffer);
    value_and_slope(s, k, slope);
    Array weight = 2.0 * weights.col(j).tail(n - j).array();  // both triangles at once
    weight(0) *= 0.5;
    result(lengths) += 2.0 * (weight * k).sum();
    slope *= weight;
    if (lengths == 1) {
      result(0) += (slope * s).sum();
      continue;
    }
    for (Index c = 0; c < lengths; ++c) {
      term(columns.col(c).tail(n - j), x(j, c), c, buffer);
      result(c) += (slope * buffer.min(kFar)).sum();
    }
  }
  return result;
}

Points DistanceKernel::input_gradient(const PointRef& point, const PointsRef& y) const {
  require_same_dimension(point, y);
  parameters_.require_dimension(y.cols());
  const Matrix columns = y;
  Array s, k, slope;
  distance(columns, 0, point, s, k);
  value_and_slope(s, k, slope);
  Points result(y.rows(), y.cols());
  for (Index c = 0; c < y.cols(); ++c) {
    const double scale = 1.0 / parameters_.length_scale(c);
    k = (columns.col(c).array() - point(c)) * scale;
    if (type_ == KernelType::kExponentialL1) {
      k = k.sign();
    } else {
      k = k.min(kFar).max(-kFar);
    }
    result.col(c) = (slope * k * scale).matrix();
  }
  return result;
}

class LinearKernel final : public ScaledKernel {
 public:
  LinearKernel(Vector length_scale, double amplitude)
      : ScaledKernel(KernelType::kLinear, std::move(length_scale), amplitude) {}

  std::unique_ptr<Kernel> clone() const override { return std::make_unique<LinearKernel>(*this); }
  Matrix matrix(const PointsRef& x, const PointsRef& y) const override {
    require_same_dimension(x, y);
    const Points a = scaled(x);
    const Points b = scaled(y);
    Matrix result(x.rows(), y.rows());
    for (Index j = 0; j < y.rows(); ++j) {
      for (Index i = 0; i < x.rows(); ++i) result(i, j) = value(a.row(i), b.row(j));
    }
    return result;
  }
  Matrix matrix(const PointsRef& x) const override { return matrix(x, x); }
  Vector diagonal(const PointsRef& x) const override {
    const Points a = scaled(x);
    Vector result(x.rows());
    for (Index i = 0; i < x.rows(); ++i) result(i) = value(a.row(i), a.row(i));
    return result;
  }
  std::vector<ParameterScale> parameter_scales(const PointsRef& x,
                                               const ValueScale& values) const override {
    parameters_.require_dimension(x.cols());
    return linear_parameter_scales(x, values, parameters_.is_isotropic());
  }

  /// sum_ij w_ij 2 a² and sum_ij w_ij (-2 x_ik x_jk / length_scale_k²).
  Vector contract_gradient(const PointsRef& x, const MatrixRef& weights) const override {
    const Matrix a = scaled(x);
    const Matrix products = weights.selfadjointView<Eigen::Lower>() * a;
    const Vector per_coordinate = (a.array() * products.array()).colwise().sum().transpose();
    const Index lengths = parameters_.num_length_scales();
    Vector result(lengths + 1);
    if (lengths == 1) {
      result(0) = -2.0 * per_coordinate.sum();
    } else {
      result.head(lengths) = -2.0 * per_coordinate;
    }
    double sum = weights.trace();
    for (Index j = 0; j < x.rows(); ++j) sum += 2.0 * weights.col(j).tail(x.rows() - j - 1).sum();
    result(lengths) = 2.0 * parameters_.variance() * sum;
    return result;
  }

  Points input_gradient(const PointRef& point, const PointsRef& y) const override {
    require_same_dimension(point, y);
    Points result = scaled(y);
    for (Index k = 0; k < y.cols(); ++k) result.col(k) /= parameters_.length_scale(k);
    return result;
  }

 private:
  /// Point by point in a fixed order, so that k(x, y) and k(y, x) have the same bits in any block.
  double value(const PointRef& a, const PointRef& b) const {
    double sum = parameters_.variance();
    for (Index k = 0; k < a.size(); ++k) sum += a(k) * b(k);
    return sum;
  }
  Points scaled(const PointsRef& x) const {
    parameters_.require_dimension(x.cols());
    Points result = x;
    for (Index k = 0; k < x.cols(); ++k) result.col(k) /= parameters_.length_scale(k);
    return result;
  }
};

}  // namespace

std::string_view to_string(KernelType type) {
  switch (type) {
    case KernelType::kSquaredExponential:
      return "squared_exponential";
    case KernelType::kMatern12:
      return "matern12";
    case KernelType::kMatern32:
      return "matern32";
    case KernelType::kMatern52:
      return "matern52";
    case KernelType::kExponentialL1:
      return "exponential_l1";
    case KernelType::kLinear:
      return "linear";
  }
  return "unknown";
}

std::unique_ptr<Kernel> make_kernel(KernelType type, Vector length_scale, double amplitude) {
  if (type == KernelType::kLinear) {
    return std::make_unique<LinearKernel>(std::move(length_scale), amplitude);
  }
  return std::make_unique<DistanceKernel>(type, std::move(length_scale), amplitude);
}

}  // namespace pomlux
