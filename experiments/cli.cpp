// SPDX-License-Identifier: MIT
#include <cstdlib>    // setenv
#include <exception>  // whatever reaches the top
#include <new>        // std::bad_alloc
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/build_info.hpp>
#include <pomlux/experiments/cli.hpp>
#include <pomlux/experiments/commands.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/terminal.hpp>
#include <pomlux/experiments/yaml_tree.hpp>
#include <sstream>  // CLI11's help
#include <string>   // texts
#include <utility>  // std::move
#include <vector>   // arguments

namespace pomlux {
namespace {

std::string version_text() {
  const BuildInfo& info = build_info();
  std::string text = "pomlux " + info.version + "\nbuild: " + info.type + ", " + info.flags +
                     "\ncompiler: " + info.compiler + "\ninstruction set: " + info.isa + "\n";
  for (const auto& [name, version] : info.dependencies) text += name + ": " + version + "\n";
  return text;
}

/// The command line in a form that a shell reads back.
std::string shell_text(int argc, const char* const* argv) {
  std::string text = "pomlux";
  for (int i = 1; i < argc; ++i) text += " " + for_shell(argv[i]);
  return text;
}

/// Last first, as CLI11 takes them. It knows -1 for a number, but not -.5, and a "--" only before
/// arguments that must be given; before numbers it says nothing that CLI11 does not know.
std::vector<std::string> readable_arguments(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  bool is_before_numbers = true;
  for (int i = argc - 1; i > 0; --i) {
    std::string argument = argv[i];
    const bool is_fraction = argument.size() > 2 && argument.starts_with("-.") &&
                             argument[2] >= '0' && argument[2] <= '9';
    if (is_fraction) argument.insert(1, "0");
    if (argument == "--" && is_before_numbers) continue;
    const bool is_negative =
        argument.size() > 1 && argument[0] == '-' && argument[1] >= '0' && argument[1] <= '9';
    is_before_numbers = is_before_numbers && is_negative;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

int answer_parse_error(const CommandLine& line, const CLI::ParseError& error) {
  std::ostringstream output;
  std::ostringstream errors;
  output.imbue(std::locale::classic());
  errors.imbue(std::locale::classic());
  if (line.app.exit(error, output, errors) == 0) {
    print(output.str());
    return kExitDone;
  }
  std::string text = errors.str();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const bool is_number = dynamic_cast<const CLI::ConversionError*>(&error) != nullptr;
  say(text +
      (is_number ? "\nINT is a whole number such as 1000000, FLOAT one such as 0.5 or 1e-6." : ""));
  return kExitUsage;
}

void say_lines(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) say(line);
}

int parse_and_run(int argc, const char* const* argv) {
  CommandLine line;
  line.text = shell_text(argc, argv);
  line.app.name("pomlux");
  line.app.description("Bayesian optimisation on the probability of maximality.");
  line.app.footer(
      "`pomlux COMMAND --help` says more. Results go to standard output, words to standard error.\n"
      "Exit codes: 0 done, 1 failed, 2 usage, configuration or refused, 129, 130 and 143 after a "
      "signal.");
  line.app.fallthrough();  // options of the program may stand behind the command
  bool wants_version = false;
  bool is_deterministic = false;
  line.app.add_flag("--version", wants_version, "Version, build, compiler and dependencies");
  line.app.add_flag("--deterministic-math",
                    is_deterministic,
                    "The baseline's vector code on every processor, as POMLUX_ISA=baseline does");
  add_run_command(line);
  add_configuration_commands(line);
  add_report_command(line);
  add_pom_command(line);
  add_predict_command(line);
  add_evaluate_command(line);
  add_study_commands(line);
  add_reproduce_commands(line);
  std::vector<std::string> arguments = readable_arguments(argc, argv);
  try {
    line.app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return answer_parse_error(line, error);
  }
  if (is_deterministic) ::setenv("POMLUX_ISA", "baseline", 1);  // nothing has computed yet
  if (wants_version) {
    print(version_text());
    return kExitDone;
  }
  if (line.action) return line.action();
  say_lines("a command is missing\n" + line.app.help());
  return kExitUsage;
}

}  // namespace

void add_format_option(CLI::App& command, OutputFormat& format) {
  const std::map<std::string, OutputFormat> formats{
      {"table", OutputFormat::kTable}, {"csv", OutputFormat::kCsv}, {"json", OutputFormat::kJson}};
  command.add_option("--format", format, "table, csv or json")
      ->transform(CLI::CheckedTransformer(formats));
}

std::uint64_t parse_seed_option(const std::string& text) {
  const std::string message = "found " + in_quotes(text) + "; allowed: one seed, 0 to 2^64 - 1";
  try {
    const std::vector<std::uint64_t> seeds = parse_seeds(text);
    if (seeds.size() == 1) return seeds.front();
  } catch (const InvalidArgument&) {
  }
  fail("--seed", message);
}

int run_program(int argc, const char* const* argv) {
  prepare_streams();
  try {
    return parse_and_run(argc, argv);
  } catch (const ReaderGone&) {
    return kExitDone;
  } catch (const ConfigError& error) {
    say_lines(error.what());
    const std::size_t count = error.faults().size();
    say(std::to_string(count) + (count == 1 ? " fault; " : " faults; ") + "nothing was run");
    return kExitUsage;
  } catch (const InvalidArgument& error) {
    say_lines(error.what());
    return kExitUsage;
  } catch (const std::bad_alloc&) {
    say("out of memory");
  } catch (const std::exception& error) {
    say_lines(error.what());
  } catch (...) {
    say("unknown error");
  }
  return kExitFailed;
}

}  // namespace pomlux
