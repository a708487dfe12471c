// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <array>      // digit buffers
#include <charconv>   // digits without locale
#include <cmath>      // logarithms
#include <pomlux/experiments/svg_text.hpp>
#include <pomlux/experiments/svg_ticks.hpp>
#include <utility>  // std::swap

namespace pomlux::figures {
namespace {

/// Widest range drawn; beyond it differences of ends would overflow.
constexpr double kLargest = 1e300;
/// Values below it are as good as 0: steps between them would underflow.
constexpr double kSmallest = 1e-290;
/// Narrowest range relative to its ends; below it ticks would no longer be distinct doubles.
constexpr double kSmallestRelativeRange = 1e-12;

/// Makes two ends a drawable range.
void widen(double& low, double& high) {
  if (!std::isfinite(low) || !std::isfinite(high)) {
    low = 0.0;
    high = 1.0;
  }
  low = std::clamp(low, -kLargest, kLargest);
  high = std::clamp(high, -kLargest, kLargest);
  if (low > high) std::swap(low, high);
  const double magnitude = std::max(std::abs(low), std::abs(high));
  if (high - low > std::max(kSmallestRelativeRange * magnitude, kSmallest)) return;
  const double margin = magnitude > kSmallest ? 0.1 * magnitude : 1.0;
  low -= margin;
  high += margin;
}

/// The smallest of 1, 2, 2.5, 5 times a power of ten that is >= `least`.
double nice_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= least * (1.0 - 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

/// Decimals that tell multiples of `step` apart.
int decimals_of(double step) {
  int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  const double scaled = step * std::pow(10.0, decimals);
  if (std::abs(scaled - std::round(scaled)) > 1e-6) ++decimals;  // 2.5 times a power of ten
  return decimals;
}

std::string fixed(double value, int decimals) {
  std::array<char, 400> buffer{};
  const auto result = std::to_chars(buffer.data(),
                                    buffer.data() + buffer.size(),
                                    value == 0.0 ? 0.0 : value,
                                    std::chars_format::fixed,
                                    decimals);
  return {buffer.data(), result.ptr};
}

std::string tick_label(double value, double step, double largest) {
  if (largest < 1e6 && step >= 1e-5) return fixed(value, decimals_of(step));
  const double digits = std::floor(std::log10(largest)) - std::floor(std::log10(step)) + 2.0;
  return short_number(value, std::clamp(static_cast<int>(digits), 1, 17));
}

Tick power_tick(int exponent) {
  if (exponent == 0) return {1.0, "1", ""};
  // A minus sign as wide as a digit.
  const std::string sign = exponent < 0 ? "\u2212" : "";
  return {std::pow(10.0, exponent), "10", sign + std::to_string(std::abs(exponent))};
}

}  // namespace

double ScaledAxis::position(double value) const {
  if (scale == Scale::kLinear) return (value - low) / (high - low);
  if (!(value > 0.0)) return 0.0;
  // Differences of logarithms: the ratio of the ends may overflow.
  return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
}

ScaledAxis linear_axis(double low, double high, int target, bool is_count) {
  widen(low, high);
  ScaledAxis axis{Scale::kLinear, low, high, {}};
  double step = nice_step((high - low) / std::max(1, target));
  if (is_count) step = step == 2.5 ? 5.0 : std::max(step, 1.0);
  const double largest = std::max(std::abs(low), std::abs(high));
  const double first = std::ceil(low / step - 1e-9);
  const double last = std::floor(high / step + 1e-9);
  for (double multiple = first; multiple <= last; multiple += 1.0) {
    const double value = multiple * step;
    axis.ticks.push_back({value, tick_label(value, step, largest), ""});
  }
  return axis;
}

ScaledAxis log_axis(double low, double high, int target) {
  if (!(high > kSmallest)) high = 1.0;
  high = std::min(high, kLargest);
  if (!(low > 0.0)) low = high / 1e3;
  low = std::clamp(low, kSmallest, kLargest);
  if (low > high) std::swap(low, high);
  if (high / low < 1.5) {
    low /= 2.0;
    high *= 2.0;
  }
  ScaledAxis axis{Scale::kLog, low, high, {}};
  const auto first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const auto last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const double decades = std::log10(high) - std::log10(low);
  const int stride =
      std::max(1, static_cast<int>(std::ceil(decades / static_cast<double>(std::max(1, target)))));
  const bool labels_minor = decades < 2.0;
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int factor = 1; factor <= 9; ++factor) {
      const double value = factor * std::pow(10.0, exponent);
      if (value < low * (1.0 - 1e-9) || value > high * (1.0 + 1e-9)) continue;
      if (labels_minor && (factor == 1 || factor == 2 || factor == 5)) {
        axis.ticks.push_back({value, short_number(value, 2), ""});
      } else if (factor == 1 && exponent % stride == 0) {
        axis.ticks.push_back(power_tick(exponent));
      } else if (decades < 6.0 || (factor == 1 && decades < 40.0)) {
        axis.ticks.push_back({value, "", ""});
      }
    }
  }
  return axis;
}

}  // namespace pomlux::figures
