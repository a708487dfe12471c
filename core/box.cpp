// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find, std::clamp
#include <cmath>      // std::log, std::floor
#include <pomlux/core/box.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/utf8.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr double kLargestWhole = 1e12;  // up to it, decoding gives every whole number back

double num_categories(const BoxAxis& axis) { return static_cast<double>(axis.categories.size()); }

std::string interval(const BoxAxis& axis) {
  return "[" + format_number(axis.lower) + ", " + format_number(axis.upper) + "]";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) result += (result.empty() ? "" : ", ") + text;
  return result;
}

void require_categories(const std::string& axis, const std::vector<std::string>& categories) {
  if (categories.size() < 2) {
    fail("Box", axis + " has one category, " + categories.front() + "; there must be two or more");
  }
  for (auto it = categories.begin(); it != categories.end(); ++it) {
    if (it->empty()) fail("Box", axis + " has a category without a name");
    if (printable(*it, it->size() + 1) != *it) {
      fail("Box",
           axis + " has the category '" + printable(*it, 60) +
               "'; a label is UTF-8 text without control and invisible characters");
    }
    if (std::find(categories.begin(), it, *it) != it) {
      fail("Box", axis + " has the category " + *it + " twice");
    }
  }
}

void require_bounds(const std::string& name, const BoxAxis& axis) {
  const bool is_finite = std::isfinite(axis.lower) && std::isfinite(axis.upper) &&
                         std::isfinite(axis.upper - axis.lower);
  if (!is_finite || axis.lower > axis.upper) {
    fail("Box",
         name + " has bounds " + interval(axis) +
             "; they and their difference must be finite, and lower <= upper");
  }
  if (axis.scale == AxisScale::kLog && !(axis.lower > 0.0)) {
    fail("Box",
         name + " has lower bound " + format_number(axis.lower) +
             "; a logarithmic axis needs one > 0");
  }
  if (axis.scale == AxisScale::kLog && !std::isfinite(axis.upper / axis.lower)) {
    fail("Box",
         name + " has bounds " + interval(axis) +
             "; those of a logarithmic axis must have a finite ratio");
  }
  const auto is_whole = [](double value) {
    return std::floor(value) == value && std::abs(value) <= kLargestWhole;
  };
  if (axis.is_integer && !(is_whole(axis.lower) && is_whole(axis.upper))) {
    fail("Box",
         name + " has bounds " + interval(axis) +
             "; those of an integer axis are whole numbers of at most 1e12 in size");
  }
}

}  // namespace

Box::Box(std::vector<BoxAxis> axes) : axes_(std::move(axes)) {
  if (axes_.empty()) fail("Box", "has no axes; there must be one or more");
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const BoxAxis& axis = axes_[k];
    const std::string number = "axis " + format_number(static_cast<Index>(k));
    if (axis.name.empty()) fail("Box", number + " has no name");
    if (const std::string fault = column_name_fault(axis.name); !fault.empty()) {
      fail("Box", number + " has the name '" + printable(axis.name, 60) + "'" + fault);
    }
    for (std::size_t j = 0; j < k; ++j) {
      if (axes_[j].name == axis.name) fail("Box", number + " has the name " + axis.name + " again");
    }
    first_.push_back(model_dimension_);
    if (axis.categories.empty()) {
      require_bounds("axis " + axis.name, axis);
      ++model_dimension_;
    } else {
      require_categories("axis " + axis.name, axis.categories);
      model_dimension_ += static_cast<Index>(axis.categories.size());
    }
  }
  first_.push_back(model_dimension_);
}

namespace {

std::vector<BoxAxis> linear_axes(const VectorRef& lower, const VectorRef& upper) {
  require_same_size("Box", "lower", lower.size(), "upper", upper.size());
  std::vector<BoxAxis> axes;
  for (Index k = 0; k < lower.size(); ++k) {
    BoxAxis axis;
    axis.name = "x_" + format_number(k);
    axis.lower = lower(k);
    axis.upper = upper(k);
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace

Box::Box(const VectorRef& lower, const VectorRef& upper) : Box(linear_axes(lower, upper)) {}

std::vector<std::string> Box::names() const {
  std::vector<std::string> result;
  for (const BoxAxis& axis : axes_) result.push_back(axis.name);
  return result;
}

double Box::size() const {
  double result = 1.0;
  for (const BoxAxis& axis : axes_) {
    if (!axis.categories.empty()) {
      result *= num_categories(axis);
    } else if (axis.is_integer) {
      result *= axis.upper - axis.lower + 1.0;
    } else if (axis.lower < axis.upper) {
      result = kInfinity;
    }
  }
  return result;
}

bool Box::is_continuous(Index k) const {
  const BoxAxis& one = axis(k);
  return one.categories.empty() && !one.is_integer && one.lower < one.upper;
}

namespace {

bool is_allowed(const BoxAxis& axis, double value) {
  const bool is_whole = std::floor(value) == value;
  if (!axis.categories.empty()) return is_whole && value >= 0.0 && value < num_categories(axis);
  return value >= axis.lower && value <= axis.upper && (is_whole || !axis.is_integer);
}

}  // namespace

bool Box::contains(const PointRef& point) const {
  if (point.size() != dimension()) return false;
  for (Index k = 0; k < dimension(); ++k) {
    if (!is_allowed(axis(k), point(k))) return false;
  }
  return true;
}

void Box::require_inside(std::string_view where, const PointRef& point) const {
  require_same_size(where, "the point", point.size(), "axes of the box", dimension());
  for (Index k = 0; k < dimension(); ++k) {
    const BoxAxis& one = axis(k);
    if (is_allowed(one, point(k))) continue;
    std::string allowed = one.is_integer ? "a whole number in " : "in ";
    allowed += interval(one);
    if (!one.categories.empty()) {
      allowed = "the number of one of its categories, from 0: " + joined(one.categories);
    }
    fail(where, one.name + " is " + format_number(point(k)) + "; must be " + allowed);
  }
}

std::string Box::text(Index k, double value) const {
  const BoxAxis& one = axis(k);
  if (one.categories.empty()) return format_number(value);
  return one.categories[static_cast<std::size_t>(value)];
}

double Box::category(Index k, std::string_view label) const {
  const BoxAxis& one = axis(k);
  const auto found = std::find(one.categories.begin(), one.categories.end(), label);
  if (found == one.categories.end()) {
    fail("Box: axis " + one.name,
         "found '" + std::string(label) + "'; its categories: " + joined(one.categories));
  }
  return static_cast<double>(found - one.categories.begin());
}

/// Position of a value between the ends of an axis without categories, in [0, 1]; 0 on an axis
/// without extent.
double Box::unit(const BoxAxis& axis, double value) const {
  if (axis.lower == axis.upper) return 0.0;
  const double position = axis.scale == AxisScale::kLog
                              ? std::log(value / axis.lower) / std::log(axis.upper / axis.lower)
                              : (value - axis.lower) / (axis.upper - axis.lower);
  return std::clamp(position, 0.0, 1.0);
}

/// The value nearest to a position in [0, 1]; both ends exact.
double Box::value(const BoxAxis& axis, double unit) const {
  if (unit == 0.0) return axis.lower;
  if (unit == 1.0) return axis.upper;
  double result = axis.scale == AxisScale::kLog
                      ? axis.lower * std::exp(unit * std::log(axis.upper / axis.lower))
                      : axis.lower + unit * (axis.upper - axis.lower);
  if (axis.is_integer) result = std::floor(result + 0.5);
  return std::clamp(result, axis.lower, axis.upper);
}

Points Box::encode(const PointsRef& points) const {
  require_same_size("Box::encode", "a point", points.cols(), "axes of the box", dimension());
  Points result = Points::Zero(points.rows(), model_dimension_);
  for (Index k = 0; k < dimension(); ++k) {
    const BoxAxis& one = axis(k);
    for (Index i = 0; i < points.rows(); ++i) {
      if (one.categories.empty()) {
        result(i, first_encoded(k)) = unit(one, points(i, k));
      } else {
        POMLUX_ASSERT(is_allowed(one, points(i, k)));
        result(i, first_encoded(k) + static_cast<Index>(points(i, k))) = 1.0;
      }
    }
  }
  return result;
}

Point Box::decode(const PointRef& encoded) const {
  require_same_size(
      "Box::decode", "a point", encoded.size(), "the encoded dimension", model_dimension_);
  Point result(dimension());
  for (Index k = 0; k < dimension(); ++k) {
    const BoxAxis& one = axis(k);
    if (one.categories.empty()) {
      result(k) = value(one, std::clamp(encoded(first_encoded(k)), 0.0, 1.0));
    } else {
      Index best = 0;
      encoded.segment(first_encoded(k), static_cast<Index>(one.categories.size())).maxCoeff(&best);
      result(k) = static_cast<double>(best);
    }
  }
  return result;
}

Point Box::at(const PointRef& unit) const {
  require_same_size("Box::at", "the numbers", unit.size(), "axes of the box", dimension());
  Point result(dimension());
  for (Index k = 0; k < dimension(); ++k) {
    const BoxAxis& one = axis(k);
    const double position = std::clamp(unit(k), 0.0, 1.0);
    if (!one.categories.empty()) {
      const double count = num_categories(one);
      result(k) = std::min(std::floor(position * count), count - 1.0);
    } else if (one.is_integer && one.scale == AxisScale::kLinear) {
      const double count = one.upper - one.lower + 1.0;
      result(k) = std::min(one.lower + std::floor(position * count), one.upper);
    } else {
      result(k) = value(one, position);
    }
  }
  return result;
}

}  // namespace pomlux
