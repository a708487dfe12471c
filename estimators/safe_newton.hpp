// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>  // std::max
#include <bit>        // order of doubles
#include <cmath>      // std::abs
#include <cstdint>    // order of doubles
#include <limits>     // machine precision

namespace pomlux {

/// Newton's method for the root of a decreasing function, one evaluation at a time and never
/// endless: a step that leaves the bracket, or is not half as long as the one before the last, is
/// replaced by a halving of the bracket, by turns in value and in the order of the doubles, so that
/// a root many decades nearer to zero than the bracket is found in a hundred steps.
class SafeNewton {
 public:
  SafeNewton(double lower, double upper)
      : lower_(lower), upper_(upper), before_last_(2.0 * (upper - lower)), last_(before_last_) {}

  /// The next point after x with f(x) = value (infinite at will) and f'(x) = slope (anything); x
  /// itself when doubles allow no better one.
  [[nodiscard]] double next(double x, double value, double slope) {
    (value > 0.0 ? lower_ : upper_) = x;
    const double step = -value / slope;
    double result = x + step;
    if (std::isfinite(step) && std::abs(step) <= kRounding * std::abs(x)) return x;
    const bool is_newton = std::isfinite(step) && result > lower_ && result < upper_ &&
                           std::abs(step) <= 0.5 * std::abs(before_last_);
    if (!is_newton) {
      result = is_by_value_ ? lower_ + 0.5 * (upper_ - lower_) : middle_in_order(lower_, upper_);
      is_by_value_ = !is_by_value_;
      if (!(result > lower_ && result < upper_)) return x;
    }
    before_last_ = last_;
    last_ = result - x;
    return result;
  }

 private:
  static constexpr double kRounding = 2.0 * std::numeric_limits<double>::epsilon();

  /// Position of a double among all doubles; an involution on the bits of negative ones.
  static std::int64_t to_order(std::int64_t bits) {
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  }

  static double middle_in_order(double a, double b) {
    const std::int64_t low = to_order(std::bit_cast<std::int64_t>(a));
    const std::int64_t high = to_order(std::bit_cast<std::int64_t>(b));
    // Floor of the average without overflow.
    const std::int64_t middle = (low >> 1) + (high >> 1) + (low & high & 1);
    return std::bit_cast<double>(to_order(middle));
  }

  double lower_;
  double upper_;
  double before_last_;
  double last_;
  bool is_by_value_ = true;
};

}  // namespace pomlux
