// SPDX-License-Identifier: MIT
#pragma once
// Catch2 3 or, as on Debian 12, 2.13: the same macros and matchers by the same names.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
#include <string>  // texts
inline auto ContainsSubstring(const std::string& text) { return Catch::Matchers::Contains(text); }
#endif
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
