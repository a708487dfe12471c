// SPDX-License-Identifier: MIT
#pragma once
// What the tests of the fit ask of its result.

#include <cmath>
#include <pomlux/gp/gaussian_process.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace pomlux::test {

inline bool is_inside(const GaussianProcess& gp) {
  const std::vector<Hyperparameter> values = gp.hyperparameters();
  const std::vector<FitBound> bounds = gp.fit_bounds();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i].value)) return false;
    if (values[i].name != bounds[i].name) return false;
    if (!(values[i].value >= bounds[i].range.lower)) return false;
    if (!(values[i].value <= bounds[i].range.upper)) return false;
  }
  return true;
}

inline bool is_positive(const GaussianProcess& gp) {
  for (const Hyperparameter& h : gp.hyperparameters()) {
    if (h.name != "mean" && !(h.value > 0.0)) return false;
  }
  return true;
}

inline ParameterRange range_in_force(const GaussianProcess& gp, const std::string& name) {
  for (const FitBound& bound : gp.fit_bounds()) {
    if (bound.name == name) return bound.range;
  }
  throw std::runtime_error("no bound of " + name);
}

}  // namespace pomlux::test
