// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/registry.hpp>

namespace pomlux {

// Objectives that other people bring along: a program of theirs, a table of its answers, or
// themselves.
[[nodiscard]] ObjectivePlugin command_plugin();
[[nodiscard]] ObjectivePlugin table_plugin();
[[nodiscard]] ObjectivePlugin manual_plugin();
/// The points of a table.
[[nodiscard]] DomainPlugin table_domain_plugin();

/// A domain of type table that names no file has that of an objective of type table.
void complete_table_domain(Json& config);

}  // namespace pomlux
