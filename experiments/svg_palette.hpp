// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>  // std::size_t
#include <string>   // colours

namespace pomlux::figures {

/// Colours that stay apart for all common kinds of colour vision (Okabe and Ito, 2008), reordered
/// so that the first ones carry most contrast on white; repeats after the last.
[[nodiscard]] std::string series_color(std::size_t index);

inline constexpr const char* kInk = "#222222";    ///< text, marks
inline constexpr const char* kFrame = "#555555";  ///< axes
inline constexpr const char* kGrid = "#e4e6ea";   ///< grid lines
inline constexpr const char* kMuted = "#7a7f87";  ///< reference lines

/// Colour of `fraction` in [0, 1] (clamped) from dark blue to yellow: ten colours of the map
/// "viridis" (S. van der Walt and N. Smith, CC0), linear between them. Brightness grows with value,
/// so it survives a grey printer.
[[nodiscard]] std::string map_color(double fraction);

}  // namespace pomlux::figures
