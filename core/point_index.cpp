// SPDX-License-Identifier: MIT
#include <bit>      // std::bit_cast, std::bit_ceil
#include <cstdint>  // hashes
#include <pomlux/core/point_index.hpp>

namespace pomlux {
namespace {

std::uint64_t hash_point(const PointRef& point) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (Index k = 0; k < point.size(); ++k) {
    const double value = point(k) + 0.0;  // -0 + 0 is +0
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return hash ^ (hash >> 32);
}

bool is_equal(const Points& points, Index row, const PointRef& point) {
  for (Index k = 0; k < point.size(); ++k) {
    if (points(row, k) != point(k)) return false;
  }
  return true;
}

}  // namespace

PointIndex::PointIndex(const Points& points)
    : slots_(std::bit_ceil(2 * static_cast<std::size_t>(points.rows())), Index{-1}) {
  for (Index row = 0; row < points.rows(); ++row) {
    Index& slot = slots_[slot_of(points, points.row(row))];
    if (slot < 0) slot = row;  // otherwise a repeat of an earlier row
  }
}

std::size_t PointIndex::slot_of(const Points& points, const PointRef& point) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_point(point) & mask;
  while (slots_[slot] >= 0 && !is_equal(points, slots_[slot], point)) slot = (slot + 1) & mask;
  return slot;
}

Index PointIndex::find(const Points& points, const PointRef& point) const {
  return slots_.empty() ? -1 : slots_[slot_of(points, point)];
}

}  // namespace pomlux
