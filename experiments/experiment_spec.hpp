// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/spec.hpp>

namespace pomlux {

/// Version of the configuration format that this program reads and writes.
inline constexpr int kConfigSchema = 1;

/// Everything a configuration may hold.
[[nodiscard]] const Section& experiment_section();

}  // namespace pomlux
