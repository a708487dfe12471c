// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/figures.hpp>
#include <pomlux/experiments/mean_curve.hpp>
#include <pomlux/experiments/report_data.hpp>
#include <string>  // captions
#include <vector>  // figures

namespace pomlux {

/// A figure of the report and the sentence under it.
struct CaptionedFigure {
  figures::Figure figure;
  std::string caption;
};

/// What came out at the end of each seed, by estimator; the points that close the entropy curves.
struct FinalEntropies {
  std::vector<std::string> estimators;
  std::vector<std::vector<double>> by_seed;  ///< [seed][estimator], NaN where unknown
  double candidates = 0.0;                   ///< n of the domain, 0 if unknown
};

/// Seeds that means are taken over: the complete ones, or all with rows if none is complete.
[[nodiscard]] std::vector<const SeedResult*> averaged_seeds(const RunResult& run);

/// Simple regret, or the best observed value where no optimum is known.
[[nodiscard]] CaptionedFigure progress_figure(const RunResult& run);
/// Entropy of the PoM by estimator against log n. No panels if nothing was tracked.
[[nodiscard]] CaptionedFigure entropy_figure(const RunResult& run, const FinalEntropies& final);
/// Length scales, amplitude, noise. No panels if there was no model.
[[nodiscard]] CaptionedFigure hyperparameter_figure(const RunResult& run);
/// Seconds per part. No panels if the manifest has none.
[[nodiscard]] CaptionedFigure time_figure(const RunResult& run);

}  // namespace pomlux
