// SPDX-License-Identifier: MIT
#include <cmath>  // std::sqrt
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/box_model.hpp>
#include <utility>  // std::move

namespace pomlux {

std::unique_ptr<GaussianProcess> make_box_model(Index dimension) {
  if (dimension < 1) {
    fail("make_box_model", "dimension is " + format_number(dimension) + "; must be >= 1");
  }
  // Where the first fit starts, besides the medians of its priors.
  constexpr double kLengthScale = 0.4;
  constexpr double kNoise = 1e-3;
  const double diagonal = std::sqrt(static_cast<double>(dimension));
  std::vector<std::unique_ptr<Kernel>> terms;
  terms.push_back(make_kernel(
      KernelType::kMatern52, Vector::Constant(dimension, kLengthScale * diagonal), 1.0));
  terms.push_back(make_additive_kernel(
      KernelType::kSquaredExponential, Vector::Constant(dimension, kLengthScale), 1.0));
  GaussianProcessOptions options;
  options.standardizes = true;
  options.noise_stddev = kNoise;
  options.fit.default_priors = DefaultPriors::kFromData;
  options.fit.max_iterations = kBoxFitIterations;
  return std::make_unique<GaussianProcess>(
      dimension, make_sum_kernel(std::move(terms)), std::move(options));
}

}  // namespace pomlux
