// SPDX-License-Identifier: MIT
// The integral of local_hazard over levels: panels, and pieces of the axis with a series each.
#include <catch.hpp>
#include <pomlux/estimators/local_hazard_panels.hpp>
#include <vector>

#include "hazard_cases.hpp"

namespace {

using namespace pomlux;
using namespace pomlux::test;

HazardArms arms_of(const GaussianVector& f, Index neighbours) {
  HazardArms result = every_arm(f);
  find_neighbours(f, {.most = neighbours}, result);
  return result;
}

/// Normalised.
Vector solve(const HazardArms& arms, bool propagates, const HazardPanelOptions& options) {
  const HazardSolution solution = integrate_hazard(
      arms, arms.mean, std::vector<bool>(arms.arms.size(), propagates), -kInfinity, options);
  return solution.probabilities / solution.mass;
}

TEST_CASE("Eight levels of a piece tell what neighbours do to an arm",
          "[estimators][local_hazard]") {
  struct Case {
    const char* name;
    Matrix prior;
    Index observations;
  };
  const std::vector<Case> cases{
      {"chain", kernel_matrix(line(300), squared_exponential(1.5)), 60},
      {"smooth chain", kernel_matrix(line(300), squared_exponential(8.0)), 8},
      {"rough grid", kernel_matrix(square(20), exponential_l1(2.0)), 60},
      {"smooth grid", kernel_matrix(square(20), squared_exponential(3.0)), 20}};
  for (const Case& c : cases) {
    const HazardArms arms = arms_of(draw_posterior(c.prior, c.observations, 0.1, 31), 16);
    for (const bool propagates : {false, true}) {
      CAPTURE(c.name, propagates);
      // Short panels, and a piece for each.
      const Vector fine = solve(arms, propagates, {.width = 1.0, .piece_width = 1.0, .drop = 2.0});
      const Vector usual = solve(arms, propagates, {});
      CHECK(total_variation(usual, fine) < 1e-4);
    }
  }
}

}  // namespace
