// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // base of relative paths
#include <map>         // lines by key path
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/spec.hpp>
#include <string>  // paths
#include <vector>  // faults

namespace pomlux {

/// Reads a YAML tree against the table of fields. Faults are collected, and the default (or an
/// empty value) stands in for what could not be read, so that the rest is read too.
class ConfigReader {
 public:
  ConfigReader(std::string source,
               std::filesystem::path base,
               const std::vector<Override>& overrides)
      : source_(std::move(source)), base_(std::move(base)), overrides_(overrides) {}

  [[nodiscard]] Json read(const YamlNode& root, const Section& section);
  /// A fault of a value read before, found by a later check, at the line of `path` or of the
  /// nearest key above it.
  void add_fault(const std::string& path, std::string message);
  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }
  /// True if a fault was found at `path`, below it, or above it.
  [[nodiscard]] bool has_fault(const std::string& path) const;
  /// True if the text has this key.
  [[nodiscard]] bool is_given(const std::string& path) const { return places_.contains(path); }

 private:
  struct Place {
    int line = 1;
    int override_index = -1;
  };

  void refuse(const Place& place, const std::string& path, std::string message);
  Json read_field(const Field& field, const YamlNode& node, const std::string& path);
  Json read_section(const Section& section, const YamlNode& node, const std::string& path);
  Json read_section_list(const Field& field, const YamlNode& node, const std::string& path);
  Json read_scalar(const Field& field, const YamlNode& node, const std::string& path);
  Json read_number(const Field& field, const YamlNode& node, const std::string& path);
  Json read_list(const Field& field, const YamlNode& node, const std::string& path);
  Json read_seeds(const Field& field, const YamlNode& node, const std::string& path);
  Json fallback(const Field& field, const YamlNode& parent, const std::string& path);
  [[nodiscard]] std::string from_base(const std::string& path) const;
  const Variant* read_type(const Section& section, const YamlNode& node, const std::string& path);
  void check_keys(const Section& section,
                  const Variant* variant,
                  const YamlNode& node,
                  const std::string& path);
  Json wrong(const Field& field, const YamlNode& node, const std::string& path);

  std::string source_;
  std::filesystem::path base_;
  const std::vector<Override>& overrides_;
  std::vector<Fault> faults_;
  std::map<std::string, Place> places_;
};

}  // namespace pomlux
