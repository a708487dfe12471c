// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <cmath>      // std::isfinite
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/noise.hpp>
#include <pomlux/objectives/test_function.hpp>

namespace pomlux {
namespace {

const TestFunctionRow& row_or_fail(std::string_view name) {
  if (const TestFunctionRow* row = find_test_function(name)) return *row;
  std::string known;
  for (const TestFunctionRow& row : test_function_table()) {
    known += known.empty() ? "" : ", ";
    known += row.name;
  }
  fail("TestFunction", "unknown function '" + std::string(name) + "'; known: " + known);
}

/// Entry k of a list whose last entry stands for all that follow.
template <class Entry>
const Entry& entry(const std::vector<Entry>& list, Index k) {
  return list[std::min(static_cast<std::size_t>(k), list.size() - 1)];
}

/// @param what  the point, for messages.
double checked_value(const TestFunctionRow& row, const PointRef& point, const std::string& what) {
  require_finite(row.name, what, point.transpose());
  const double value = row.value({point.data(), static_cast<std::size_t>(point.size())});
  if (!std::isfinite(value)) fail(row.name, "the value at " + what + " overflows");
  return value;
}

}  // namespace

std::string TestFunctionRow::dimension_text() const {
  std::string text = format_number(smallest_dimension);
  if (is_scalable()) text = std::string("from ") + text + " to " + format_number(largest_dimension);
  return text;
}

std::string TestFunctionRow::domain_text() const {
  std::string text = sense == Sense::kMinimize ? "minimised on " : "maximised on ";
  const char* separator = "";
  for (const Interval& side : box) {
    text += separator;
    text += "[";
    text += format_number(side.lower) + ", " + format_number(side.upper) + "]";
    separator = " x ";
  }
  if (is_scalable()) {
    text += "^d, d ";
    text += dimension_text();
  } else if (box.size() == 1 && smallest_dimension > 1) {
    text += "^";
    text += format_number(smallest_dimension);
  }
  return text;
}

const TestFunctionRow* find_test_function(std::string_view name) {
  for (const TestFunctionRow& row : test_function_table()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

TestFunction::TestFunction(std::string_view name, Index dimension, double noise_stddev)
    : row_(&row_or_fail(name)),
      dimension_(dimension == 0 ? row_->smallest_dimension : dimension),
      noise_stddev_(noise_stddev) {
  require_noise_stddev(row_->name, noise_stddev);
  if (dimension_ < row_->smallest_dimension || dimension_ > row_->largest_dimension) {
    fail(row_->name,
         "found dimension " + format_number(dimension_) + "; allowed: " + row_->dimension_text());
  }
}

double TestFunction::value(const PointRef& point) const {
  require_same_size(row_->name, "the point", point.size(), "the dimension", dimension_);
  return checked_value(*row_, point, "the point");
}

Vector TestFunction::evaluate(const PointsRef& points, Rng& rng) const {
  return with_noise(*true_values(points), noise_stddev_, rng);
}

std::optional<Vector> TestFunction::true_values(const PointsRef& points) const {
  require_same_size(row_->name, "columns of points", points.cols(), "the dimension", dimension_);
  Vector values(points.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    values(i) = checked_value(*row_, points.row(i), "row " + format_number(i) + " of points");
  }
  return values;
}

Vector TestFunction::lower() const {
  Vector result(dimension_);
  for (Index k = 0; k < dimension_; ++k) result(k) = entry(row_->box, k).lower;
  return result;
}

Vector TestFunction::upper() const {
  Vector result(dimension_);
  for (Index k = 0; k < dimension_; ++k) result(k) = entry(row_->box, k).upper;
  return result;
}

Points TestFunction::optimizers() const {
  Points result(static_cast<Index>(row_->optimizers.size()), dimension_);
  for (Index i = 0; i < result.rows(); ++i) {
    const std::vector<double>& coordinates = row_->optimizers[static_cast<std::size_t>(i)];
    for (Index k = 0; k < dimension_; ++k) result(i, k) = entry(coordinates, k);
  }
  return result;
}

double TestFunction::optimum() const { return value(optimizers().row(0)); }

}  // namespace pomlux
