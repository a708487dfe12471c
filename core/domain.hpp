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
  /// @throws InvalidArgument if empty, not finite, or if sizes differ.
  explicit Domain(Points points,
                  std::vector<std::string> names = {},
                  std::vector<std::string> labels = {});

  /// Full grid, first axis slowest, both ends exact. counts[k] points on axis k from lower[k] to
  /// upper[k]; one point requires lower = upper or sits at lower. @throws InvalidArgument if lower
  /// > upper, a count is < 1 or sizes differ.
  [[nodiscard]] static Domain grid(const VectorRef& lower,
                                   const VectorRef& upper,
                                   std::span<const Index> counts);
  /// One point per row of a CSV file (core/csv.hpp says what is accepted); names from its header; a
  /// column named "label" gives the labels. @throws InvalidArgument naming file, line and column;
  /// also for a file without rows.
  [[nodiscard]] static Domain from_csv(const std::filesystem::path& path);
  /// n independent uniform points in the box.
  [[nodiscard]] static Domain random(const VectorRef& lower,
                                     const VectorRef& upper,
                                     Index n,
                                     Rng& rng);
  /// The first n points of the Sobol digital net (origin included) in the box, with a random
  /// digital shift.
  /// @throws InvalidArgument beyond the tables' largest dimension.
  [[nodiscard]] static Domain sobol(const VectorRef& lower,
                                    const VectorRef& upper,
                                    Index n,
                                    Rng& rng);
  /// Latin hypercube: each axis cut in n strata, one uniform point in each.
  [[nodiscard]] static Domain latin_hypercube(const VectorRef& lower,
                                              const VectorRef& upper,
                                              Index n,
                                              Rng& rng);
  /// n points uniform in the unit ball / on the unit sphere of dimension d, scaled by radius.
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
  /// Index of the first candidate equal to `point` bit for bit, or -1. @throws InvalidArgument if
  /// the dimension differs.
  [[nodiscard]] Index find(const PointRef& point) const;
  /// Index of the candidate nearest to `point` after scaling every axis to the domain's extent;
  /// first index on ties.
  [[nodiscard]] Index nearest(const PointRef& point) const;
  /// Equal for copies of one domain, different otherwise; lets a surrogate keep what it computed
  /// for a domain.
  [[nodiscard]] const void* identity() const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

/// n distinct candidates of a domain: Sobol points snapped to their nearest unused candidate.
/// @throws InvalidArgument if n > domain.size().
[[nodiscard]] std::vector<Index> sobol_candidates(const Domain& domain, Index n, Rng& rng);

}  // namespace pomlux
