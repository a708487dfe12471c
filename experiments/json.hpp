// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>  // resolved configurations, manifests, schema
#include <optional>           // null

namespace pomlux {

/// Values of a resolved configuration and of JSON files; objects keep the order of insertion.
using Json = nlohmann::ordered_json;

/// A value, or null where there is none.
template <class Value>
[[nodiscard]] Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}
/// A number, or nothing for null.
[[nodiscard]] inline std::optional<double> optional_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}
/// Numbers, such as a point's, as a list.
template <class Numbers>
[[nodiscard]] Json list_of(const Numbers& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(number);
  return list;
}

}  // namespace pomlux
