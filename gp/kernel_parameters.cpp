// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp
#include <cmath>      // std::pow
#include <limits>     // infinity
#include <pomlux/core/errors.hpp>
#include <pomlux/gp/kernel_parameters.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr double kSmallestLengthPerDistance = 0.1;  // shorter ones all mean "no correlation"
constexpr double kSmallestLengthPerExtent = 1e-4;
constexpr double kLargestLengthPerExtent = 1e3;  // longer ones all mean "constant"
constexpr double kTypicalLengthPerDiagonal = 0.4;
constexpr double kAmplitudeReach = 1e3;
constexpr double kSlopeReach = 1e3;

bool is_in_range(double value) {
  return value >= kSmallestHyperparameter && value <= kLargestHyperparameter;
}

ParameterScale make_scale(double lower, double low, double typical, double high, double upper) {
  ParameterScale scale;
  scale.is_identified = true;
  scale.lower = std::clamp(lower, kSmallestHyperparameter, kLargestHyperparameter);
  scale.upper = std::clamp(upper, scale.lower, kLargestHyperparameter);
  scale.low = std::clamp(low, scale.lower, scale.upper);
  scale.high = std::clamp(high, scale.low, scale.upper);
  scale.typical = std::clamp(typical, scale.low, scale.high);
  return scale;
}

ParameterScale amplitude_scale(const ValueScale& values) {
  return make_scale(values.spread / kAmplitudeReach,
                    0.3 * values.spread,
                    values.spread,
                    3.0 * values.magnitude,
                    values.magnitude * kAmplitudeReach);
}

/// `smallest` is the smallest non-zero distance; `spacing` what it would be on a regular grid;
/// `diagonal` the extent of all coordinates together, in units of this one.
ParameterScale length_scale_of(double smallest, double spacing, double extent, double diagonal) {
  if (!(extent > 0.0)) return {};
  return make_scale(
      std::max(kSmallestLengthPerDistance * smallest, kSmallestLengthPerExtent * extent),
      0.5 * spacing,
      kTypicalLengthPerDiagonal * diagonal,
      2.0 * extent,
      kLargestLengthPerExtent * extent);
}

double smallest_nonzero_distance(const PointsRef& x) {
  double smallest = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double distance = (x.row(i) - x.row(j)).norm();
      if (distance > 0.0) smallest = std::min(smallest, distance);
    }
  }
  return smallest;
}

double smallest_nonzero_gap(Vector values) {
  double smallest = std::numeric_limits<double>::infinity();
  std::sort(values.begin(), values.end());
  for (Index i = 1; i < values.size(); ++i) {
    const double gap = values(i) - values(i - 1);
    if (gap > 0.0) smallest = std::min(smallest, gap);
  }
  return smallest;
}

}  // namespace

KernelParameters::KernelParameters(KernelType type, Vector length_scale, double amplitude)
    : type_(type), length_scale_(std::move(length_scale)), amplitude_(amplitude) {
  if (length_scale_.size() < 1) {
    fail("kernel", "length_scale has size 0; it must have size 1 or one entry per dimension");
  }
  check(length_scale_, amplitude_);
}

void KernelParameters::check(const VectorRef& length_scale, double amplitude) const {
  for (Index k = 0; k < length_scale.size(); ++k) {
    if (!is_in_range(length_scale(k))) refuse(k, length_scale(k));
  }
  const bool is_absent = type_ == KernelType::kLinear && amplitude == 0.0;
  if (!is_in_range(amplitude) && !is_absent) refuse(length_scale.size(), amplitude);
}

void KernelParameters::refuse(Index position, double value) const {
  const bool is_amplitude = position == length_scale_.size();
  fail("kernel " + std::string(to_string(type_)),
       names()[static_cast<std::size_t>(position)] + " is " + format_number(value) +
           (is_amplitude ? "; it is a standard deviation and" : "; a length scale") +
           " must lie in [" + format_number(kSmallestHyperparameter) + ", " +
           format_number(kLargestHyperparameter) + "]" +
           (is_amplitude && type_ == KernelType::kLinear ? " or be 0" : ""));
}

std::vector<std::string> KernelParameters::names() const {
  std::vector<std::string> result;
  if (is_isotropic()) {
    result.emplace_back("length_scale");
  } else {
    for (Index k = 0; k < length_scale_.size(); ++k) {
      result.push_back("length_scale_" + format_number(k));
    }
  }
  result.emplace_back("amplitude");
  return result;
}

Vector KernelParameters::values() const {
  Vector result(length_scale_.size() + 1);
  result << length_scale_, amplitude_;
  return result;
}

Vector KernelParameters::scaled(double factor) const {
  Vector result = values();
  if (type_ == KernelType::kLinear) result.head(length_scale_.size()) /= factor;
  result(length_scale_.size()) *= factor;
  return result;
}

void KernelParameters::check_values(const VectorRef& values) const {
  const Index lengths = length_scale_.size();
  require_same_size("Kernel::set_parameters", "values", values.size(), "the kernel", lengths + 1);
  check(values.head(lengths), values(lengths));
}

void KernelParameters::assign_values(const VectorRef& values) {
  length_scale_ = values.head(length_scale_.size());
  amplitude_ = values(length_scale_.size());
}

void KernelParameters::require_dimension(Index dimension) const {
  if (is_isotropic() || dimension == length_scale_.size()) return;
  fail("kernel " + std::string(to_string(type_)),
       "points have " + format_number(dimension) + " coordinates, the kernel has " +
           format_number(length_scale_.size()) + " length scales; they must agree");
}

void require_same_dimension(const PointsRef& x, const PointsRef& y) {
  require_same_size("Kernel::matrix", "a point of x", x.cols(), "a point of y", y.cols());
}

std::vector<ParameterScale> distance_parameter_scales(const PointsRef& x,
                                                      const ValueScale& values,
                                                      bool is_isotropic) {
  const Index d = x.cols();
  std::vector<ParameterScale> result;
  if (x.rows() < 2) {
    result.assign(static_cast<std::size_t>(is_isotropic ? 1 : d), {});
  } else {
    const Point extent = x.colwise().maxCoeff() - x.colwise().minCoeff();
    const double per_axis =
        std::pow(static_cast<double>(x.rows()), -1.0 / static_cast<double>(std::max<Index>(d, 1)));
    if (is_isotropic) {
      const double diagonal = extent.stableNorm();
      result.push_back(length_scale_of(
          smallest_nonzero_distance(x), per_axis * extent.maxCoeff(), diagonal, diagonal));
    } else {
      for (Index k = 0; k < d; ++k) {
        result.push_back(length_scale_of(smallest_nonzero_gap(x.col(k)),
                                         per_axis * extent(k),
                                         extent(k),
                                         std::sqrt(static_cast<double>(d)) * extent(k)));
      }
    }
  }
  result.push_back(amplitude_scale(values));
  return result;
}

std::vector<ParameterScale> linear_parameter_scales(const PointsRef& x,
                                                    const ValueScale& values,
                                                    bool is_isotropic) {
  const Index count = is_isotropic ? 1 : x.cols();
  std::vector<ParameterScale> result;
  for (Index k = 0; k < count; ++k) {
    const double square_sum = is_isotropic ? x.squaredNorm() : x.col(k).squaredNorm();
    const double size = x.rows() < 1 ? 0.0 : std::sqrt(square_sum / static_cast<double>(x.rows()));
    if (!(size > 0.0) || !std::isfinite(size)) {
      result.emplace_back();
      continue;
    }
    const double unit = size / values.spread;  // slope 1 / unit explains the spread
    result.push_back(
        make_scale(unit / kSlopeReach, 0.3 * unit, unit, 3.0 * unit, unit * kSlopeReach));
  }
  result.push_back(amplitude_scale(values));
  return result;
}

}  // namespace pomlux
