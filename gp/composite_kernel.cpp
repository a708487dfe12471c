// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/kernel.hpp>
#include <pomlux/gp/scratch.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

using Terms = std::vector<std::unique_ptr<Kernel>>;

Terms clone_of(const Terms& terms) {
  Terms result;
  for (const std::unique_ptr<Kernel>& term : terms) result.push_back(term->clone());
  return result;
}

/// Terms whose parameters follow each other.
class CompositeKernel : public Kernel {
 public:
  std::vector<std::string> parameter_names() const override {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      for (const std::string& name : terms_[i]->parameter_names()) {
        result.push_back("term_" + format_number(static_cast<Index>(i)) + "." + name);
      }
    }
    return result;
  }
  Vector parameters() const override {
    return concatenated([](const Kernel& term) { return term.parameters(); });
  }
  Index num_parameters() const override {
    Index result = 0;
    for (const std::unique_ptr<Kernel>& term : terms_) result += term->num_parameters();
    return result;
  }
  void check_parameters(const VectorRef& values) const override {
    require_same_size(
        "Kernel::set_parameters", "values", values.size(), "the kernel", num_parameters());
    for_each_part([&](const Kernel& term, Index begin, Index count) {
      term.check_parameters(values.segment(begin, count));
    });
  }
  void assign_parameters(const VectorRef& values) override {
    for_each_part([&](Kernel& term, Index begin, Index count) {
      term.assign_parameters(values.segment(begin, count));
    });
  }

 protected:
  explicit CompositeKernel(Terms terms) : terms_(std::move(terms)) {
    if (terms_.empty()) fail("kernel", "terms is empty; a sum or product has at least one");
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (!terms_[i]) fail("kernel", "term " + std::to_string(i) + " is missing");
    }
  }
  CompositeKernel(const CompositeKernel& other) : Kernel(other), terms_(clone_of(other.terms_)) {}

  /// Calls `use` for each term with the first of its parameters and how many there are.
  template <typename Use>
  void for_each_part(const Use& use) const {
    Index begin = 0;
    for (const std::unique_ptr<Kernel>& term : terms_) {
      const Index count = term->num_parameters();
      use(*term, begin, count);
      begin += count;
    }
  }
  /// Starts with the first term's and joins values and gradients of each other term.
  template <typename Join>
  void fold_input_gradients(const PointRef& point,
                            const PointsRef& y,
                            Eigen::Ref<Vector> values,
                            Eigen::Ref<Points> out,
                            const Join& join) const {
    terms_[0]->write_input_gradient(point, y, values, out);
    Vector own(y.rows());
    Points part(y.rows(), y.cols());
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      terms_[i]->write_input_gradient(point, y, own, part);
      join(own, part);
    }
  }
  template <typename Part>
  [[nodiscard]] Vector concatenated(const Part& part) const {
    Vector result(num_parameters());
    for_each_part([&](const Kernel& term, Index begin, Index count) {
      result.segment(begin, count) = part(term);
    });
    return result;
  }

  Terms terms_;
};

class SumKernel final : public CompositeKernel {
 public:
  explicit SumKernel(Terms terms) : CompositeKernel(std::move(terms)) {}

  std::unique_ptr<Kernel> clone() const override { return std::make_unique<SumKernel>(*this); }
  Matrix matrix(const PointsRef& x, const PointsRef& y) const override {
    Matrix result = terms_[0]->matrix(x, y);
    for (std::size_t i = 1; i < terms_.size(); ++i) result += terms_[i]->matrix(x, y);
    return result;
  }
  Matrix matrix(const PointsRef& x) const override {
    Matrix result = terms_[0]->matrix(x);
    for (std::size_t i = 1; i < terms_.size(); ++i) result += terms_[i]->matrix(x);
    return result;
  }
  void write_matrix(const PointsRef& x, const PointsRef& y, Eigen::Ref<Matrix> out) const override {
    terms_[0]->write_matrix(x, y, out);
    Matrix part(out.rows(), out.cols());
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      terms_[i]->write_matrix(x, y, part);
      out += part;
    }
  }
  Vector diagonal(const PointsRef& x) const override {
    Vector result = terms_[0]->diagonal(x);
    for (std::size_t i = 1; i < terms_.size(); ++i) result += terms_[i]->diagonal(x);
    return result;
  }
  Vector scaled_parameters(double factor) const override {
    return concatenated([&](const Kernel& term) { return term.scaled_parameters(factor); });
  }
  std::vector<ParameterScale> parameter_scales(const PointsRef& x,
                                               const ValueScale& values) const override {
    std::vector<ParameterScale> result;
    for (const std::unique_ptr<Kernel>& term : terms_) {
      for (const ParameterScale& scale : term->parameter_scales(x, values)) result.push_back(scale);
    }
    return result;
  }
  void write_lower(const PointsRef& x, Eigen::Ref<Matrix> out, Scratch& scratch) const override {
    terms_[0]->write_lower(x, out, scratch);
    Scratch::Frame frame(scratch);
    Eigen::Map<Matrix> part = frame.matrix(out.rows(), out.cols());
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      terms_[i]->write_lower(x, part, scratch);
      out.triangularView<Eigen::Lower>() += part;
    }
  }
  void write_gradient(const PointsRef& x,
                      const MatrixRef& weights,
                      Eigen::Ref<Vector> out,
                      Scratch& scratch) const override {
    for_each_part([&](const Kernel& term, Index begin, Index count) {
      term.write_gradient(x, weights, out.segment(begin, count), scratch);
    });
  }
  void write_lower_keeping(const PointsRef& x,
                           Eigen::Ref<Matrix> out,
                           KernelValues& kept,
                           Scratch& scratch) const override {
    kept.terms.resize(terms_.size());
    terms_[0]->write_lower_keeping(x, out, kept.terms[0], scratch);
    Scratch::Frame frame(scratch);
    Eigen::Map<Matrix> part = frame.matrix(out.rows(), out.cols());
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      terms_[i]->write_lower_keeping(x, part, kept.terms[i], scratch);
      out.triangularView<Eigen::Lower>() += part;
    }
  }
  void write_kept_gradient(const PointsRef& x,
                           const MatrixRef& weights,
                           const KernelValues& kept,
                           Eigen::Ref<Vector> out,
                           Scratch& scratch) const override {
    auto values = kept.terms.begin();
    for_each_part([&](const Kernel& term, Index begin, Index count) {
      term.write_kept_gradient(x, weights, *values++, out.segment(begin, count), scratch);
    });
  }
  void write_input_gradient(const PointRef& point,
                            const PointsRef& y,
                            Eigen::Ref<Vector> values,
                            Eigen::Ref<Points> out) const override {
    fold_input_gradients(point, y, values, out, [&](const Vector& own, Points& part) {
      values += own;
      out += part;
    });
  }
};

class ProductKernel final : public CompositeKernel {
 public:
  explicit ProductKernel(Terms terms) : CompositeKernel(std::move(terms)) {}

  std::unique_ptr<Kernel> clone() const override { return std::make_unique<ProductKernel>(*this); }
  Matrix matrix(const PointsRef& x, const PointsRef& y) const override {
    Matrix result = terms_[0]->matrix(x, y);
    for (std::size_t i = 1; i < terms_.size(); ++i)
      result.array() *= terms_[i]->matrix(x, y).array();
    return result;
  }
  Matrix matrix(const PointsRef& x) const override {
    Matrix result = terms_[0]->matrix(x);
    for (std::size_t i = 1; i < terms_.size(); ++i) result.array() *= terms_[i]->matrix(x).array();
    return result;
  }
  Vector diagonal(const PointsRef& x) const override {
    Vector result = terms_[0]->diagonal(x);
    for (std::size_t i = 1; i < terms_.size(); ++i)
      result.array() *= terms_[i]->diagonal(x).array();
    return result;
  }
  /// The first term carries the scale.
  Vector scaled_parameters(double factor) const override {
    Vector result = parameters();
    const Vector first = terms_[0]->scaled_parameters(factor);
    result.head(first.size()) = first;
    return result;
  }
  std::vector<ParameterScale> parameter_scales(const PointsRef& x,
                                               const ValueScale& values) const override {
    std::vector<ParameterScale> result = terms_[0]->parameter_scales(x, values);
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      std::vector<ParameterScale> scales = terms_[i]->parameter_scales(x, {1.0, 1.0});
      const Vector now = terms_[i]->parameters();
      const auto is_changed = (now.array() != terms_[i]->scaled_parameters(2.0).array()).eval();
      Index position = 0;
      if (is_changed.count() == 1) {  // one parameter is nothing but the scale
        is_changed.cast<int>().maxCoeff(&position);
        scales[static_cast<std::size_t>(position)] = {};
      }
      result.insert(result.end(), scales.begin(), scales.end());
    }
    return result;
  }
  void write_lower(const PointsRef& x, Eigen::Ref<Matrix> out, Scratch& scratch) const override {
    terms_[0]->write_lower(x, out, scratch);
    Scratch::Frame frame(scratch);
    Eigen::Map<Matrix> part = frame.matrix(out.rows(), out.cols());
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      terms_[i]->write_lower(x, part, scratch);
      multiply_lower(part, out);
    }
  }
  void write_gradient(const PointsRef& x,
                      const MatrixRef& weights,
                      Eigen::Ref<Vector> out,
                      Scratch& scratch) const override {
    const Index n = x.rows();
    const Index count = static_cast<Index>(terms_.size());
    Scratch::Frame frame(scratch);
    Eigen::Map<Matrix> factors = frame.matrix(n, n * count);
    Eigen::Map<Matrix> others = frame.matrix(n, n);
    for (Index i = 0; i < count; ++i) {
      terms_[static_cast<std::size_t>(i)]->write_lower(x, factors.middleCols(i * n, n), scratch);
    }
    Index i = 0;
    for_each_part([&](const Kernel& term, Index begin, Index size) {
      others = weights;
      for (Index j = 0; j < count; ++j) {
        if (j != i) multiply_lower(factors.middleCols(j * n, n), others);
      }
      ++i;
      term.write_gradient(x, others, out.segment(begin, size), scratch);
    });
  }
  void write_input_gradient(const PointRef& point,
                            const PointsRef& y,
                            Eigen::Ref<Vector> values,
                            Eigen::Ref<Points> out) const override {
    fold_input_gradients(point, y, values, out, [&](const Vector& own, Points& part) {
      out.array().colwise() *= own.array();
      part.array().colwise() *= values.array();
      out += part;
      values.array() *= own.array();
    });
  }

 private:
  /// The lower triangle of `out` times that of `factor`.
  static void multiply_lower(const MatrixRef& factor, Eigen::Ref<Matrix> out) {
    for (Index j = 0; j < out.cols(); ++j) {
      out.col(j).tail(out.rows() - j).array() *= factor.col(j).tail(out.rows() - j).array();
    }
  }
};

}  // namespace

std::unique_ptr<Kernel> make_sum_kernel(std::vector<std::unique_ptr<Kernel>> terms) {
  return std::make_unique<SumKernel>(std::move(terms));
}

std::unique_ptr<Kernel> make_product_kernel(std::vector<std::unique_ptr<Kernel>> terms) {
  return std::make_unique<ProductKernel>(std::move(terms));
}

}  // namespace pomlux
