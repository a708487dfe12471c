// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry_external.hpp>
#include <pomlux/experiments/table_file.hpp>
#include <pomlux/objectives/command.hpp>
#include <pomlux/objectives/tabulated.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr const char* kValueColumn = "value";
/// A year of seconds, beyond which a timeout is none.
constexpr double kLongestTimeout = 31'557'600.0;

Field value_column_field() {
  Field result = field("value", FieldType::kText, "name of the column of values");
  result.fallback = kValueColumn;
  return result;
}

Field path_field(std::string doc) { return field("path", FieldType::kPath, std::move(doc)); }

CommandOptions command_options(const Json& options, const Domain& domain) {
  CommandOptions result;
  const Json& command = options.at("command");
  result.uses_shell = options.at("shell").get<bool>();
  if (command.is_array()) {
    result.command = command.get<std::vector<std::string>>();
  } else if (result.uses_shell) {
    result.command = {command.get<std::string>()};
  } else {
    throw InvalidArgument(
        "command is one text; allowed: a list [program, argument, ...], or one "
        "text together with shell: true");
  }
  result.input = options.at("input") == "json" ? CommandInput::kJson : CommandInput::kArguments;
  result.names = domain.names();
  if (options.contains("categories")) {
    result.categories = options.at("categories").get<std::vector<std::vector<std::string>>>();
  }
  result.environment = options.at("environment").get<std::vector<std::string>>();
  result.folder = options.at("working_directory").get<std::string>();
  const Json& timeout = options.at("timeout");
  if (!timeout.is_null()) result.timeout = timeout.get<double>();
  return result;
}

std::unique_ptr<Objective> make_command(const Json& options, const Domain& domain, std::uint64_t) {
  return std::make_unique<CommandObjective>(command_options(options, domain));
}

void check_command(const Json& options, const Domain& domain) {
  static_cast<void>(CommandObjective(command_options(options, domain)));
}

Vector table_values(const Json& options, const Domain& domain) {
  return read_table_values(
      options.at("path").get<std::string>(), options.at("value").get<std::string>(), domain);
}

std::unique_ptr<Objective> make_table(const Json& options, const Domain& domain, std::uint64_t) {
  return std::make_unique<Tabulated>(
      domain, table_values(options, domain), options.at("noise_stddev").get<double>());
}

void check_table(const Json& options, const Domain& domain) {
  static_cast<void>(table_values(options, domain));
}

Domain make_table_domain(const Json& options, std::uint64_t) {
  if (options.at("path").is_null()) {
    throw InvalidArgument(
        "is null; allowed: the path of a CSV file, or an objective of type table");
  }
  const Json& value = options.at("value");
  return read_table_domain(options.at("path").get<std::string>(),
                           value.is_null() ? kValueColumn : value.get<std::string>());
}

}  // namespace

ObjectivePlugin command_plugin() {
  Field command =
      field("command",
            FieldType::kTextOrList,
            "[program, argument, ...] with {name} for a coordinate and {point} for all; "
            "without these the coordinates are appended");
  Field environment = field(
      "environment", FieldType::kTextList, "NAME=value, beside the variables of this program");
  environment.fallback = Json::array();
  Field folder = field("working_directory",
                       FieldType::kPath,
                       "where it runs, and where programs named with a / are; relative to the "
                       "configuration file");
  folder.fallback = ".";
  return {
      {"command",
       "what a program prints: a number, or {\"value\": .., \"noise_stddev\": ..}",
       {required(std::move(command)),
        boolean("shell", false, "command is one text for /bin/sh -c; without, no shell reads it"),
        choice("input",
               "arguments",
               {"arguments", "json"},
               "the point as arguments, or as {\"name\": number, ..} on standard input"),
        nullable(field("timeout",
                       FieldType::kNumber,
                       "seconds until it is ended with its process group; null: none",
                       {.lower = 0, .upper = kLongestTimeout, .is_lower_open = true})),
        std::move(environment),
        std::move(folder)}},
      make_command,
      check_command};
}

ObjectivePlugin table_plugin() {
  return {{"table",
           "answers known beforehand: a CSV file with a column per coordinate and one of values",
           {required(path_field("relative to the configuration file")),
            value_column_field(),
            noise_field(0.0, "standard deviation of the Gaussian noise on every evaluation")}},
          make_table,
          check_table,
          true};
}

ObjectivePlugin manual_plugin() {
  return {{"manual",
           "values that a person or another program tells, with pomlux ask and pomlux tell",
           {}},
          [](const Json&, const Domain&, std::uint64_t) -> std::unique_ptr<Objective> {
            throw InvalidArgument(
                "objective: is of type manual, which nothing here can evaluate; make a folder with "
                "this configuration as study.yaml, and use pomlux ask and pomlux tell");
          }};
}

DomainPlugin table_domain_plugin() {
  return {{"table",
           "the points of a table of answers; a column named label gives labels",
           {nullable(path_field("relative to the configuration file; null: the objective's table")),
            nullable(field("value",
                           FieldType::kText,
                           "name of the column that is no coordinate; null: the objective's"))}},
          make_table_domain};
}

void complete_table_domain(Json& config) {
  const Json& objective = config.at("objective");
  Json& domain = config.at("domain");
  const auto is_table = [](const Json& section) {
    return section.is_object() && section.at("type") == "table";
  };
  if (!is_table(domain) || !is_table(objective)) return;
  for (const char* key : {"path", "value"}) {
    if (domain.at(key).is_null()) domain[key] = objective.at(key);
  }
}

}  // namespace pomlux
