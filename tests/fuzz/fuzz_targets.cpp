// SPDX-License-Identifier: MIT
#include "fuzz_targets.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/npy.hpp>
#include <pomlux/core/objective.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/yaml_tree.hpp>
#include <pomlux/objectives/command_result.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace pomlux::fuzz {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

constexpr std::size_t kMostNodes = 10'000;

std::size_t size_of(const YamlNode& node) {
  std::size_t size = 1;
  for (const YamlNode& child : node.children) size += size_of(child);
  return size;
}

const YamlNode* child_of(const YamlNode& node, std::string_view key) {
  for (const YamlNode& child : node.children) {
    if (child.key == key) return &child;
  }
  return nullptr;
}

/// The product of the numbers beyond 1.
double product_of(const YamlNode& node) {
  double product = 1.0;
  if (node.kind == YamlNode::Kind::kScalar) {
    const std::optional<double> number = parse_number(node.text);
    if (number && *number > 1.0) product = *number;
  }
  for (const YamlNode& child : node.children) product *= product_of(child);
  return product;
}

/// True if the domain of this text could be so large that making it is all that a target does: the
/// counts of a grid or a sample. The points of a list are as many as the text has.
bool may_be_large(const YamlNode& root) {
  constexpr double kLargest = 1e3;
  const YamlNode* const domain = child_of(root, "domain");
  if (domain == nullptr) return false;
  const YamlNode* const type = child_of(*domain, "type");
  double product = 1.0;
  for (const YamlNode& child : domain->children) {
    const bool is_count = child.key == "size" || child.key == "points" || child.key == "dimension";
    if (is_count && !(type != nullptr && type->text == "list")) product *= product_of(child);
  }
  return !(product <= kLargest);
}

void read_override(const std::string& text) {
  const Override wanted = parse_override(text);
  YamlNode root = parse_yaml("a: {b: [1, 2], c: d}\ne: f\n", "fuzz.yaml");
  apply_override(root, wanted.path, wanted.value, 0);
}

void require_same(const Json& config, const std::string& resolved) {
  try {
    const Experiment again = parse_experiment(resolved, "again.yaml", "/nowhere");
    require(again.config == config, "a resolved configuration reads as another one");
  } catch (const InvalidArgument& error) {
    throw std::logic_error(std::string("a resolved configuration is refused: ") + error.what());
  }
}

CsvTable table_of(const std::string& text) {
  std::istringstream stream(text);
  return read_csv(stream, "fuzz.csv");
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    if (&cell != &cells.front()) line += ',';
    line += csv_cell(cell);
  }
  return line + '\n';
}

std::string text_of(const CsvTable& table) {
  std::string text;
  if (!table.columns.empty()) text += line_of(table.columns);
  for (const std::vector<std::string>& row : table.rows) text += line_of(row);
  return text;
}

void try_number(const CsvTable& table, std::size_t row, std::size_t column) {
  try {
    static_cast<void>(table.number(row, column));
  } catch (const InvalidArgument&) {
  }
}

}  // namespace

void read_config(std::string_view input) {
  const std::string text(input);
  try {
    const bool is_line = std::min(text.find('\n'), text.size() - 1) + 1 == text.size();
    if (is_line && text.find('=') != std::string::npos) {
      read_override(text.substr(0, text.find('\n')));
      return;
    }
    // Aliases make much of little text, and seeds "0-99999" as well: read, and no more.
    const YamlNode root = parse_yaml(text, "fuzz.yaml");
    if (size_of(root) > kMostNodes) return;
    std::vector<Override> overrides;
    if (may_be_large(root)) {
      overrides.push_back({"domain", "{type: grid, lower: [0, 0], upper: [1, 1], points: [2, 2]}"});
    }
    const Experiment experiment = parse_experiment(text, "fuzz.yaml", "/nowhere", overrides);
    if (experiment.seeds.size() > kMostNodes) return;
    require_same(experiment.config, to_yaml(experiment.config));
  } catch (const InvalidArgument&) {
  }
}

void read_csv_table(std::string_view input) {
  try {
    const CsvTable table = table_of(std::string(input));
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      require(table.rows[i].size() == table.width, "a row of another width");
      for (std::size_t j = 0; j < table.width; ++j) try_number(table, i, j);
    }
    const std::string written = text_of(table);
    const bool has_lost_rows = table.width == 1;  // an empty cell alone is a blank line
    if (has_lost_rows || written.starts_with("\xEF\xBB\xBF")) return;
    const CsvTable again = table_of(written);
    require(again.columns == table.columns && again.rows == table.rows, "cells change on the way");
  } catch (const InvalidArgument&) {
  }
}

void read_npy_file(std::string_view input) {
  try {
    std::istringstream stream{std::string(input)};
    const NpyArray array = read_npy(stream, "fuzz.npy");
    require(array.values.size() <= static_cast<Index>(input.size()), "more values than bytes");
  } catch (const InvalidArgument&) {
  }
}

void read_command_result(std::string_view input) {
  CommandResult result;
  try {
    result = parse_command_result(input);
  } catch (const EvaluationFailed& failure) {
    require(failure.what()[0] != '\0', "a failure says nothing");
    return;
  }
  require(std::abs(result.value) <= kLargestObservation, "a value is out of range");
  require(!result.noise_stddev || *result.noise_stddev >= 0.0, "a noise is negative");
  const std::string text = format_number(result.value);
  require(parse_command_result(text).value == result.value, "a value reads as another one");
}

}  // namespace pomlux::fuzz
