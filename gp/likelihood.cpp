// SPDX-License-Identifier: MIT
#include <cmath>     // std::log
#include <numbers>   // pi
#include <optional>  // a mean that is not given
#include <pomlux/core/errors.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/core/triangular.hpp>
#include <pomlux/gp/likelihood.hpp>
#include <pomlux/gp/scratch.hpp>
#include <vector>  // right-hand sides

namespace pomlux {

struct LikelihoodWorkspace::Buffers {
  Matrix gram;  // [n, n], then the weights of the gradient
  PackedTriangle factor;
  PackedTriangle::Workspace inverse;
  std::vector<double> right_side;                // [n]
  Vector noise_variance, ones, whitened, alpha;  // [n]
  KernelValues kept;                             // of the kernel, as is
  Scratch scratch;
  Likelihood result;
};

LikelihoodWorkspace::LikelihoodWorkspace() : buffers_(std::make_unique<Buffers>()) {}
LikelihoodWorkspace::~LikelihoodWorkspace() = default;
LikelihoodWorkspace::LikelihoodWorkspace(LikelihoodWorkspace&&) noexcept = default;
LikelihoodWorkspace& LikelihoodWorkspace::operator=(LikelihoodWorkspace&&) noexcept = default;

/// One evaluation in the buffers of a workspace.
class LikelihoodEvaluation {
 public:
  LikelihoodEvaluation(const Kernel& kernel, const PointsRef& x, LikelihoodWorkspace& workspace)
      : kernel_(kernel), x_(x), buffers_(*workspace.buffers_) {}

  [[nodiscard]] const Likelihood& operator()(std::optional<double> mean,
                                             const VectorRef& noise_stddev,
                                             const VectorRef& y);

 private:
  [[nodiscard]] double factorise();
  template <typename RightSide>
  void solve_lower(const RightSide& b, Vector& result);

  const Kernel& kernel_;
  const PointsRef& x_;
  LikelihoodWorkspace::Buffers& buffers_;
};

/// k(x, x) + diag(noise²). Returns the jitter, added as by CholeskyFactor.
double LikelihoodEvaluation::factorise() {
  const Index n = x_.rows();
  Matrix& gram = buffers_.gram;
  gram.resize(n, n);
  kernel_.write_lower_keeping(x_, gram, buffers_.kept, buffers_.scratch);
  gram.diagonal() += buffers_.noise_variance;
  if (buffers_.factor.factorise(gram) == n) return 0.0;
  Matrix full = kernel_.matrix(x_);
  full.diagonal() += buffers_.noise_variance;
  const CholeskyFactor factor(full);
  buffers_.factor = PackedTriangle(factor.lower());
  return factor.jitter();
}

/// L⁻¹ b
template <typename RightSide>
void LikelihoodEvaluation::solve_lower(const RightSide& b, Vector& result) {
  std::vector<double>& buffer = buffers_.right_side;
  buffer.resize(static_cast<std::size_t>(x_.rows()));
  Eigen::Map<Vector>(buffer.data(), x_.rows()) = b;
  buffers_.factor.solve_in_place(buffer);
  result = Eigen::Map<const Vector>(buffer.data(), x_.rows());
}

const Likelihood& LikelihoodEvaluation::operator()(std::optional<double> mean,
                                                   const VectorRef& noise_stddev,
                                                   const VectorRef& y) {
  const char* where = "log_marginal_likelihood";
  const Index n = x_.rows();
  require_same_size(where, "y", y.size(), "x", n);
  require_same_size(where, "noise_stddev", noise_stddev.size(), "x", n);
  require_finite(where, "y", y);
  require_nonnegative(where, "noise_stddev", noise_stddev);
  Likelihood& result = buffers_.result;
  result.kernel_gradient.resize(kernel_.num_parameters());
  if (n == 0) {
    result = {};
    result.mean = mean.value_or(0.0);
    result.kernel_gradient = Vector::Zero(kernel_.num_parameters());
    return result;
  }
  Vector& noise_variance = buffers_.noise_variance;
  noise_variance = noise_stddev.cwiseAbs2();
  result.jitter = factorise();
  Vector& whitened = buffers_.whitened;
  if (mean) {
    result.mean = *mean;
  } else {
    // About the average, so that a large common offset does not cost digits.
    const double average = (y / static_cast<double>(n)).sum();
    solve_lower(Vector::Ones(n), buffers_.ones);
    solve_lower((y.array() - average).matrix(), whitened);
    result.mean = average + buffers_.ones.dot(whitened) / buffers_.ones.squaredNorm();
  }
  solve_lower((y.array() - result.mean).matrix(), whitened);
  result.value = -0.5 * whitened.squaredNorm() - 0.5 * buffers_.factor.log_determinant() -
                 0.5 * static_cast<double>(n) * std::log(2.0 * std::numbers::pi);

  // d value / d theta = 1/2 tr((alpha alphaᵀ - (K + N)⁻¹) dK/dtheta)
  Matrix& weights = buffers_.gram;
  buffers_.alpha.resize(n);
  buffers_.factor.likelihood_weights(whitened, buffers_.alpha, weights, buffers_.inverse);
  kernel_.write_kept_gradient(x_, weights, buffers_.kept, result.kernel_gradient, buffers_.scratch);
  result.kernel_gradient *= 0.5;
  result.mean_gradient = buffers_.alpha.sum();
  result.log_noise_gradient_each = weights.diagonal().cwiseProduct(noise_variance);
  result.log_noise_gradient = result.log_noise_gradient_each.sum();
  return result;
}

const Likelihood& log_marginal_likelihood(const Kernel& kernel,
                                          double mean,
                                          const VectorRef& noise_stddev,
                                          const PointsRef& x,
                                          const VectorRef& y,
                                          LikelihoodWorkspace& workspace) {
  return LikelihoodEvaluation(kernel, x, workspace)(mean, noise_stddev, y);
}

Likelihood log_marginal_likelihood(const Kernel& kernel,
                                   double mean,
                                   const VectorRef& noise_stddev,
                                   const PointsRef& x,
                                   const VectorRef& y) {
  LikelihoodWorkspace workspace;
  return log_marginal_likelihood(kernel, mean, noise_stddev, x, y, workspace);
}

const Likelihood& profile_log_marginal_likelihood(const Kernel& kernel,
                                                  const VectorRef& noise_stddev,
                                                  const PointsRef& x,
                                                  const VectorRef& y,
                                                  LikelihoodWorkspace& workspace) {
  if (x.rows() < 1) {
    fail("profile_log_marginal_likelihood", "x has no rows; at least one observation is needed");
  }
  return LikelihoodEvaluation(kernel, x, workspace)(std::nullopt, noise_stddev, y);
}

Likelihood profile_log_marginal_likelihood(const Kernel& kernel,
                                           const VectorRef& noise_stddev,
                                           const PointsRef& x,
                                           const VectorRef& y) {
  LikelihoodWorkspace workspace;
  return profile_log_marginal_likelihood(kernel, noise_stddev, x, y, workspace);
}

}  // namespace pomlux
