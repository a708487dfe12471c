// SPDX-License-Identifier: MIT
#pragma once

#include <boost/random/mersenne_twister.hpp>  // engine: the same bits on every platform
#include <cstdint>                            // std::uint64_t
#include <pomlux/core/types.hpp>
#include <span>         // normals in bulk
#include <string_view>  // purposes
#include <vector>       // index lists

namespace pomlux {

template <typename Scalar>
class PackedColumns;

/// Every random number comes from one of these, passed by its user, or from fill_normals. No
/// function keeps one.
using Rng = boost::random::mt19937_64;

/// Independent stream for (seed, purpose, index), e.g. (7, "objective_noise", step). A pure
/// function of its arguments: work keyed by item instead of by thread gives the same bits on any
/// number of threads. Seed 0 is ordinary.
[[nodiscard]] Rng make_stream(std::uint64_t seed,
                              std::string_view purpose,
                              std::uint64_t index = 0);

/// Uniform on [0, 1), 53 random bits.
[[nodiscard]] double draw_uniform(Rng& rng);
/// Uniform on {0, ..., n - 1}. @throws InvalidArgument if n < 1.
[[nodiscard]] Index draw_index(Rng& rng, Index n);
/// N(0, 1), by Boost's distribution.
[[nodiscard]] double draw_normal(Rng& rng);
/// [n] independent N(0, 1); equals n calls of draw_normal.
[[nodiscard]] Vector draw_normals(Rng& rng, Index n);

/// The first out.size() numbers, independent N(0, 1), of the stream (seed, purpose, index), which
/// shares nothing with make_stream's. A pure function of its arguments: no state, and entry k does
/// not depend on how many are asked for. Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel
/// random numbers: as easy as 1, 2, 3", SC 2011) of the counter (k / 4, index), then Box and Muller
/// in double precision with a radius of 40 bits and an angle of 24 bits.
///
/// The integers are the same on every instruction-set level (isa.hpp); the normals are so but for
/// last bits at the baseline. Given the integers, the relative error is kFillNormalsRelativeError.
/// Nothing lies beyond kLargestNormal, where N(0, 1) has a probability below 5e-14.
void fill_normals(std::uint64_t seed,
                  std::string_view purpose,
                  std::uint64_t index,
                  std::span<double> out);
/// Column j becomes the beginning of the stream (seed, purpose, first + j), rounded to the scalar
/// type, float or double.
template <typename Scalar>
void fill_normals(std::uint64_t seed,
                  std::string_view purpose,
                  std::uint64_t first,
                  PackedColumns<Scalar>& columns);
inline constexpr double kFillNormalsRelativeError = 1e-15;
/// sqrt(2 log 2^41), rounded upwards.
inline constexpr double kLargestNormal = 7.5391027;

/// [k] distinct indices of {0, ..., n - 1} in random order (partial Fisher-Yates): O(k) time and
/// memory. @throws InvalidArgument if k < 0 or k > n.
[[nodiscard]] std::vector<Index> draw_without_replacement(Rng& rng, Index n, Index k);

}  // namespace pomlux
