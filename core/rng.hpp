// SPDX-License-Identifier: MIT
#pragma once

#include <boost/random/mersenne_twister.hpp>  // engine: the same bits on every platform
#include <cstdint>                            // std::uint64_t
#include <pomlux/core/types.hpp>
#include <string_view>  // purposes
#include <vector>       // index lists

namespace pomlux {

/// Every random number comes from one of these, passed by its user. No function keeps one.
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
/// [k] distinct indices of {0, ..., n - 1} in random order (partial Fisher-Yates): O(k) time and
/// memory. @throws InvalidArgument if k < 0 or k > n.
[[nodiscard]] std::vector<Index> draw_without_replacement(Rng& rng, Index n, Index k);

}  // namespace pomlux
