// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>

namespace pomlux {

/// The first n points of the Sobol sequence in [0, 1)^d, origin included, so that the first 2^m are a digital net, under a digital shift: every
/// coordinate is XORed with one random 64-bit word per dimension, which keeps the net and makes each point uniform.
/// @throws InvalidArgument naming the largest dimension of the tables if d exceeds it.
[[nodiscard]] Points sobol_points(Index n, Index d, Rng& rng);

}  // namespace pomlux
