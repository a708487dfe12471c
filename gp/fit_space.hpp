// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: which hyper-parameters a fit moves, within which bounds, from where.

#include <optional>
#include <pomlux/core/minimize.hpp>
#include <pomlux/gp/fit.hpp>

namespace pomlux {

enum class ParameterRole { kLengthScale, kNoise, kOther };

/// The space a fit searches: logs of the free kernel parameters and of the noise. The mean is not
/// in it: it is maximised in closed form.
struct FitSpace {
  std::vector<Index> free;            ///< positions in (kernel parameters, noise)
  std::vector<ParameterScale> scale;  ///< of the free ones, within the user's ranges
  std::vector<ParameterRole> role;    ///< of the free ones
  bool is_mean_free = false;
  /// Of the observations; none if they are all equal up to rounding (or there are none): then the
  /// likelihood has no maximum in the scales, which all keep their values.
  std::optional<ValueScale> values;

  [[nodiscard]] Bounds bounds() const;
};

[[nodiscard]] FitSpace make_fit_space(const FitData& data,
                                      const Kernel& kernel,
                                      const ModelParameters& start,
                                      const FitOptions& options);

/// "length_scale_1" and "length_scale" are both named by "length_scale".
[[nodiscard]] bool is_named(const std::string& parameter, const std::string& name);

/// Logs of the free parameters, not yet clipped (-inf for a noise of 0), and back.
[[nodiscard]] Vector to_search(const FitSpace& space, const ModelParameters& parameters);
[[nodiscard]] ModelParameters from_search(const FitSpace& space,
                                          ModelParameters parameters,
                                          const Vector& point);

/// Starts derived from the data's scale: the middle of all scales, and short length scales with
/// little noise.
[[nodiscard]] std::vector<Vector> derived_starts(const FitSpace& space);
/// The i-th further start, log-uniform within [low, high]; a function of (key, i) alone.
[[nodiscard]] Vector random_start(const FitSpace& space, std::uint64_t key, std::uint64_t i);

}  // namespace pomlux
