// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/estimators/a_lite.hpp>
#include <pomlux/estimators/marginals.hpp>

namespace pomlux {

/// Entries before normalisation, with m, s, status, passes and numerical error, by Newton's method.
[[nodiscard]] ALiteResult newton_a_lite(const VectorRef& mean,
                                        const VectorRef& stddev,
                                        const MarginalSummary& summary,
                                        double epsilon,
                                        ALiteVariant variant,
                                        int max_passes);

/// The same by the nested bisection as printed (Algorithms 3 to 7). Needs stddev > 0.
[[nodiscard]] ALiteResult bisect_a_lite(const VectorRef& mean,
                                        const VectorRef& stddev,
                                        const MarginalSummary& summary,
                                        double epsilon,
                                        ALiteVariant variant,
                                        int max_depth);

}  // namespace pomlux
