// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>  // std::size_t

// Private to core: the loops behind triangular.hpp and linalg.hpp, compiled once per
// instruction-set level. Includes nothing that holds inline functions; see normal_kernels.hpp.

namespace pomlux {
enum class Isa : int;
}

namespace pomlux::detail {

/// Every entry of a result is one chain of multiply-adds over the rows p of L in order, so any
/// blocking, and growing row by row, gives the same bits; and so do v3 and v4.
///
/// Strips. `width` right-hand sides b are solved together: a strip [n', width] holds b row by row,
/// n' = n rounded up to `count`, rows from n on 0. `packed` holds L in strips of `count` rows J, J
/// + 1, ...: -L(J + j, p) for each p < J, then the square block on the diagonal with -L below the
/// diagonal and 1 / L(i, i) on it, then L(i, i); rows from n on are those of the identity. `count`
/// divides `width`.
struct TriangularKernels {
  std::size_t width;
  std::size_t count;

  /// L from the lower triangle of a symmetric matrix [n, n], column-major with stride `ld`, packed.
  /// `strip` is room for one. Returns n, or the first row whose pivot is not positive beyond
  /// rounding; `packed` is then of no use.
  std::size_t (*factorise)(
      const double* matrix, std::size_t ld, std::size_t n, double* packed, double* strip);
  /// L [n, n], column-major with stride `ld` and zeros above, to packed and back.
  void (*pack)(const double* lower, std::size_t ld, std::size_t n, double* packed);
  void (*unpack)(const double* packed, std::size_t n, double* lower, std::size_t ld);
  /// A strip b becomes L^-1 b. Its rows before `first`, a multiple of count, are 0 and stay so.
  void (*solve)(const double* packed, std::size_t first, std::size_t n, double* strip);
  /// The same for one right-hand side [n'].
  void (*solve_vector)(const double* packed, std::size_t n, double* b);
  /// For each column i of a strip v of n rows: mean[i] += sum_p whitened[p] v(p, i) over p < t, and
  /// variance[i] -= sum_p v(p, i)^2 over p < n.
  void (*condition)(const double* strip,
                    std::size_t n,
                    const double* whitened,
                    std::size_t t,
                    double* mean,
                    double* variance);
  /// With w = L^-1 b given and alpha = L^-T w [n]: out(i, j) = alpha_i alpha_j - (L L^T)^-1_ij for
  /// i >= j, column-major with stride `ld`; entries above the diagonal are overwritten with
  /// anything. `strip` is room for one, `roots` for n' (n' + count) / 2 numbers.
  void (*likelihood_weights)(const double* packed,
                             std::size_t n,
                             const double* w,
                             double* alpha,
                             double* strip,
                             double* roots,
                             double* out,
                             std::size_t ld);

  /// Whether pivot i of a matrix with this diagonal entry is more than rounding: above four times
  /// the bound of Higham, theorem 10.3, and finite.
  bool (*is_positive)(double pivot, std::size_t i, double diagonal);
  /// b [n] becomes L^-1 b; L column-major with stride `ld`.
  void (*solve_column)(const double* lower, std::size_t ld, std::size_t n, double* b);
  /// start - sum_i x_i^2, in order.
  double (*subtract_squares)(double start, const double* x, std::size_t n);
  /// row[c] -= sum_p weights[p] rows[p ld + c] for c < width, over p < n in order.
  void (*subtract_rows)(const double* rows,
                        std::size_t ld,
                        std::size_t n,
                        const double* weights,
                        double* row,
                        std::size_t width);
  /// mean[i] += whitened row[i] unless mean is null, variance[i] -= row[i]^2, for i < n.
  void (*condition_on_row)(
      const double* row, std::size_t n, double whitened, double* mean, double* variance);
};

extern const TriangularKernels kTriangularKernelsBaseline;
extern const TriangularKernels kTriangularKernelsV3;  ///< x86-64-v3: AVX2 and FMA
extern const TriangularKernels kTriangularKernelsV4;  ///< x86-64-v4: AVX-512

/// The table of a level. @throws InvalidArgument if the level is not available.
[[nodiscard]] const TriangularKernels& triangular_kernels(Isa level);
/// That of the active level.
[[nodiscard]] const TriangularKernels& active_triangular_kernels();

}  // namespace pomlux::detail
