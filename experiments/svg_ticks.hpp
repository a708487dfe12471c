// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/figures.hpp>
#include <string>  // labels
#include <vector>  // ticks

namespace pomlux::figures {

/// A place on an axis. An empty label is a minor tick. Where `exponent` is set the label is
/// "10" with that superscript.
struct Tick {
  double value = 0.0;
  std::string label;
  std::string exponent;
};

/// An axis with its ends and ticks; the ends are finite, low < high, and low > 0 on a log axis.
struct ScaledAxis {
  Scale scale = Scale::kLinear;
  double low = 0.0;
  double high = 1.0;
  std::vector<Tick> ticks;

  /// Place of `value` along the axis: 0 at low, 1 at high; linear beyond. Values <= 0 on a log
  /// axis are at 0.
  [[nodiscard]] double position(double value) const;
};

/// Ticks at multiples of 1, 2, 2.5 or 5 times a power of ten, about `target` of them, all inside
/// [low, high]. Ends that are equal, reversed or not finite are widened to a drawable range.
/// @param is_count  whole numbers only.
[[nodiscard]] ScaledAxis linear_axis(double low,
                                     double high,
                                     int target = 6,
                                     bool is_count = false);

/// Ticks at powers of ten, thinned to about `target`; at 1, 2, 5 times powers of ten where the
/// range holds less than two decades. Ends <= 0 are replaced by a drawable range.
[[nodiscard]] ScaledAxis log_axis(double low, double high, int target = 6);

}  // namespace pomlux::figures
