// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: checks of GaussianProcess's arguments.

#include <pomlux/gp/gaussian_process.hpp>
#include <string>
#include <string_view>

namespace pomlux {

/// Throws unless `value` lies in [lower, kLargestHyperparameter].
void require_in_range(std::string_view where, std::string_view name, double value, double lower);

/// "length_scale, amplitude, mean, noise_stddev" for messages.
[[nodiscard]] std::string join_names(const Kernel& kernel);

/// Throws if options.parameters names what neither the kernel nor the model has.
void require_known_parameters(const FitOptions& options, const Kernel& kernel);

}  // namespace pomlux
