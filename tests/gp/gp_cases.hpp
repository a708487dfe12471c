// SPDX-License-Identifier: MIT
#pragma once
// Kernels, data and small helpers shared by the tests of gp.

#include <memory>
#include <oracle.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <string>
#include <vector>

namespace pomlux::test {

inline const std::vector<KernelType> kAllKernels = {KernelType::kSquaredExponential,
                                                    KernelType::kMatern12,
                                                    KernelType::kMatern32,
                                                    KernelType::kMatern52,
                                                    KernelType::kExponentialL1,
                                                    KernelType::kLinear};

inline KernelType kernel_from_oracle(const std::string& name) {
  if (name == "se") return KernelType::kSquaredExponential;
  if (name == "exp_l1") return KernelType::kExponentialL1;
  for (const KernelType type : kAllKernels) {
    if (to_string(type) == name) return type;
  }
  throw std::runtime_error("unknown kernel " + name);
}

inline std::unique_ptr<Kernel> make_isotropic(KernelType type, double length, double amplitude) {
  return make_kernel(type, Vector::Constant(1, length), amplitude);
}

/// n points uniform in [-1, 1]^d.
inline Points random_points(Index n, Index d, Rng& rng) {
  Points result(n, d);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) result(i, k) = 2.0 * draw_uniform(rng) - 1.0;
  }
  return result;
}

/// One coordinate per point.
inline Points line(const std::vector<double>& x) {
  Points result(static_cast<Index>(x.size()), 1);
  for (Index i = 0; i < result.rows(); ++i) result(i, 0) = x[static_cast<std::size_t>(i)];
  return result;
}

inline Vector column(const std::vector<double>& y) {
  return Eigen::Map<const Vector>(y.data(), static_cast<Index>(y.size()));
}

/// A one-dimensional model with prior mean 0.
inline GaussianProcess make_gp(KernelType type,
                               double length,
                               double noise,
                               double amplitude = 1.0) {
  return {1, make_isotropic(type, length, amplitude), {.noise_stddev = noise}};
}

inline void add_all(GaussianProcess& gp, const Points& x, const Vector& y) {
  for (Index i = 0; i < x.rows(); ++i) gp.add(x.row(i), y(i));
}

inline double hyperparameter(const GaussianProcess& gp, const std::string& name) {
  for (const Hyperparameter& h : gp.hyperparameters()) {
    if (h.name == name) return h.value;
  }
  throw std::runtime_error("no hyper-parameter " + name);
}

/// What an InvalidArgument thrown by `call` says; empty if there was none.
template <typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

inline bool mentions(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (text.find(word) == std::string::npos) return false;
  }
  return true;
}

/// Exactly equal, for tests of determinism.
template <typename A, typename B>
bool same_bits(const A& a, const B& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a.array() == b.array()).all();
}

}  // namespace pomlux::test
