// SPDX-License-Identifier: MIT
#pragma once

#include <vector>  // curves

namespace pomlux {

/// Mean over curves at each place, with its standard error.
struct MeanCurve {
  std::vector<double> mean;
  std::vector<double> low;   ///< mean - standard error; NaN where fewer than two values
  std::vector<double> high;  ///< mean + standard error
};

/// At each place over the finite values there, as far as the shortest curve reaches. An error band
/// needs two values.
[[nodiscard]] MeanCurve mean_curve(const std::vector<std::vector<double>>& curves);

/// Leaves out places where a value is missing, as before the first query and at steps that are not
/// tracked: what is drawn goes straight from one known place to the next.
/// @param columns of one length.
void close_gaps(const std::vector<std::vector<double>*>& columns);

}  // namespace pomlux
