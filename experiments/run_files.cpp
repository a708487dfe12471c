// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <array>      // digit buffers
#include <charconv>   // numbers without locale
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/build_info.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/outcome_json.hpp>
#include <pomlux/experiments/run_files.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr int kWrittenFormat = 1;

using Cells = std::vector<std::string>;

/// Five significant digits, for people.
std::string summary_number(double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(
      buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 5);
  return {buffer.data(), result.ptr};
}

Json seed_entry(const SeedOutcome& seed) {
  return {{"seed", seed.seed},
          {"status", to_string(seed.status)},
          {"reason", seed.reason},
          {"evaluations", seed.evaluations},
          {"failed_evaluations", seed.failed_evaluations},
          {"candidates", seed.candidates},
          {"fit_bounds", to_json(seed.fit_bounds)}};
}

/// Null where there is no objective.
Json fact_of_objective(const Experiment& experiment, const char* key) {
  return is_estimation(experiment) ? Json() : experiment.config.at("objective").at(key);
}

PartSeconds sum_of_parts(const RunOutcome& outcome) {
  PartSeconds sum;
  for (const SeedOutcome& seed : outcome.seeds) {
    sum.fit += seed.seconds.fit;
    sum.posterior += seed.seconds.posterior;
    sum.acquisition += seed.seconds.acquisition;
    sum.estimator += seed.seconds.estimator;
    sum.writing += seed.seconds.writing;
  }
  sum.total = outcome.total_seconds;
  return sum;
}

/// Seeds may have stopped before some values were known: the columns are those of the fullest one.
struct SummaryColumns {
  std::vector<std::string> coordinates;
  std::vector<std::string> entropies;
  std::vector<std::string> hyperparameters;
  bool has_regret = false;

  SummaryColumns(std::vector<std::string> names, const RunOutcome& outcome)
      : coordinates(std::move(names)) {
    for (const SeedOutcome& seed : outcome.seeds) {
      has_regret = has_regret || seed.simple_regret.has_value();
      if (seed.entropies.size() > entropies.size()) {
        entropies.clear();
        for (const auto& [name, value] : seed.entropies) entropies.push_back(name);
      }
      if (seed.hyperparameters.size() > hyperparameters.size()) {
        hyperparameters.clear();
        for (const Hyperparameter& one : seed.hyperparameters) hyperparameters.push_back(one.name);
      }
    }
  }
};

void append_incumbent(const std::optional<Incumbent>& incumbent, Cells& cells) {
  cells.push_back(incumbent ? format_number(incumbent->value) : "");
  cells.push_back(incumbent ? format_number(incumbent->candidate) : "");
}

Cells summary_row(const SummaryColumns& columns, const SeedOutcome& seed) {
  Cells cells{format_number(seed.seed),
              std::string(to_string(seed.status)),
              seed.reason,
              format_number(seed.evaluations),
              format_number(seed.failed_evaluations)};
  append_incumbent(seed.best_observed, cells);
  for (std::size_t k = 0; k < columns.coordinates.size(); ++k) {
    cells.push_back(seed.best_observed_point
                        ? format_number((*seed.best_observed_point)(static_cast<Index>(k)))
                        : "");
  }
  append_incumbent(seed.best_mean, cells);
  cells.push_back(seed.best_mean ? format_number(seed.best_mean->stddev) : "");
  if (columns.has_regret) {
    cells.push_back(number_cell(seed.simple_regret));
    cells.push_back(number_cell(seed.inference_regret));
  }
  for (std::size_t i = 0; i < columns.entropies.size(); ++i) {
    cells.push_back(i < seed.entropies.size() ? format_number(seed.entropies[i].second) : "");
  }
  for (std::size_t i = 0; i < columns.hyperparameters.size(); ++i) {
    const bool is_known = i < seed.hyperparameters.size();
    cells.push_back(is_known ? format_number(seed.hyperparameters[i].value) : "");
  }
  cells.push_back(number_cell(seed.log_likelihood));
  for (const double value : {seed.jitter,
                             seed.seconds.fit,
                             seed.seconds.posterior,
                             seed.seconds.acquisition,
                             seed.seconds.estimator,
                             seed.seconds.writing,
                             seed.seconds.total}) {
    cells.push_back(format_number(value));
  }
  return cells;
}

/// Columns padded to their widest cell, two blanks apart; numbers on the right.
std::string aligned(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += (i > 0 ? "  " : "") + std::string(widths[i] - row[i].size(), ' ') + row[i];
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace

Json manifest(const Experiment& experiment, const RunRecord& record, const RunOutcome& outcome) {
  const BuildInfo& build = build_info();
  Json dependencies = Json::object();
  for (const auto& [name, version] : build.dependencies) dependencies[name] = version;
  Json seeds = Json::array();
  Json warnings = Json::array();
  for (const SeedOutcome& seed : outcome.seeds) {
    seeds.push_back(seed_entry(seed));
    for (const std::string& warning : seed.warnings) {
      warnings.push_back("seed " + format_number(seed.seed) + ": " + warning);
    }
  }
  const PartSeconds parts = sum_of_parts(outcome);
  return {{"format", kWrittenFormat},
          {"name", experiment.config.at("name")},
          {"pomlux_version", build.version},
          {"build",
           {{"type", build.type},
            {"compiler", build.compiler},
            {"flags", build.flags},
            {"isa", build.isa}}},
          {"dependencies", std::move(dependencies)},
          {"host", host_name()},
          {"started", record.started},
          {"finished", record.finished.empty() ? Json() : Json(record.finished)},
          {"command_line", record.command_line},
          {"threads", record.threads},
          {"jobs", record.jobs},
          {"type", experiment.config.at("type")},
          {"sense", fact_of_objective(experiment, "sense")},
          {"objective", fact_of_objective(experiment, "type")},
          {"seeds", std::move(seeds)},
          {"warnings", std::move(warnings)},
          {"seconds",
           {{"fit", parts.fit},
            {"posterior", parts.posterior},
            {"acquisition", parts.acquisition},
            {"estimator", parts.estimator},
            {"writing", parts.writing},
            {"total", parts.total}}}};
}

std::vector<std::string> summary_columns(const std::vector<std::string>& coordinates,
                                         const RunOutcome& outcome) {
  const SummaryColumns columns(coordinates, outcome);
  Cells cells{"seed",
              "status",
              "reason",
              "evaluations",
              "failed_evaluations",
              "best_observed",
              "best_observed_candidate"};
  cells.insert(cells.end(), columns.coordinates.begin(), columns.coordinates.end());
  for (const char* name : {"best_mean", "best_mean_candidate", "best_mean_stddev"}) {
    cells.emplace_back(name);
  }
  if (columns.has_regret) {
    cells.emplace_back("simple_regret");
    cells.emplace_back("inference_regret");
  }
  for (const std::string& name : columns.entropies) cells.push_back("entropy_" + name);
  cells.insert(cells.end(), columns.hyperparameters.begin(), columns.hyperparameters.end());
  for (const char* name : {"log_likelihood",
                           "jitter",
                           "fit_seconds",
                           "posterior_seconds",
                           "acquisition_seconds",
                           "estimator_seconds",
                           "writing_seconds",
                           "total_seconds"}) {
    cells.emplace_back(name);
  }
  return cells;
}

std::string summary_csv(const std::vector<std::string>& coordinates, const RunOutcome& outcome) {
  const SummaryColumns columns(coordinates, outcome);
  std::string text = csv_line(summary_columns(coordinates, outcome));
  for (const SeedOutcome& seed : outcome.seeds) text += csv_line(summary_row(columns, seed));
  return text;
}

std::string summary_table(const RunOutcome& outcome) {
  const SummaryColumns columns({}, outcome);
  const bool has_failures =
      std::any_of(outcome.seeds.begin(), outcome.seeds.end(), [](const auto& seed) {
        return seed.failed_evaluations > 0;
      });
  Cells header{"seed", "status", "evaluations"};
  if (has_failures) header.emplace_back("failed");
  header.insert(header.end(), {"best observed", "best by mean"});
  if (columns.has_regret) header.emplace_back("simple regret");
  for (const std::string& name : columns.entropies) header.push_back("entropy " + name);
  std::vector<Cells> rows{std::move(header)};
  for (const SeedOutcome& seed : outcome.seeds) {
    Cells row{format_number(seed.seed),
              std::string(to_string(seed.status)),
              format_number(seed.evaluations)};
    if (has_failures) row.push_back(format_number(seed.failed_evaluations));
    row.push_back(seed.best_observed ? summary_number(seed.best_observed->value) : "-");
    row.push_back(seed.best_mean ? summary_number(seed.best_mean->value) : "-");
    if (columns.has_regret) {
      row.push_back(seed.simple_regret ? summary_number(*seed.simple_regret) : "-");
    }
    for (std::size_t i = 0; i < columns.entropies.size(); ++i) {
      row.push_back(i < seed.entropies.size() ? summary_number(seed.entropies[i].second) : "-");
    }
    rows.push_back(std::move(row));
  }
  return aligned(rows);
}

}  // namespace pomlux
