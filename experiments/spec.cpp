// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find_if, std::min
#include <cctype>     // std::isalnum
#include <cmath>      // std::trunc
#include <pomlux/core/format.hpp>
#include <pomlux/core/types.hpp>
#include <pomlux/experiments/spec.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

/// Letters and digits alone, in lower case: "Matern-5/2" and "matern52" agree.
std::string normalised(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && std::isalnum(byte) != 0) result += static_cast<char>(std::tolower(byte));
  }
  return result;
}

/// Insertions, deletions, changes and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> d((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return d[i * columns + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return at(a.size(), b.size());
}

/// Bounds of counts in full, "1000000000"; others as short as they come, "1e+100".
std::string bound_text(double value) {
  constexpr double kLargestInFull = 1e15;
  const bool is_count = std::trunc(value) == value && std::abs(value) < kLargestInFull;
  return is_count ? format_number(static_cast<std::int64_t>(value)) : format_number(value);
}

std::string numbers_in(const Range& range) {
  const std::string text = range.text();
  return text.empty() ? "" : " " + text;
}

}  // namespace

bool Range::contains(double value) const {
  const bool above_lower = is_lower_open ? value > lower : value >= lower;
  const bool below_upper = is_upper_open ? value < upper : value <= upper;
  return above_lower && below_upper;
}

std::string Range::text() const {
  if (lower == -kInfinity && upper == kInfinity) return "";
  if (upper == kInfinity) return (is_lower_open ? "> " : ">= ") + bound_text(lower);
  if (lower == -kInfinity) return (is_upper_open ? "< " : "<= ") + bound_text(upper);
  if (lower == upper) return "equal to " + bound_text(lower);
  if (!is_lower_open && !is_upper_open) {
    return "from " + bound_text(lower) + " to " + bound_text(upper);
  }
  return std::string("in ") + (is_lower_open ? "(" : "[") + bound_text(lower) + ", " +
         bound_text(upper) + (is_upper_open ? ")" : "]");
}

Range at_least(double lower) { return {.lower = lower}; }
Range above(double lower) { return {.lower = lower, .is_lower_open = true}; }
Range between(double lower, double upper) { return {.lower = lower, .upper = upper}; }
Range strictly_between(double lower, double upper) {
  return {.lower = lower, .upper = upper, .is_lower_open = true, .is_upper_open = true};
}

const Variant* Section::variant(std::string_view name) const {
  for (const Variant& candidate : variants) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

std::vector<const Field*> Section::fields_of(const Variant* chosen) const {
  std::vector<const Field*> result;
  if (chosen != nullptr) {
    for (const Field& own : chosen->fields) result.push_back(&own);
  }
  for (const Field& common : fields) result.push_back(&common);
  return result;
}

std::vector<std::string> Section::variant_names() const {
  std::vector<std::string> names;
  for (const Variant& candidate : variants) names.push_back(candidate.name);
  return names;
}

Field field(std::string name, FieldType type, std::string doc, Range range) {
  Field result;
  result.name = std::move(name);
  result.type = type;
  result.doc = std::move(doc);
  result.range = range;
  return result;
}

Field boolean(std::string name, bool fallback, std::string doc) {
  Field result = field(std::move(name), FieldType::kBoolean, std::move(doc));
  result.fallback = fallback;
  return result;
}

Field integer(std::string name, std::int64_t fallback, Range range, std::string doc) {
  Field result = field(std::move(name), FieldType::kInteger, std::move(doc), range);
  result.fallback = fallback;
  return result;
}

Field number(std::string name, double fallback, Range range, std::string doc) {
  Field result = field(std::move(name), FieldType::kNumber, std::move(doc), range);
  result.fallback = fallback;
  return result;
}

Field choice(std::string name,
             std::string fallback,
             std::vector<std::string> choices,
             std::string doc) {
  Field result = field(std::move(name), FieldType::kChoice, std::move(doc));
  result.fallback = std::move(fallback);
  result.choices = std::move(choices);
  return result;
}

Field section_field(std::string name, Section section, std::string doc) {
  Field result = field(std::move(name), FieldType::kSection, std::move(doc));
  result.section = std::make_shared<const Section>(std::move(section));
  return result;
}

Field required(Field field) {
  field.is_required = true;
  field.fallback = nullptr;
  return field;
}

Field nullable(Field field) {
  field.is_nullable = true;
  field.fallback = nullptr;
  return field;
}

std::string join(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

std::string allowed_text(const Field& field) {
  const auto describe = [&]() -> std::string {
    switch (field.type) {
      case FieldType::kBoolean:
        return "true or false";
      case FieldType::kInteger:
        return "an integer" + numbers_in(field.range);
      case FieldType::kNumber:
        return "a number" + numbers_in(field.range);
      case FieldType::kText:
        return "text";
      case FieldType::kChoice:
        return "one of " + join(field.choices);
      case FieldType::kPath:
        return "a path";
      case FieldType::kIntegerList:
        return "a list of integers" + numbers_in(field.range);
      case FieldType::kNumberList:
        return "a list of numbers" + numbers_in(field.range);
      case FieldType::kNumberOrList:
        return "a number" + numbers_in(field.range) + ", or a list of such numbers";
      case FieldType::kPointList:
        return "a list of points, each a list of numbers";
      case FieldType::kTextList:
        return "a list of texts";
      case FieldType::kTextOrList:
        return "a list of texts, or one text";
      case FieldType::kChoiceList:
        return "a list of some of " + join(field.choices);
      case FieldType::kSeed:
        return "an integer from 0 to 2^64 - 1";
      case FieldType::kSeeds:
        return "a list of integers from 0 to 2^64 - 1, or a range such as 0-9";
      case FieldType::kSection:
        return field.section->variants.empty() ? "a map" : "a map with the key type";
      case FieldType::kSectionList:
        if (field.section->variants.empty()) return "a list of maps";
        return "a list; each entry one of " + join(field.section->variant_names()) +
               ", or a map with the key type";
    }
    return "";
  };
  return describe() + (field.is_nullable ? ", or null" : "");
}

std::string near_name(std::string_view text, const std::vector<std::string>& known) {
  const std::string wanted = normalised(text);
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  if (wanted.empty()) return best;
  for (const std::string& name : known) {
    const std::string candidate = normalised(name);
    const bool is_prefix = wanted.size() >= 3 && candidate.starts_with(wanted);
    const std::size_t distance = candidate == wanted ? 0
                                 : is_prefix         ? 1
                                                     : edit_distance(wanted, candidate);
    if (!is_prefix && distance >= candidate.size()) continue;  // nothing in common
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace pomlux
