// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>   // std::max
#include <cmath>       // std::abs
#include <functional>  // estimators under test
#include <string>      // names
#include <vector>      // cases

#include "catch.hpp"
#include "oracle.hpp"

namespace pomlux::test {

/// One case of tests/oracles/pom_independent.json.
struct PomCase {
  std::string name;
  Vector mean;
  Vector stddev;
  nlohmann::json data;

  [[nodiscard]] Index size() const { return mean.size(); }
  [[nodiscard]] bool has_certain_arm() const { return stddev.minCoeff() == 0.0; }
  /// Relative tolerance of every entry, NaN if the README says not to compare entries.
  [[nodiscard]] double rtol(const std::string& estimator) const {
    return to_double(data.at("rtol").at(estimator));
  }
  /// Tolerance of kappa, nu, kappa~, m and s.
  [[nodiscard]] double location_tolerance(double value) const {
    return 1e-12 * std::max({std::abs(value), stddev.maxCoeff(), mean.cwiseAbs().maxCoeff()});
  }
};

inline const std::vector<PomCase>& pom_cases() {
  static const std::vector<PomCase> cases = [] {
    std::vector<PomCase> result;
    for (const nlohmann::json& entry : load_oracle("pom_independent.json")) {
      result.push_back({entry.at("name").get<std::string>(),
                        to_vector(entry.at("mu")),
                        to_vector(entry.at("sigma")),
                        entry});
    }
    return result;
  }();
  return cases;
}

/// Every entry within `rtol` in relative terms, or below the smallest normal double.
inline void check_entries(const Vector& actual, const Vector& expected, double rtol) {
  REQUIRE(actual.size() == expected.size());
  for (Index i = 0; i < actual.size(); ++i) {
    CAPTURE(i, actual(i), expected(i), rtol);
    CHECK(std::abs(actual(i) - expected(i)) <= rtol * expected(i) + 1e-307);
  }
}

}  // namespace pomlux::test
