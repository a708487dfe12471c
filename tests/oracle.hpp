// SPDX-License-Identifier: MIT
#pragma once

#include <limits>             // infinities
#include <nlohmann/json.hpp>  // oracle files
#include <pomlux/core/types.hpp>
#include <string>  // names

namespace pomlux::test {

/// tests/oracles/<name>; see the README there for origin and tolerances. Compiled once, since the
/// parser takes seconds.
[[nodiscard]] nlohmann::json load_oracle(const std::string& name);

/// A number, "inf", "-inf" or null (NaN).
inline double to_double(const nlohmann::json& value) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value.is_string()) return value.get<std::string>() == "inf" ? inf : -inf;
  return value.get<double>();
}

inline Vector to_vector(const nlohmann::json& array) {
  Vector result(static_cast<Index>(array.size()));
  for (Index i = 0; i < result.size(); ++i)
    result(i) = to_double(array[static_cast<std::size_t>(i)]);
  return result;
}

inline Points to_points(const nlohmann::json& rows) {
  Points result(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < result.rows(); ++i)
    for (Index j = 0; j < result.cols(); ++j)
      result(i, j) = to_double(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
  return result;
}

}  // namespace pomlux::test
