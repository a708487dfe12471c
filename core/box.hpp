// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/types.hpp>
#include <string>       // names
#include <string_view>  // where a point came from
#include <vector>       // axes

namespace pomlux {

/// How an axis of a box is cut into what a model sees as equal steps.
enum class AxisScale {
  kLinear,
  kLog,  ///< by factors: from lower > 0
};

/// One coordinate of a box.
struct BoxAxis {
  std::string name;  ///< one that column_name_fault (core/csv.hpp) allows; none twice in a box
  double lower = 0.0;
  double upper = 1.0;
  AxisScale scale = AxisScale::kLinear;
  /// Whole numbers only; both ends are whole.
  bool is_integer = false;
  /// If not empty, the axis takes one of these labels; a point holds its number, 0, 1, .... Two or
  /// more, none empty, none twice, without control characters. `lower`, `upper` and the rest are
  /// then not looked at.
  std::vector<std::string> categories = {};
};

/// A box to optimise over: an axis per coordinate, continuous, of whole numbers, or of categories.
/// Points of the box, [d], are the user's. A model sees them encoded, [D]: a continuous or integer
/// axis as its position between the ends, in [0, 1] (of the logarithm with kLog); an axis of k
/// categories as k numbers, 1 for the category it has and 0 for the others, so that all categories
/// are equally far apart. Immutable.
class Box {
 public:
  /// @throws InvalidArgument naming the axis and its values: no axes, a name that is
  /// repeated or that column_name_fault refuses, bounds that are not finite, lower > upper or an
  /// extent that overflows, lower <= 0 or a ratio that overflows with kLog, ends of an integer axis
  /// that are not whole or beyond 1e12, fewer than two categories or one that is empty or repeated.
  explicit Box(std::vector<BoxAxis> axes);
  /// Continuous linear axes "x_0", "x_1", ....
  Box(const VectorRef& lower, const VectorRef& upper);

  /// Of the user's points, d.
  [[nodiscard]] Index dimension() const { return static_cast<Index>(axes_.size()); }
  /// Of encoded points, D >= d.
  [[nodiscard]] Index model_dimension() const { return model_dimension_; }
  [[nodiscard]] const std::vector<BoxAxis>& axes() const { return axes_; }
  [[nodiscard]] std::vector<std::string> names() const;
  /// Points there are: infinite as soon as one continuous axis has an extent.
  [[nodiscard]] double size() const;

  /// Whether every coordinate is one its axis can take.
  [[nodiscard]] bool contains(const PointRef& point) const;
  /// Throws unless it does, naming axis, value and what is allowed.
  void require_inside(std::string_view where, const PointRef& point) const;
  /// "0.5", or the label of a category. The point lies in the box.
  [[nodiscard]] std::string text(Index axis, double value) const;
  /// The number of a category. @throws InvalidArgument listing the categories if it is none of
  /// them.
  [[nodiscard]] double category(Index axis, std::string_view label) const;

  /// [n, d] points of the box -> [n, D].
  [[nodiscard]] Points encode(const PointsRef& points) const;
  /// [D] -> the point of the box nearest to it: coordinates are clipped to [0, 1], whole numbers
  /// rounded to the nearest one, halves upwards; of categories the one with the largest number is
  /// taken, the first on ties. decode(encode(x)) is x but for rounding on continuous axes, and
  /// exactly x at both ends and on the others.
  [[nodiscard]] Point decode(const PointRef& encoded) const;
  /// The point at [d] numbers in [0, 1), one per axis: uniform numbers give a point that is uniform
  /// along every axis (of the logarithm with kLog). Each category, and each whole number
  /// of a linear axis, has an equal share.
  [[nodiscard]] Point at(const PointRef& unit) const;
  /// First encoded coordinate of an axis; the first of the next follows its last.
  [[nodiscard]] Index first_encoded(Index axis) const {
    return first_[static_cast<std::size_t>(axis)];
  }
  /// May the axis be moved a little?
  [[nodiscard]] bool is_continuous(Index axis) const;

 private:
  [[nodiscard]] const BoxAxis& axis(Index k) const { return axes_[static_cast<std::size_t>(k)]; }
  [[nodiscard]] double unit(const BoxAxis& axis, double value) const;
  [[nodiscard]] double value(const BoxAxis& axis, double unit) const;

  std::vector<BoxAxis> axes_;
  std::vector<Index> first_;  // [d + 1]
  Index model_dimension_ = 0;
};

/// How a box is searched, step by step.
struct BoxSearchOptions {
  /// Points that the acquisition scores at each step, at least 1. More cost in proportion, also in
  /// the posterior over the domain; all points of a box that has no more.
  Index candidates = 320;
  /// Of these, points around the best told ones: normal steps of 3e-4 to 0.3 of the extent of an
  /// axis; half of the points move along one axis alone, half of those anywhere on it. From 0 to
  /// `candidates`; the others are scrambled Sobol points.
  Index around = 64;
  /// Candidates from which a rule with a slope is climbed by bounded L-BFGS. Not negative.
  Index polished = 3;
};

}  // namespace pomlux
