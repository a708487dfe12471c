// SPDX-License-Identifier: MIT
#pragma once

#include <string>   // texts
#include <utility>  // name and version
#include <vector>   // lists

namespace pomlux {

/// What this program was made from; two runs are comparable bit for bit only where all of it
/// agrees.
struct BuildInfo {
  std::string version;
  std::string type;      ///< "Release"
  std::string compiler;  ///< "GNU 12.2.0"
  std::string flags;
  std::string isa;  ///< level of the inner loops in use: "baseline", "v3", "v4" (core/isa.hpp)
  std::vector<std::pair<std::string, std::string>> dependencies;  ///< name, version
};

[[nodiscard]] const BuildInfo& build_info();

/// Name of this machine, or "unknown".
[[nodiscard]] std::string host_name();
/// Now in UTC, "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

}  // namespace pomlux
