// SPDX-License-Identifier: MIT
#include <cmath>    // std::isnan
#include <numeric>  // std::iota
#include <pomlux/core/acquisition.hpp>
#include <pomlux/core/errors.hpp>
#include <vector>  // all candidates

namespace pomlux {

Vector Acquisition::score(const AcquisitionContext& context,
                          std::span<const Index> subset,
                          Rng& rng) const {
  std::vector<Index> all;
  if (subset.empty()) {
    all.resize(static_cast<std::size_t>(context.posterior.size()));
    std::iota(all.begin(), all.end(), Index{0});
    subset = all;
  }
  for (const Index candidate : subset) {
    if (candidate < 0 || candidate >= context.posterior.size()) {
      fail("Acquisition::score",
           "candidate " + std::to_string(candidate) + " is not in 0.." +
               std::to_string(context.posterior.size() - 1));
    }
  }
  Vector scores = do_score(context, subset, rng);
  require_same_size(
      "Acquisition::score", "scores", scores.size(), "subset", static_cast<Index>(subset.size()));
  for (Index i = 0; i < scores.size(); ++i) {
    if (std::isnan(scores(i))) {
      fail(
          "Acquisition::score",
          "the rule gave nan for candidate " + std::to_string(subset[static_cast<std::size_t>(i)]));
    }
  }
  return scores;
}

}  // namespace pomlux
