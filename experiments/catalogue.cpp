// SPDX-License-Identifier: MIT
#include <algorithm>  // std::any_of
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/catalogue.hpp>
#include <pomlux/experiments/experiment_spec.hpp>

namespace pomlux {
namespace {

constexpr std::size_t kNameWidth = 20;
constexpr std::size_t kTypeWidth = 34;

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return format_number(value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + value_text(item);
  return "[" + text + "]";
}

std::string default_text(const Field& field) {
  if (field.is_required) return "required";
  if (field.is_nullable) return "default null";
  return "default " + value_text(field.fallback);
}

/// One line of a field that is not a section.
std::string field_line(const Field& field, const std::string& indent) {
  std::string type = allowed_text(field);
  return indent + padded(field.name, kNameWidth) +
         padded(type + "; " + default_text(field) + " ", kTypeWidth) + " " + field.doc + "\n";
}

void append_fields(const std::vector<Field>& fields, const std::string& indent, std::string& text) {
  for (const Field& field : fields) {
    if (field.section) {
      const std::string where = field.is_nullable ? "; default null" : "";
      text +=
          indent + padded(field.name, kNameWidth) + "see below" + where + "  " + field.doc + "\n";
    } else {
      text += field_line(field, indent);
    }
  }
}

std::string fields_text(const std::vector<Field>& fields, const std::string& indent) {
  std::string text;
  append_fields(fields, indent, text);
  return text;
}

struct Topic {
  std::string path;
  const Section* section;
};

/// A kernel within a kernel is no topic of its own.
bool has_same_choice(const Section* parent, const Section& section) {
  return parent != nullptr && !parent->variants.empty() && !section.variants.empty() &&
         parent->variants.front().name == section.variants.front().name;
}

void collect(const std::string& path,
             const Section* parent,
             const std::vector<Field>& fields,
             std::vector<Topic>& topics) {
  for (const Field& field : fields) {
    if (!field.section) continue;
    const std::string child = path.empty() ? field.name : path + "." + field.name;
    const bool is_listed = std::any_of(topics.begin(), topics.end(), [&](const Topic& topic) {
      return topic.path == child && has_same_choice(topic.section, *field.section);
    });
    if (is_listed || has_same_choice(parent, *field.section)) continue;
    topics.push_back({child, field.section.get()});
    const Section* section = field.section.get();
    collect(child, section, section->fields, topics);
    for (const Variant& variant : section->variants) {
      collect(child, section, variant.fields, topics);
    }
  }
}

std::string describe(const Topic& topic) {
  const Section& section = *topic.section;
  std::string text = (topic.path.empty() ? "top level" : topic.path) + ": " + section.doc + "\n";
  for (std::size_t i = 0; i < section.variants.size(); ++i) {
    const Variant& variant = section.variants[i];
    const std::string mark = variant.name == section.fallback_variant ? " (default)" : "";
    text += "  type: " + padded(variant.name + mark, kNameWidth + 6) + variant.doc + "\n";
    // Neighbours with the same options share one list of them.
    const std::string options = fields_text(variant.fields, "      ");
    const bool is_last = i + 1 == section.variants.size();
    if (is_last || fields_text(section.variants[i + 1].fields, "      ") != options)
      text += options;
  }
  append_fields(section.fields, "    ", text);
  return text + "\n";
}

bool matches(const Topic& topic, const std::string& wanted) {
  return wanted.empty() || topic.path == wanted || topic.path.ends_with("." + wanted);
}

Json numeric_schema(const char* type, const Range& range) {
  Json schema{{"type", type}};
  if (range.lower > -kInfinity)
    schema[range.is_lower_open ? "exclusiveMinimum" : "minimum"] = range.lower;
  if (range.upper < kInfinity)
    schema[range.is_upper_open ? "exclusiveMaximum" : "maximum"] = range.upper;
  return schema;
}

Json list_schema(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json seeds_schema() {
  Json seed{{"type", "integer"}, {"minimum", 0}};
  Json text{{"type", "string"}};
  return {
      {"anyOf", Json::array({seed, text, list_schema({{"anyOf", Json::array({seed, text})}})})}};
}

Json section_schema(const Section& section);

Json plain_schema(const Field& field) {
  const Json choices{{"enum", field.choices}};
  switch (field.type) {
    case FieldType::kBoolean:
      return {{"type", "boolean"}};
    case FieldType::kInteger:
      return numeric_schema("integer", field.range);
    case FieldType::kNumber:
      return numeric_schema("number", field.range);
    case FieldType::kText:
    case FieldType::kPath:
      return {{"type", Json::array({"string", "number", "boolean"})}};
    case FieldType::kChoice:
      return choices;
    case FieldType::kIntegerList:
      return list_schema(numeric_schema("integer", field.range));
    case FieldType::kNumberList:
      return list_schema(numeric_schema("number", field.range));
    case FieldType::kNumberOrList: {
      const Json one = numeric_schema("number", field.range);
      return {{"anyOf", Json::array({one, list_schema(one)})}};
    }
    case FieldType::kPointList:
      return list_schema(list_schema({{"type", "number"}}));
    case FieldType::kTextList:
      return list_schema({{"type", Json::array({"string", "number"})}});
    case FieldType::kTextOrList: {
      const Json one{{"type", Json::array({"string", "number"})}};
      return {{"anyOf", Json::array({one, list_schema(one)})}};
    }
    case FieldType::kChoiceList:
      return list_schema(choices);
    case FieldType::kSeed:
      return {{"type", "integer"}, {"minimum", 0}};
    case FieldType::kSeeds:
      return seeds_schema();
    case FieldType::kSection:
      return section_schema(*field.section);
    case FieldType::kSectionList: {
      if (field.section->variants.empty()) return list_schema(section_schema(*field.section));
      const Json name{{"enum", field.section->variant_names()}};
      return list_schema({{"anyOf", Json::array({name, section_schema(*field.section)})}});
    }
  }
  return {};
}

Json field_schema(const Field& field) {
  Json schema = plain_schema(field);
  if (field.is_nullable) schema = {{"anyOf", Json::array({schema, {{"type", "null"}}})}};
  schema["description"] = field.doc;
  if (!field.fallback.is_null()) schema["default"] = field.fallback;
  return schema;
}

/// A map without variants, or of one of them.
Json map_schema(const Section& section, const Variant* variant) {
  Json properties = Json::object();
  Json needed = Json::array();
  if (variant != nullptr) {
    properties["type"] = {{"const", variant->name}, {"description", variant->doc}};
    if (variant->name != section.fallback_variant) needed.push_back("type");
  }
  for (const Field* field : section.fields_of(variant)) {
    properties[field->name] = field_schema(*field);
    if (field->is_required) needed.push_back(field->name);
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(needed)},
          {"additionalProperties", false}};
}

Json section_schema(const Section& section) {
  if (section.variants.empty()) return map_schema(section, nullptr);
  Json options = Json::array();
  for (const Variant& variant : section.variants) options.push_back(map_schema(section, &variant));
  return {{"anyOf", std::move(options)}};
}

}  // namespace

std::string catalogue(const std::string& topic) {
  const Section& root = experiment_section();
  std::vector<Topic> topics{{"", &root}};
  for (const Variant& variant : root.variants) collect("", nullptr, variant.fields, topics);
  collect("", nullptr, root.fields, topics);
  std::string text;
  std::vector<std::string> names;
  for (const Topic& entry : topics) {
    if (matches(entry, topic)) text += describe(entry);
    if (!entry.path.empty()) names.push_back(entry.path);
  }
  if (text.empty()) {
    const std::string near = near_name(topic, names);
    fail("list",
         "unknown topic '" + topic + "'; allowed: " + join(names) +
             (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  text.pop_back();  // the blank line after the last topic
  return text;
}

Json configuration_schema() {
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
              {"title", "Configuration of a Pomlux experiment"}};
  const Json root = section_schema(experiment_section());
  for (const auto& [key, value] : root.items()) schema[key] = value;
  return schema;
}

}  // namespace pomlux
