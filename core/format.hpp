// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>     // std::signed_integral
#include <cstdint>      // std::int64_t, std::uint64_t
#include <optional>     // parse results
#include <string>       // formatted text
#include <string_view>  // text to parse

namespace pomlux {

/// Shortest decimal text that reads back as the same double, independent of every locale:
/// "0.25", "1e-05", "inf", "-inf", "nan". Negative zero is written "0".
[[nodiscard]] std::string format_number(double value);
[[nodiscard]] std::string format_signed(std::int64_t value);
[[nodiscard]] std::string format_unsigned(std::uint64_t value);
/// The same for every integer type.
[[nodiscard]] std::string format_number(std::signed_integral auto value) {
  return format_signed(value);
}
[[nodiscard]] std::string format_number(std::unsigned_integral auto value) {
  return format_unsigned(value);
}

/// The whole of `text` as the nearest double, or nothing. Accepts an optional sign, digits, a
/// decimal point with digits on at least one side, an exponent, and "inf", "infinity", "nan" in any
/// case; rejects blanks, hexadecimal, decimal commas, thousands marks and trailing text. Magnitudes
/// beyond the range of double become infinity or zero of that sign.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
/// The whole of `text` as a decimal integer ("12", "-3", "010" is 10), or nothing.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace pomlux
