// SPDX-License-Identifier: MIT
#include <cmath>    // std::abs
#include <istream>  // standard input
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/observation_table.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/study_commands.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr const char* kFailedWord = "failed";

std::string json_line(const Json& content) {
  return content.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_rows(const RowTable& rows, OutputFormat format, const CommandOutput& output) {
  output.print(format == OutputFormat::kCsv ? csv_text(rows) : aligned_text(rows));
}

/// "trial 3 (x_0 = 0.5, x_1 = 1)".
std::string trial_text(Study& study, Index trial) {
  const Optimizer& optimizer = study.optimizer();
  const Trial& one = optimizer.trials()[static_cast<std::size_t>(trial)];
  return "trial " + format_number(trial) + " (" +
         coordinates_text(optimizer.domain().names(), one.point, optimizer.box()) + ")";
}

Index count_pending(const Optimizer& optimizer) {
  Index count = 0;
  for (const Trial& trial : optimizer.trials()) count += trial.state == TrialState::kAsked ? 1 : 0;
  return count;
}

void say_progress(Study& study, const std::string& what, const CommandOutput& output) {
  const Optimizer& optimizer = study.optimizer();
  std::string text = what + "; " + format_number(optimizer.num_told()) + " told, " +
                     format_number(count_pending(optimizer)) + " pending";
  if (const auto best = optimizer.best_observed()) text += "; best " + format_number(best->value);
  output.say(text);
}

/// Coordinates as cells of CSV.
Point parse_point(const std::string& text, const Optimizer& optimizer) {
  const Domain& domain = optimizer.domain();
  const Box* const box = optimizer.box();
  const std::vector<std::string> parts = split_csv_row(text, ',', "POINT");
  Point point(domain.dimension());
  if (static_cast<Index>(parts.size()) != point.size()) {
    fail("POINT",
         "found " + std::to_string(parts.size()) + " coordinates in " + in_quotes(text) +
             "; allowed: " + format_number(point.size()) + ", for " + join(domain.names()) +
             ", with commas between them" +
             (box == nullptr ? "" : "; a label with a comma stands in double quotes"));
  }
  for (Index k = 0; k < point.size(); ++k) {
    const auto position = static_cast<std::size_t>(k);
    point(k) = read_coordinate("POINT: " + domain.names()[position],
                               parts[position],
                               box ? &box->axes()[position] : nullptr);
  }
  return point;
}

/// The point that a command names, and the value as it was written.
std::pair<Point, std::string> subject_of(Study& study, const TellCommand& command) {
  const bool is_named = command.trial || command.candidate;
  const std::size_t wanted = is_named ? 1 : 2;
  if (command.arguments.size() != wanted) {
    fail("tell",
         "found " + std::to_string(command.arguments.size()) + " arguments after STUDY; allowed: " +
             "POINT VALUE, VALUE with --trial or --candidate, or none with --data");
  }
  if (command.trial) return {study.point_of_trial(*command.trial), command.arguments[0]};
  if (command.candidate) {
    return {study.point_of_candidate(*command.candidate), command.arguments[0]};
  }
  return {study.resolve(parse_point(command.arguments[0], study.optimizer())),
          command.arguments[1]};
}

void tell_one(Study& study, const TellCommand& command, const CommandOutput& output) {
  const auto [point, text] = subject_of(study, command);
  if (text == kFailedWord) {
    const Index trial = study.tell_failed(point, command.reason);
    return say_progress(study, trial_text(study, trial) + " has failed", output);
  }
  double value = 0.0;
  try {
    value = parse_csv_number(text, "VALUE", 1, "value");
  } catch (const InvalidArgument&) {
    fail("VALUE", "found " + in_quotes(text) + "; allowed: a finite number, or " + kFailedWord);
  }
  if (std::abs(value) > kLargestObservation) {
    fail("VALUE",
         "found " + in_quotes(text) + "; allowed: at most " + format_number(kLargestObservation) +
             " in size");
  }
  if (command.noise_stddev && !(*command.noise_stddev >= 0.0)) {
    fail("--noise-stddev",
         "found " + format_number(*command.noise_stddev) + "; allowed: a number >= 0");
  }
  if (!command.reason.empty()) fail("--reason", "goes with the value failed only");
  const Index trial = study.tell(point, value, command.noise_stddev);
  say_progress(study, trial_text(study, trial) + ": " + format_number(value), output);
}

void tell_table(Study& study,
                const TellCommand& command,
                std::istream& standard_input,
                const CommandOutput& output) {
  const CsvTable table = read_table(command.data, standard_input);
  const Optimizer& optimizer = study.optimizer();
  const std::vector<ObservedRow> rows =
      read_observations(table, optimizer.domain(), optimizer.box(), optimizer.surrogate());
  for (const ObservedRow& row : rows) {  // before anything is told
    try {
      static_cast<void>(study.resolve(row.point));
    } catch (const InvalidArgument& error) {
      fail(line_text(table, row.row), error.what());
    }
  }
  for (const ObservedRow& row : rows) study.tell(row.point, row.value, row.noise_stddev);
  say_progress(study, std::to_string(rows.size()) + " results of " + table.source, output);
}

/// What `status` shows.
struct StudyStatus {
  std::vector<std::pair<std::string, Index>> counts;
  std::vector<Index> pending;  // trials
  std::optional<Incumbent> best_observed;
  Incumbent best_by_model;
  std::vector<Hyperparameter> hyperparameters;
  std::vector<std::pair<std::string, double>> entropies;
};

StudyStatus status_of(Study& study) {
  Optimizer& optimizer = study.optimizer();
  StudyStatus status;
  Index failed = 0;
  Index number = 0;
  for (const Trial& trial : optimizer.trials()) {
    if (trial.state == TrialState::kAsked) status.pending.push_back(number);
    failed += trial.state == TrialState::kFailed ? 1 : 0;
    ++number;
  }
  status.counts = {{"candidates", optimizer.domain().size()},
                   {"trials", number},
                   {"told", optimizer.num_told()},
                   {"pending", static_cast<Index>(status.pending.size())},
                   {"failed", failed}};
  status.best_observed = optimizer.best_observed();
  status.best_by_model = optimizer.best_by_model();
  status.hyperparameters = optimizer.surrogate().hyperparameters();
  for (const Json& section : study.experiment().config.at("track").at("estimators")) {
    const auto name = section.at("name").get<std::string>();
    Rng rng = make_stream(
        study.seed(), "track:" + name, static_cast<std::uint64_t>(optimizer.num_told()));
    status.entropies.emplace_back(name, optimizer.pom(*make_estimator(section), rng).entropy());
  }
  return status;
}

Json incumbent_json(const Optimizer& optimizer, const Incumbent& one) {
  return {{"candidate", one.candidate},
          {"point", point_json(optimizer.box(), optimizer.domain().point(one.candidate))},
          {"value", one.value},
          {"stddev", one.stddev}};
}

std::string status_json(Study& study, const StudyStatus& status) {
  const Optimizer& optimizer = study.optimizer();
  Json content{{"format", 1}, {"name", study.experiment().config.at("name")}};
  for (const auto& [name, count] : status.counts) content[name] = count;
  Json pending = Json::array();
  for (const Index number : status.pending) {
    const Trial& trial = optimizer.trials()[static_cast<std::size_t>(number)];
    pending.push_back({{"trial", number},
                       {"candidate", trial.candidate},
                       {"point", point_json(optimizer.box(), trial.point)}});
  }
  content["pending_trials"] = std::move(pending);
  content["best_observed"] =
      status.best_observed ? incumbent_json(optimizer, *status.best_observed) : Json();
  content["best_by_model"] = incumbent_json(optimizer, status.best_by_model);
  for (const Hyperparameter& one : status.hyperparameters) {
    content["hyperparameters"][one.name] = one.value;
  }
  content["entropy"] = Json::object();
  for (const auto& [name, value] : status.entropies) content["entropy"][name] = value;
  return json_line(content);
}

RowTable status_rows(Study& study, const StudyStatus& status) {
  const Optimizer& optimizer = study.optimizer();
  const Domain& domain = optimizer.domain();
  const auto text_of = [&](const PointRef& point) {
    return coordinates_text(domain.names(), point, optimizer.box());
  };
  const auto at = [&](Index candidate) { return text_of(domain.point(candidate)); };
  RowTable rows{{"key", "value", "at"}};
  for (const auto& [name, count] : status.counts) rows.push_back({name, format_number(count), ""});
  for (const Index number : status.pending) {
    const Trial& trial = optimizer.trials()[static_cast<std::size_t>(number)];
    rows.push_back({"pending trial", format_number(number), text_of(trial.point)});
  }
  if (status.best_observed) {
    rows.push_back({"best observed",
                    format_number(status.best_observed->value),
                    at(status.best_observed->candidate)});
  }
  rows.push_back({"best by model",
                  format_number(status.best_by_model.value) + " +- " +
                      format_number(status.best_by_model.stddev),
                  at(status.best_by_model.candidate)});
  for (const Hyperparameter& one : status.hyperparameters) {
    rows.push_back({one.name, format_number(one.value), ""});
  }
  for (const auto& [name, value] : status.entropies) {
    rows.push_back({"entropy " + name, format_number(value), ""});
  }
  return rows;
}

void warn_of_jitter(Study& study, const CommandOutput& output) {
  const double jitter = study.optimizer().surrogate().jitter();
  if (!(jitter > 0.0)) return;
  output.say("warning: the covariance of the observations was not positive definite; " +
             format_number(jitter) +
             " was added to its diagonal, so values without noise that contradict each other are "
             "averaged; give a noise_stddev");
}

}  // namespace

void run_ask(Study& study, Index q, OutputFormat format, const CommandOutput& output) {
  const std::size_t known_notes = study.notes().size();
  const std::vector<Suggestion> suggestions = study.ask(q);
  const bool has_failed = study.notes().size() > known_notes;
  if (has_failed) output.say("warning: " + study.notes().back());
  const Domain& domain = study.optimizer().domain();
  const Box* const box = study.optimizer().box();
  const bool has_labels = !domain.labels().empty();
  const auto label = [&](const Suggestion& one) {
    return domain.labels()[static_cast<std::size_t>(one.candidate)];
  };
  const auto phase = [](const Suggestion& one) {
    return one.is_initial ? "initial" : "acquisition";
  };
  const bool is_exhausted = !has_failed && static_cast<Index>(suggestions.size()) < q;
  if (format == OutputFormat::kJson) {
    Json list = Json::array();
    for (const Suggestion& one : suggestions) {
      Json entry{{"trial", one.trial},
                 {"candidate", one.candidate},
                 {"point", point_json(box, one.point)},
                 {"phase", phase(one)}};
      if (has_labels) entry["label"] = label(one);
      list.push_back(std::move(entry));
    }
    output.print(json_line({{"format", 1},
                            {"names", domain.names()},
                            {"suggestions", std::move(list)},
                            {"is_exhausted", is_exhausted}}));
  } else {
    std::vector<std::string> header{"trial", "candidate"};
    for (const std::string& name : domain.names()) header.push_back(name);
    header.emplace_back("phase");
    if (has_labels) header.emplace_back("label");
    RowTable rows{std::move(header)};
    for (const Suggestion& one : suggestions) {
      std::vector<std::string> row{format_number(one.trial), format_number(one.candidate)};
      for (Index k = 0; k < one.point.size(); ++k) {
        const std::string text = coordinate_text(box, k, one.point(k));
        row.push_back(format == OutputFormat::kTable ? csv_cell(text) : text);
      }
      row.emplace_back(phase(one));
      if (has_labels) row.push_back(label(one));
      rows.push_back(std::move(row));
    }
    write_rows(rows, format, output);
  }
  warn_of_jitter(study, output);
  if (is_exhausted) {
    output.say("domain exhausted: " + std::to_string(suggestions.size()) + " of " +
               format_number(q) +
               " suggestions, as all other candidates are told, pending or failed");
  }
}

void run_tell(Study& study,
              const TellCommand& command,
              std::istream& standard_input,
              const CommandOutput& output) {
  if (command.noise_stddev && !command.data.empty()) {
    fail("--noise-stddev", "does not go with --data; a column noise_stddev does");
  }
  if (command.data.empty()) {
    tell_one(study, command, output);
    study.sync();
    return warn_of_jitter(study, output);
  }
  if (!command.arguments.empty() || command.trial || command.candidate) {
    fail("--data", "does not go with a point, a value, --trial or --candidate");
  }
  tell_table(study, command, standard_input, output);
  study.sync();
  warn_of_jitter(study, output);
}

void run_status(Study& study, OutputFormat format, const CommandOutput& output) {
  const StudyStatus status = status_of(study);
  warn_of_jitter(study, output);
  if (format == OutputFormat::kJson) return output.print(status_json(study, status));
  write_rows(status_rows(study, status), format, output);
}

}  // namespace pomlux
