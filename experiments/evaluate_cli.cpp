// SPDX-License-Identifier: MIT
#include <iostream>  // standard input
#include <memory>    // option values that outlive parsing
#include <mutex>     // std::call_once
#include <pomlux/core/parallel.hpp>
#include <pomlux/experiments/cli.hpp>
#include <pomlux/experiments/commands.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/evaluate_command.hpp>
#include <pomlux/experiments/signals.hpp>
#include <pomlux/experiments/terminal.hpp>

namespace pomlux {
namespace {

struct EvaluateOptions {
  std::string file;
  std::vector<std::string> sets;
  EvaluateCommand command;
};

int evaluate_file(const EvaluateOptions& options) {
  const std::vector<Override> overrides = parse_overrides(options.sets);
  const Experiment experiment = load_experiment(options.file, overrides);
  if (experiment.has_drawn_seed && !options.command.seed) {
    say("no seeds given; drew " + std::to_string(experiment.seeds.front()));
  }
  // Until there is something to end in good order, as while points are read, a signal just ends us.
  std::once_flag is_caught;
  const auto should_stop = [&is_caught] {
    std::call_once(is_caught, catch_signals);
    return received_signal() != 0;
  };
  const EvaluateOutcome outcome =
      run_evaluate(options.command, experiment, std::cin, {print, should_stop});
  const std::size_t failed = outcome.failures.size();
  for (const std::string& failure : outcome.failures) say(failure);
  if (failed > 0) {
    say(std::to_string(failed) + (failed == 1 ? " evaluation failed" : " evaluations failed"));
  }
  if (outcome.done < outcome.points) {
    say("interrupted; " + progress_text(outcome) + " done");
    return kExitInterrupted + received_signal();
  }
  return failed == 0 ? kExitDone : kExitFailed;
}

}  // namespace

void add_evaluate_command(CommandLine& line) {
  CLI::App* const evaluate = line.app.add_subcommand(
      "evaluate", "Values of a configuration's objective at points of a file; optimises nothing");
  const auto options = std::make_shared<EvaluateOptions>();
  EvaluateCommand& command = options->command;
  evaluate->add_option("CONFIG", options->file, "Configuration, YAML")->required();
  evaluate
      ->add_option("--at",
                   command.points,
                   "CSV of points with the columns of the domain; - is standard input")
      ->required();
  evaluate->add_option("--set", options->sets, "Replace a value of the file: key.path=value")
      ->allow_extra_args(false);
  evaluate->add_option_function<std::string>(
      "--seed",
      [options](const std::string& text) { options->command.seed = parse_seed_option(text); },
      "Of the objective, 0 to 2^64 - 1 (default: the first of the file)");
  evaluate->add_option("--jobs", command.jobs, "Evaluations at a time (default: 1)")
      ->check(CLI::Range(1, kMaxThreads));
  add_format_option(*evaluate, command.format);
  evaluate->callback(
      [&line, options] { line.action = [options] { return evaluate_file(*options); }; });
}

}  // namespace pomlux
