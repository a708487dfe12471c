// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <pomlux/core/dense.hpp>
#include <pomlux/gp/kernel_parameters.hpp>
#include <pomlux/gp/scratch.hpp>
#include <utility>  // std::move
#include <vector>   // products

namespace pomlux {
namespace {

class LinearKernel final : public ScaledKernel {
 public:
  LinearKernel(Vector length_scale, double amplitude)
      : ScaledKernel(KernelType::kLinear, std::move(length_scale), amplitude) {}

  std::unique_ptr<Kernel> clone() const override { return std::make_unique<LinearKernel>(*this); }
  Matrix matrix(const PointsRef& x, const PointsRef& y) const override {
    Matrix result(x.rows(), y.rows());
    write_matrix(x, y, result);
    return result;
  }
  void write_matrix(const PointsRef& x, const PointsRef& y, Eigen::Ref<Matrix> out) const override {
    require_same_dimension(x, y);
    const Points b = scaled(y);
    if (is_wide(x.cols())) {
      write_products(x, b, out);
      return;
    }
    const Points a = scaled(x);
    for (Index j = 0; j < y.rows(); ++j) {
      for (Index i = 0; i < x.rows(); ++i) out(i, j) = value(a.row(i), b.row(j));
    }
  }
  Matrix matrix(const PointsRef& x) const override { return matrix(x, x); }
  Vector diagonal(const PointsRef& x) const override {
    Vector result(x.rows());
    for (Index first = 0; first < x.rows(); first += kRows) {
      const Points a = scaled(x.middleRows(first, std::min(kRows, x.rows() - first)));
      for (Index i = 0; i < a.rows(); ++i) result(first + i) = value(a.row(i), a.row(i));
    }
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
    if (is_wide(x.cols())) {
      write_products(x, a, out);
      return;
    }
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

  void write_lower_keeping(const PointsRef& x,
                           Eigen::Ref<Matrix> out,
                           KernelValues& kept,
                           Scratch& scratch) const override {
    write_lower(x, out, scratch);
    if (!parameters_.is_isotropic()) return;
    const Index n = x.rows();
    kept.values.resize(static_cast<std::size_t>(n * (n + 1) / 2));
    double* to = kept.values.data();
    for (Index j = 0; j < n; ++j) to = std::copy_n(&out(j, j), n - j, to);
  }
  /// With one length scale the gradient needs no coordinates: x_i'x_j / length_scale² = k - a².
  void write_kept_gradient(const PointsRef& x,
                           const MatrixRef& weights,
                           const KernelValues& kept,
                           Eigen::Ref<Vector> out,
                           Scratch& scratch) const override {
    if (!parameters_.is_isotropic()) {
      write_gradient(x, weights, out, scratch);
      return;
    }
    const Index n = x.rows();
    const double variance = parameters_.variance();
    double products = 0.0;
    double sum = 0.0;
    const double* from = kept.values.data();
    for (Index j = 0; j < n; ++j) {
      const Eigen::Map<const Vector> values(from, n - j);
      const auto weight = weights.col(j).tail(n - j);
      const double below = weight.tail(n - j - 1).sum();
      const double other = weight.tail(n - j - 1).dot(values.tail(n - j - 1)) - variance * below;
      products += weight(0) * (values(0) - variance) + 2.0 * other;
      sum += weight(0) + 2.0 * below;
      from += n - j;
    }
    out(0) = -2.0 * products;
    out(1) = 2.0 * variance * sum;
  }

  void write_input_gradient(const PointRef& point,
                            const PointsRef& y,
                            Eigen::Ref<Vector> values,
                            Eigen::Ref<Points> out) const override {
    require_same_dimension(point, y);
    values = matrix(y, point);
    scale(y, out);
    for (Index k = 0; k < y.cols(); ++k) out.col(k) /= parameters_.length_scale(k);
  }

 private:
  /// From here on a dense product is much faster than sums one by one.
  static constexpr Index kWide = 64;
  /// Points scaled and multiplied at a time: they stay in the second-level cache.
  static constexpr Index kRows = 64;
  static bool is_wide(Index dimension) { return dimension >= kWide; }

  /// `y` scaled already. Every entry is a sum in order of products that commute: k(x, y) and
  /// k(y, x) have the same bits in any block.
  void write_products(const PointsRef& x, const PointsRef& y, Eigen::Ref<Matrix> out) const {
    const Index d = x.cols();
    const Index m = y.rows();
    PackedColumns<double> columns(d, m);
    columns.assign({y.data(), static_cast<std::size_t>(y.size())});
    std::vector<double> product;
    for (Index first = 0; first < x.rows(); first += kRows) {
      const Index rows = std::min(kRows, x.rows() - first);
      const Points block = scaled(x.middleRows(first, rows));
      const PackedMatrix<double> packed(Eigen::Map<const Matrix>(block.data(), d, rows));
      product.resize(static_cast<std::size_t>(packed.padded_cols() * m));
      packed.transpose_multiply(columns, product);
      const Eigen::Map<const Matrix> sums(product.data(), packed.padded_cols(), m);
      out.middleRows(first, rows) = sums.topRows(rows).array() + parameters_.variance();
    }
  }
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
    if (parameters_.is_isotropic()) {
      result = x / parameters_.length_scale(0);
      return;
    }
    for (Index k = 0; k < x.cols(); ++k) result.col(k) = x.col(k) / parameters_.length_scale(k);
  }
};

}  // namespace

std::unique_ptr<Kernel> make_linear_kernel(Vector length_scale, double amplitude) {
  return std::make_unique<LinearKernel>(std::move(length_scale), amplitude);
}

}  // namespace pomlux
