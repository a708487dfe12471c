// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/config_reader.hpp>
#include <pomlux/experiments/spec.hpp>
#include <pomlux/objectives/synthetic.hpp>

namespace pomlux {

/// `type: estimation` of a configuration: estimators compared on random Gaussian vectors.
[[nodiscard]] Variant estimation_variant();

/// What the table of fields cannot say of such a configuration, whose `track` has been checked:
/// sizes in ascending order, ranges, a truth and something to compare with it, published values of
/// tracked estimators alone.
void check_estimation(const Json& config, ConfigReader& reader);

/// From the section `vectors` of a resolved configuration.
[[nodiscard]] SyntheticRanges to_synthetic_ranges(const Json& vectors);

}  // namespace pomlux
