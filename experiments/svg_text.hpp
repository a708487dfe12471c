// SPDX-License-Identifier: MIT
#pragma once

#include <string>       // formatted text
#include <string_view>  // text to measure

namespace pomlux::figures {

/// Text for XML and HTML, inside elements and attributes. Bytes that are not UTF-8 and control
/// characters other than tab and line ends become U+FFFD, so the document stays well formed
/// whatever a user's file holds.
[[nodiscard]] std::string escape_xml(std::string_view text);

/// A coordinate with at most two decimals; values that are not finite become "0".
[[nodiscard]] std::string pixel(double value);

/// `value` rounded to `digits` significant digits, without trailing zeros: "0.9355", "1.25e-7";
/// decimal notation from 1e-4 up to 1e6. NaN becomes an en dash.
[[nodiscard]] std::string short_number(double value, int digits = 4);

/// Width of `text` in Helvetica-like type, pixels; within about a tenth, enough for margins.
[[nodiscard]] double text_width(std::string_view text, double font_size);

}  // namespace pomlux::figures
