// SPDX-License-Identifier: MIT
#include <algorithm>  // sorting
#include <cmath>      // std::isfinite
#include <limits>     // NaN
#include <numeric>    // std::iota
#include <pomlux/experiments/report_layout.hpp>

namespace pomlux {
namespace {

constexpr double kLeastTaken = 0.5;  // of the cells, to call it a grid

std::vector<double> distinct(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::size_t place(const std::vector<double>& sorted, double value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) -
                                  sorted.begin());
}

/// Means of runs of `factor` neighbours.
std::vector<double> joined(const std::vector<double>& centers, std::size_t factor) {
  std::vector<double> result;
  for (std::size_t begin = 0; begin < centers.size(); begin += factor) {
    const std::size_t end = std::min(begin + factor, centers.size());
    // Half-way between the outer two: sums could overflow.
    result.push_back(0.5 * centers[begin] + 0.5 * centers[end - 1]);
  }
  return result;
}

std::vector<double> reduce_into(std::size_t cells,
                                const std::vector<std::size_t>& cell_of,
                                const std::vector<double>& values,
                                Reduce reduce) {
  std::vector<double> sums(cells, 0.0);
  std::vector<double> counts(cells, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    sums[cell_of[i]] += values[i];
    counts[cell_of[i]] += 1.0;
  }
  for (std::size_t c = 0; c < cells; ++c) {
    if (counts[c] == 0.0) {
      sums[c] = std::numeric_limits<double>::quiet_NaN();
    } else if (reduce == Reduce::kMean) {
      sums[c] /= counts[c];
    }
  }
  return sums;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::vector<double> bin_centers(double low, double high, std::size_t cells) {
  std::vector<double> centers(cells);
  for (std::size_t i = 0; i < cells; ++i)
    centers[i] = low + (high - low) * (static_cast<double>(i) + 0.5) / static_cast<double>(cells);
  return centers;
}

std::size_t bin_of(double value, double low, double high, std::size_t cells) {
  if (!(high > low) || !std::isfinite(value)) return 0;
  const double position = (value - low) / (high - low) * static_cast<double>(cells);
  return std::min(static_cast<std::size_t>(std::max(0.0, position)), cells - 1);
}

}  // namespace

figures::HeatMap CellGrid::fill(const std::vector<double>& values, Reduce reduce) const {
  return {x, y, reduce_into(x.size() * y.size(), cell_of, values, reduce)};
}

std::optional<CellGrid> find_grid(const std::vector<double>& x,
                                  const std::vector<double>& y,
                                  std::size_t most) {
  if (x.empty() || !all_finite(x) || !all_finite(y)) return std::nullopt;
  const std::vector<double> xs = distinct(x);
  const std::vector<double> ys = distinct(y);
  const double cells = static_cast<double>(xs.size()) * static_cast<double>(ys.size());
  if (static_cast<double>(x.size()) < kLeastTaken * cells) return std::nullopt;
  const std::size_t x_factor = (xs.size() + most - 1) / most;
  const std::size_t y_factor = (ys.size() + most - 1) / most;
  CellGrid grid{joined(xs, x_factor), joined(ys, y_factor), {}, x_factor > 1 || y_factor > 1};
  for (std::size_t i = 0; i < x.size(); ++i)
    grid.cell_of.push_back(place(ys, y[i]) / y_factor * grid.x.size() + place(xs, x[i]) / x_factor);
  return grid;
}

CellGrid make_bins(const std::vector<double>& x,
                   const std::vector<double>& y,
                   std::size_t cells_per_axis) {
  const auto [x_low, x_high] = std::minmax_element(x.begin(), x.end());
  const auto [y_low, y_high] = std::minmax_element(y.begin(), y.end());
  CellGrid grid{bin_centers(*x_low, *x_high, cells_per_axis),
                bin_centers(*y_low, *y_high, cells_per_axis),
                {},
                true};
  for (std::size_t i = 0; i < x.size(); ++i)
    grid.cell_of.push_back(bin_of(y[i], *y_low, *y_high, cells_per_axis) * cells_per_axis +
                           bin_of(x[i], *x_low, *x_high, cells_per_axis));
  return grid;
}

std::vector<double> SortedGroups::fill(const std::vector<double>& values, Reduce reduce) const {
  return reduce_into(x.size(), group_of, values, reduce);
}

SortedGroups sort_groups(const std::vector<double>& x, std::size_t most) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(
      order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  const std::size_t factor = std::max<std::size_t>(1, (x.size() + most - 1) / most);
  SortedGroups groups{{}, std::vector<std::size_t>(x.size()), factor > 1};
  for (std::size_t begin = 0; begin < order.size(); begin += factor) {
    const std::size_t end = std::min(begin + factor, order.size());
    for (std::size_t i = begin; i < end; ++i) groups.group_of[order[i]] = groups.x.size();
    groups.x.push_back(0.5 * x[order[begin]] + 0.5 * x[order[end - 1]]);
  }
  return groups;
}

}  // namespace pomlux
