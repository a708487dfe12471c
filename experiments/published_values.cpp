// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/published_values.hpp>
#include <pomlux/experiments/reproduce_figure_data.hpp>
#include <string>   // keys
#include <utility>  // std::move
#include <vector>   // lists of keys

namespace pomlux {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20U;
constexpr std::size_t kLongestQuote = 40;

using Keys = std::vector<std::string>;

/// Looks at places of one file.
class Checker {
 public:
  Checker(std::string file, const Json& whole) : file_(std::move(file)), whole_(whole) {}

  void number(const std::string& key) const {
    const Json* const value = find(key);
    if (value == nullptr || !value->is_number()) refuse(key, "a number");
  }

  void number_or_null(const std::string& key) const {
    const Json* const value = find(key);
    if (value == nullptr || !(value->is_number() || value->is_null())) {
      refuse(key, "a number or null");
    }
  }

  void numbers(const std::string& key, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) number(key + "/" + std::to_string(i));
  }

  void word(const std::string& key, const std::string& allowed) const {
    const Json* const value = find(key);
    if (value == nullptr || *value != allowed) refuse(key, allowed);
  }

  std::size_t list_size(const std::string& key) const {
    const Json* const value = find(key);
    if (value == nullptr || !value->is_array() || value->empty()) refuse(key, "a list");
    return value->size();
  }

 private:
  [[nodiscard]] const Json* find(const std::string& key) const {
    const Json::json_pointer pointer(key);
    return whole_.contains(pointer) ? &whole_.at(pointer) : nullptr;
  }

  [[noreturn]] void refuse(const std::string& key, const std::string& allowed) const {
    const Json* const value = find(key);
    std::string found = value == nullptr ? "nothing" : value->dump();
    if (found.size() > kLongestQuote) found = found.substr(0, kLongestQuote) + "...";
    fail(file_, "key " + key + ": found " + found + "; allowed: " + allowed);
  }

  std::string file_;
  const Json& whole_;
};

/// One entry per column of the paper's tables, each with these numbers.
void check_columns(const Checker& check, const std::string& table, const Keys& numbers) {
  std::size_t place = 0;
  for (const TableColumn& column : table_columns()) {
    if (table == "/table2" && !column.is_in_table2) continue;
    const std::string index = "/" + std::to_string(place++);
    check.word(table + "/columns" + index, column.column);
    for (const FigureMethod& one : kFigureMethods) {
      if (one.method == std::string("ts_mc")) continue;  // the truth of both tables
      for (const std::string& number : numbers) {
        check.number(table + "/" + one.method + index + "/" + number);
      }
    }
  }
}

void check_areas(const Checker& check) {
  Keys methods{"ts", "means"};
  for (const FigureMethod& one : kFigureMethods) methods.emplace_back(one.method);
  for (const std::string& method : methods) {
    check.number("/auc/" + method + "/mean");
    check.number("/auc/" + method + "/se");
  }
}

void check_curves(const Checker& check, const std::string& figure, const std::string& key) {
  const std::size_t steps = check.list_size(key + "/steps");
  check.numbers(key + "/steps", steps);
  for (const EntropyCurve& curve : entropy_curves(figure)) {
    check.numbers(key + "/" + curve.key + "/mean", steps);
    check.numbers(key + "/" + curve.key + "/se", steps);
  }
}

}  // namespace

Json read_published(const std::filesystem::path& file) {
  Json whole;
  try {
    whole = Json::parse(read_text_file(file, kLargestFile));
  } catch (const Json::parse_error& error) {
    fail(file.string(),
         "no JSON at byte " + std::to_string(error.byte) + "; allowed: the file that comes with " +
             "the paper's configurations");
  }
  const Checker check(file.string(), whole);
  check_columns(check, "/table1", {"mean", "se"});
  check_columns(check, "/table2", {"value", "low", "high"});
  check_areas(check);
  for (const FigureMethod& one : kFigureMethods) {
    for (std::size_t i = 0; i < kRuntimeSizes.size(); ++i) {
      check.number_or_null(std::string("/runtime_vs_size/") + one.method + "/" + std::to_string(i));
    }
  }
  check_curves(check, "fig-entropy-search", "/entropy_search");
  check_curves(check, "fig-large-scale", "/large_scale");
  return whole;
}

}  // namespace pomlux
