// SPDX-License-Identifier: MIT
#pragma once
// Private to the checks of configurations: those of a domain, and what all share.

#include <functional>  // guarded checks
#include <optional>    // a domain with faults
#include <pomlux/core/domain.hpp>
#include <pomlux/experiments/config_reader.hpp>
#include <string>  // keys

namespace pomlux {

/// "path[index]" and a number as text.
[[nodiscard]] std::string entry(const std::string& path, std::size_t index);
[[nodiscard]] std::string count(std::size_t n);

/// Runs `check`; what it throws becomes a fault at `path`.
bool guarded(ConfigReader& reader, const std::string& path, const std::function<void()>& check);

/// The domain of the first seed, or nothing if it has faults. Fills in the objective's own box.
[[nodiscard]] std::optional<Domain> check_domain(Json& config, ConfigReader& reader);

}  // namespace pomlux
