// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // what is not known
#include <pomlux/core/objective.hpp>
#include <pomlux/experiments/registry.hpp>

namespace pomlux {

/// What is known of an objective without its noise: values of the candidates, and regret. The
/// optimum is the best candidate of a finite domain; over a box that of a test function whose
/// optimiser lies in it.
class SeedTruth {
 public:
  SeedTruth(const Json& config, const Objective& objective, const Domain& domain)
      : objective_(objective),
        sign_(sign_of(to_sense(config.at("objective")))),
        box_(box_of(config.at("domain"))) {
    if (!box_) {
      look_at(domain);
      if (values_) optimum_ = (sign_ * *values_).maxCoeff();
    } else if (const auto best = known_optimum(config.at("objective"), *box_)) {
      optimum_ = sign_ * *best;
    }
  }

  [[nodiscard]] bool has_optimum() const { return optimum_.has_value(); }
  /// Of the domain looked at last.
  [[nodiscard]] const std::optional<Vector>& values() const { return values_; }
  void look_at(const Domain& domain) { values_ = objective_.true_values(domain.points()); }
  [[nodiscard]] std::optional<double> regret(Index candidate, const PointRef& point) const {
    if (!optimum_) return std::nullopt;
    if (!box_) return *optimum_ - sign_ * (*values_)(candidate);
    const std::optional<Vector> value = objective_.true_values(point);
    if (!value) return std::nullopt;
    return *optimum_ - sign_ * (*value)(0);
  }

 private:
  const Objective& objective_;
  double sign_;
  std::optional<Box> box_;
  std::optional<Vector> values_;
  std::optional<double> optimum_;  // in the direction of maximisation
};

}  // namespace pomlux
