// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // paths
#include <pomlux/experiments/json.hpp>

namespace pomlux {

/// published.json: the paper's numbers. Every number that a table or figure takes from it is there,
/// so that they read it without looking twice.
/// @throws InvalidArgument with the file, the key as a JSON pointer ("/table1/est/2/se"), what is
/// found there and what is allowed.
[[nodiscard]] Json read_published(const std::filesystem::path& file);

}  // namespace pomlux
