// SPDX-License-Identifier: MIT
#include <pomlux/gp/kernel_parameters.hpp>
#include <pomlux/gp/scratch.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

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

std::unique_ptr<Kernel> make_linear_kernel(Vector length_scale, double amplitude) {
  return std::make_unique<LinearKernel>(std::move(length_scale), amplitude);
}

}  // namespace pomlux
