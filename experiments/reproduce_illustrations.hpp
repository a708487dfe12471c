// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>  // seeds
#include <pomlux/experiments/report_curves.hpp>
#include <pomlux/experiments/reproduce_recipes.hpp>
#include <string>  // names
#include <vector>  // figures

namespace pomlux {

struct IllustrationOptions {
  /// Joint samples, and with kSmoke arms of fig-samples: kPaper takes the paper's numbers, kQuick
  /// fewer for fig-samples and for the truths of fig-setups.
  Fidelity fidelity = Fidelity::kQuick;
  std::uint64_t seed = 0;  ///< of the sampled functions, their noise and the estimates
};

/// Names of the paper's figures that are computed here from formulas and single posteriors, without
/// results of an experiment: fig-maxima, fig-phi, fig-alite, fig-samples, fig-independence-bias,
/// fig-setups.
[[nodiscard]] const std::vector<std::string>& illustration_names();

/// The figures of one of them; the same options give the same bits on any number of threads.
/// Cost: closed forms, seconds for fig-independence-bias and fig-setups; fig-samples factorises a
/// covariance of 2500 arms and draws 1.6e6 (kQuick, four minutes on two cores) or 1.6e8 (kPaper)
/// samples of 1.3e7 flop. @throws InvalidArgument for another name.
[[nodiscard]] std::vector<CaptionedFigure> illustrations(const std::string& name,
                                                         const IllustrationOptions& options = {});

// The parts, for illustrations().

/// Densities of the maximum of n independent N(0, 1), n = 1 ... 1e50; its mean and standard
/// deviation.
[[nodiscard]] CaptionedFigure maxima_figure();
/// Phi and its inverse beside their asymptotes.
[[nodiscard]] CaptionedFigure normal_asymptotes_figure();
/// A-LITE's quotients of normal distribution functions, and the distribution of a maximum with and
/// without an arm.
[[nodiscard]] CaptionedFigure a_lite_figure();
/// TS-MC of one posterior over the unit square with more and more samples.
[[nodiscard]] CaptionedFigure sample_number_figure(const IllustrationOptions& options);
/// TS-MC and the independence assumption for one function and more and more observations.
[[nodiscard]] CaptionedFigure independence_bias_figure(const IllustrationOptions& options);
/// A posterior in the course of the 1-dim, DropWave and 2-dim runs, and what estimators make of it.
[[nodiscard]] std::vector<CaptionedFigure> setup_figures(const IllustrationOptions& options);

}  // namespace pomlux
