// SPDX-License-Identifier: MIT
#include <pomlux/core/normal.hpp>
#include <pomlux/estimators/independence.hpp>

#include "catch.hpp"
#include "pom_oracle.hpp"

using pomlux::independence;
using pomlux::IndependenceOptions;
using pomlux::Index;
using pomlux::Pom;
using pomlux::Quadrature;
using pomlux::Status;
using pomlux::Vector;
using namespace pomlux::test;

TEST_CASE("IA meets the oracle's relative tolerance in every entry", "[estimators][independence]") {
  for (const PomCase& c : pom_cases()) {
    CAPTURE(c.name);
    const Pom pom = independence(c.mean, c.stddev, {.epsilon = 1e-14});
    CAPTURE(pom.iterations, *pom.numerical_error);
    check_entries(pom.probabilities, to_vector(c.data.at("ia")), c.rtol("ia"));
    const double entropy = to_double(c.data.at("ia_entropy"));
    CHECK_THAT(pom.entropy(), WithinAbs(entropy, 1e-12 * std::max(1.0, entropy) + c.rtol("ia")));
    CHECK(pom.status != Status::kIterationLimit);
  }
}
