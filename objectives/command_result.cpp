// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <cmath>      // std::isfinite
#include <pomlux/core/format.hpp>
#include <pomlux/core/objective.hpp>
#include <pomlux/core/types.hpp>
#include <pomlux/core/utf8.hpp>
#include <pomlux/objectives/command_result.hpp>
#include <string>   // messages
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_too_large(double number) { return std::abs(number) > kLargestObservation; }

std::string beyond_largest() { return "beyond " + format_number(kLargestObservation) + " in size"; }

/// Reads a JSON object of numbers from front to back.
class ObjectReader {
 public:
  explicit ObjectReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] CommandResult read() {
    std::optional<double> value, noise_stddev;
    expect('{');
    while (true) {
      const std::string_view key = read_key();
      std::optional<double>* const slot = key == "value"          ? &value
                                          : key == "noise_stddev" ? &noise_stddev
                                                                  : nullptr;
      if (slot == nullptr) refuse("the key '" + printable(key, 60) + "' is not known");
      if (*slot) refuse("'" + std::string(key) + "' is given twice");
      expect(':');
      *slot = read_number(key);
      if (next() != ',') break;
      expect(',');
    }
    expect('}');
    if (next() != '\0') refuse("there is text behind the object");
    if (!value) refuse("there is no 'value'");
    if (noise_stddev && *noise_stddev < 0.0) refuse("noise_stddev is below 0");
    return {*value, noise_stddev};
  }

  /// What is wrong, caught where the whole text is known.
  struct Fault {
    std::string text;
  };

 private:
  [[noreturn]] static void refuse(std::string text) { throw Fault{std::move(text)}; }
  /// The next character that is no blank; NUL at the end.
  [[nodiscard]] char next() {
    rest_ = without_blanks(rest_);
    return rest_.empty() ? '\0' : rest_.front();
  }
  void expect(char wanted) {
    if (next() != wanted) refuse(std::string("there is no '") + wanted + "' where one must be");
    rest_.remove_prefix(1);
  }
  [[nodiscard]] std::string_view read_key() {
    expect('"');
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) refuse("a quote is not closed");
    const std::string_view key = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return key;
  }
  [[nodiscard]] double read_number(std::string_view key) {
    static_cast<void>(next());
    const std::string_view text =
        rest_.substr(0, std::min(rest_.find_first_of(",} \t\r\n"), rest_.size()));
    const std::optional<double> number = parse_number(text);
    if (!number || !std::isfinite(*number)) {
      refuse("'" + std::string(key) + "' is '" + printable(text, 60) + "', not a finite number");
    }
    if (is_too_large(*number)) {
      refuse("'" + std::string(key) + "' is '" + printable(text, 60) + "', " + beyond_largest());
    }
    rest_.remove_prefix(text.size());
    return *number;
  }

  std::string_view rest_;
};

[[noreturn]] void fail_to_read(std::string_view text, const std::string& why) {
  constexpr std::size_t kLongestText = 200;
  const std::string found = text.empty() ? "nothing" : "'" + printable(text, kLongestText) + "'";
  throw EvaluationFailed("printed " + found + (why.empty() ? "" : " (" + why + ")") +
                         "; allowed: one finite number, or {\"value\": number, \"noise_stddev\": "
                         "number >= 0}, the latter optional, numbers of size <= " +
                         format_number(kLargestObservation));
}

}  // namespace

CommandResult parse_command_result(std::string_view text) {
  const std::string_view content = without_blanks(text);
  if (content.starts_with('{')) {
    try {
      return ObjectReader(content).read();
    } catch (const ObjectReader::Fault& fault) {
      fail_to_read(content, fault.text);
    }
  }
  const std::optional<double> value = parse_number(content);
  if (value && std::isfinite(*value)) {
    if (is_too_large(*value)) fail_to_read(content, beyond_largest());
    return {*value, std::nullopt};
  }
  const bool has_lines = content.find('\n') != std::string_view::npos;
  fail_to_read(content, has_lines ? "more than one line" : "");
}

}  // namespace pomlux
