// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>  // std::size_t
#include <cstdint>  // words

// Private to core: the loops behind fill_normals, compiled once per instruction-set level. Includes
// nothing that holds inline functions; see normal_kernels.hpp.

namespace pomlux {
enum class Isa : int;
}

namespace pomlux::detail {

/// Counters that are hashed at once.
inline constexpr std::size_t kRandomBatch = 48;

/// Normals 0, ..., n - 1 of `width` streams side by side: out[k width + j] is normal k of stream
/// first + j.
template <typename Scalar>
using NormalsFunction =
    void (*)(std::uint64_t key, std::uint64_t first, Scalar* out, std::size_t n);

struct RandomKernels {
  /// words[w kRandomBatch + i] = word w of Philox4x32-10 of the counter (block[i], stream[i]), low
  /// halves first.
  void (*philox)(std::uint64_t key,
                 const std::uint64_t* block,
                 const std::uint64_t* stream,
                 std::uint64_t* words);
  /// The normals of words 0 and 1 of each counter and those of words 2 and 3, in the same order.
  void (*normals)(const std::uint64_t* words, double* normals);
  NormalsFunction<double> column;        ///< width 1
  NormalsFunction<float> strip_float32;  ///< width `count` of the dense kernels of the level
  NormalsFunction<double> strip_float64;
};

extern const RandomKernels kRandomKernelsBaseline;
extern const RandomKernels kRandomKernelsV3;  ///< x86-64-v3: AVX2 and FMA
extern const RandomKernels kRandomKernelsV4;  ///< x86-64-v4: AVX-512

/// The table of a level. @throws InvalidArgument if the level is not available.
[[nodiscard]] const RandomKernels& random_kernels(Isa level);

}  // namespace pomlux::detail
