// SPDX-License-Identifier: MIT
#include <map>     // names of formats
#include <memory>  // option values that outlive parsing
#include <pomlux/core/parallel.hpp>
#include <pomlux/experiments/commands.hpp>
#include <pomlux/experiments/reproduce_command.hpp>

namespace pomlux {
namespace {

struct CommandOptions {
  ReproduceCommand command;
  std::string shard;
};

std::string footer_text() {
  std::string text = "NAME is all, or one of\n";
  for (const Reproduction& one : reproductions()) text += "  " + one.name + ": " + one.doc + "\n";
  text += "Variants, each with what it might explain:\n";
  for (const Recipe& recipe : recipes()) {
    if (recipe.is_variant()) text += "  " + recipe.name + ": " + recipe.hypothesis + "\n";
  }
  return text;
}

void add_common_options(CLI::App& app, CommandOptions& options) {
  ReproduceCommand& command = options.command;
  const std::map<std::string, Fidelity> fidelities{
      {"smoke", Fidelity::kSmoke}, {"quick", Fidelity::kQuick}, {"paper", Fidelity::kPaper}};
  const std::map<std::string, TableFormat> formats{{"table", TableFormat::kTable},
                                                   {"json", TableFormat::kJson},
                                                   {"csv", TableFormat::kCsv},
                                                   {"latex", TableFormat::kLatex}};
  app.add_option("NAME", command.names, "What is reproduced; see below")->required();
  app.add_option("--fidelity",
                 command.fidelity,
                 "smoke (does it work?), quick (enough for a verdict), paper (the whole protocol)")
      ->transform(CLI::CheckedTransformer(fidelities));
  app.add_option("--seeds", command.seeds, "Instead of the paper's: 0-9 or 0,3,7");
  app.add_option("--variants", command.variants, "Also these variants of the protocol, or all")
      ->delimiter(',');
  app.add_option("--format", command.format, "table, json, csv or latex")
      ->transform(CLI::CheckedTransformer(formats));
  app.add_option("--out", command.out, "Results (default: results/reproduce/FIDELITY)");
  app.add_option("--configs", command.configs, "Folder of the paper's configurations");
  app.add_flag("--strict", command.is_strict, "Exit 1 where a cell differs or a seed is missing");
  app.footer(footer_text());
}

}  // namespace

void add_reproduce_commands(CommandLine& line) {
  const auto options = std::make_shared<CommandOptions>();
  CLI::App* const reproduce_app = line.app.add_subcommand(
      "reproduce", "Repeat tables and figures of the paper: ours beside the published numbers");
  add_common_options(*reproduce_app, *options);
  ReproduceCommand& command = options->command;
  reproduce_app
      ->add_option("--jobs",
                   command.jobs,
                   "Seeds computed at a time (default: as many as cores, or as cores allow of "
                   "--threads; always 1 where times are compared)")
      ->check(CLI::Range(1, kMaxThreads));
  reproduce_app
      ->add_option("--threads",
                   command.threads,
                   "Threads within one seed (default: cores that --jobs leaves; where times are "
                   "compared the recipe says)")
      ->check(CLI::Range(1, kMaxThreads));
  reproduce_app->add_option("--shard", options->shard, "i/k: compute every k-th seed, no tables");
  reproduce_app->add_flag("--list", command.is_listing, "Print one command per seed instead");
  reproduce_app->callback([&line, options] {
    line.action = [options, text = line.text] {
      if (!options->shard.empty()) options->command.shard = parse_shard(options->shard);
      options->command.command_line = text;
      return reproduce(options->command);
    };
  });
  const auto collected = std::make_shared<CommandOptions>();
  CLI::App* const collect_app = line.app.add_subcommand(
      "collect", "Tables and figures from what shards of reproduce have computed so far");
  add_common_options(*collect_app, *collected);
  collect_app->callback([&line, collected] {
    line.action = [collected] {
      collected->command.computes = false;
      return reproduce(collected->command);
    };
  });
}

}  // namespace pomlux
