// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/estimators/f_lite.hpp>

namespace pomlux {

/// Derivatives of F-LITE at one belief, without ever forming a Jacobian unless asked. With h_x =
/// phi((mean_x - kappa) / stddev_x) / stddev_x and H = sum h,
///
///   d q_x / d mean_z   = h_x (1{x = z} - h_z / H),
///   d q_x / d stddev_z = d q_x / d mean_z  (kappa - mean_z) / stddev_z,
///   d kappa / d mean_z = h_z / H,   d kappa / d stddev_z = h_z / H  (kappa - mean_z) / stddev_z.
///
/// Differences that nearly cancel, where one arm has almost all of H, are formed from the other
/// arms. Source: Menet et al., LITE, AISTATS 2025, proposition "gradients of F-LITE".
class FLiteDerivative {
 public:
  /// Derivatives with respect to both inputs, [n] each.
  struct Gradient {
    Vector mean;
    Vector stddev;
  };

  /// Solves F-LITE. O(n) time and memory. @throws InvalidArgument as f_lite, and if a stddev is
  /// below 1e-290: q is not differentiable at a jump.
  FLiteDerivative(const VectorRef& mean, const VectorRef& stddev, const FLiteOptions& options = {});

  [[nodiscard]] const Pom& pom() const { return pom_; }
  /// h, [n].
  [[nodiscard]] const Vector& sensitivity() const { return h_; }

  /// Jacobian-vector product: the change of q along (mean_direction, stddev_direction), [n]. O(n).
  [[nodiscard]] Vector jvp(const VectorRef& mean_direction,
                           const VectorRef& stddev_direction) const;
  /// Vector-Jacobian product: the gradient of sum_x weights_x q_x. O(n).
  [[nodiscard]] Gradient vjp(const VectorRef& weights) const;
  /// Gradient of the entropy - sum q log q. O(n).
  [[nodiscard]] Gradient entropy_gradient() const;
  /// Gradient of kappa. O(n). For n = 1 kappa is -inf and the gradient 0.
  [[nodiscard]] Gradient kappa_gradient() const;

  /// d q_x / d mean_z in row x, column z. @throws MemoryLimitExceeded beyond `memory_limit` bytes.
  [[nodiscard]] Matrix jacobian_mean(double memory_limit = kDefaultMemoryLimit) const;
  [[nodiscard]] Matrix jacobian_stddev(double memory_limit = kDefaultMemoryLimit) const;

 private:
  [[nodiscard]] Gradient with_stddev(Vector mean_part) const;

  Pom pom_;
  Vector h_;
  Vector slope_;         // (kappa - mean_z) / stddev_z
  double total_ = 0.0;   // H
  double others_ = 0.0;  // H without the largest h
  Index largest_ = 0;    // the arm of the largest h
};

}  // namespace pomlux
