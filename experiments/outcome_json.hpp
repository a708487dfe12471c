// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/json.hpp>
#include <pomlux/experiments/outcome.hpp>
#include <vector>  // bounds

namespace pomlux {

/// {name: [lower, upper], ...}; infinite ones as text, which JSON has no number for.
[[nodiscard]] Json to_json(const std::vector<FitBound>& bounds);

/// Everything of an outcome, and back, bit for bit.
[[nodiscard]] Json to_json(const SeedOutcome& outcome);
/// @throws Json::exception for what to_json does not write.
[[nodiscard]] SeedOutcome to_outcome(const Json& json);

/// What an outcome gathers while the seed is under way: seconds, jitter and bounds of fits.
[[nodiscard]] Json gathered_json(const SeedOutcome& outcome);
void restore_gathered(const Json& json, SeedOutcome& outcome);

}  // namespace pomlux
