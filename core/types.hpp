// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>  // dense vectors and matrices
#include <limits>      // constants

namespace pomlux {

/// Index of a candidate, row or column; signed, as in Eigen.
using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
/// A block of points, [n, d], row-major: one point is contiguous.
using Points = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// One point, [d].
using Point = Eigen::RowVectorXd;

/// Read-only arguments. A `Ref` of the other storage order would copy, hence one alias per shape.
using VectorRef = Eigen::Ref<const Vector>;
using MatrixRef = Eigen::Ref<const Matrix>;
using PointsRef = Eigen::Ref<const Points>;
using PointRef = Eigen::Ref<const Point>;
/// A view of values somebody else owns, [n].
using VectorView = Eigen::Map<const Vector>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// Distance from 1 to the next double, 2^-52.
inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Largest size of an observed value, and of the standard deviation of its noise: their squares
/// stay far within the range of a double.
inline constexpr double kLargestObservation = 1e100;

/// Direction of an objective as its user sees it. Rules and estimators always maximise.
enum class Sense { kMaximize, kMinimize };

/// +1 for kMaximize, -1 for kMinimize: user's value times sign is what the rules maximise.
[[nodiscard]] constexpr double sign_of(Sense sense) {
  return sense == Sense::kMaximize ? 1.0 : -1.0;
}

}  // namespace pomlux
