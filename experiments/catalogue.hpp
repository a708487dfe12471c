// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/spec.hpp>
#include <string>  // texts

namespace pomlux {

/// Everything a configuration can name, with ranges and defaults, as text. `topic` is a key path
/// ("model.kernel") or the last part of one; empty: all. @throws InvalidArgument naming the topics.
[[nodiscard]] std::string catalogue(const std::string& topic = "");

/// JSON Schema (draft 7) of the configuration, for completion and checks in editors. It allows
/// everything the reader allows; what needs more than one key to decide, only the reader checks.
[[nodiscard]] Json configuration_schema();

}  // namespace pomlux
