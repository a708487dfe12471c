// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/gp/covariance_profile.hpp>
#include <pomlux/gp/kernel.hpp>
#include <pomlux/gp/kernel_parameters.hpp>
#include <pomlux/gp/scratch.hpp>
#include <utility>  // std::move

namespace pomlux {

const detail::CovarianceKernels& active_covariance() {
  static const detail::CovarianceKernels& kernels = detail::covariance_kernels(active_isa_level());
  return kernels;
}

detail::CovarianceKernels::Distance distance_of(KernelType type) {
  const detail::CovarianceKernels& kernels = active_covariance();
  return type == KernelType::kExponentialL1 ? kernels.absolute_distance : kernels.squared_distance;
}

const detail::CovarianceKernels::Profile& profile_of(KernelType type) {
  const detail::CovarianceKernels& kernels = active_covariance();
  switch (type) {
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
}

namespace {

std::size_t to_size(Index n) { return static_cast<std::size_t>(n); }

Index triangle_size(Index n) { return n * (n + 1) / 2; }

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
  [[nodiscard]] double inverse_scale(Index k) const { return inverse_scale_(k); }

 private:
  Scratch::Frame frame_;
  Eigen::Map<Matrix> columns_;
  Eigen::Map<Vector> inverse_scale_;
};

/// The five kernels that are a profile of a scaled distance.
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
  void write_lower_keeping(const PointsRef& x,
                           Eigen::Ref<Matrix> out,
                           KernelValues& kept,
                           Scratch& scratch) const override;
  void write_kept_gradient(const PointsRef& x,
                           const MatrixRef& weights,
                           const KernelValues& kept,
                           Eigen::Ref<Vector> out,
                           Scratch& scratch) const override {
    contract(x, weights, kept.values.data(), kept.slopes.data(), out, scratch);
  }
  void write_input_gradient(const PointRef& point,
                            const PointsRef& y,
                            Eigen::Ref<Vector> values,
                            Eigen::Ref<Points> out) const override;

 private:
  void keep(const PointsRef& x, double* values, double* slopes, Scratch& scratch) const;
  void contract(const PointsRef& x,
                const MatrixRef& weights,
                const double* values,
                const double* slopes,
                Eigen::Ref<Vector> out,
                Scratch& scratch) const;
  [[nodiscard]] bool is_absolute() const { return type_ == KernelType::kExponentialL1; }
  /// s between `points` and y_0, ..., y_{m-1}, row-major, into columns `stride` apart.
  void distance(const detail::ScaledPoints& points,
                const double* y,
                Index m,
                double* out,
                Index stride) const {
    distance_of(type_)(points, y, to_size(m), kFar, out, to_size(stride));
  }
  void profile(const double* s, Index n, double* k, double* slope) const {
    profile_of(type_).write(s, to_size(n), parameters_.variance(), k, slope);
  }

  KernelType type_;
};

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

/// The lower triangle, and of each entry slope times s with one length scale, the slope otherwise.
void DistanceKernel::keep(const PointsRef& x,
                          double* values,
                          double* slopes,
                          Scratch& scratch) const {
  const ScaledColumns columns(x, parameters_, scratch);
  Scratch::Frame frame(scratch);
  Eigen::Map<Vector> s = frame.vector(triangle_size(x.rows()));
  Index at = 0;
  for (Index j = 0; j < x.rows(); ++j) {
    distance(columns.from(j), x.row(j).data(), 1, s.data() + at, x.rows());
    at += x.rows() - j;
  }
  profile(s.data(), at, values, slopes);
  if (parameters_.is_isotropic()) Eigen::Map<Vector>(slopes, at).array() *= s.array();
}

void DistanceKernel::contract(const PointsRef& x,
                              const MatrixRef& weights,
                              const double* values,
                              const double* slopes,
                              Eigen::Ref<Vector> out,
                              Scratch& scratch) const {
  const Index n = x.rows();
  const Index lengths = parameters_.num_length_scales();
  const ScaledColumns columns(x, parameters_, scratch);
  const detail::CovarianceKernels& kernels = active_covariance();
  const auto term_sums = is_absolute() ? kernels.absolute_sums : kernels.squared_sums;
  Scratch::Frame frame(scratch);
  Eigen::Map<Vector> per_coordinate = frame.vector(x.cols()), weighted = frame.vector(n);
  per_coordinate.setZero();
  out.setZero();
  for (Index j = 0; j < n; ++j) {
    const Index count = n - j;
    const Eigen::Map<const Vector> value(values, count), slope(slopes, count);
    const auto weight = weights.col(j).tail(count);
    // Both triangles at once; where i = j, every term of a length scale is 0.
    out(lengths) += 4.0 * weight.dot(value) - 2.0 * weight(0) * value(0);
    if (lengths == 1) {
      out(0) += 2.0 * weight.dot(slope);
    } else {
      weighted.head(count) = 2.0 * weight.cwiseProduct(slope);
      term_sums(columns.from(j), x.row(j).data(), kFar, weighted.data(), per_coordinate.data());
    }
    values += count;
    slopes += count;
  }
  if (lengths > 1) out.head(lengths) = per_coordinate;
}

void DistanceKernel::write_gradient(const PointsRef& x,
                                    const MatrixRef& weights,
                                    Eigen::Ref<Vector> out,
                                    Scratch& scratch) const {
  Scratch::Frame frame(scratch);
  const Index size = triangle_size(x.rows());
  double* const values = frame.vector(size).data();
  double* const slopes = frame.vector(size).data();
  keep(x, values, slopes, scratch);
  contract(x, weights, values, slopes, out, scratch);
}

void DistanceKernel::write_lower_keeping(const PointsRef& x,
                                         Eigen::Ref<Matrix> out,
                                         KernelValues& kept,
                                         Scratch& scratch) const {
  kept.values.resize(to_size(triangle_size(x.rows())));
  kept.slopes.resize(kept.values.size());
  keep(x, kept.values.data(), kept.slopes.data(), scratch);
  const double* values = kept.values.data();
  for (Index j = 0; j < x.rows(); ++j) {
    const Index count = x.rows() - j;
    out.col(j).tail(count) = Eigen::Map<const Vector>(values, count);
    values += count;
  }
}

void DistanceKernel::write_input_gradient(const PointRef& point,
                                          const PointsRef& y,
                                          Eigen::Ref<Vector> values,
                                          Eigen::Ref<Points> out) const {
  require_same_dimension(point, y);
  Scratch scratch;
  const ScaledColumns columns(y, parameters_, scratch);
  const Index n = y.rows();
  Scratch::Frame frame(scratch);
  Eigen::Map<Vector> slope = frame.vector(n);
  distance(columns.from(0), point.data(), 1, values.data(), n);
  profile(values.data(), n, values.data(), slope.data());
  for (Index c = 0; c < y.cols(); ++c) {
    write_input_slopes(is_absolute(),
                       columns.from(0).x + c * n,
                       point(c),
                       columns.inverse_scale(c),
                       slope,
                       columns.inverse_scale(c),
                       out.col(c));
  }
}

}  // namespace

void Kernel::write_matrix(const PointsRef& x, const PointsRef& y, Eigen::Ref<Matrix> out) const {
  out = matrix(x, y);
}

void Kernel::write_lower(const PointsRef& x, Eigen::Ref<Matrix> out) const {
  Scratch scratch;
  write_lower(x, out, scratch);
}

void Kernel::write_lower_keeping(const PointsRef& x,
                                 Eigen::Ref<Matrix> out,
                                 KernelValues&,
                                 Scratch& scratch) const {
  write_lower(x, out, scratch);
}

void Kernel::write_kept_gradient(const PointsRef& x,
                                 const MatrixRef& weights,
                                 const KernelValues&,
                                 Eigen::Ref<Vector> out,
                                 Scratch& scratch) const {
  write_gradient(x, weights, out, scratch);
}

Vector Kernel::contract_gradient(const PointsRef& x, const MatrixRef& weights) const {
  Scratch scratch;
  Vector result(num_parameters());
  write_gradient(x, weights, result, scratch);
  return result;
}

Points Kernel::input_gradient(const PointRef& point, const PointsRef& y) const {
  Vector values(y.rows());
  Points result(y.rows(), y.cols());
  write_input_gradient(point, y, values, result);
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
    return make_linear_kernel(std::move(length_scale), amplitude);
  }
  return std::make_unique<DistanceKernel>(type, std::move(length_scale), amplitude);
}

}  // namespace pomlux
