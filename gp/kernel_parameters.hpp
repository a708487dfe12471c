// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: what all kernels of kernel.cpp share.

#include <pomlux/gp/kernel.hpp>

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

/// Kernel::parameter_scales of the stationary kernels and of kLinear.
[[nodiscard]] std::vector<ParameterScale> distance_parameter_scales(const PointsRef& x,
                                                                    const ValueScale& values,
                                                                    bool is_isotropic);
[[nodiscard]] std::vector<ParameterScale> linear_parameter_scales(const PointsRef& x,
                                                                  const ValueScale& values,
                                                                  bool is_isotropic);

}  // namespace pomlux
