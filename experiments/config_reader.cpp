// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <cmath>      // std::isfinite
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/config_reader.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

using Kind = YamlNode::Kind;

std::string below(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

std::string item(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

bool is_plain_scalar(const YamlNode& node) { return node.kind == Kind::kScalar && !node.is_quoted; }

/// Hints that name-likeness cannot give.
std::string hint(const std::string& text) {
  if (text == "<<") return "; merge keys are not supported";
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos && colon + 1 < text.size()) {
    return "; is a blank missing after the colon?";
  }
  return "";
}

std::string suggestion(const std::string& text, const std::vector<std::string>& known) {
  const std::string near = near_name(text, known);
  return near.empty() ? hint(text) : "; did you mean '" + near + "'?";
}

std::vector<std::string> keys_of(const Section& section, const Variant* variant) {
  std::vector<std::string> keys;
  if (!section.variants.empty()) keys.emplace_back("type");
  for (const Field* field : section.fields_of(variant)) keys.push_back(field->name);
  return keys;
}

const YamlNode* child(const YamlNode& map, const std::string& key) {
  for (const YamlNode& node : map.children) {
    if (node.key == key) return &node;
  }
  return nullptr;
}

/// Types of `section` that know the option `key`.
std::vector<std::string> owners_of(const Section& section, const std::string& key) {
  std::vector<std::string> owners;
  for (const Variant& variant : section.variants) {
    for (const Field& field : variant.fields) {
      if (field.name == key) owners.push_back(variant.name);
    }
  }
  return owners;
}

}  // namespace

Json ConfigReader::read(const YamlNode& root, const Section& section) {
  return read_section(section, root, "");
}

void ConfigReader::refuse(const Place& place, const std::string& path, std::string message) {
  if (place.override_index >= 0) {
    const Override& origin = overrides_[static_cast<std::size_t>(place.override_index)];
    constexpr int kAfterAllLines = 1 << 30;
    faults_.push_back({"--set " + origin.path + "=" + origin.value,
                       kAfterAllLines + place.override_index,
                       path,
                       std::move(message)});
    return;
  }
  faults_.push_back(
      {source_ + ":" + std::to_string(place.line), place.line, path, std::move(message)});
}

void ConfigReader::add_fault(const std::string& path, std::string message) {
  std::string key = path;
  while (!key.empty() && !places_.contains(key)) {
    const std::size_t cut = key.find_last_of(".[");
    key = cut == std::string::npos ? "" : key.substr(0, cut);
  }
  refuse(key.empty() ? Place{} : places_.at(key), path, std::move(message));
}

bool ConfigReader::has_fault(const std::string& path) const {
  return std::any_of(faults_.begin(), faults_.end(), [&](const Fault& fault) {
    return !fault.path.empty() && (fault.path.starts_with(path) || path.starts_with(fault.path));
  });
}

Json ConfigReader::wrong(const Field& field, const YamlNode& node, const std::string& path) {
  std::string found = node.found();
  if (node.kind == Kind::kScalar && node.is_quoted && field.type != FieldType::kChoice) {
    found = "the quoted text " + found;
  }
  std::string message = "found " + found + "; allowed: " + allowed_text(field);
  if (node.kind == Kind::kScalar) message += suggestion(node.text, field.choices);
  refuse({node.line, node.override_index}, path, std::move(message));
  return field.fallback;
}

const Variant* ConfigReader::read_type(const Section& section,
                                       const YamlNode& node,
                                       const std::string& path) {
  const YamlNode* type = child(node, "type");
  const std::string allowed = "one of " + join(section.variant_names());
  if (type == nullptr) {
    const Variant* variant = section.variant(section.fallback_variant);
    if (variant == nullptr) {
      refuse({node.key_line > 0 ? node.key_line : node.line, node.override_index},
             below(path, "type"),
             "is missing; allowed: " + allowed);
    }
    return variant;
  }
  const Variant* variant = type->kind == Kind::kScalar ? section.variant(type->text) : nullptr;
  if (variant == nullptr) {
    std::string message = "found " + type->found() + "; allowed: " + allowed;
    if (type->kind == Kind::kScalar) message += suggestion(type->text, section.variant_names());
    refuse({type->line, type->override_index}, below(path, "type"), std::move(message));
  }
  return variant;
}

void ConfigReader::check_keys(const Section& section,
                              const Variant* variant,
                              const YamlNode& node,
                              const std::string& path) {
  const std::vector<std::string> keys = keys_of(section, variant);
  std::map<std::string, Place> seen;
  for (const YamlNode& entry : node.children) {
    const std::string& key = entry.key;
    const Place place{entry.key_line, entry.override_index};
    const auto [first, is_new] = seen.emplace(key, place);
    if (!is_new) {
      refuse(place,
             below(path, key),
             "given twice; the first is on line " + std::to_string(first->second.line));
      continue;
    }
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const std::vector<std::string> owners = owners_of(section, key);
    if (!owners.empty() && variant == nullptr) continue;  // the type is the fault, and is reported
    std::string message = "unknown key " + in_quotes(key);
    if (!owners.empty()) {
      message += " of type " + variant->name + " (it belongs to " + join(owners) + ")";
    }
    message += "; allowed: " + join(keys) + suggestion(key, keys);
    refuse(place, path, std::move(message));
  }
}

Json ConfigReader::read_section(const Section& section,
                                const YamlNode& node,
                                const std::string& path) {
  Json result = Json::object();
  const Variant* variant = section.variants.empty() ? nullptr : read_type(section, node, path);
  check_keys(section, variant, node, path);
  if (!section.variants.empty()) {
    result["type"] = variant == nullptr ? "" : variant->name;
    if (const YamlNode* type = child(node, "type")) {
      places_[below(path, "type")] = {type->line, type->override_index};
    }
  }
  for (const Field* field : section.fields_of(variant)) {
    const std::string field_path = below(path, field->name);
    const YamlNode* entry = child(node, field->name);
    if (entry != nullptr) places_[field_path] = {entry->line, entry->override_index};
    result[field->name] = entry == nullptr ? fallback(*field, node, field_path)
                                           : read_field(*field, *entry, field_path);
  }
  return result;
}

Json ConfigReader::fallback(const Field& field, const YamlNode& parent, const std::string& path) {
  if (field.is_nullable) return nullptr;
  YamlNode stand_in;
  stand_in.line = std::max(parent.key_line > 0 ? parent.key_line : parent.line, 1);
  stand_in.override_index = parent.override_index;
  if (field.is_required) {
    refuse({stand_in.line, stand_in.override_index},
           path,
           "is missing; allowed: " + allowed_text(field));
    return nullptr;
  }
  if (field.type == FieldType::kSection) {
    stand_in.kind = Kind::kMap;
    return read_section(*field.section, stand_in, path);
  }
  if (field.type == FieldType::kSectionList) {
    stand_in.kind = Kind::kList;
    for (const Json& name : field.fallback) {
      YamlNode entry;
      entry.kind = Kind::kScalar;
      entry.text = name.get<std::string>();
      stand_in.children.push_back(entry);
    }
    return read_section_list(field, stand_in, path);
  }
  if (field.type == FieldType::kPath) return from_base(field.fallback.get<std::string>());
  return field.fallback;
}

std::string ConfigReader::from_base(const std::string& path) const {
  return std::filesystem::absolute(base_ / path).lexically_normal().string();
}

Json ConfigReader::read_field(const Field& field, const YamlNode& node, const std::string& path) {
  if (field.is_nullable && node.kind == Kind::kNull) return nullptr;
  switch (field.type) {
    case FieldType::kSection:
      if (node.kind == Kind::kMap) return read_section(*field.section, node, path);
      if (node.kind == Kind::kScalar && field.section->variant(node.text) != nullptr) {
        refuse({node.line, node.override_index},
               path,
               "found " + node.found() + "; allowed: a map, here {type: " + node.text + "}");
        return nullptr;
      }
      return wrong(field, node, path);
    case FieldType::kSectionList:
      return node.kind == Kind::kList ? read_section_list(field, node, path)
                                      : wrong(field, node, path);
    case FieldType::kSeeds:
      return read_seeds(field, node, path);
    case FieldType::kIntegerList:
    case FieldType::kNumberList:
    case FieldType::kPointList:
    case FieldType::kTextList:
    case FieldType::kChoiceList:
      return read_list(field, node, path);
    case FieldType::kNumberOrList:
      return node.kind == Kind::kList ? read_list(field, node, path)
                                      : read_number(field, node, path);
    case FieldType::kTextOrList:
      return node.kind == Kind::kList ? read_list(field, node, path)
                                      : read_scalar(field, node, path);
    default:
      return read_scalar(field, node, path);
  }
}

Json ConfigReader::read_section_list(const Field& field,
                                     const YamlNode& node,
                                     const std::string& path) {
  Json result = Json::array();
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const YamlNode& entry = node.children[i];
    const std::string entry_path = item(path, i);
    places_[entry_path] = {entry.line, entry.override_index};
    if (entry.kind == Kind::kMap) {
      result.push_back(read_section(*field.section, entry, entry_path));
    } else if (entry.kind == Kind::kScalar &&
               !field.section->variants.empty()) {  // a bare name stands for {type: name}
      YamlNode type = entry;
      type.key = "type";
      type.key_line = entry.line;
      YamlNode map;
      map.kind = Kind::kMap;
      map.line = entry.line;
      map.override_index = entry.override_index;
      map.children.push_back(std::move(type));
      result.push_back(read_section(*field.section, map, entry_path));
    } else {
      wrong(field, entry, entry_path);
    }
  }
  return result;
}

Json ConfigReader::read_scalar(const Field& field, const YamlNode& node, const std::string& path) {
  if (node.kind != Kind::kScalar) return wrong(field, node, path);
  switch (field.type) {
    case FieldType::kBoolean:
      if (is_plain_scalar(node) && node.text == "true") return true;
      if (is_plain_scalar(node) && node.text == "false") return false;
      return wrong(field, node, path);
    case FieldType::kChoice: {
      const auto& choices = field.choices;
      const bool is_known = std::find(choices.begin(), choices.end(), node.text) != choices.end();
      return is_known ? Json(node.text) : wrong(field, node, path);
    }
    case FieldType::kText:
    case FieldType::kTextOrList:
      return node.text.empty() ? wrong(field, node, path) : Json(node.text);
    case FieldType::kPath:
      if (node.text.empty()) return wrong(field, node, path);
      return from_base(node.text);
    case FieldType::kSeed:
      try {
        const std::vector<std::uint64_t> seeds = parse_seeds(node.text);
        if (is_plain_scalar(node) && seeds.size() == 1) return seeds[0];
      } catch (const InvalidArgument&) {  // reported below, in the words of the table
      }
      return wrong(field, node, path);
    default:
      return read_number(field, node, path);
  }
}

Json ConfigReader::read_number(const Field& field, const YamlNode& node, const std::string& path) {
  if (!is_plain_scalar(node)) return wrong(field, node, path);
  if (field.type == FieldType::kInteger || field.type == FieldType::kIntegerList) {
    const std::optional<std::int64_t> value = parse_integer(node.text);
    if (!value || !field.range.contains(static_cast<double>(*value)))
      return wrong(field, node, path);
    return *value;
  }
  const std::optional<double> value = parse_number(node.text);
  if (!value || !std::isfinite(*value) || !field.range.contains(*value)) {
    return wrong(field, node, path);
  }
  return *value == 0.0 ? 0.0 : *value;  // no negative zero in resolved configurations
}

Json ConfigReader::read_list(const Field& field, const YamlNode& node, const std::string& path) {
  if (node.kind != Kind::kList) return wrong(field, node, path);
  Json result = Json::array();
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const YamlNode& entry = node.children[i];
    const std::string entry_path = item(path, i);
    Field one = field;
    one.is_nullable = false;
    one.fallback = nullptr;
    switch (field.type) {
      case FieldType::kIntegerList:
        one.type = FieldType::kInteger;
        break;
      case FieldType::kPointList:
        one.type = FieldType::kNumberList;
        break;
      case FieldType::kTextList:
      case FieldType::kTextOrList:
        one.type = FieldType::kText;
        break;
      case FieldType::kChoiceList:
        one.type = FieldType::kChoice;
        break;
      default:
        one.type = FieldType::kNumber;
        break;
    }
    if (one.type == FieldType::kText && entry.is_quoted && entry.text.empty()) {
      result.push_back("");  // an argument of a program may be empty
      continue;
    }
    Json value = one.type == FieldType::kNumberList ? read_list(one, entry, entry_path)
                                                    : read_scalar(one, entry, entry_path);
    const bool is_repeat = field.type == FieldType::kChoiceList && !value.is_null() &&
                           std::find(result.begin(), result.end(), value) != result.end();
    if (is_repeat) {
      refuse({entry.line, entry.override_index}, entry_path, "found " + entry.found() + " twice");
    }
    result.push_back(std::move(value));
  }
  return result;
}

Json ConfigReader::read_seeds(const Field& field, const YamlNode& node, const std::string& path) {
  std::string text = node.text;
  if (node.kind == Kind::kList) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const YamlNode& entry = node.children[i];
      if (!is_plain_scalar(entry)) return wrong(field, entry, item(path, i));
      text += (i > 0 ? "," : "") + entry.text;
    }
  } else if (node.kind != Kind::kScalar) {
    return wrong(field, node, path);
  }
  try {
    return parse_seeds(text);
  } catch (const InvalidArgument& error) {
    refuse({node.line, node.override_index},
           path,
           std::string(error.what()) + "; allowed: " + allowed_text(field));
    return nullptr;
  }
}

}  // namespace pomlux
