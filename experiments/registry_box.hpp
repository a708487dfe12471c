// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/registry.hpp>

namespace pomlux {

/// The domain of type box. What it makes are candidates of the box before anything is known: they
/// stand for its names and dimension where no search is under way.
[[nodiscard]] DomainPlugin box_plugin();

}  // namespace pomlux
