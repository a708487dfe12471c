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

/// Hyper-parameters lie in this range, so that their squares are ordinary doubles.
inline constexpr double kSmallestHyperparameter = 1e-100;
inline constexpr double kLargestHyperparameter = 1e100;

/// Where a hyper-parameter can lie for given data: [lower, upper] is all that the data can tell
/// apart, [low, high] where it usually is. All positive; lower <= low <= typical <= high <= upper.
struct ParameterScale {
  bool is_identified = false;  ///< false: the data say nothing about it; the others are then 0
  double lower = 0.0;
  double low = 0.0;
  double typical = 0.0;  ///< median of the default prior
  double high = 0.0;
  double upper = 0.0;
};

/// Two standard deviations of observed values: `spread` about their average, `magnitude` about the
/// prior mean. Both positive; equal where the mean is fitted.
struct ValueScale {
  double spread = 1.0;
  double magnitude = 1.0;
};

class Scratch;        // gp/scratch.hpp, private
struct KernelValues;  // the same

/// A covariance function with hyper-parameters on a log scale. Const calls are safe from several
/// threads. Points that do not fit the kernel's dimension throw InvalidArgument.
class Kernel {
 public:
  virtual ~Kernel() = default;
  [[nodiscard]] virtual std::unique_ptr<Kernel> clone() const = 0;

  /// k(x_i, y_j), [n, m]. Differences, not the expanded square, so close and distant inputs stay
  /// exact; never above a² for the stationary kernels, and a² where x_i = y_j.
  [[nodiscard]] virtual Matrix matrix(const PointsRef& x, const PointsRef& y) const = 0;
  /// k(x_i, x_j), [n, n], exactly symmetric.
  [[nodiscard]] virtual Matrix matrix(const PointsRef& x) const = 0;
  /// matrix(x, y) into `out` [n, m], and the lower triangle of matrix(x) into `out` [n, n], whose
  /// upper triangle may be overwritten: for buffers that are used again. The same bits.
  virtual void write_matrix(const PointsRef& x, const PointsRef& y, Eigen::Ref<Matrix> out) const;
  void write_lower(const PointsRef& x, Eigen::Ref<Matrix> out) const;
  /// k(x_i, x_i), [n].
  [[nodiscard]] virtual Vector diagonal(const PointsRef& x) const = 0;

  /// Names and values of the hyper-parameters: "length_scale" (or "length_scale_0", ... with one
  /// per dimension), "amplitude"; those of the i-th term of a sum or product after "term_<i>.".
  [[nodiscard]] virtual std::vector<std::string> parameter_names() const = 0;
  [[nodiscard]] virtual Vector parameters() const = 0;
  [[nodiscard]] virtual Index num_parameters() const = 0;
  /// @throws InvalidArgument naming the parameter if one is outside [kSmallestHyperparameter,
  /// kLargestHyperparameter] (amplitude 0 is allowed with kLinear); the kernel is then unchanged.
  void set_parameters(const VectorRef& values);
  /// Parameters with which the kernel is factor² times what it is now, factor > 0: the same
  /// function in other units. Not checked against the range of set_parameters.
  [[nodiscard]] virtual Vector scaled_parameters(double factor) const = 0;
  /// Where each parameter can lie for observations at x [n, d] whose values have this scale, [p].
  /// Length scales: lower is a tenth of the smallest non-zero distance but at least 1e-4 of the
  /// extent, upper 1e3 times the extent (per coordinate with one length scale each), typical 0.4
  /// times the diagonal of the box of the inputs (sqrt(d) times the extent of one coordinate).
  /// Amplitude: from 1e-3 spread to 1e3 magnitude, typical the spread. kLinear: length scales from
  /// 1e-3 to 1e3 times the root mean square of the coordinate over the spread, which is typical. In
  /// a product only the first term carries the scale of the values; what merely scales another term
  /// is not identified.
  [[nodiscard]] virtual std::vector<ParameterScale> parameter_scales(
      const PointsRef& x, const ValueScale& values) const = 0;

  /// sum_ij weights_ij d k(x_i, x_j) / d log parameter_p, [p], for symmetric weights [n, n] (the
  /// lower triangle is read): the likelihood's gradient needs no matrix per parameter.
  [[nodiscard]] Vector contract_gradient(const PointsRef& x, const MatrixRef& weights) const;
  /// d k(point, y_j) / d point, [m, d]. 0 where the kernel has a kink (r = 0 of kMatern12, equal
  /// coordinates of kExponentialL1).
  [[nodiscard]] Points input_gradient(const PointRef& point, const PointsRef& y) const;
  /// The same into `out` [m, d], and k(point, y_j), with the bits of matrix(y, point), into
  /// `values` [m].
  virtual void write_input_gradient(const PointRef& point,
                                    const PointsRef& y,
                                    Eigen::Ref<Vector> values,
                                    Eigen::Ref<Points> out) const = 0;

  // What an evaluation of the likelihood calls: as above, with memory of the caller's. The second
  // call for as many points allocates nothing.
  virtual void write_lower(const PointsRef& x, Eigen::Ref<Matrix> out, Scratch& scratch) const = 0;
  virtual void write_gradient(const PointsRef& x,
                              const MatrixRef& weights,
                              Eigen::Ref<Vector> out,
                              Scratch& scratch) const = 0;
  /// The same pair for the same points and parameters: what the first computes is left in `kept`,
  /// and the second takes it up. By default nothing is.
  virtual void write_lower_keeping(const PointsRef& x,
                                   Eigen::Ref<Matrix> out,
                                   KernelValues& kept,
                                   Scratch& scratch) const;
  virtual void write_kept_gradient(const PointsRef& x,
                                   const MatrixRef& weights,
                                   const KernelValues& kept,
                                   Eigen::Ref<Vector> out,
                                   Scratch& scratch) const;
  /// set_parameters in two halves: throws for what it refuses; sets [p] values that passed.
  virtual void check_parameters(const VectorRef& values) const = 0;
  virtual void assign_parameters(const VectorRef& values) = 0;
};

/// @param length_scale [1] isotropic or [d] one per dimension, > 0.  @param amplitude > 0 (>= 0 for
/// kLinear).
/// @throws InvalidArgument naming the value.
[[nodiscard]] std::unique_ptr<Kernel> make_kernel(KernelType type,
                                                  Vector length_scale,
                                                  double amplitude);
/// a²/d sum_k k_1(x_k / length_scale_k, y_k / length_scale_k), k_1 the kernel of this type on one
/// coordinate with variance 1: the sum of d independent functions of one coordinate each, for
/// points of d = length_scale.size() coordinates. Length scales are those of one coordinate,
/// typical 0.4 times its extent. @throws as make_kernel; also for kLinear, which is additive
/// already.
[[nodiscard]] std::unique_ptr<Kernel> make_additive_kernel(KernelType type,
                                                           Vector length_scale,
                                                           double amplitude);
/// sum_i k_i(x, y): independent effects that add up.
/// @throws InvalidArgument without terms or for a missing one.
[[nodiscard]] std::unique_ptr<Kernel> make_sum_kernel(std::vector<std::unique_ptr<Kernel>> terms);
/// prod_i k_i(x, y): effects that modulate each other. @throws as make_sum_kernel.
[[nodiscard]] std::unique_ptr<Kernel> make_product_kernel(
    std::vector<std::unique_ptr<Kernel>> terms);

}  // namespace pomlux
