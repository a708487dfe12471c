// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <array>      // digit buffers
#include <charconv>   // numbers without locale
#include <cmath>      // HUGE_VAL
#include <pomlux/core/format.hpp>

namespace pomlux {
namespace {

template <typename T>
std::string format_with_to_chars(T value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

/// Removes one leading '+', which std::from_chars does not know. "+-1" stays and so is refused.
std::string_view without_plus(std::string_view text) {
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return has_plus ? text.substr(1) : text;
}

/// Whether a decimal number, known to be outside the range of double, is too large (and not too
/// small): the sign of its exponent in scientific notation. std::from_chars does not tell.
bool is_overflow(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, end);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t leading = digits.find_first_of("123456789");
  double exponent = static_cast<double>(point) - static_cast<double>(leading);
  if (end < text.size()) {
    std::string_view exponent_digits = text.substr(end + 1);
    const bool is_negative = exponent_digits.front() == '-';
    if (is_negative || exponent_digits.front() == '+') exponent_digits.remove_prefix(1);
    double magnitude = 0.0;  // decimal digits of any length, so an integer type could overflow
    for (const char digit : exponent_digits) magnitude = 10.0 * magnitude + (digit - '0');
    exponent += is_negative ? -magnitude : magnitude;
  }
  return exponent > 0.0;
}

}  // namespace

std::string format_number(double value) {
  if (std::isnan(value)) return "nan";
  if (value == 0.0) return "0";
  return format_with_to_chars(value);
}

std::string format_signed(std::int64_t value) { return format_with_to_chars(value); }

std::string format_unsigned(std::uint64_t value) { return format_with_to_chars(value); }

std::optional<double> parse_number(std::string_view text) {
  text = without_plus(text);
  if (text.find('(') != std::string_view::npos) return std::nullopt;  // nan(payload)
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [position, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || position != end) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    const double magnitude = is_overflow(text) ? HUGE_VAL : 0.0;
    return text.front() == '-' ? -magnitude : magnitude;
  }
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = without_plus(text);
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [position, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || position != end) return std::nullopt;
  return value;
}

}  // namespace pomlux
