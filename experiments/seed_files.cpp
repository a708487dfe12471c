// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <array>      // reserved names
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/run_files.hpp>
#include <pomlux/experiments/seed_files.hpp>
#include <pomlux/experiments/tracker.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

using Cells = std::vector<std::string>;

void append_all(Cells& cells, const Cells& more) {
  cells.insert(cells.end(), more.begin(), more.end());
}

Cells step_columns(const SeedColumns& columns) {
  Cells cells{"step", "phase", "state", "candidate"};
  append_all(cells, columns.coordinates);
  append_all(cells, {"value", "value_noise_stddev", "best_observed", "best_mean"});
  if (columns.has_regret) append_all(cells, {"regret", "simple_regret"});
  append_all(cells, columns.hyperparameters);
  append_all(cells, {"log_likelihood", "fit_status", "fit_iterations"});
  if (columns.has_entropy) {
    for (const std::string& name : columns.estimators) cells.push_back("entropy_" + name);
  }
  append_all(cells,
             {"fit_seconds", "posterior_seconds", "acquisition_seconds", "estimator_seconds"});
  cells.emplace_back("failure");
  return cells;
}

Cells posterior_columns(const Cells& coordinates,
                        bool has_truth,
                        const std::vector<PomRecord>& poms,
                        bool has_labels) {
  Cells cells{"candidate"};
  append_all(cells, coordinates);
  append_all(cells, {"mean", "stddev"});
  if (has_truth) cells.emplace_back("true_value");
  cells.emplace_back("evaluations");
  for (const PomRecord& record : poms) cells.push_back("pom_" + record.estimator);
  if (has_labels) cells.emplace_back("label");
  return cells;
}

/// What stands beside coordinates in some file of a run, estimators apart.
Cells reserved_columns(const Cells& hyperparameters) {
  SeedColumns columns;
  columns.hyperparameters = hyperparameters;
  columns.has_regret = true;
  RunOutcome outcome;
  outcome.seeds.resize(1);
  outcome.seeds[0].simple_regret = 0.0;
  Cells names = step_columns(columns);
  append_all(names, posterior_columns({}, true, {}, true));
  append_all(names, summary_columns({}, outcome));
  return names;
}

}  // namespace

std::vector<std::string> coordinate_columns(const Domain& domain,
                                            const std::vector<std::string>& hyperparameters) {
  const Cells reserved = reserved_columns(hyperparameters);
  constexpr std::array<std::string_view, 4> kPrefixes{"entropy_", "pom_", "length_scale", "term_"};
  constexpr std::array<std::string_view, 2> kEndings{"_seconds", "_status"};
  const auto is_reserved = [&](const std::string& name) {
    const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
    const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
    return std::find(reserved.begin(), reserved.end(), name) != reserved.end() ||
           std::any_of(kPrefixes.begin(), kPrefixes.end(), begins) ||
           std::any_of(kEndings.begin(), kEndings.end(), ends);
  };
  Cells names = domain.names();
  for (std::string& name : names) {
    if (!is_reserved(name)) continue;
    do {
      name.insert(0, "x_");
    } while (std::count(names.begin(), names.end(), name) > 1);
  }
  return names;
}

SeedFiles::SeedFiles(const std::filesystem::path& folder, SeedColumns columns, SeedFileSizes kept)
    : columns_(std::move(columns)),
      steps_(folder / "steps.csv", step_columns(columns_), kept.steps) {
  if (!columns_.estimators.empty()) poms_.emplace(folder / "pom.csv", columns_.truth, kept.pom);
  if (columns_.has_recall) recalls_.emplace(folder / "recall.csv", kept.recall);
}

void SeedFiles::sync() {
  steps_.sync();
  if (poms_) poms_->sync();
  if (recalls_) recalls_->sync();
}

SeedFileSizes SeedFiles::sizes() const {
  return {steps_.size(), poms_ ? poms_->size() : 0, recalls_ ? recalls_->size() : 0};
}

void SeedFiles::append(const StepRecord& record) {
  const std::optional<StepRecord::Model>& model = record.model;
  Cells cells{format_number(record.step),
              record.suggestion.is_initial ? "initial" : "acquisition",
              std::string(to_string(record.state)),
              format_number(record.suggestion.candidate)};
  for (const double x : record.suggestion.point) cells.push_back(format_number(x));
  append_all(cells,
             {number_cell(record.value),
              number_cell(record.noise_stddev),
              number_cell(record.best_observed)});
  cells.push_back(model ? format_number(model->best_mean) : "");
  if (columns_.has_regret)
    append_all(cells, {number_cell(record.regret), number_cell(record.simple_regret)});
  for (std::size_t i = 0; i < columns_.hyperparameters.size(); ++i) {
    cells.push_back(model ? format_number(model->hyperparameters[i].value) : "");
  }
  cells.push_back(model ? format_number(model->log_likelihood) : "");
  cells.emplace_back(model ? to_string(record.ask.fit.status) : "");
  cells.push_back(model ? format_number(record.ask.fit.iterations) : "");
  for (const std::string& name : columns_.estimators) {
    const PomRecord* pom = model ? find_record(model->poms, name) : nullptr;
    if (columns_.has_entropy) cells.push_back(pom ? format_number(pom->pom.entropy()) : "");
  }
  const double estimator_seconds = model ? estimate_seconds(model->poms) : 0.0;
  append_all(cells,
             {format_number(record.ask.fit_seconds),
              format_number(record.ask.posterior_seconds),
              format_number(record.ask.acquisition_seconds),
              format_number(estimator_seconds),
              record.failure});
  steps_.append(cells);
  if (model && poms_) poms_->append(record.step, model->poms);
  if (model && recalls_) recalls_->append(record.step, model->recalls);
}

void write_posterior(const std::filesystem::path& path, const PosteriorTable& table) {
  const Domain& domain = table.domain;
  const bool has_coordinates = domain.size() <= kMostCoordinateCells / domain.dimension();
  const bool has_labels = !domain.labels().empty();
  Cells cells = posterior_columns(has_coordinates ? table.coordinates : Cells(),
                                  table.true_values.has_value(),
                                  table.poms,
                                  has_labels);
  std::string text = csv_line(cells);
  for (Index i = 0; i < domain.size(); ++i) {
    cells.assign(1, format_number(i));
    for (Index k = 0; has_coordinates && k < domain.dimension(); ++k) {
      cells.push_back(format_number(domain.points()(i, k)));
    }
    cells.push_back(format_number(table.posterior.mean()(i)));
    cells.push_back(format_number(table.posterior.stddev()(i)));
    if (table.true_values) cells.push_back(format_number((*table.true_values)(i)));
    cells.push_back(format_number(table.evaluations[static_cast<std::size_t>(i)]));
    for (const PomRecord& record : table.poms) {
      cells.push_back(format_number(record.pom.probabilities(i)));
    }
    if (has_labels) cells.push_back(domain.labels()[static_cast<std::size_t>(i)]);
    text += csv_line(cells);
  }
  replace_file(path, text);
}

}  // namespace pomlux
