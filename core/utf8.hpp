// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>      // std::size_t
#include <string>       // results
#include <string_view>  // texts

namespace pomlux {

/// Well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
[[nodiscard]] bool is_utf8(std::string_view text);
/// The first character of well-formed UTF-8 that looks like a blank or like nothing but is not one:
/// "a no-break space (U+00A0)", "a control character (U+0007)"; empty if there is none. Tabs pass.
[[nodiscard]] std::string unusual_blank(std::string_view text);
/// `text` on one line: the bytes of control characters, of what cannot be seen (a byte-order mark,
/// unusual blanks, marks of direction) and of what is no UTF-8 as \xNN. At most about `longest`
/// bytes, never cut inside a character.
[[nodiscard]] std::string printable(std::string_view text, std::size_t longest);

}  // namespace pomlux
