// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>   // std::size_t
#include <optional>  // domains that are no grid
#include <pomlux/experiments/figures.hpp>
#include <vector>  // cells

namespace pomlux {

enum class Reduce { kMean, kSum };

/// Candidates sorted into the cells of a rectangular grid, several to a cell where the grid is
/// coarser than the domain.
struct CellGrid {
  std::vector<double> x;             ///< centres, ascending
  std::vector<double> y;             ///< likewise
  std::vector<std::size_t> cell_of;  ///< [n], x fastest
  bool is_binned = false;            ///< a cell may hold several distinct points

  /// One value per cell; empty cells are NaN, missing values do not count.
  [[nodiscard]] figures::HeatMap fill(const std::vector<double>& values, Reduce reduce) const;
};

/// The grid that the points lie on: distinct coordinates on both axes, at least half of the
/// cells taken; neighbouring cells are joined until no axis has more than `most`. Nothing if the
/// points lie on no such grid.
[[nodiscard]] std::optional<CellGrid> find_grid(const std::vector<double>& x,
                                                const std::vector<double>& y,
                                                std::size_t most);
/// Equal cells over the extent of any points.
[[nodiscard]] CellGrid make_bins(const std::vector<double>& x,
                                 const std::vector<double>& y,
                                 std::size_t cells_per_axis);

/// Points sorted along one coordinate, joined to at most `most` groups of neighbours.
struct SortedGroups {
  std::vector<double> x;              ///< mean coordinate of each group
  std::vector<std::size_t> group_of;  ///< [n]
  bool is_binned = false;

  [[nodiscard]] std::vector<double> fill(const std::vector<double>& values, Reduce reduce) const;
};
[[nodiscard]] SortedGroups sort_groups(const std::vector<double>& x, std::size_t most);

}  // namespace pomlux
