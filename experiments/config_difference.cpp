// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find_if, std::all_of
#include <pomlux/experiments/config_difference.hpp>
#include <pomlux/experiments/json.hpp>
#include <utility>  // key and value

namespace pomlux {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kIndent = 2;
constexpr std::size_t kMostShown = 3;

/// Keys with their paths, and their values. An entry of a list has its number for a key.
Entries entries_of(const std::string& text) {
  Entries entries;
  std::vector<std::string> path;
  std::size_t item = 0;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos || line[first] == '#') continue;
    path.resize(std::min(path.size(), first / kIndent));
    std::string key = line.substr(first);
    std::string value;
    if (key.starts_with("- ")) {
      value = key.substr(2);
      key = std::to_string(item++);
    } else {
      item = 0;
      const std::size_t colon = std::min(key.find(':'), key.size());
      value = key.substr(std::min(colon + 2, key.size()));
      key.resize(colon);
    }
    std::string whole;
    for (const std::string& part : path) whole += part + ".";
    whole += key;
    path.push_back(std::move(key));
    if (!value.empty() && whole != "output")
      entries.emplace_back(std::move(whole), std::move(value));
  }
  return entries;
}

std::string value_of(const Entries& entries, const std::string& key) {
  const auto found = std::find_if(
      entries.begin(), entries.end(), [&](const auto& one) { return one.first == key; });
  return found == entries.end() ? "" : found->second;
}

bool is_grown(const ConfigDifference& difference) {
  const Json there = Json::parse(difference.there, nullptr, false);
  const Json here = Json::parse(difference.here, nullptr, false);
  if (difference.key == "budget.steps") {
    return there.is_number() && here.is_number() && here > there;
  }
  return difference.key == "seeds" && there.is_array() && here.is_array() &&
         std::all_of(there.begin(), there.end(), [&](const Json& seed) {
           return std::find(here.begin(), here.end(), seed) != here.end();
         });
}

std::string shown(const std::string& value) { return value.empty() ? "absent" : value; }

}  // namespace

std::vector<ConfigDifference> config_differences(const std::string& there,
                                                 const std::string& here) {
  const Entries old_entries = entries_of(there);
  const Entries new_entries = entries_of(here);
  std::vector<ConfigDifference> result;
  for (const auto& [key, value] : old_entries) {
    const std::string other = value_of(new_entries, key);
    if (other != value) result.push_back({key, value, other});
  }
  for (const auto& [key, value] : new_entries) {
    if (value_of(old_entries, key).empty()) result.push_back({key, "", value});
  }
  return result;
}

std::string differences_text(const std::vector<ConfigDifference>& differences) {
  std::string text;
  for (std::size_t i = 0; i < std::min(differences.size(), kMostShown); ++i) {
    const ConfigDifference& one = differences[i];
    text += (i > 0 ? "; " : "") + one.key + ": " + shown(one.there) + " there, " + shown(one.here) +
            " here";
  }
  if (differences.size() > kMostShown) {
    text += "; and " + std::to_string(differences.size() - kMostShown) + " more";
  }
  return text;
}

bool is_continuation(const std::vector<ConfigDifference>& differences) {
  return std::all_of(differences.begin(), differences.end(), is_grown);
}

}  // namespace pomlux
