// SPDX-License-Identifier: MIT
#include <filesystem>  // studies
#include <iostream>    // standard input
#include <memory>      // option values that outlive parsing
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/cli.hpp>
#include <pomlux/experiments/commands.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/predict_command.hpp>
#include <pomlux/experiments/terminal.hpp>

namespace pomlux {
namespace {

struct PredictOptions {
  std::string file;
  std::vector<std::string> sets;
  PredictCommand command;
};

int predict_study(const PredictOptions& options) {
  if (!options.sets.empty())
    fail("--set", "does not go with a study, whose configuration is fixed");
  Study study(options.file, Study::Access::kRead);
  for (const std::string& note : study.notes()) say("warning: " + note);
  for (const std::string& note : run_predict(options.command, study, std::cin, print)) {
    say("warning: " + note);
  }
  return kExitDone;
}

int predict_from_file(const PredictOptions& options) {
  std::error_code error;
  if (std::filesystem::is_directory(options.file, error)) return predict_study(options);
  const std::vector<Override> overrides = parse_overrides(options.sets);
  const Experiment experiment = load_experiment(options.file, overrides, ObjectiveUse::kNone);
  for (const std::string& note : run_predict(options.command, experiment, std::cin, print)) {
    say("warning: " + note);
  }
  return kExitDone;
}

}  // namespace

void add_predict_command(CommandLine& line) {
  CLI::App* const predict = line.app.add_subcommand(
      "predict",
      "Mean, stddev and PoM by a configuration's model, fitted to the observations of a file or "
      "those of a study");
  const auto options = std::make_shared<PredictOptions>();
  PredictCommand& command = options->command;
  predict->add_option("CONFIG", options->file, "Configuration, YAML, or the folder of a study")
      ->required();
  predict->add_option("--data",
                      command.data,
                      "CSV of observations: coordinates, value and, if known, noise_stddev; - is "
                      "standard input; a study has its own");
  predict->add_option(
      "--at", command.points, "CSV of points (default: the candidates); - is standard input");
  predict->add_option("--set", options->sets, "Replace a value of the file: key.path=value")
      ->allow_extra_args(false);
  predict->add_option_function<std::string>(
      "--seed",
      [options](const std::string& text) { options->command.seed = parse_seed_option(text); },
      "Of the fit's restarts, 0 to 2^64 - 1 (default: the first of the file)");
  add_format_option(*predict, command.format);
  predict->callback(
      [&line, options] { line.action = [options] { return predict_from_file(*options); }; });
}

}  // namespace pomlux
