// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdint>     // seeds
#include <functional>  // actions
#include <pomlux/experiments/row_table.hpp>
#include <string>  // command line

namespace pomlux {

/// The program's options while they are parsed. Parsing chooses `action`; it runs afterwards and
/// returns the exit code, or throws.
struct CommandLine {
  CLI::App app;
  std::string text;  ///< as it was given, quoted for a shell
  std::function<int()> action;
};

// One function per file; each adds the commands it is named after.
void add_run_command(CommandLine& line);
void add_configuration_commands(CommandLine& line);  ///< validate, list, schema
void add_report_command(CommandLine& line);
void add_pom_command(CommandLine& line);
void add_predict_command(CommandLine& line);
void add_evaluate_command(CommandLine& line);
void add_study_commands(CommandLine& line);      ///< ask, tell, status
void add_reproduce_commands(CommandLine& line);  ///< reproduce, collect

/// --format table, csv or json.
void add_format_option(CLI::App& command, OutputFormat& format);
/// One seed. @throws InvalidArgument naming --seed.
[[nodiscard]] std::uint64_t parse_seed_option(const std::string& text);

}  // namespace pomlux
