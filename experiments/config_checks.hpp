// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/config_reader.hpp>

namespace pomlux {

/// What the table of fields cannot say: sizes that must agree, what a domain, an objective and an
/// acquisition make impossible together. Reports to `reader`; parts that already have faults are
/// left out. Builds the domain of the first seed; keeps it in `experiment` if it holds for all.
void check_experiment(Experiment& experiment, ConfigReader& reader, ObjectiveUse use);

}  // namespace pomlux
