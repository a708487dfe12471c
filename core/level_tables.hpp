// SPDX-License-Identifier: MIT
#pragma once
// Private to core: the table of functions that a leaf file made for an instruction-set level.

#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <string>       // messages
#include <type_traits>  // std::remove_cvref_t

namespace pomlux::detail {

/// One per level; null where this build has no such level.
template <typename Table>
struct LevelTables {
  const Table* baseline;
  const Table* v3;
  const Table* v4;

  /// @throws InvalidArgument, in the name of `where`, if the level is not available.
  [[nodiscard]] const Table& at(Isa level, const char* where) const {
    if (!is_available(level)) {
      fail(where, "level " + std::string(to_string(level)) + " is not available here");
    }
    return level == Isa::kV4 ? *v4 : level == Isa::kV3 ? *v3 : *baseline;
  }
};

}  // namespace pomlux::detail

/// The tables prefixBaseline, prefixV3 and prefixV4.
#ifdef POMLUX_X86_LEVELS
#define POMLUX_LEVEL_TABLES(prefix)                                                \
  ::pomlux::detail::LevelTables<std::remove_cvref_t<decltype(prefix##Baseline)>> { \
    &prefix##Baseline, &prefix##V3, &prefix##V4                                    \
  }
#else
#define POMLUX_LEVEL_TABLES(prefix)                                                \
  ::pomlux::detail::LevelTables<std::remove_cvref_t<decltype(prefix##Baseline)>> { \
    &prefix##Baseline, nullptr, nullptr                                            \
  }
#endif
