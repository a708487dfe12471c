// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>   // seeds
#include <optional>  // ends of colour bars
#include <pomlux/experiments/figures.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <string>  // titles
#include <vector>  // values

/// What illustrations that are single posteriors of sampled functions are made of.
namespace pomlux::illustration {

/// i / count on every axis, i = 0 ... count - 1.
[[nodiscard]] Domain unit_grid(Index dimension, Index count);

/// Prior mean 0, nothing fitted.
[[nodiscard]] GaussianProcess isotropic_model(
    Index dimension, KernelType type, double length_scale, double amplitude, double noise);

/// A function drawn from a model without observations, [n]: O(n³).
[[nodiscard]] Vector sampled_function(const GaussianProcess& prior,
                                      const Domain& domain,
                                      std::uint64_t seed);

/// What was seen of a function where.
struct SeenValues {
  std::vector<Index> candidates;
  std::vector<double> values;
};

[[nodiscard]] std::vector<double> numbers_of(const VectorRef& values, double factor = 1.0);

/// A belief over one axis, the function behind it and what was seen of it.
[[nodiscard]] figures::Panel belief_on_line(const std::string& title,
                                            const Domain& domain,
                                            const Vector& truth,
                                            const GaussianVector& belief,
                                            const SeenValues& seen);
/// Values of the candidates of a grid of two axes; colours from `low` to `high` where given.
[[nodiscard]] figures::Panel map_on_square(const std::string& title,
                                           const Domain& domain,
                                           const Vector& values,
                                           std::optional<double> low = {},
                                           std::optional<double> high = {});
void mark_seen(figures::Panel& panel, const Domain& domain, const SeenValues& seen);

[[nodiscard]] figures::Figure panels_of_size(const std::string& name,
                                             const std::string& description,
                                             int columns,
                                             double height);

}  // namespace pomlux::illustration
