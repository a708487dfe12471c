// SPDX-License-Identifier: MIT
#pragma once

#include <memory>  // kernels
#include <pomlux/core/domain.hpp>
#include <pomlux/experiments/spec.hpp>
#include <pomlux/gp/kernel.hpp>

namespace pomlux {

/// Largest number of steps, points or iterations that can be asked for.
inline constexpr double kLargestCount = 1e9;

/// Options that several plug-ins share.
[[nodiscard]] Field memory_limit_field();
[[nodiscard]] Field noise_field(double fallback, std::string doc);
[[nodiscard]] Field seed_field();
/// The direction of an objective.
[[nodiscard]] Field sense_field(Sense fallback);

/// Extents of the domain in units of their geometric mean, [d]: 1 for a dimension without extent,
/// and for all if the largest is less than twice the smallest.
[[nodiscard]] Vector relative_extents(const Domain& domain);

/// From a resolved kernel section. Length scales given as one number are that number times `scales`
/// [d]; one for all dimensions if `ard` is not set and all scales are 1.
[[nodiscard]] std::unique_ptr<Kernel> make_kernel(const Json& section, const Vector& scales);

}  // namespace pomlux
