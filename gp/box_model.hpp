// SPDX-License-Identifier: MIT
#pragma once

#include <memory>  // the model
#include <pomlux/gp/gaussian_process.hpp>

namespace pomlux {

/// The model of docs/boxes.md, a default for an Optimizer over a Box whose function is hardly
/// noisy: matern52 with a length scale per dimension plus an additive squared exponential, so that
/// sums of functions of one coordinate are recognised; values standardised, priors from the data,
/// noise from 1e-4 of the spread of the values; fits of at most kBoxFitIterations iterations per
/// start, each from where the last one ended.
/// @param dimension Box::model_dimension(), >= 1.
[[nodiscard]] std::unique_ptr<GaussianProcess> make_box_model(Index dimension);

inline constexpr int kBoxFitIterations = 5;

}  // namespace pomlux
