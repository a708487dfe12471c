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
    const Matrix columns = x;
    const Vector inverse_scales = parameters_.values().head(dimension()).cwiseInverse();
    const auto add = profile_of(type_).add;
    out.setZero();
    for (Index j = 0; j < y.rows(); ++j) {
      for (Index k = 0; k < dimension(); ++k) {
        add(columns.col(k).data(),
            as_size(x.rows()),
            y(j, k),
            inverse_scales(k),
            kFar,
            out.col(j).data());
      }
    }
    out *= weight();
  }
  void write_lower(const PointsRef& x, Eigen::Ref<Matrix> out, Scratch& scratch) const override {
    add_terms(x, out, scratch, [&](std::size_t k, const PointsRef& own, Eigen::Ref<Matrix> term) {
      terms_[k]->write_lower(own, term, scratch);
    });
  }
  void write_lower_keeping(const PointsRef& x,
                           Eigen::Ref<Matrix> out,
                           KernelValues& kept,
                           Scratch& scratch) const override {
    kept.terms.resize(terms_.size());
    add_terms(x, out, scratch, [&](std::size_t k, const PointsRef& own, Eigen::Ref<Matrix> term) {
      terms_[k]->write_lower_keeping(own, term, kept.terms[k], scratch);
    });
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
    join_gradients(
        x, out, scratch, [&](std::size_t k, const PointsRef& own, Eigen::Ref<Vector> part) {
          terms_[k]->write_gradient(own, weights, part, scratch);
        });
  }
  void write_kept_gradient(const PointsRef& x,
                           const MatrixRef& weights,
                           const KernelValues& kept,
                           Eigen::Ref<Vector> out,
                           Scratch& scratch) const override {
    join_gradients(
        x, out, scratch, [&](std::size_t k, const PointsRef& own, Eigen::Ref<Vector> part) {
          terms_[k]->write_kept_gradient(own, weights, kept.terms[k], part, scratch);
        });
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
    profile_of(type_).write(terms.data(), as_size(terms.size()), 1.0, terms.data(), slopes.data());
    values.setZero();
    for (Index k = 0; k < dimension(); ++k) {
      values += terms.col(k);
      const double scale = 1.0 / parameters_.length_scale(k);
      write_input_slopes(type_ == KernelType::kExponentialL1,
                         columns.col(k).data(),
                         point(k),
                         scale,
                         slopes.col(k),
                         weight() * scale,
                         out.col(k));
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
  /// Calls use(k, x_k) for the points [n, 1] of each coordinate.
  template <typename Use>
  void for_each_coordinate(const PointsRef& x, Scratch& scratch, const Use& use) const {
    require_dimension(x);
    Scratch::Frame frame(scratch);
    Eigen::Map<Matrix> coordinates = frame.matrix(x.rows(), 1);
    const Eigen::Map<const Points> own(coordinates.data(), x.rows(), 1);
    for (Index k = 0; k < dimension(); ++k) {
      coordinates = x.col(k);
      use(as_size(k), own);
    }
  }
  /// The lower triangle, from those that write(k, x_k, triangle) writes.
  template <typename Write>
  void add_terms(const PointsRef& x,
                 Eigen::Ref<Matrix> out,
                 Scratch& scratch,
                 const Write& write) const {
    Scratch::Frame frame(scratch);
    Eigen::Map<Matrix> term = frame.matrix(x.rows(), x.rows());
    out.triangularView<Eigen::Lower>().setZero();
    for_each_coordinate(x, scratch, [&](std::size_t k, const PointsRef& own) {
      write(k, own, term);
      out.triangularView<Eigen::Lower>() += term;
    });
    out.triangularView<Eigen::Lower>() *= weight();
  }
  /// The gradient, from those of length scale and amplitude that write(k, x_k, gradient) writes.
  template <typename Write>
  void join_gradients(const PointsRef& x,
                      Eigen::Ref<Vector> out,
                      Scratch& scratch,
                      const Write& write) const {
    out(dimension()) = 0.0;
    for_each_coordinate(x, scratch, [&](std::size_t k, const PointsRef& own) {
      Eigen::Vector2d part;
      Eigen::Map<Vector> dynamic_part(part.data(), 2);
      write(k, own, dynamic_part);
      out(static_cast<Index>(k)) = weight() * part(0);
      out(dimension()) += weight() * part(1);
    });
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
