// SPDX-License-Identifier: MIT
#pragma once

#include <memory>  // clone
#include <pomlux/core/types.hpp>
#include <string>       // names
#include <string_view>  // names
#include <vector>       // names

namespace pomlux {

/// With r² = sum_k ((x_k - y_k) / length_scale_k)², amplitude a (a standard deviation):
enum class KernelType {
  kSquaredExponential,  ///< a² exp(-r²/2)
  kMatern12,            ///< a² exp(-r)
  kMatern32,            ///< a² (1 + sqrt3 r) exp(-sqrt3 r)
  kMatern52,            ///< a² (1 + sqrt5 r + 5 r²/3) exp(-sqrt5 r)
  kExponentialL1,       ///< a² exp(-sum_k |x_k - y_k| / length_scale_k)
  kLinear,              ///< a² + sum_k x_k y_k / length_scale_k²; a = 0 allowed here alone
};
/// "squared_exponential", "matern12", ... as in configuration files.
[[nodiscard]] std::string_view to_string(KernelType type);

/// A covariance function with hyper-parameters on a log scale. Const calls are safe from several
/// threads.
class Kernel {
 public:
  virtual ~Kernel() = default;
  [[nodiscard]] virtual std::unique_ptr<Kernel> clone() const = 0;

  /// k(x_i, y_j), [n, m]. Differences, not the expanded square, so close and distant inputs stay
  /// exact.
  [[nodiscard]] virtual Matrix matrix(const PointsRef& x, const PointsRef& y) const = 0;
  /// k(x_i, x_j), [n, n], exactly symmetric.
  [[nodiscard]] virtual Matrix matrix(const PointsRef& x) const = 0;
  /// k(x_i, x_i), [n].
  [[nodiscard]] virtual Vector diagonal(const PointsRef& x) const = 0;

  /// Names and values of the hyper-parameters: "length_scale" (or "length_scale_0", ... with one
  /// per dimension), "amplitude".
  [[nodiscard]] virtual std::vector<std::string> parameter_names() const = 0;
  [[nodiscard]] virtual Vector parameters() const = 0;
  /// @throws InvalidArgument naming the parameter if one is not finite and positive (amplitude 0
  /// with kLinear).
  virtual void set_parameters(const VectorRef& values) = 0;
  /// sum_ij weights_ij d k(x_i, x_j) / d log parameter_p, [p], for symmetric weights [n, n]: the
  /// likelihood's gradient needs no matrix per parameter.
  [[nodiscard]] virtual Vector contract_gradient(const PointsRef& x,
                                                 const MatrixRef& weights) const = 0;
  /// d k(point, y_j) / d point, [m, d]. 0 where the kernel has a kink (r = 0 of kMatern12 and
  /// kExponentialL1).
  [[nodiscard]] virtual Points input_gradient(const PointRef& point, const PointsRef& y) const = 0;
};

/// @param length_scale [1] isotropic or [d] one per dimension, > 0.  @param amplitude > 0 (>= 0 for
/// kLinear).
/// @throws InvalidArgument naming the value.
[[nodiscard]] std::unique_ptr<Kernel> make_kernel(KernelType type,
                                                  Vector length_scale,
                                                  double amplitude);

}  // namespace pomlux
