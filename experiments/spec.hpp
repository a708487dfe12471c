// SPDX-License-Identifier: MIT
#pragma once

#include <limits>  // open ranges
#include <memory>  // nested sections
#include <pomlux/experiments/json.hpp>
#include <string>       // names, texts
#include <string_view>  // names
#include <vector>       // fields

namespace pomlux {

/// What a configuration key holds. Its JSON value in a resolved configuration is in brackets.
enum class FieldType {
  kBoolean,       ///< [boolean]
  kInteger,       ///< [integer]
  kNumber,        ///< [number]
  kText,          ///< [string], not empty
  kChoice,        ///< [string], one of `choices`
  kPath,          ///< [string], absolute; relative text is relative to the configuration file
  kIntegerList,   ///< [array of integers]
  kNumberList,    ///< [array of numbers]
  kNumberOrList,  ///< [number or array of numbers]
  kPointList,     ///< [array of arrays of numbers]
  kTextList,      ///< [array of strings]
  kTextOrList,    ///< [string or array of strings]
  kChoiceList,    ///< [array of strings], each one of `choices`, none twice
  kSeed,          ///< [unsigned integer], from 0 to 2^64 - 1
  kSeeds,         ///< [array of unsigned integers]; read from a list or a range such as "0-9"
  kSection,       ///< [object]
  kSectionList,   ///< [array of objects]; with variants, an entry may be the bare name of its type
};

/// Allowed values of a number, or of every entry of a list.
struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool is_lower_open = false;
  bool is_upper_open = false;

  [[nodiscard]] bool contains(double value) const;
  /// ">= 1", "> 0", "in (0, 1)", "from 1 to 16"; empty if everything is allowed.
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] Range at_least(double lower);
[[nodiscard]] Range above(double lower);
[[nodiscard]] Range between(double lower, double upper);
[[nodiscard]] Range strictly_between(double lower, double upper);

struct Section;

/// One key of a configuration: the single source of validation, defaults, `pomlux list` and
/// `pomlux schema`.
struct Field {
  std::string name;
  FieldType type = FieldType::kText;
  std::string doc;          ///< one line
  Json fallback = nullptr;  ///< value if the key is left out; null: there is none
  bool is_required = false;
  bool is_nullable = false;  ///< null may be written, and is the value if the key is left out
  Range range{};
  std::vector<std::string> choices{};
  std::shared_ptr<const Section> section{};  ///< of kSection and kSectionList
};

/// A plug-in that the key `type` of its section chooses.
struct Variant {
  std::string name;
  std::string doc;
  std::vector<Field> fields;
};

/// A map of the configuration: `type` with the fields of the chosen variant, if there are variants,
/// and the fields common to all.
struct Section {
  std::string doc;
  std::vector<Variant> variants;
  std::string fallback_variant;  ///< if `type` is left out; empty: it is required
  std::vector<Field> fields;

  [[nodiscard]] const Variant* variant(std::string_view name) const;
  /// The fields of a map with this type: of the variant first, then the common ones.
  [[nodiscard]] std::vector<const Field*> fields_of(const Variant* chosen) const;
  [[nodiscard]] std::vector<std::string> variant_names() const;
};

// Builders, so that a table line reads as name, default, range, meaning.
[[nodiscard]] Field boolean(std::string name, bool fallback, std::string doc);
[[nodiscard]] Field integer(std::string name, std::int64_t fallback, Range range, std::string doc);
[[nodiscard]] Field number(std::string name, double fallback, Range range, std::string doc);
[[nodiscard]] Field choice(std::string name,
                           std::string fallback,
                           std::vector<std::string> choices,
                           std::string doc);
[[nodiscard]] Field section_field(std::string name, Section section, std::string doc);
/// A field of another type; it has no default yet.
[[nodiscard]] Field field(std::string name, FieldType type, std::string doc, Range range = {});
/// The same field, to be written by the user / null unless written.
[[nodiscard]] Field required(Field field);
[[nodiscard]] Field nullable(Field field);

/// "an integer >= 1", "one of ei, pi, ucb", "a list of numbers, or null".
[[nodiscard]] std::string allowed_text(const Field& field);
/// "a, b, c".
[[nodiscard]] std::string join(const std::vector<std::string>& items);
/// The known name that `text` was probably meant to be, or empty. Case, blanks, '-', '_' and '/' do
/// not count; else up to a third of the letters may be added, dropped, changed or swapped.
[[nodiscard]] std::string near_name(std::string_view text, const std::vector<std::string>& known);

}  // namespace pomlux
