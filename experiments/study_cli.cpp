// SPDX-License-Identifier: MIT
#include <iostream>  // standard input
#include <memory>    // option values that outlive parsing
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/cli.hpp>
#include <pomlux/experiments/commands.hpp>
#include <pomlux/experiments/study_commands.hpp>
#include <pomlux/experiments/terminal.hpp>

namespace pomlux {
namespace {

struct StudyOptions {
  std::string folder;
  Index count = 1;
  OutputFormat format = OutputFormat::kTable;
  TellCommand tell;
};

int with_study(const std::string& folder,
               Study::Access access,
               const std::function<void(Study&, const CommandOutput&)>& use) {
  Study study(folder, access);
  for (const std::string& note : study.notes()) say("warning: " + note);
  if (study.experiment().has_drawn_seed && study.optimizer().trials().empty()) {
    say("no seeds given; drew " + std::to_string(study.seed()));
  }
  use(study, {print, say});
  return kExitDone;
}

CLI::App& add_study_command(CommandLine& line,
                            const char* name,
                            const char* doc,
                            StudyOptions& options) {
  CLI::App* const command = line.app.add_subcommand(name, doc);
  command
      ->add_option("STUDY",
                   options.folder,
                   "Folder with the configuration study.yaml; its journal is kept there")
      ->required();
  return *command;
}

}  // namespace

void add_study_commands(CommandLine& line) {
  const auto options = std::make_shared<StudyOptions>();

  CLI::App& ask = add_study_command(line, "ask", "Next points to evaluate in a study", *options);
  ask.add_option("-q,--count", options->count, "How many (default: 1)")
      ->check(CLI::Range(1, 100000));
  add_format_option(ask, options->format);
  ask.callback([&line, options] {
    line.action = [options] {
      return with_study(options->folder, Study::Access::kWrite, [&](Study& study, const auto& out) {
        run_ask(study, options->count, options->format, out);
      });
    };
  });

  CLI::App& tell = add_study_command(line, "tell", "Results of evaluations in a study", *options);
  TellCommand& command = options->tell;
  tell.add_option(
          "RESULT",
          command.arguments,
          "POINT VALUE: coordinates with commas between them, and a number or failed; VALUE "
          "alone with --trial or --candidate")
      ->expected(1, 2);  // not required, so also none; "--" may stand before them
  tell.add_option(
      "--trial", command.trial, "Instead of POINT: a pending trial, as ask numbered it");
  tell.add_option("--candidate", command.candidate, "Instead of POINT: a candidate")
      ->excludes("--trial");
  tell.add_option(
      "--noise-stddev", command.noise_stddev, "Standard deviation of this value's noise");
  tell.add_option("--reason", command.reason, "Why it failed, for the journal");
  tell.add_option("--data",
                  command.data,
                  "CSV of earlier results: coordinates, value and, if known, noise_stddev; - is "
                  "standard input");
  tell.callback([&line, options] {
    line.action = [options] {
      return with_study(options->folder, Study::Access::kWrite, [&](Study& study, const auto& out) {
        run_tell(study, options->tell, std::cin, out);
      });
    };
  });

  CLI::App& status = add_study_command(line, "status", "What a study knows", *options);
  add_format_option(status, options->format);
  status.callback([&line, options] {
    line.action = [options] {
      return with_study(options->folder, Study::Access::kRead, [&](Study& study, const auto& out) {
        run_status(study, options->format, out);
      });
    };
  });
}

}  // namespace pomlux
