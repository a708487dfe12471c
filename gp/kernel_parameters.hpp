// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: what kernels with length scales and an amplitude share.

#include <pomlux/gp/kernel.hpp>
#include <utility>  // std::move

namespace pomlux {

/// Length scales ([1] isotropic or [d]) and amplitude of a kernel, in that order.
class KernelParameters {
 public:
  /// @throws InvalidArgument naming the value that is out of range.
  KernelParameters(KernelType type, Vector length_scale, double amplitude);

  [[nodiscard]] bool is_isotropic() const { return length_scale_.size() == 1; }
  [[nodiscard]] double variance() const { return amplitude_ * amplitude_; }
  [[nodiscard]] double length_scale(Index k) const { return length_scale_(is_isotropic() ? 0 : k); }
  [[nodiscard]] Index num_length_scales() const { return length_scale_.size(); }

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] Vector values() const;
  /// Kernel::check_parameters, Kernel::assign_parameters.
  void check_values(const VectorRef& values) const;
  void assign_values(const VectorRef& values);
  /// Kernel::scaled_parameters.
  [[nodiscard]] Vector scaled(double factor) const;
  /// Throws unless points of `dimension` coordinates fit.
  void require_dimension(Index dimension) const;

 private:
  void check(const VectorRef& length_scale, double amplitude) const;
  [[noreturn]] void refuse(Index position, double value) const;

  KernelType type_;
  Vector length_scale_;
  double amplitude_;
};

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

/// @throws InvalidArgument unless x and y have as many coordinates.
void require_same_dimension(const PointsRef& x, const PointsRef& y);

[[nodiscard]] std::unique_ptr<Kernel> make_linear_kernel(Vector length_scale, double amplitude);

/// Kernel::parameter_scales of the stationary kernels and of kLinear.
[[nodiscard]] std::vector<ParameterScale> distance_parameter_scales(const PointsRef& x,
                                                                    const ValueScale& values,
                                                                    bool is_isotropic);
[[nodiscard]] std::vector<ParameterScale> linear_parameter_scales(const PointsRef& x,
                                                                  const ValueScale& values,
                                                                  bool is_isotropic);

}  // namespace pomlux
