// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // candidate files
#include <memory>      // shared immutable data
#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>
#include <span>    // sub-samples
#include <string>  // names, labels
#include <vector>  // names, labels

namespace pomlux {

/// The finite candidate set X: [n, d] points with n >= 1, d >= 1, a name per column and, if given,
/// a label per point. Immutable; copies share their data. Points may repeat: each row is an arm of
/// its own.
class Domain {
 public:
  /// @param names  [d] or empty ("x_0", "x_1", ...).   @param labels  [n] or empty.
  /// @throws InvalidArgument if empty, not finite, if sizes differ, a name is empty, repeated or
  /// refused by column_name_fault (core/csv.hpp), or the extent of a column overflows.
  explicit Domain(Points points,
                  std::vector<std::string> names = {},
                  std::vector<std::string> labels = {});

  // All that are made from a box refuse lower > upper, a value or extent that is not finite, sizes
  // that differ, fewer than one point, and more than kDefaultMemoryLimit bytes of points. No
  // coordinate is ever outside [lower, upper].

  /// Full grid, first axis slowest. counts[k] >= 1 equally spaced points on axis k from lower[k] to
  /// upper[k], both ends exact; a single one sits at lower[k].
  [[nodiscard]] static Domain grid(const VectorRef& lower,
                                   const VectorRef& upper,
                                   std::span<const Index> counts);
  /// One point per row of a CSV file (core/csv.hpp says what is accepted); names from its header; a
  /// column named "label" gives the labels. Equal rows stay separate arms.
  /// @throws InvalidArgument naming file, line and column; also for a file without rows.
  [[nodiscard]] static Domain from_csv(const std::filesystem::path& path);
  /// n independent uniform points in the box.
  [[nodiscard]] static Domain random(const VectorRef& lower,
                                     const VectorRef& upper,
                                     Index n,
                                     Rng& rng);
  /// The first n points of the Sobol digital net (origin included) in the box, with a random
  /// digital shift.
  /// @throws InvalidArgument beyond the tables' largest dimension (core/sobol.hpp).
  [[nodiscard]] static Domain sobol(const VectorRef& lower,
                                    const VectorRef& upper,
                                    Index n,
                                    Rng& rng);
  /// Latin hypercube: each axis cut in n strata, one uniform point in each.
  [[nodiscard]] static Domain latin_hypercube(const VectorRef& lower,
                                              const VectorRef& upper,
                                              Index n,
                                              Rng& rng);
  /// n points uniform in the ball / on the sphere of this radius > 0 about the origin in d >= 1
  /// dimensions.
  [[nodiscard]] static Domain ball(Index d, double radius, Index n, Rng& rng);
  [[nodiscard]] static Domain sphere(Index d, double radius, Index n, Rng& rng);
  /// The given rows, in the given order; repeats allowed.
  [[nodiscard]] Domain subset(std::span<const Index> rows) const;
  /// n distinct rows drawn at random. @throws InvalidArgument if n > size().
  [[nodiscard]] Domain sample(Index n, Rng& rng) const;

  [[nodiscard]] Index size() const;
  [[nodiscard]] Index dimension() const;
  [[nodiscard]] const Points& points() const;
  [[nodiscard]] PointRef point(Index candidate) const;  ///< @throws InvalidArgument if out of range
  [[nodiscard]] const std::vector<std::string>& names() const;
  [[nodiscard]] const std::vector<std::string>& labels() const;  ///< empty if none
  /// Smallest and largest value of each column, [d].
  [[nodiscard]] Point lower() const;
  [[nodiscard]] Point upper() const;
  /// Counts per axis if made by grid(), else empty.
  [[nodiscard]] const std::vector<Index>& grid_counts() const;
  /// Index of the first candidate equal to `point` in every coordinate (-0 equals 0), or -1. O(d).
  /// @throws InvalidArgument if the dimension differs.
  [[nodiscard]] Index find(const PointRef& point) const;
  /// Index of the candidate nearest to `point` after scaling every axis to the domain's extent;
  /// first index on ties. O(n d). @throws InvalidArgument if the dimension differs or a coordinate
  /// is not finite.
  [[nodiscard]] Index nearest(const PointRef& point) const;
  /// Equal for copies of one domain, different otherwise; lets a surrogate keep what it computed
  /// for a domain.
  [[nodiscard]] const void* identity() const;

 private:
  Domain(Points points,
         std::vector<std::string> names,
         std::vector<std::string> labels,
         std::vector<Index> grid_counts);
  struct Data;
  std::shared_ptr<const Data> data_;
};

/// n distinct candidates of a domain of size N: Sobol points, each snapped to its nearest candidate
/// not taken yet (axes scaled as in Domain::nearest, first index on ties). O(n N d) time.
/// @throws InvalidArgument if n > N or the domain has more dimensions than the Sobol tables.
[[nodiscard]] std::vector<Index> sobol_candidates(const Domain& domain, Index n, Rng& rng);

}  // namespace pomlux
