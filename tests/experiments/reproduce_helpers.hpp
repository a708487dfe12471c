// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <pomlux/experiments/reproduce_data.hpp>

namespace pomlux::test {

inline const std::filesystem::path kPaper =
    std::filesystem::path(POMLUX_SOURCE_DIR) / "configs" / "paper";

inline Json published_values() { return Json::parse(std::ifstream(kPaper / "published.json")); }

}  // namespace pomlux::test
