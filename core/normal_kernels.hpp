// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>  // std::size_t

// Private to core: the loops behind normal.hpp, compiled once per instruction-set level. This
// header and normal_kernels.inc include nothing that holds inline functions, as a copy of such a
// function made for one level could be linked into the others.

namespace pomlux {
enum class Isa : int;
}

namespace pomlux::detail {

/// out[i] = f(x[i]) for i < n. `out` may be `x`; otherwise they must not overlap. A result depends
/// on its argument alone, not on n or the position.
using ArrayFunction = void (*)(const double* x, double* out, std::size_t n);
/// The same with two results of each argument.
using ArrayFunction2 = void (*)(const double* x, double* out, double* out_2, std::size_t n);

struct KernelSums {
  double value;
  double slope;
};
/// Over n arms with c = ((mean - base) - offset) / stddev: the sums of f(c) and of f'(c) / stddev,
/// in an order that depends on n alone. Writes out[i] = f(c_i) unless `out` is null.
using ArmSumFunction = KernelSums (*)(const double* mean,
                                      const double* stddev,
                                      double base,
                                      double offset,
                                      double* out,
                                      std::size_t n);

/// The sum of -p log p over n values p >= 0, with 0 log 0 = 0, in an order that depends on n alone.
/// NaN if a value is negative, infinite or NaN.
using EntropyFunction = double (*)(const double* p, std::size_t n);

struct NormalKernels {
  ArrayFunction pdf;
  ArrayFunction log_pdf;
  ArrayFunction cdf;
  ArrayFunction log_cdf;
  ArrayFunction reverse_hazard;
  ArrayFunction quantile;
  ArrayFunction2 cdf_and_pdf;
  ArrayFunction vapor;
  ArrayFunction vapor_complement;
  ArrayFunction log_vapor;
  ArrayFunction2 vapor_and_slope;
  ArrayFunction exponential;
  ArmSumFunction cdf_sums;
  ArmSumFunction vapor_sums;
  EntropyFunction entropy_sum;
};

extern const NormalKernels kNormalKernelsBaseline;
extern const NormalKernels kNormalKernelsV3;  ///< x86-64-v3: AVX2 and FMA
extern const NormalKernels kNormalKernelsV4;  ///< x86-64-v4: AVX-512

/// The table of a level. @throws InvalidArgument if the level is not available.
[[nodiscard]] const NormalKernels& normal_kernels(Isa level);

}  // namespace pomlux::detail
