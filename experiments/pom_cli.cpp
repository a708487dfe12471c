// SPDX-License-Identifier: MIT
#include <iostream>  // standard input
#include <memory>    // option values that outlive parsing
#include <pomlux/experiments/cli.hpp>
#include <pomlux/experiments/commands.hpp>
#include <pomlux/experiments/pom_command.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/terminal.hpp>

namespace pomlux {
namespace {

std::string estimator_names() {
  std::vector<std::string> names;
  for (const EstimatorPlugin& plugin : estimator_plugins()) names.push_back(plugin.variant.name);
  return join(names);
}

}  // namespace

void add_pom_command(CommandLine& line) {
  CLI::App* const pom = line.app.add_subcommand(
      "pom", "Probability of maximality of arms given by mean and stddev, or mean and covariance");
  const auto command = std::make_shared<PomCommand>();
  pom->add_option(
         "INPUT",
         command->input,
         "CSV with columns mean, stddev and, if there is one, id; or .npy; - is standard input")
      ->required();
  pom->add_option(
      "--covariance", command->covariance, "n x n covariance, CSV without header or .npy");
  pom->add_option("--estimator",
                  command->estimators,
                  "One or more of " + estimator_names() + "; comma-separated")
      ->delimiter(',')
      ->allow_extra_args(false);
  pom->add_option("--epsilon", command->epsilon, "Accuracy of each probability, in (0, 1)");
  pom->add_option("--alpha",
                  command->alpha,
                  "Accuracy 1 / (alpha n) and floor(alpha^2 n^2) samples, as in the paper; > 0");
  pom->add_option("--samples", command->samples, "Samples of ts_mc, >= 1");
  pom->add_option_function<std::string>(
      "--seed",
      [command](const std::string& text) { command->seed = parse_seed_option(text); },
      "Of the sampling estimators, 0 to 2^64 - 1");
  pom->add_option("--top",
                  command->top,
                  "Show the K most probable arms by the first estimator; 0: all, in input order");
  pom->add_flag("--minimize", command->is_minimizing, "Probability of being the minimum");
  pom->add_option("--threads", command->threads, "Threads; 0: one per core");
  add_format_option(*pom, command->format);
  pom->callback([&line, command] {
    line.action = [command] {
      for (const std::string& note : run_pom(*command, std::cin, print)) say("warning: " + note);
      return int{kExitDone};
    };
  });
}

}  // namespace pomlux
