// SPDX-License-Identifier: MIT
#include <array>    // ranges
#include <cstdint>  // code points
#include <pomlux/core/utf8.hpp>

namespace pomlux {
namespace {

/// A decoded character and its length in bytes; length 0 if it is ill-formed.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest.at(length) || code > 0x10FFFF || is_surrogate) return {};
  return {code, length};
}

bool is_control(std::uint32_t code) {
  return (code < 0x20 && code != '\t') || (code >= 0x7F && code < 0xA0);
}

/// Blanks other than ' ' and characters without width.
bool is_unusual_blank(std::uint32_t code) {
  return code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202F) || code == 0x205F || code == 0x2060 || code == 0x3000 ||
         code == 0xFEFF;
}

/// What shows nothing, or turns the direction of the text around it. Selectors of variants are part
/// of the character before them.
bool is_invisible(std::uint32_t code) {
  return is_unusual_blank(code) || code == 0xAD || code == 0x34F || code == 0x61C ||
         (code >= 0x115F && code <= 0x1160) || (code >= 0x17B4 && code <= 0x17B5) ||
         code == 0x180E || (code >= 0x2061 && code <= 0x206F) || code == 0x3164 || code == 0xFFA0 ||
         (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE007F);
}

std::string code_name(std::uint32_t code) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (int shift = code > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) {
    text += kDigits[(code >> static_cast<unsigned>(shift)) & 0xFU];
  }
  return "(U+" + text + ")";
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = decode(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string unusual_blank(std::string_view text) {
  while (!text.empty()) {
    const Character c = decode(text);
    if (c.length == 0) return "";
    if (c.code == 0xA0) return "a no-break space (U+00A0)";
    if (is_control(c.code)) return "a control character " + code_name(c.code);
    if (is_unusual_blank(c.code)) return "an invisible or unusual blank " + code_name(c.code);
    text.remove_prefix(c.length);
  }
  return "";
}

std::string printable(std::string_view text, std::size_t longest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    if (result.size() >= longest) return result + "...";
    const Character c = decode(text);
    const std::size_t length = c.length == 0 ? 1 : c.length;
    if (c.length == 0 || is_control(c.code) || is_invisible(c.code) || c.code == '\t') {
      for (const char raw : text.substr(0, length)) {
        const auto byte = static_cast<unsigned char>(raw);
        result += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
      }
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace pomlux
