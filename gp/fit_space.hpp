// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: which hyper-parameters a fit moves, within which bounds, from where.

#include <optional>
#include <pomlux/core/minimize.hpp>
#include <pomlux/gp/fit.hpp>

namespace pomlux {

enum class ParameterRole { kLengthScale, kAmplitude, kNoise };

/// One coordinate of the search: the log of a hyper-parameter, or of the geometric mean of several
/// that keep their ratios.
struct FreeParameter {
  ParameterRole role = ParameterRole::kLengthScale;
  std::vector<Index> positions;  ///< in (kernel parameters, noise)
  std::vector<double> ratios;    ///< of each to the geometric mean; 1 if there is one
  ParameterScale scale;          ///< within the user's range
  std::optional<LogNormalPrior> prior;
};

/// The space a fit searches: logs of the free kernel parameters and of the noise, and the mean as
/// the last coordinate unless it is maximised in closed form.
struct FitSpace {
  std::vector<FreeParameter> free;
  bool is_mean_free = false;
  bool is_mean_searched = false;  ///< free, and a coordinate
  /// Of the observations; none if they are all equal up to rounding (or there are none): then the
  /// likelihood has no maximum in the scales, which all keep their values. None without bounds.
  std::optional<ValueScale> values;

  [[nodiscard]] Index size() const { return std::ssize(free) + (is_mean_searched ? 1 : 0); }
  [[nodiscard]] Bounds bounds() const;
  /// Log density of the priors at a point of the search, without constants; adds its gradient.
  double add_log_prior(const Vector& point, Vector& gradient) const;
};

/// Average and standard deviation of n >= 1 values, without overflow; the spread of values that
/// differ by rounding alone is 0.
[[nodiscard]] double average_of(const VectorRef& y);
[[nodiscard]] double spread_of(const VectorRef& y);

/// FitMethod::kAdam: the mean is searched, nothing is bounded.
[[nodiscard]] FitSpace make_fit_space(const FitData& data,
                                      const Kernel& kernel,
                                      const ModelParameters& start,
                                      const FitOptions& options);

/// "length_scale_1" and "term_0.length_scale" are both named by "length_scale", as by themselves.
[[nodiscard]] bool is_named(const std::string& parameter, const std::string& name);

/// Coordinates of the free parameters, not yet clipped (-inf for a noise of 0), and back: into the
/// free ones of `parameters`.
[[nodiscard]] Vector to_search(const FitSpace& space, const ModelParameters& parameters);
void from_search(const FitSpace& space, const Vector& point, ModelParameters& parameters);

/// Starts derived from the data's scale: the middle of all scales, and short length scales with
/// little noise.
[[nodiscard]] std::vector<Vector> derived_starts(const FitSpace& space);
/// The medians of the priors, the middle of the scale where there is none; nothing without priors.
[[nodiscard]] std::optional<Vector> prior_start(const FitSpace& space);
/// The i-th further start, log-uniform within [low, high]; a function of (key, i) alone.
[[nodiscard]] Vector random_start(const FitSpace& space, std::uint64_t key, std::uint64_t i);

}  // namespace pomlux
