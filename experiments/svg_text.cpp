// SPDX-License-Identifier: MIT
#include <array>     // digit buffers
#include <charconv>  // digits without locale
#include <cmath>     // rounding
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/svg_text.hpp>

namespace pomlux::figures {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Length of the valid UTF-8 sequence at `position`, or 0.
std::size_t utf8_length(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t offset) {
    return position + offset < text.size() ? static_cast<unsigned char>(text[position + offset])
                                           : 0U;
  };
  const unsigned first = byte(0);
  std::size_t length = 0;
  unsigned code = 0;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) {
    length = 2;
    code = first & 0x1FU;
  } else if (first >= 0xE0 && first < 0xF0) {
    length = 3;
    code = first & 0x0FU;
  } else if (first >= 0xF0 && first < 0xF5) {
    length = 4;
    code = first & 0x07U;
  } else {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool is_forbidden =
      (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF || code == 0xFFFE || code == 0xFFFF;
  return is_overlong || is_forbidden ? 0 : length;
}

/// Width of an ASCII character in units of the font size, after Helvetica's metrics.
double character_width(char c) {
  constexpr std::string_view kNarrow = "ijl.,:;|!'";
  constexpr std::string_view kSlim = "ftrI ()[]/\\-`";
  constexpr std::string_view kWide = "mMW%@";
  if (kNarrow.find(c) != std::string_view::npos) return 0.25;
  if (kSlim.find(c) != std::string_view::npos) return 0.31;
  if (kWide.find(c) != std::string_view::npos) return 0.87;
  if (c >= 'A' && c <= 'Z') return 0.69;
  return 0.556;
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = utf8_length(text, i);
    const auto code = static_cast<unsigned char>(c);
    const bool is_control = (code < 0x20 && c != '\t' && c != '\n' && c != '\r') || code == 0x7F;
    if (length == 0 || is_control) {
      result += kReplacement;
      ++i;
      continue;
    }
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += text.substr(i, length);
    }
    i += length;
  }
  return result;
}

std::string pixel(double value) {
  if (!std::isfinite(value)) return "0";
  return format_number(std::round(value * 100.0) / 100.0);
}

std::string short_number(double value, int digits) {
  if (std::isnan(value)) return "\u2013";
  if (!std::isfinite(value) || value == 0.0) return format_number(value);
  std::array<char, 64> buffer{};
  char* const begin = buffer.data();
  char* const end = begin + buffer.size();
  const auto scientific =
      std::to_chars(begin, end, value, std::chars_format::scientific, digits - 1);
  double rounded = 0.0;
  std::from_chars(begin, scientific.ptr, rounded);
  const double magnitude = std::abs(rounded);
  const bool is_plain = magnitude >= 1e-4 && magnitude < 1e6;
  const auto result = std::to_chars(
      begin, end, rounded, is_plain ? std::chars_format::fixed : std::chars_format::scientific);
  std::string text(begin, result.ptr);
  // "1e+06" and "1e-07" read better as "1e6" and "1e-7".
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    std::size_t first = e + 2;
    while (first + 1 < text.size() && text[first] == '0') ++first;
    text = text.substr(0, e + 1) + (text[e + 1] == '-' ? "-" : "") + text.substr(first);
  }
  return text;
}

double text_width(std::string_view text, double font_size) {
  double width = 0.0;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80) width += character_width(c);
    if (code >= 0xC0) width += 0.6;  // one per character beyond ASCII
  }
  return width * font_size;
}

}  // namespace pomlux::figures
