// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>
#include <string_view>  // names in messages

namespace pomlux {

/// @throws InvalidArgument naming the objective unless noise_stddev is finite and >= 0.
void require_noise_stddev(std::string_view objective, double noise_stddev);

/// values + noise_stddev N(0, I). Draws nothing if noise_stddev is 0.
[[nodiscard]] Vector with_noise(Vector values, double noise_stddev, Rng& rng);

}  // namespace pomlux
