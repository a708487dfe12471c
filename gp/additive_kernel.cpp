// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/covariance_profile.hpp>
#include <pomlux/gp/kernel_parameters.hpp>
#include <pomlux/gp/scratch.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

std::size_t as_size(Index n) { return static_cast<std::size_t>(n); }

/// The mean of d kernels of one coordinate each, times the variance.
class AdditiveKernel final : public Kernel {
 public:
  AdditiveKernel(KernelType type, Vector length_scale, double amplitude)
      : type_(type), parameters_(type, std::move(length_scale), amplitude) {
    if (type == KernelType::kLinear) {
      fail("kernel additive", "of is linear, which is additive by itself; use it as it is");
    }
    make_terms();
  }
  AdditiveKernel(const AdditiveKernel& other)
      : Kernel(other), type_(other.type_), parameters_(other.parameters_) {
    make_terms();
  }

  std::unique_ptr<Kernel> clone() const override { return std::make_unique<AdditiveKernel>(*this); }
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
  void write_matrix(const PointsRef& x, const PointsRef& y, Eigen::Ref<Matrix> out) const override {
    require_dimension(x);
    require_dimension(y);
    const Matrix x_columns = x, y_columns = y;
    Matrix term(x.rows(), y.rows());
    out.setZero();
    for (Index k = 0; k < dimension(); ++k) {
      write_distance(x_columns, k, y_columns.col(k).data(), y.rows(), term.data());
      profile_of(type_)(term.data(), as_size(term.size()), 1.0, term.data(), nullptr);
      out += term;
    }
    out *= weight();
  }
  void write_lower(const PointsRef& x, Eigen::Ref<Matrix> out, Scratch& scratch) const override {
    require_dimension(x);
    Scratch::Frame frame(scratch);
    Eigen::Map<Matrix> term = frame.matrix(x.rows(), x.rows());
    Eigen::Map<Matrix> coordinates = frame.matrix(x.rows(), 1);
    out.triangularView<Eigen::Lower>().setZero();
    for (Index k = 0; k < dimension(); ++k) {
      coordinates = x.col(k);
      const Eigen::Map<const Points> column_k(coordinates.data(), x.rows(), 1);
      terms_[static_cast<std::size_t>(k)]->write_lower(column_k, term, scratch);
      out.triangularView<Eigen::Lower>() += term;
    }
    out.triangularView<Eigen::Lower>() *= weight();
  }
  Vector diagonal(const PointsRef& x) const override {
    require_dimension(x);
    return Vector::Constant(x.rows(), static_cast<double>(dimension()) * weight());
  }

  std::vector<std::string> parameter_names() const override { return parameters_.names(); }
  Vector parameters() const override { return parameters_.values(); }
  Index num_parameters() const override { return dimension() + 1; }
  void check_parameters(const VectorRef& values) const override {
    parameters_.check_values(values);
  }
  void assign_parameters(const VectorRef& values) override {
    parameters_.assign_values(values);
    for (Index k = 0; k < dimension(); ++k) {
      const Eigen::Vector2d one(parameters_.length_scale(k), 1.0);
      terms_[static_cast<std::size_t>(k)]->assign_parameters(one);
    }
  }
  Vector scaled_parameters(double factor) const override { return parameters_.scaled(factor); }
  std::vector<ParameterScale> parameter_scales(const PointsRef& x,
                                               const ValueScale& values) const override {
    require_dimension(x);
    std::vector<ParameterScale> result, one;
    for (Index k = 0; k < dimension(); ++k) {
      one = terms_[static_cast<std::size_t>(k)]->parameter_scales(x.col(k), values);
      result.push_back(one.front());
    }
    result.push_back(one.back());
    return result;
  }
  void write_gradient(const PointsRef& x,
                      const MatrixRef& weights,
                      Eigen::Ref<Vector> out,
                      Scratch& scratch) const override {
    require_dimension(x);
    Scratch::Frame frame(scratch);
    Eigen::Map<Matrix> coordinates = frame.matrix(x.rows(), 1);
    out(dimension()) = 0.0;
    for (Index k = 0; k < dimension(); ++k) {
      coordinates = x.col(k);
      const Eigen::Map<const Points> column_k(coordinates.data(), x.rows(), 1);
      Eigen::Vector2d part;
      Eigen::Map<Vector> dynamic_part(part.data(), 2);
      terms_[static_cast<std::size_t>(k)]->write_gradient(column_k, weights, dynamic_part, scratch);
      out(k) = weight() * part(0);
      out(dimension()) += weight() * part(1);
    }
  }
  void write_input_gradient(const PointRef& point,
                            const PointsRef& y,
                            Eigen::Ref<Vector> values,
                            Eigen::Ref<Points> out) const override {
    require_dimension(point);
    require_dimension(y);
    const Matrix columns = y;
    Matrix terms(y.rows(), y.cols()), slopes(y.rows(), y.cols());
    for (Index k = 0; k < dimension(); ++k) {
      write_distance(columns, k, point.data() + k, 1, terms.col(k).data());
    }
    profile_of(type_)(terms.data(), as_size(terms.size()), 1.0, terms.data(), slopes.data());
    values.setZero();
    for (Index k = 0; k < dimension(); ++k) {
      values += terms.col(k);
      const double scale = 1.0 / parameters_.length_scale(k);
      for (Index i = 0; i < y.rows(); ++i) {
        const double step = (columns(i, k) - point(k)) * scale;
        out(i, k) = weight() * slopes(i, k) * input_factor(type_, step) * scale;
      }
    }
    values *= weight();
  }

 private:
  [[nodiscard]] Index dimension() const { return parameters_.num_length_scales(); }
  [[nodiscard]] double weight() const {
    return parameters_.variance() / static_cast<double>(dimension());
  }
  /// Scaled distance in coordinate k between the points of which `columns` holds the coordinates
  /// and m others, into [n, m].
  void write_distance(const Matrix& columns, Index k, const double* y, Index m, double* out) const {
    const double inverse_scale = 1.0 / parameters_.length_scale(k);
    const std::size_t n = as_size(columns.rows());
    distance_of(type_)(
        {columns.col(k).data(), n, n, 1, &inverse_scale}, y, as_size(m), kFar, out, n);
  }
  void make_terms() {
    terms_.clear();
    for (Index k = 0; k < dimension(); ++k) {
      terms_.push_back(make_kernel(type_, Vector::Constant(1, parameters_.length_scale(k)), 1.0));
    }
  }
  void require_dimension(const PointsRef& x) const {
    require_same_size(
        "kernel additive", "coordinates of a point", x.cols(), "length scales", dimension());
  }

  KernelType type_;
  KernelParameters parameters_;
  std::vector<std::unique_ptr<Kernel>> terms_;  // with amplitude 1
};

}  // namespace

std::unique_ptr<Kernel> make_additive_kernel(KernelType type,
                                             Vector length_scale,
                                             double amplitude) {
  return std::make_unique<AdditiveKernel>(type, std::move(length_scale), amplitude);
}

}  // namespace pomlux
