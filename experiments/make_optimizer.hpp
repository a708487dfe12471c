// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>  // seeds
#include <pomlux/core/domain.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/experiments/json.hpp>

namespace pomlux {

/// Evaluations that the budget of a resolved configuration allows.
[[nodiscard]] Index budget_of(const Json& config);

/// The optimiser that a resolved configuration describes, over the candidates of this seed.
[[nodiscard]] Optimizer make_optimizer(const Json& config,
                                       const Domain& domain,
                                       std::uint64_t seed);

}  // namespace pomlux
