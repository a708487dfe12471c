// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp
#include <cmath>      // std::log
#include <map>        // tied parameters
#include <pomlux/core/rng.hpp>
#include <pomlux/gp/fit_space.hpp>

namespace pomlux {
namespace {

// Noise relative to the observations' standard deviation. The floor keeps the covariance of smooth
// kernels factorisable without jitter; the rest is where starts are looked for.
constexpr double kNoiseFloor = 1e-4;
constexpr double kNoiseLow = 1e-2;
constexpr double kNoiseTypical = 0.05;
constexpr double kNoiseHigh = 1.0;
constexpr double kNoiseReach = 1e2;
constexpr double kNoisePriorWidth = 1.5;

/// Bounds reach this many standard deviations of a given prior from its median.
constexpr double kPriorReach = 5.0;

/// Values that differ by less than this, relative to the largest, differ by rounding.
constexpr double kRoundingSpread = 1e-13;

double rounding_of(const VectorRef& y) {
  return std::max(kRoundingSpread * y.cwiseAbs().maxCoeff(), kSmallestHyperparameter);
}

/// Root mean square of y - centre, without overflow.
double root_mean_square(const VectorRef& y, double centre) {
  const Vector residual = y.array() - centre;
  const double largest = residual.cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) return 0.0;
  return largest * std::sqrt((residual / largest).squaredNorm() / static_cast<double>(y.size()));
}

}  // namespace

double average_of(const VectorRef& y) { return (y / static_cast<double>(y.size())).sum(); }

double spread_of(const VectorRef& y) {
  const double spread = root_mean_square(y, average_of(y));
  return spread <= rounding_of(y) ? 0.0 : spread;
}

namespace {

std::optional<ValueScale> value_scale(const VectorRef& y, double mean, bool is_mean_free) {
  if (y.size() == 0) return std::nullopt;
  double spread = spread_of(y);
  double magnitude = is_mean_free ? spread : std::max(spread, root_mean_square(y, mean));
  if (magnitude <= rounding_of(y)) return std::nullopt;
  if (spread == 0.0) spread = magnitude;
  return ValueScale{spread, magnitude};
}

ParameterScale noise_scale(const ValueScale& values, const VectorRef& own_noise) {
  ParameterScale scale;
  scale.is_identified = own_noise.hasNaN();  // some observation has the model's noise
  scale.lower = kNoiseFloor * values.spread;
  scale.low = kNoiseLow * values.spread;
  scale.typical = kNoiseTypical * values.spread;
  scale.high = kNoiseHigh * values.spread;
  scale.upper = kNoiseReach * values.magnitude;
  return scale;
}

/// "length_scale" of "term_0.length_scale_1".
std::string kind_of(const std::string& parameter) {
  std::string result = parameter.substr(parameter.rfind('.') + 1);
  if (result.starts_with("length_scale")) result = "length_scale";
  return result;
}

/// "term_0." of "term_0.length_scale_1": parameters that share it belong to one kernel.
std::string term_of(const std::string& parameter) {
  return parameter.substr(0, parameter.rfind('.') + 1);
}

ParameterRole role_of(const std::string& parameter) {
  const std::string kind = kind_of(parameter);
  if (kind == "length_scale") return ParameterRole::kLengthScale;
  return kind == "amplitude" ? ParameterRole::kAmplitude : ParameterRole::kNoise;
}

const ParameterRange& range_of(const FitOptions& options, ParameterRole role) {
  if (role == ParameterRole::kLengthScale) return options.length_scale;
  return role == ParameterRole::kAmplitude ? options.amplitude : options.noise_stddev;
}

/// The data's scale, widened around a prior and with the user's ends where they are given.
ParameterScale within(ParameterScale scale,
                      const ParameterRange& range,
                      const std::optional<LogNormalPrior>& prior) {
  if (prior) {
    const double reach = std::exp(kPriorReach * prior->log_stddev);
    scale.lower = std::min(scale.lower, prior->median / reach);
    scale.upper = std::max(scale.upper, prior->median * reach);
  }
  if (range.lower > 0.0) scale.lower = range.lower;
  if (range.upper < kInfinity) scale.upper = range.upper;
  const double lower = std::clamp(scale.lower, kSmallestHyperparameter, kLargestHyperparameter);
  const double upper = std::clamp(scale.upper, lower, kLargestHyperparameter);
  for (double* value : {&scale.lower, &scale.low, &scale.typical, &scale.high, &scale.upper}) {
    *value = std::clamp(*value, lower, upper);
  }
  return scale;
}

/// The user's.
const std::optional<LogNormalPrior>& given_prior(const FitOptions& options, ParameterRole role) {
  if (role == ParameterRole::kLengthScale) return options.length_scale_prior;
  return role == ParameterRole::kAmplitude ? options.amplitude_prior : options.noise_stddev_prior;
}

std::optional<LogNormalPrior> prior_of(const FitOptions& options,
                                       ParameterRole role,
                                       const ParameterScale& scale) {
  const std::optional<LogNormalPrior>& own = given_prior(options, role);
  if (own || options.default_priors == DefaultPriors::kNone) return own;
  return LogNormalPrior{scale.typical, role == ParameterRole::kNoise ? kNoisePriorWidth : 1.0};
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

/// One coordinate of the search for parameters that are tied; `scales` belong to them.
FreeParameter tie(std::vector<Index> positions,
                  const std::vector<ParameterScale>& scales,
                  const ModelParameters& start) {
  FreeParameter result;
  result.positions = std::move(positions);
  ModelParameters copy = start;
  double mean_log = 0.0;
  for (const Index position : result.positions) mean_log += std::log(entry(copy, position));
  mean_log /= static_cast<double>(result.positions.size());
  double typical_log = 0.0;
  Index identified = 0;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const double ratio = std::exp(std::log(entry(copy, result.positions[i])) - mean_log);
    result.ratios.push_back(ratio);
    const ParameterScale& scale = scales[i];
    if (!scale.is_identified) continue;
    const auto join = [&](double joined, double own, bool is_smaller) {
      if (identified == 0) return own / ratio;
      return is_smaller ? std::min(joined, own / ratio) : std::max(joined, own / ratio);
    };
    ParameterScale& all = result.scale;
    all.lower = join(all.lower, scale.lower, true);
    all.low = join(all.low, scale.low, true);
    all.high = join(all.high, scale.high, false);
    all.upper = join(all.upper, scale.upper, false);
    typical_log += std::log(scale.typical / ratio);
    ++identified;
  }
  result.scale.is_identified = identified > 0;
  result.scale.typical =
      std::exp(typical_log / static_cast<double>(std::max<Index>(identified, 1)));
  return result;
}

/// Positions that move together, each group in the order of its first.
std::vector<std::vector<Index>> free_groups(const std::vector<std::string>& names,
                                            const ModelParameters& start,
                                            const FitOptions& options) {
  std::vector<std::vector<Index>> result;
  std::map<std::string, std::size_t> tied;  // by term
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Index position = static_cast<Index>(i);
    // An amplitude of 0 says that the linear kernel has no offset: a choice, not a value to fit.
    // Without bounds, a noise of 0 has nowhere to start from.
    const bool is_kernel = position < start.kernel.size();
    const bool is_absent = is_kernel
                               ? start.kernel(position) == 0.0
                               : options.method == FitMethod::kAdam && !(start.noise_stddev > 0.0);
    if (!is_free(options, names[i]) || is_absent) continue;
    if (options.ties_length_scales && role_of(names[i]) == ParameterRole::kLengthScale) {
      const auto [found, is_first] = tied.try_emplace(term_of(names[i]), result.size());
      if (!is_first) {
        result[found->second].push_back(position);
        continue;
      }
    }
    result.push_back({position});
  }
  return result;
}

std::vector<std::string> names_of(const Kernel& kernel) {
  std::vector<std::string> names = kernel.parameter_names();
  names.emplace_back("noise_stddev");
  return names;
}

FitSpace unbounded_space(const Kernel& kernel,
                         const ModelParameters& start,
                         const FitOptions& options) {
  FitSpace space;
  space.is_mean_free = space.is_mean_searched = is_free(options, "mean");
  ParameterScale anything;
  anything.is_identified = true;
  anything.high = anything.upper = kInfinity;
  const std::vector<std::string> names = names_of(kernel);
  for (std::vector<Index>& positions : free_groups(names, start, options)) {
    const std::vector<ParameterScale> scales(positions.size(), anything);
    const ParameterRole role = role_of(names[static_cast<std::size_t>(positions.front())]);
    space.free.push_back(tie(std::move(positions), scales, start));
    space.free.back().role = role;
  }
  return space;
}

}  // namespace

bool is_named(const std::string& parameter, const std::string& name) {
  return parameter == name || kind_of(parameter) == name;
}

Bounds FitSpace::bounds() const {
  const Index size = static_cast<Index>(free.size());
  Bounds result{Vector(size), Vector(size)};
  for (Index i = 0; i < size; ++i) {
    result.lower(i) = std::log(free[static_cast<std::size_t>(i)].scale.lower);
    result.upper(i) = std::log(free[static_cast<std::size_t>(i)].scale.upper);
  }
  return result;
}

double FitSpace::add_log_prior(const Vector& point, Vector& gradient) const {
  double sum = 0.0;
  for (Index i = 0; i < std::ssize(free); ++i) {
    const std::optional<LogNormalPrior>& prior = free[static_cast<std::size_t>(i)].prior;
    if (!prior) continue;
    const double z = (point(i) - std::log(prior->median)) / prior->log_stddev;
    sum -= 0.5 * z * z;
    gradient(i) -= z / prior->log_stddev;
  }
  return sum;
}

FitSpace make_fit_space(const FitData& data,
                        const Kernel& kernel,
                        const ModelParameters& start,
                        const FitOptions& options) {
  if (options.method == FitMethod::kAdam) return unbounded_space(kernel, start, options);
  FitSpace space;
  space.is_mean_free = is_free(options, "mean");
  space.values = value_scale(data.y, start.mean, space.is_mean_free);
  // Of values that are all equal the likelihood says nothing about scales; a given prior does.
  const bool is_prior_needed = !space.values;
  const bool has_prior =
      options.length_scale_prior || options.amplitude_prior || options.noise_stddev_prior;
  if (is_prior_needed && data.y.size() > 0 && has_prior) space.values = ValueScale{};
  if (!space.values) return space;
  const std::vector<std::string> names = names_of(kernel);
  std::vector<ParameterScale> scales = kernel.parameter_scales(data.x, *space.values);
  scales.push_back(noise_scale(*space.values, data.own_noise));
  for (std::vector<Index>& positions : free_groups(names, start, options)) {
    std::vector<ParameterScale> own;
    for (const Index position : positions)
      own.push_back(scales[static_cast<std::size_t>(position)]);
    const ParameterRole role = role_of(names[static_cast<std::size_t>(positions.front())]);
    FreeParameter one;
    if (positions.size() == 1) {
      one.positions = std::move(positions);
      one.ratios = {1.0};
      one.scale = own.front();
    } else {
      one = tie(std::move(positions), own, start);
    }
    if (!one.scale.is_identified) continue;
    if (is_prior_needed && !given_prior(options, role)) continue;
    one.role = role;
    one.scale = within(one.scale, range_of(options, role), given_prior(options, role));
    one.prior = prior_of(options, role, one.scale);
    space.free.push_back(std::move(one));
  }
  return space;
}

Vector to_search(const FitSpace& space, const ModelParameters& parameters) {
  ModelParameters copy = parameters;
  Vector point(space.size());
  for (Index i = 0; i < std::ssize(space.free); ++i) {
    const std::vector<Index>& positions = space.free[static_cast<std::size_t>(i)].positions;
    double sum = 0.0;
    for (const Index position : positions) sum += std::log(entry(copy, position));
    point(i) = sum / static_cast<double>(positions.size());
  }
  if (space.is_mean_searched) point(space.size() - 1) = parameters.mean;
  return point;
}

void from_search(const FitSpace& space, const Vector& point, ModelParameters& parameters) {
  if (space.is_mean_searched) parameters.mean = point(space.size() - 1);
  for (Index i = 0; i < std::ssize(space.free); ++i) {
    const FreeParameter& one = space.free[static_cast<std::size_t>(i)];
    // exp(log(bound)) may be a rounding outside the bound.
    const double value = std::clamp(std::exp(point(i)), one.scale.lower, one.scale.upper);
    for (std::size_t j = 0; j < one.positions.size(); ++j) {
      entry(parameters, one.positions[j]) = one.ratios[j] * value;
    }
  }
}

std::vector<Vector> derived_starts(const FitSpace& space) {
  const Index size = static_cast<Index>(space.free.size());
  Vector middle(size), detailed(size);
  for (Index i = 0; i < size; ++i) {
    const FreeParameter& one = space.free[static_cast<std::size_t>(i)];
    middle(i) = 0.5 * (std::log(one.scale.low) + std::log(one.scale.high));
    const bool is_amplitude = one.role == ParameterRole::kAmplitude;
    detailed(i) = is_amplitude ? middle(i) : std::log(one.scale.low);
  }
  return {middle, detailed};
}

std::optional<Vector> prior_start(const FitSpace& space) {
  Vector point = derived_starts(space).front();
  bool has_prior = false;
  for (Index i = 0; i < point.size(); ++i) {
    const FreeParameter& one = space.free[static_cast<std::size_t>(i)];
    if (!one.prior) continue;
    has_prior = true;
    point(i) = std::log(std::clamp(one.prior->median, one.scale.lower, one.scale.upper));
  }
  if (!has_prior) return std::nullopt;
  return point;
}

Vector random_start(const FitSpace& space, std::uint64_t key, std::uint64_t i) {
  Rng rng = make_stream(key, "fit_restart", i);
  Vector point(static_cast<Index>(space.free.size()));
  for (Index k = 0; k < point.size(); ++k) {
    const ParameterScale& scale = space.free[static_cast<std::size_t>(k)].scale;
    const double low = std::log(scale.low);
    point(k) = low + draw_uniform(rng) * (std::log(scale.high) - low);
  }
  return point;
}

}  // namespace pomlux
