// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp
#include <cmath>      // std::log
#include <pomlux/core/rng.hpp>
#include <pomlux/gp/fit_space.hpp>

namespace pomlux {
namespace {

// Noise relative to the observations' standard deviation. The floor keeps the covariance of smooth
// kernels factorisable without jitter; the rest is where starts are looked for.
constexpr double kNoiseFloor = 1e-4;
constexpr double kNoiseLow = 1e-2;
constexpr double kNoiseHigh = 1.0;
constexpr double kNoiseReach = 1e2;

/// Values that differ by less than this, relative to the largest, differ by rounding.
constexpr double kRoundingSpread = 1e-13;

/// Root mean square of y - centre, without overflow.
double root_mean_square(const VectorRef& y, double centre) {
  const Vector residual = y.array() - centre;
  const double largest = residual.cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) return 0.0;
  return largest * std::sqrt((residual / largest).squaredNorm() / static_cast<double>(y.size()));
}

std::optional<ValueScale> value_scale(const VectorRef& y, double mean, bool is_mean_free) {
  if (y.size() == 0) return std::nullopt;
  const double average = (y / static_cast<double>(y.size())).sum();
  const double rounding =
      std::max(kRoundingSpread * y.cwiseAbs().maxCoeff(), kSmallestHyperparameter);
  double spread = root_mean_square(y, average);
  if (spread <= rounding) spread = 0.0;
  double magnitude = is_mean_free ? spread : std::max(spread, root_mean_square(y, mean));
  if (magnitude <= rounding) return std::nullopt;
  if (spread == 0.0) spread = magnitude;
  return ValueScale{spread, magnitude};
}

ParameterScale noise_scale(const ValueScale& values, const VectorRef& own_noise) {
  ParameterScale scale;
  scale.is_identified = own_noise.hasNaN();  // some observation has the model's noise
  scale.lower = kNoiseFloor * values.spread;
  scale.low = kNoiseLow * values.spread;
  scale.high = kNoiseHigh * values.spread;
  scale.upper = kNoiseReach * values.magnitude;
  return scale;
}

const ParameterRange& range_of(const FitOptions& options, const std::string& parameter) {
  if (is_named(parameter, "length_scale")) return options.length_scale;
  return parameter == "amplitude" ? options.amplitude : options.noise_stddev;
}

/// The data's scale moved into the user's range, which always holds.
ParameterScale within(ParameterScale scale, const ParameterRange& range) {
  const double lower = std::max(range.lower, kSmallestHyperparameter);
  const double upper = std::min(range.upper, kLargestHyperparameter);
  for (double* value : {&scale.lower, &scale.low, &scale.high, &scale.upper}) {
    *value = std::clamp(*value, lower, upper);
  }
  return scale;
}

bool is_free(const FitOptions& options, const std::string& parameter) {
  return std::any_of(options.parameters.begin(),
                     options.parameters.end(),
                     [&](const std::string& name) { return is_named(parameter, name); });
}

double& entry(ModelParameters& parameters, Index position) {
  return position < parameters.kernel.size() ? parameters.kernel(position)
                                             : parameters.noise_stddev;
}

}  // namespace

bool is_named(const std::string& parameter, const std::string& name) {
  return parameter == name || (name == "length_scale" && parameter.starts_with("length_scale_"));
}

Bounds FitSpace::bounds() const {
  const Index size = static_cast<Index>(free.size());
  Bounds result{Vector(size), Vector(size)};
  for (Index i = 0; i < size; ++i) {
    result.lower(i) = std::log(scale[static_cast<std::size_t>(i)].lower);
    result.upper(i) = std::log(scale[static_cast<std::size_t>(i)].upper);
  }
  return result;
}

FitSpace make_fit_space(const FitData& data,
                        const Kernel& kernel,
                        const ModelParameters& start,
                        const FitOptions& options) {
  FitSpace space;
  space.is_mean_free = is_free(options, "mean");
  space.values = value_scale(data.y, start.mean, space.is_mean_free);
  if (!space.values) return space;
  std::vector<std::string> names = kernel.parameter_names();
  names.emplace_back("noise_stddev");
  std::vector<ParameterScale> scales = kernel.parameter_scales(data.x, *space.values);
  scales.push_back(noise_scale(*space.values, data.own_noise));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Index position = static_cast<Index>(i);
    // An amplitude of 0 says that the linear kernel has no offset: a choice, not a value to fit.
    const bool is_absent = position < start.kernel.size() && start.kernel(position) == 0.0;
    if (!is_free(options, names[i]) || !scales[i].is_identified || is_absent) continue;
    space.free.push_back(position);
    space.scale.push_back(within(scales[i], range_of(options, names[i])));
    space.role.push_back(position == start.kernel.size()      ? ParameterRole::kNoise
                         : is_named(names[i], "length_scale") ? ParameterRole::kLengthScale
                                                              : ParameterRole::kOther);
  }
  return space;
}

Vector to_search(const FitSpace& space, const ModelParameters& parameters) {
  ModelParameters copy = parameters;
  Vector point(static_cast<Index>(space.free.size()));
  for (Index i = 0; i < point.size(); ++i) {
    point(i) = std::log(entry(copy, space.free[static_cast<std::size_t>(i)]));
  }
  return point;
}

ModelParameters from_search(const FitSpace& space,
                            ModelParameters parameters,
                            const Vector& point) {
  for (Index i = 0; i < point.size(); ++i) {
    // exp(log(bound)) may be a rounding outside the bound.
    const ParameterScale& scale = space.scale[static_cast<std::size_t>(i)];
    entry(parameters, space.free[static_cast<std::size_t>(i)]) =
        std::clamp(std::exp(point(i)), scale.lower, scale.upper);
  }
  return parameters;
}

std::vector<Vector> derived_starts(const FitSpace& space) {
  const Index size = static_cast<Index>(space.free.size());
  Vector middle(size), detailed(size);
  for (Index i = 0; i < size; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    const ParameterScale& scale = space.scale[k];
    middle(i) = 0.5 * (std::log(scale.low) + std::log(scale.high));
    detailed(i) = space.role[k] == ParameterRole::kOther ? middle(i) : std::log(scale.low);
  }
  return {middle, detailed};
}

Vector random_start(const FitSpace& space, std::uint64_t key, std::uint64_t i) {
  Rng rng = make_stream(key, "fit_restart", i);
  Vector point(static_cast<Index>(space.free.size()));
  for (Index k = 0; k < point.size(); ++k) {
    const ParameterScale& scale = space.scale[static_cast<std::size_t>(k)];
    const double low = std::log(scale.low);
    point(k) = low + draw_uniform(rng) * (std::log(scale.high) - low);
  }
  return point;
}

}  // namespace pomlux
