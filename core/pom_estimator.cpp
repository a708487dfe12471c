// SPDX-License-Identifier: MIT
#include <cmath>   // std::abs
#include <limits>  // machine precision
#include <pomlux/core/parallel.hpp>
#include <pomlux/core/pom_estimator.hpp>
#include <stdexcept>  // std::logic_error
#include <string>     // messages

namespace pomlux {
namespace {

constexpr Index kMassChunk = 1 << 14;

/// The contract of every estimator; a violation is our own bug, hence not an InvalidArgument.
void require_distribution(const Vector& p, Index n) {
  const auto fail_internal = [](const std::string& what) {
    throw std::logic_error("PomEstimator: internal error: " + what);
  };
  if (p.size() != n) {
    fail_internal(format_number(p.size()) + " probabilities for " + format_number(n) + " arms");
  }
  const double* const values = p.data();
  const double sum = parallel_sum(n, kMassChunk, [values](Index begin, Index end) {
    double partial = 0.0;
    bool is_valid = true;
    for (Index i = begin; i < end; ++i) {
      is_valid = is_valid && values[i] >= 0.0;
      partial += values[i];
    }
    return is_valid ? partial : std::numeric_limits<double>::quiet_NaN();
  });
  const double tolerance = 4.0 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  if (!(std::abs(sum - 1.0) <= tolerance)) {
    fail_internal("the probabilities sum to " + format_number(sum) +
                  " (nan: an entry is negative "
                  "or NaN)");
  }
}

}  // namespace

Pom PomEstimator::estimate(const GaussianVector& f, Rng& rng) const {
  require_marginals("PomEstimator::estimate", f.mean(), f.stddev());
  Pom result = do_estimate(f, rng);
  require_distribution(result.probabilities, f.size());
  return result;
}

}  // namespace pomlux
