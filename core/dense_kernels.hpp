// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>  // std::size_t

// Private to core: the loops behind dense.hpp, compiled once per instruction-set level. Includes
// nothing that holds inline functions; see normal_kernels.hpp.

namespace pomlux {
enum class Isa : int;
}

namespace pomlux::detail {

/// One strip of a product: out[j ld + i] = sum_k a[k width + i] b[k count + j] for i < width,
/// j < count; overwrites `out` if `is_first`, otherwise adds to it. Every sum runs over k in order.
template <typename Scalar>
using StripFunction = void (*)(const Scalar* a,
                               const Scalar* b,
                               std::size_t depth,
                               Scalar* out,
                               std::size_t ld,
                               bool is_first);

template <typename Scalar>
struct StripKernel {
  std::size_t width;  ///< rows of `a` in a strip
  std::size_t count;  ///< columns of `b` in a strip
  StripFunction<Scalar> multiply;
  /// out[j] = sum_k b[k count + j]^2 for j < count, k < depth.
  void (*squares)(const Scalar* b, std::size_t depth, double* out);
};

/// Contenders of dense.hpp.
struct Contest {
  double threshold;
  std::size_t count;
  std::size_t last;
};

struct DenseKernels {
  StripKernel<float> float32;
  StripKernel<double> float64;
  Contest (*contest)(const double* shift,
                     const float* product,
                     const double* rounding,
                     double scale,
                     std::size_t n);
};

extern const DenseKernels kDenseKernelsBaseline;
extern const DenseKernels kDenseKernelsV3;  ///< x86-64-v3: AVX2 and FMA
extern const DenseKernels kDenseKernelsV4;  ///< x86-64-v4: AVX-512

/// The table of a level. @throws InvalidArgument if the level is not available.
[[nodiscard]] const DenseKernels& dense_kernels(Isa level);

}  // namespace pomlux::detail
