// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp
#include <pomlux/core/covariance_kernels.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/gp/kernel.hpp>
#include <pomlux/gp/kernel_parameters.hpp>
#include <pomlux/gp/scratch.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

/// Distances beyond this count as equally far: every kernel is below 1e-300 of its variance or 0
/// there, and polynomial times exponential cannot become inf times 0.
constexpr double kFar = 1e6;

const detail::CovarianceKernels& active_covariance() {
  static const detail::CovarianceKernels& kernels = detail::covariance_kernels(active_isa_level());
  return kernels;
}

std::size_t to_size(Index n) { return static_cast<std::size_t>(n); }

void require_same_dimension(const PointsRef& x, const PointsRef& y) {
  require_same_size("Kernel::matrix", "a point of x", x.cols(), "a point of y", y.cols());
}

/// A kernel whose parameters are length scales and an amplitude.
class ScaledKernel : public Kernel {
 public:
  std::vector<std::string> parameter_names() const override { return parameters_.names(); }
  Vector parameters() const override { return parameters_.values(); }
  Index num_parameters() const override { return parameters_.num_length_scales() + 1; }
  void check_parameters(const VectorRef& values) const override {
    parameters_.check_values(values);
  }
  void assign_parameters(const VectorRef& values) override { parameters_.assign_values(values); }
  Vector scaled_parameters(double factor) const override { return parameters_.scaled(factor); }

 protected:
  ScaledKernel(KernelType type, Vector length_scale, double amplitude)
      : parameters_(type, std::move(length_scale), amplitude) {}

  KernelParameters parameters_;
};

/// Points by columns, and the reciprocal length scales: what the inner loops read.
class ScaledColumns {
 public:
  ScaledColumns(const PointsRef& x, const KernelParameters& parameters, Scratch& scratch)
      : frame_(scratch),
        columns_(frame_.matrix(x.rows(), x.cols())),
        inverse_scale_(frame_.vector(x.cols())) {
    parameters.require_dimension(x.cols());
    columns_ = x;
    for (Index k = 0; k < x.cols(); ++k) inverse_scale_(k) = 1.0 / parameters.length_scale(k);
  }

  /// Rows first, first + 1, ...
  [[nodiscard]] detail::ScaledPoints from(Index first) const {
    return {columns_.data() + first,
            to_size(columns_.rows()),
            to_size(columns_.rows() - first),
            to_size(columns_.cols()),
            inverse_scale_.data()};
  }
  [[nodiscard]] double operator()(Index i, Index k) const { return columns_(i, k); }
  [[nodiscard]] double inverse_scale(Index k) const { return inverse_scale_(k); }

 private:
  Scratch::Frame frame_;
  Eigen::Map<Matrix> columns_;
  Eigen::Map<Vector> inverse_scale_;
};

/// The five kernels that are a profile of a scaled distance s: s = r² of the enum's comment, or
/// the scaled L1 distance for kExponentialL1.
class DistanceKernel final : public ScaledKernel {
 public:
  DistanceKernel(KernelType type, Vector length_scale, double amplitude)
      : ScaledKernel(type, std::move(length_scale), amplitude), type_(type) {}

  std::unique_ptr<Kernel> clone() const override { return std::make_unique<DistanceKernel>(*this); }
  Matrix matrix(const PointsRef& x, const PointsRef& y) const override {
    Matrix result(x.rows(), y.rows());
    write_matrix(x, y, result);
    return result;
  }
  Matrix matrix(const PointsRef& x) const override {
    Matrix result(x.rows(), x.rows());
    Kernel::write_lower(x, result);
    result.triangularView<Eigen::StrictlyUpper>() = result.transpose();
    return result;
  }
  void write_matrix(const PointsRef& x, const PointsRef& y, Eigen::Ref<Matrix> out) const override;
  void write_lower(const PointsRef& x, Eigen::Ref<Matrix> out, Scratch& scratch) const override;
  Vector diagonal(const PointsRef& x) const override {
    parameters_.require_dimension(x.cols());
    return Vector::Constant(x.rows(), parameters_.variance());
  }
  std::vector<ParameterScale> parameter_scales(const PointsRef& x,
                                               const ValueScale& values) const override {
    parameters_.require_dimension(x.cols());
    return distance_parameter_scales(x, values, parameters_.is_isotropic());
  }
  void write_gradient(const PointsRef& x,
                      const MatrixRef& weights,
                      Eigen::Ref<Vector> out,
                      Scratch& scratch) const override;
  Points input_gradient(const PointRef& point, const PointsRef& y) const override;

 private:
  [[nodiscard]] bool is_absolute() const { return type_ == KernelType::kExponentialL1; }
  /// s between `points` and y_0, ..., y_{m-1}, row-major, into columns `stride` apart.
  void distance(const detail::ScaledPoints& points,
                const double* y,
                Index m,
                double* out,
                Index stride) const {
    const detail::CovarianceKernels& kernels = active_covariance();
    (is_absolute() ? kernels.absolute_distance : kernels.squared_distance)(
        points, y, to_size(m), kFar, out, to_size(stride));
  }
  /// Kernel values at s, and slope = -2 dk/ds (L1: -dk/ds) unless null, so that dk / d log
  /// length_scale_k = slope * term_k. At the kink of kMatern12 the product of the infinite slope
  /// and the zero term is 0, and so is the slope here.
  void profile(const double* s, Index n, double* k, double* slope) const;

  KernelType type_;
};

void DistanceKernel::profile(const double* s, Index n, double* k, double* slope) const {
  const detail::CovarianceKernels& kernels = active_covariance();
  const detail::CovarianceKernels::Profile function = [&] {
    switch (type_) {
      case KernelType::kSquaredExponential:
        return kernels.squared_exponential;
      case KernelType::kExponentialL1:
        return kernels.exponential;
      case KernelType::kMatern12:
        return kernels.matern12;
      case KernelType::kMatern32:
        return kernels.matern32;
      default:
        return kernels.matern52;
    }
  }();
  function(s, to_size(n), parameters_.variance(), k, slope);
}

void DistanceKernel::write_matrix(const PointsRef& x,
                                  const PointsRef& y,
                                  Eigen::Ref<Matrix> out) const {
  require_same_dimension(x, y);
  require_same_size("Kernel::matrix", "rows of the result", out.rows(), "points of x", x.rows());
  require_same_size("Kernel::matrix", "its columns", out.cols(), "points of y", y.rows());
  Scratch scratch;
  const ScaledColumns columns(x, parameters_, scratch);
  const bool is_one_array = out.outerStride() == out.rows() && y.outerStride() == y.cols();
  const Index step = is_one_array ? y.rows() : 1;
  for (Index j = 0; j < y.rows(); j += step) {
    double* const part = out.col(j).data();
    distance(columns.from(0), y.row(j).data(), step, part, out.rows());
    profile(part, step * out.rows(), part, nullptr);
  }
}

void DistanceKernel::write_lower(const PointsRef& x,
                                 Eigen::Ref<Matrix> out,
                                 Scratch& scratch) const {
  require_same_size("Kernel::matrix", "rows of the result", out.rows(), "points of x", x.rows());
  require_same_size("Kernel::matrix", "its columns", out.cols(), "points of x", x.rows());
  const ScaledColumns columns(x, parameters_, scratch);
  for (Index j = 0; j < x.rows(); ++j) {
    double* const part = out.col(j).data() + j;
    distance(columns.from(j), x.row(j).data(), 1, part, x.rows());
    profile(part, x.rows() - j, part, nullptr);
  }
}

void DistanceKernel::write_gradient(const PointsRef& x,
                                    const MatrixRef& weights,
                                    Eigen::Ref<Vector> out,
                                    Scratch& scratch) const {
  const Index n = x.rows();
  const Index d = x.cols();
  const Index lengths = parameters_.num_length_scales();
  const ScaledColumns columns(x, parameters_, scratch);
  const detail::CovarianceKernels& kernels = active_covariance();
  const auto term_sums = is_absolute() ? kernels.absolute_sums : kernels.squared_sums;
  Scratch::Frame frame(scratch);
  Eigen::Map<Vector> per_coordinate = frame.vector(d);
  Eigen::Map<Vector> s = frame.vector(n), k = frame.vector(n), slope = frame.vector(n);
  per_coordinate.setZero();
  out.setZero();
  for (Index j = 0; j < n; ++j) {
    const Index count = n - j;
    distance(columns.from(j), x.row(j).data(), 1, s.data(), n);
    profile(s.data(), count, k.data(), slope.data());
    const auto weight = weights.col(j).tail(count).array();
    k.head(count).array() *= weight;
    slope.head(count).array() *= weight;
    // Both triangles at once; where i = j, every term is 0.
    out(lengths) += 4.0 * k.head(count).sum() - 2.0 * k(0);
    slope.head(count) *= 2.0;
    if (lengths == 1) {
      out(0) += slope.head(count).dot(s.head(count));
    } else {
      term_sums(columns.from(j), x.row(j).data(), kFar, slope.data(), per_coordinate.data());
    }
  }
  if (lengths > 1) out.head(lengths) = per_coordinate;
}

Points DistanceKernel::input_gradient(const PointRef& point, const PointsRef& y) const {
  require_same_dimension(point, y);
  Scratch scratch;
  const ScaledColumns columns(y, parameters_, scratch);
  const Index n = y.rows();
  Vector s(n), k(n), slope(n);
  distance(columns.from(0), point.data(), 1, s.data(), n);
  profile(s.data(), n, k.data(), slope.data());
  Points result(n, y.cols());
  for (Index c = 0; c < y.cols(); ++c) {
    const double scale = columns.inverse_scale(c);
    for (Index i = 0; i < n; ++i) {
      const double step = (columns(i, c) - point(c)) * scale;
      const double sign = step > 0.0 ? 1.0 : step < 0.0 ? -1.0 : 0.0;
      result(i, c) = slope(i) * (is_absolute() ? sign : std::clamp(step, -kFar, kFar)) * scale;
    }
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

  void write_lower(const PointsRef& x, Eigen::Ref<Matrix> out, Scratch& scratch) const override {
    Scratch::Frame frame(scratch);
    Eigen::Map<Points> a(frame.vector(x.size()).data(), x.rows(), x.cols());
    scale(x, a);
    for (Index j = 0; j < x.rows(); ++j) {
      for (Index i = j; i < x.rows(); ++i) out(i, j) = value(a.row(i), a.row(j));
    }
  }

  /// sum_ij w_ij 2 a² and sum_ij w_ij (-2 x_ik x_jk / length_scale_k²).
  void write_gradient(const PointsRef& x,
                      const MatrixRef& weights,
                      Eigen::Ref<Vector> out,
                      Scratch& scratch) const override {
    const Index n = x.rows();
    const Index lengths = parameters_.num_length_scales();
    Scratch::Frame frame(scratch);
    Eigen::Map<Matrix> a = frame.matrix(n, x.cols());
    scale(x, a);
    out.setZero();
    for (Index j = 0; j < n; ++j) {
      const Index below = n - j - 1;
      for (Index k = 0; k < a.cols(); ++k) {
        const double other = weights.col(j).tail(below).dot(a.col(k).tail(below));
        out(lengths == 1 ? 0 : k) -= 2.0 * a(j, k) * (weights(j, j) * a(j, k) + 2.0 * other);
      }
      const double sum = weights(j, j) + 2.0 * weights.col(j).tail(below).sum();
      out(lengths) += 2.0 * parameters_.variance() * sum;
    }
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
    Points result(x.rows(), x.cols());
    scale(x, result);
    return result;
  }
  template <typename Result>
  void scale(const PointsRef& x, Result& result) const {
    parameters_.require_dimension(x.cols());
    for (Index k = 0; k < x.cols(); ++k) result.col(k) = x.col(k) / parameters_.length_scale(k);
  }
};

}  // namespace

void Kernel::write_matrix(const PointsRef& x, const PointsRef& y, Eigen::Ref<Matrix> out) const {
  out = matrix(x, y);
}

void Kernel::write_lower(const PointsRef& x, Eigen::Ref<Matrix> out) const {
  Scratch scratch;
  write_lower(x, out, scratch);
}

Vector Kernel::contract_gradient(const PointsRef& x, const MatrixRef& weights) const {
  Scratch scratch;
  Vector result(num_parameters());
  write_gradient(x, weights, result, scratch);
  return result;
}

void Kernel::set_parameters(const VectorRef& values) {
  check_parameters(values);
  assign_parameters(values);
}

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
