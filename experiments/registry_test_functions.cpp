// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry_test_functions.hpp>
#include <pomlux/objectives/test_function.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

/// The dimension that the options ask for, or 0 for any.
Index asked_dimension(const Json& options) {
  const auto asked = options.find("dimension");
  return asked == options.end() || asked->is_null() ? 0 : asked->get<Index>();
}

std::unique_ptr<Objective> make_test_function(const Json& options,
                                              const Domain& domain,
                                              std::uint64_t) {
  return std::make_unique<TestFunction>(options.at("type").get<std::string>(),
                                        domain.dimension(),
                                        options.at("noise_stddev").get<double>());
}

void check_test_function(const Json& options, const Domain& domain) {
  const auto name = options.at("type").get<std::string>();
  const Index asked = asked_dimension(options);
  const std::string found =
      "found a domain of dimension " + format_number(domain.dimension()) + "; allowed: ";
  if (asked > 0 && asked != domain.dimension()) {
    fail(name, found + format_number(asked) + ", as objective.dimension says");
  }
  const TestFunctionRow& row = *find_test_function(name);
  if (domain.dimension() < row.smallest_dimension || domain.dimension() > row.largest_dimension) {
    fail(name, found + row.dimension_text());
  }
}

std::optional<Corners> test_function_box(const Json& options, Index dimension) {
  const TestFunctionRow& row = *find_test_function(options.at("type").get<std::string>());
  const Index asked = row.is_scalable() ? asked_dimension(options) : row.smallest_dimension;
  if (asked > 0) dimension = asked;
  if (dimension < row.smallest_dimension || dimension > row.largest_dimension) return std::nullopt;
  const TestFunction function(row.name, dimension);
  return Corners{function.lower(), function.upper()};
}

ObjectivePlugin plugin_of(const TestFunctionRow& row) {
  Variant variant{row.name, row.domain_text() + "; " + row.citation, {}};
  if (row.is_scalable()) {
    variant.fields.push_back(nullable(field("dimension",
                                            FieldType::kInteger,
                                            "number of dimensions; null: that of the domain",
                                            between(static_cast<double>(row.smallest_dimension),
                                                    static_cast<double>(row.largest_dimension)))));
  }
  variant.fields.push_back(
      noise_field(0.0, "standard deviation of the Gaussian noise on every evaluation"));
  variant.fields.push_back(sense_field(row.sense));
  return {std::move(variant), make_test_function, check_test_function, false, test_function_box};
}

}  // namespace

std::vector<ObjectivePlugin> test_function_plugins() {
  std::vector<ObjectivePlugin> plugins;
  for (const TestFunctionRow& row : test_function_table()) plugins.push_back(plugin_of(row));
  return plugins;
}

std::optional<double> known_optimum(const Json& objective_section, const Box& box) {
  const TestFunctionRow* row = find_test_function(objective_section.at("type").get<std::string>());
  if (row == nullptr) return std::nullopt;
  const TestFunction function(row->name, box.dimension());
  const Points optimizers = function.optimizers();
  for (Index i = 0; i < optimizers.rows(); ++i) {
    if (box.contains(optimizers.row(i))) return function.value(optimizers.row(i));
  }
  return std::nullopt;
}

}  // namespace pomlux
