// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/registry.hpp>
#include <vector>  // rows

namespace pomlux {

/// One row for every test function of objectives/test_function.hpp.
[[nodiscard]] std::vector<ObjectivePlugin> test_function_plugins();

}  // namespace pomlux
