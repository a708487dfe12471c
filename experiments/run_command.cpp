// SPDX-License-Identifier: MIT
#include <csignal>  // SIGHUP
#include <memory>   // option values that outlive parsing
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/experiments/cli.hpp>
#include <pomlux/experiments/commands.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/estimation_table.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/report.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <pomlux/experiments/run_session.hpp>
#include <pomlux/experiments/signals.hpp>
#include <pomlux/experiments/terminal.hpp>

namespace pomlux {
namespace {

struct RunCommandOptions {
  std::string file;
  std::vector<std::string> sets;
  std::string seeds;
  std::string out;
  int jobs = 0;     // 0: not given
  int threads = 0;  // 0: not given
  bool overwrites = false;
  bool resumes = false;
};

Experiment load(const RunCommandOptions& command) {
  const std::vector<Override> overrides = parse_overrides(command.sets);
  Experiment experiment = load_experiment(command.file, overrides);
  if (!command.seeds.empty()) {
    try {
      experiment.seeds = parse_seeds(command.seeds);
    } catch (const InvalidArgument& error) {
      fail("--seeds", error.what());
    }
    experiment.config["seeds"] = experiment.seeds;
    experiment.has_drawn_seed = false;
  }
  if (!command.out.empty()) experiment.config["output"] = command.out;
  return experiment;
}

/// Where the file gives no seeds, those drawn by the run that is resumed.
void go_on_with_seeds_of(const std::filesystem::path& folder, Experiment& experiment) {
  std::vector<std::uint64_t> seeds = seeds_of_results(folder);
  if (seeds.empty()) return;
  experiment.seeds = std::move(seeds);
  experiment.config["seeds"] = experiment.seeds;
  experiment.has_drawn_seed = false;
}

/// Some objectives cannot be evaluated by a program: refused before a folder is made.
void require_evaluable(const Experiment& experiment) {
  if (is_estimation(experiment) || experiment.config.at("objective").at("type") != "manual") return;
  const std::uint64_t seed = experiment.seeds.front();
  static_cast<void>(
      make_objective(objective_section(experiment.config), domain_of(experiment, seed), seed));
}

ReportSummary render(const std::filesystem::path& folder) {
  ReportSummary summary = render_report(folder);
  for (const std::string& note : summary.notes) say(note);
  return summary;
}

int finish(const Experiment& experiment,
           const RunOutcome& outcome,
           const std::filesystem::path& folder) {
  for (const SeedOutcome& seed : outcome.seeds) {
    for (const std::string& warning : seed.warnings) {
      say("warning: seed " + format_number(seed.seed) + ": " + warning);
    }
  }
  static_cast<void>(render(folder));  // its warnings are those above
  // A signal that came after the last evaluation changes nothing.
  const int signal = outcome.is_interrupted() ? received_signal() : 0;
  if (signal != 0) {
    say("interrupted; everything evaluated so far is in " + folder.string() +
        "; the same command with --resume goes on");
  }
  try {
    const std::string table =
        is_estimation(experiment) ? estimation_table(experiment, outcome) : summary_table(outcome);
    print(folder.string() + "\n" + table);
  } catch (const WriteError&) {
    if (signal != SIGHUP) throw;  // there the terminal has gone
  }
  if (signal != 0) return kExitInterrupted + signal;
  return outcome.has_failed() ? kExitFailed : kExitDone;
}

int run_file(const RunCommandOptions& command, const std::string& command_line) {
  Experiment experiment = load(command);
  const std::filesystem::path folder = experiment.config.at("output").get<std::string>();
  if (command.resumes && experiment.has_drawn_seed) go_on_with_seeds_of(folder, experiment);
  const bool is_plain = !command.overwrites && !command.resumes;  // --resume repairs
  if (is_plain && inspect_folder(folder, experiment).state == FolderState::kFinished) {
    say(folder.string() +
        " holds the finished results of this configuration; rendering its report");
    for (const std::string& text : render(folder).warnings) say("warning: " + text);
    print(folder.string() + "\n");
    return kExitDone;
  }
  RunOptions options;
  options.command_line = command_line;
  choose_parallelism(command.jobs, command.threads, experiment.seeds.size(), options);
  require_evaluable(experiment);
  if (experiment.has_drawn_seed) {
    say("no seeds given; drew " + format_number(experiment.seeds.front()));
  }
  catch_signals();
  const FolderUse use = command.overwrites ? FolderUse::kOverwrite
                        : command.resumes  ? FolderUse::kResume
                                           : FolderUse::kNew;
  const RunOutcome outcome = run_with_progress(experiment, folder, use, options);
  return finish(experiment, outcome, folder);
}

/// An unset variable of a script must not pass for an option left out.
std::string not_empty(const std::string& text) { return text.empty() ? "is empty" : ""; }

}  // namespace

void add_run_command(CommandLine& line) {
  CLI::App* const run =
      line.app.add_subcommand("run", "Run an experiment; leaves a results folder with a report");
  const auto options = std::make_shared<RunCommandOptions>();
  run->add_option("FILE", options->file, "Configuration, YAML")->required();
  run->add_option("--set", options->sets, "Replace a value of the file: key.path=value; repeatable")
      ->allow_extra_args(false);
  run->add_option("--seeds", options->seeds, "Instead of the file's seeds: 0-9 or 0,3,7")
      ->check(not_empty);
  run->add_option("--out", options->out, "Results folder, instead of the file's output")
      ->check(not_empty);
  run->add_option("--jobs", options->jobs, "Seeds run at a time (default: as many as cores)")
      ->check(CLI::Range(1, kMaxThreads));
  run->add_option("--threads",
                  options->threads,
                  "Threads within one seed (default: cores / jobs); alone, it implies --jobs 1")
      ->check(CLI::Range(1, kMaxThreads));
  CLI::Option* const overwrite =
      run->add_flag("--overwrite", options->overwrites, "Replace earlier results in the folder");
  run->add_flag("--resume",
                options->resumes,
                "Go on with results that were not finished, or with more steps or seeds")
      ->excludes(overwrite);
  run->callback([&line, options] {
    line.action = [options, text = line.text] { return run_file(*options, text); };
  });
}

}  // namespace pomlux
