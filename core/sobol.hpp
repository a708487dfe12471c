// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>

namespace pomlux {

/// Dimensions of Boost's tables of direction numbers.
inline constexpr Index kMaxSobolDimension = 3667;

/// The first n points of the Sobol sequence in [0, 1)^d, [n, d], origin included, so that the first
/// 2^m are a digital net, under a digital shift: every coordinate is XORed with one random 64-bit
/// word per dimension, which keeps the net and makes each point uniform. Takes d words from `rng`.
/// @throws InvalidArgument if n < 0 or d is not in 1..kMaxSobolDimension.
/// Source: Joe and Kuo, SIAM J. Sci. Comput. 30, 2008 (direction numbers).
[[nodiscard]] Points sobol_points(Index n, Index d, Rng& rng);

}  // namespace pomlux
