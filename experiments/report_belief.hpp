// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // panels that make no sense
#include <pomlux/experiments/report_curves.hpp>
#include <pomlux/experiments/report_posterior.hpp>

namespace pomlux {

/// Mean, standard deviation, truth and PoM of one seed: curves over one varying coordinate, maps
/// over two, and PoM by rank over more. No panels for a single candidate.
[[nodiscard]] CaptionedFigure posterior_figure(const RunResult& run,
                                               const SeedResult& seed,
                                               const PosteriorData& data);

/// PoM by rank and its running sum, one line per estimator: for candidates that no plane holds. No
/// panels without estimators.
[[nodiscard]] CaptionedFigure rank_figure(const RunResult& run, const PosteriorData& data);

/// The PoM of one seed as a small panel, where it can be drawn over one or two coordinates.
[[nodiscard]] std::optional<figures::Panel> pom_panel(const RunResult& run,
                                                      const SeedResult& seed,
                                                      const PosteriorData& data);

}  // namespace pomlux
