// SPDX-License-Identifier: MIT
#pragma once

#include <memory>  // kernels
#include <pomlux/experiments/spec.hpp>
#include <pomlux/gp/kernel.hpp>

namespace pomlux {

/// Largest number of steps, points or iterations that can be asked for.
inline constexpr double kLargestCount = 1e9;

/// Options that several plug-ins share.
[[nodiscard]] Field memory_limit_field();
[[nodiscard]] Field noise_field(double fallback, std::string doc);
[[nodiscard]] Field seed_field();

/// From a resolved kernel section; one length scale per dimension if `ard` is set.
[[nodiscard]] std::unique_ptr<Kernel> make_kernel(const Json& section, Index dimension);

}  // namespace pomlux
