// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/types.hpp>

namespace pomlux {

/// [n], not initialised. Large ones ask the system for huge pages: touching 80 MB for the first
/// time in small pages may take longer than the estimate that fills them.
[[nodiscard]] Vector make_large_vector(Index n);

}  // namespace pomlux
