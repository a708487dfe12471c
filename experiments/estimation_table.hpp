// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/outcome.hpp>
#include <pomlux/experiments/row_table.hpp>
#include <string>   // texts
#include <utility>  // name and value
#include <vector>   // seeds

namespace pomlux {

/// Average total variation to the truth over the vectors of one seed, by estimator.
using TotalVariations = std::vector<std::pair<std::string, double>>;

/// A header and a row per estimator: its name, the mean over the seeds and its standard error in
/// percent, "11.76 ± 0.14", and, if there is one for any of them, the published value.
/// @param by_seed   the same estimators in the same order, or none, in each.
/// @param published of the resolved configuration.
[[nodiscard]] RowTable estimation_rows(const std::vector<TotalVariations>& by_seed,
                                       const Json& published);
/// The same for people, under "total variation to independence, percent: mean +- standard error
/// over 20 seeds", in ASCII: over the seeds that are done, or, if none is, over all that began.
[[nodiscard]] std::string estimation_table(const Experiment& experiment, const RunOutcome& outcome);

/// summary.csv: one row per seed. Columns: seed, status, reason, vectors, tv_<estimator> ... (the
/// average over the seed's vectors), estimator_seconds, writing_seconds, total_seconds.
[[nodiscard]] std::string estimation_summary(const Experiment& experiment,
                                             const RunOutcome& outcome);

}  // namespace pomlux
