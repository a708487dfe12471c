// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <array>      // words
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/config.hpp>

namespace pomlux {
namespace {

/// Text that no YAML reader takes for anything but itself: letters first, and no word that some
/// version of YAML reads as a boolean or null.
bool is_plain(const std::string& text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view kOthers = "0123456789_-./";
  constexpr std::array<std::string_view, 10> kWords{
      "true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan"};
  if (text.empty() || kLetters.find(text.front()) == std::string_view::npos) return false;
  for (const char c : text) {
    if (kLetters.find(c) == std::string_view::npos && kOthers.find(c) == std::string_view::npos) {
      return false;
    }
  }
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return std::find(kWords.begin(), kWords.end(), lower) == kWords.end();
}

std::string scalar(const Json& value) {
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    return is_plain(text) ? text : Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  if (value.is_number_unsigned()) return format_number(value.get<std::uint64_t>());
  if (value.is_number_integer()) return format_number(value.get<std::int64_t>());
  if (value.is_number()) return format_number(value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  return "null";
}

std::string flow(const Json& value) {
  if (!value.is_structured()) return scalar(value);
  std::string text;
  for (const auto& [key, item] : value.items()) {
    text += text.empty() ? "" : ", ";
    text += value.is_object() ? key + ": " + flow(item) : flow(item);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

/// Lists whose entries are lists or maps take a line per entry.
bool has_structured_entry(const Json& list) {
  return std::any_of(
      list.begin(), list.end(), [](const Json& item) { return item.is_structured(); });
}

void append_map(const Json& map, const std::string& indent, std::string& text) {
  for (const auto& [key, value] : map.items()) {
    text += indent + key + ":";
    if (value.is_object()) {
      text += "\n";
      append_map(value, indent + "  ", text);
    } else if (value.is_array() && has_structured_entry(value)) {
      text += "\n";
      for (const Json& item : value) text += indent + "  - " + flow(item) + "\n";
    } else {
      text += " " + flow(value) + "\n";
    }
  }
}

}  // namespace

std::string to_yaml(const Json& config) {
  std::string text;
  append_map(config, "", text);
  return text;
}

}  // namespace pomlux
