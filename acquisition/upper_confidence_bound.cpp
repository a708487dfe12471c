// SPDX-License-Identifier: MIT
#include <cmath>  // std::log
#include <pomlux/acquisition/upper_confidence_bound.hpp>
#include <pomlux/core/errors.hpp>

namespace pomlux {

double gp_ucb_beta(Index n, Index t, double delta) {
  constexpr double log_pi_squared_over_6 = 0.49770030247074534748;
  if (n < 1 || t < 1) {
    fail("gp_ucb_beta",
         "n is " + format_number(n) + ", t is " + format_number(t) + "; both must be >= 1");
  }
  validate(UpperConfidenceBoundOptions{std::nullopt, delta});
  // A sum of logarithms: the product inside one would overflow for tiny delta.
  return 2.0 * (std::log(static_cast<double>(n)) + 2.0 * std::log(static_cast<double>(t)) +
                log_pi_squared_over_6 - std::log(delta));
}

void validate(const UpperConfidenceBoundOptions& options) {
  if (options.beta && !(*options.beta >= 0.0 && std::isfinite(*options.beta))) {
    fail("ucb", "beta is " + format_number(*options.beta) + "; must be >= 0 and finite");
  }
  if (!(options.delta > 0.0 && options.delta < 1.0)) {
    fail("ucb", "delta is " + format_number(options.delta) + "; must be in (0, 1)");
  }
}

UpperConfidenceBound::UpperConfidenceBound(UpperConfidenceBoundOptions options)
    : options_(options) {
  validate(options_);
}

double UpperConfidenceBound::width(const AcquisitionContext& context) const {
  return std::sqrt(options_.beta
                       ? *options_.beta
                       : gp_ucb_beta(context.posterior.size(), context.step, options_.delta));
}

std::optional<ScoreSlope> UpperConfidenceBound::slope(const AcquisitionContext& context,
                                                      double mean,
                                                      double stddev) const {
  const double beta_root = width(context);
  return ScoreSlope{mean + beta_root * stddev, 1.0, beta_root};
}

Vector UpperConfidenceBound::do_score(const AcquisitionContext& context,
                                      std::span<const Index> subset,
                                      Rng& /*rng*/) const {
  const VectorView mean = context.posterior.mean(), stddev = context.posterior.stddev();
  const double beta_root = width(context);
  Vector scores(static_cast<Index>(subset.size()));
  for (Index i = 0; i < scores.size(); ++i) {
    const Index candidate = subset[static_cast<std::size_t>(i)];
    scores(i) = mean(candidate) + beta_root * stddev(candidate);
  }
  return scores;
}

}  // namespace pomlux
