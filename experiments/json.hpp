// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>  // resolved configurations, manifests, schema

namespace pomlux {

/// Values of a resolved configuration and of JSON files; objects keep the order of insertion.
using Json = nlohmann::ordered_json;

}  // namespace pomlux
