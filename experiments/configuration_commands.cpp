// SPDX-License-Identifier: MIT
#include <memory>  // option values that outlive parsing
#include <pomlux/experiments/catalogue.hpp>
#include <pomlux/experiments/cli.hpp>
#include <pomlux/experiments/commands.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/report.hpp>
#include <pomlux/experiments/terminal.hpp>

namespace pomlux {
namespace {

struct ValidateOptions {
  std::string file;
  std::vector<std::string> sets;
  bool prints_resolved = false;
};

/// What every seed does: "110 evaluations", "37 vectors".
std::string work_of(const Json& config) {
  if (config.contains("vectors"))
    return std::to_string(config.at("vectors").at("sizes").size()) + " vectors";
  const Json& budget = config.at("budget");
  const std::int64_t evaluations =
      budget.at("initial").get<std::int64_t>() + budget.at("steps").get<std::int64_t>();
  return std::to_string(evaluations) + " evaluations";
}

int validate_file(const ValidateOptions& options) {
  const std::vector<Override> overrides = parse_overrides(options.sets);
  const Experiment experiment = load_experiment(options.file, overrides);
  if (options.prints_resolved) {
    print(to_yaml(experiment.config));
    return kExitDone;
  }
  print(options.file + ": valid; " + std::to_string(experiment.seeds.size()) + " seed" +
        (experiment.seeds.size() == 1 ? "" : "s") + (experiment.has_drawn_seed ? " (drawn)" : "") +
        ", " + work_of(experiment.config) + " each\n");
  return kExitDone;
}

int report_folder(const std::string& folder) {
  const ReportSummary summary = render_report(folder);
  for (const std::string& text : summary.warnings) say("warning: " + text);
  for (const std::string& text : summary.notes) say(text);
  print(summary.html.string() + "\n");
  return kExitDone;
}

}  // namespace

void add_configuration_commands(CommandLine& line) {
  CLI::App* const validate = line.app.add_subcommand(
      "validate", "Check a configuration and report all its faults; run nothing");
  const auto options = std::make_shared<ValidateOptions>();
  validate->add_option("FILE", options->file, "Configuration, YAML")->required();
  validate->add_option("--set", options->sets, "Replace a value of the file: key.path=value")
      ->allow_extra_args(false);
  validate->add_flag(
      "--resolved", options->prints_resolved, "Print it with all defaults filled in");
  validate->callback(
      [&line, options] { line.action = [options] { return validate_file(*options); }; });

  CLI::App* const list = line.app.add_subcommand(
      "list", "Everything a configuration can name, with options, ranges and defaults");
  const auto topic = std::make_shared<std::string>();
  list->add_option("TOPIC", *topic, "Only this part, e.g. acquisition or model.fit");
  list->callback([&line, topic] {
    line.action = [topic] {
      print(catalogue(*topic));
      return int{kExitDone};
    };
  });

  CLI::App* const schema =
      line.app.add_subcommand("schema", "JSON Schema of configurations, for editors");
  schema->callback([&line] {
    line.action = [] {
      print(configuration_schema().dump(2) + "\n");
      return int{kExitDone};
    };
  });
}

void add_report_command(CommandLine& line) {
  CLI::App* const report = line.app.add_subcommand(
      "report", "Render report.html and the figures of a results folder again");
  const auto folder = std::make_shared<std::string>();
  report->add_option("FOLDER", *folder, "Results folder")->required();
  report->callback([&line, folder] { line.action = [folder] { return report_folder(*folder); }; });
}

}  // namespace pomlux
