// SPDX-License-Identifier: MIT
#include <algorithm>  // std::all_of
#include <cmath>      // std::sqrt
#include <pomlux/core/types.hpp>
#include <pomlux/experiments/mean_curve.hpp>

namespace pomlux {

MeanCurve mean_curve(const std::vector<std::vector<double>>& curves) {
  MeanCurve result;
  if (curves.empty()) return result;
  std::size_t n = curves[0].size();
  for (const auto& curve : curves) n = std::min(n, curve.size());
  for (std::size_t t = 0; t < n; ++t) {
    double count = 0.0;
    double sum = 0.0;
    for (const auto& curve : curves) {
      if (!std::isfinite(curve[t])) continue;
      count += 1.0;
      sum += curve[t];
    }
    const double mean = count > 0.0 ? sum / count : kNaN;
    double squares = 0.0;
    for (const auto& curve : curves)
      if (std::isfinite(curve[t])) squares += (curve[t] - mean) * (curve[t] - mean);
    const double error = count > 1.0 ? std::sqrt(squares / (count - 1.0) / count) : kNaN;
    result.mean.push_back(mean);
    result.low.push_back(mean - error);
    result.high.push_back(mean + error);
  }
  return result;
}

void close_gaps(const std::vector<std::vector<double>*>& columns) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < columns.front()->size(); ++i) {
    const bool is_known = std::all_of(columns.begin(), columns.end(), [i](const auto* column) {
      return std::isfinite((*column)[i]);
    });
    if (!is_known) continue;
    for (std::vector<double>* column : columns) (*column)[kept] = (*column)[i];
    ++kept;
  }
  for (std::vector<double>* column : columns) column->resize(kept);
}

}  // namespace pomlux
