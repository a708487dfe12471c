// SPDX-License-Identifier: MIT
#pragma once
// Private to core: candidates by their coordinates.

#include <pomlux/core/types.hpp>
#include <vector>  // slots

namespace pomlux {

/// Hash table from a point to the first row that equals it (-0 equals 0). Holds row numbers only;
/// the points are passed in. O(d) per look-up, 16 to 32 bytes per point.
class PointIndex {
 public:
  PointIndex() = default;
  explicit PointIndex(const Points& points);
  /// The first row of `points`, the block the index was built from, that equals `point`; else -1.
  [[nodiscard]] Index find(const Points& points, const PointRef& point) const;

 private:
  [[nodiscard]] std::size_t slot_of(const Points& points, const PointRef& point) const;
  std::vector<Index> slots_;  // open addressing; a power of two, at most half full; -1: empty
};

}  // namespace pomlux
