// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/objective.hpp>
#include <span>         // one point
#include <string>       // texts
#include <string_view>  // names
#include <vector>       // table

namespace pomlux {

/// One row of the table of test functions. Lists of coordinates hold for every dimension: the last
/// entry stands for all that follow.
struct TestFunctionRow {
  struct Interval {
    double lower;
    double upper;
  };

  std::string name;
  Sense sense;
  Index smallest_dimension;
  Index largest_dimension;  ///< equal to the smallest unless the function is scalable
  std::vector<Interval> box;
  std::vector<std::vector<double>> optimizers;  ///< all global ones in the box
  std::string citation;
  double (*value)(std::span<const double> x);

  [[nodiscard]] bool is_scalable() const { return smallest_dimension != largest_dimension; }
  /// "2", "from 1 to 10000".
  [[nodiscard]] std::string dimension_text() const;
  /// "minimised on [-5, 10] x [0, 15]", "minimised on [-10, 10]^d, d from 1 to 10000".
  [[nodiscard]] std::string domain_text() const;
};

/// Largest dimension of the functions that are defined in every dimension.
inline constexpr Index kLargestTestDimension = 10000;

/// All test functions. Formulas: objectives/test_function_formulas.hpp.
[[nodiscard]] const std::vector<TestFunctionRow>& test_function_table();
/// The row of this name, or null.
[[nodiscard]] const TestFunctionRow* find_test_function(std::string_view name);

/// A published test function in its own sign and direction, with Gaussian noise if asked for.
/// Points may lie outside the usual box.
/// Error: kTestFunctionError max(1, |f|), asserted against tests/oracles/test_functions.json.
class TestFunction final : public Objective {
 public:
  /// @param name          of a row of test_function_table().
  /// @param dimension     of a scalable function; 0: the smallest one the function has.
  /// @param noise_stddev  of evaluate(), >= 0.
  /// @throws InvalidArgument for an unknown name or a dimension that the function does not have.
  explicit TestFunction(std::string_view name, Index dimension = 0, double noise_stddev = 0.0);

  [[nodiscard]] const TestFunctionRow& row() const { return *row_; }
  [[nodiscard]] Index dimension() const override { return dimension_; }
  [[nodiscard]] Sense sense() const override { return row_->sense; }
  [[nodiscard]] double noise_stddev() const override { return noise_stddev_; }
  /// @throws InvalidArgument for points of another dimension, with a coordinate that is not finite,
  /// or so far out that the value overflows.
  [[nodiscard]] Vector evaluate(const PointsRef& points, Rng& rng) const override;
  [[nodiscard]] std::optional<Vector> true_values(const PointsRef& points) const override;
  /// The noise-free value at one point; the same refusals.
  [[nodiscard]] double value(const PointRef& point) const;

  /// Corners of the box on which the function is usually optimised, [d].
  [[nodiscard]] Vector lower() const;
  [[nodiscard]] Vector upper() const;
  /// All global optimisers in that box, [k, d], and the best value, that at the first of them.
  [[nodiscard]] Points optimizers() const;
  [[nodiscard]] double optimum() const;

 private:
  const TestFunctionRow* row_;
  Index dimension_;
  double noise_stddev_;
};

inline constexpr double kTestFunctionError = 1e-13;

}  // namespace pomlux
