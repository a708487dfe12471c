// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <atomic>     // work queue
#include <exception>  // errors of threads
#include <istream>    // standard input
#include <mutex>      // errors of threads
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/evaluate_command.hpp>
#include <pomlux/experiments/evaluation.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/row_table.hpp>
#include <thread>  // evaluations in parallel

namespace pomlux {
namespace {

/// Points and where they stand.
struct PointFile {
  CsvTable table;
  Points points;
};

PointFile read_point_file(const std::string& path,
                          const Domain& domain,
                          const Box* box,
                          std::istream& input) {
  PointFile file;
  file.table = read_table(path, input);
  if (file.table.rows.empty()) fail(file.table.source, "holds no points; every row is one");
  file.points = read_points(file.table, point_columns(file.table, domain), box);
  return file;
}

/// Calls `work` for every row, up to `jobs` of them at a time. The first error ends it.
void for_each_row(std::size_t rows, int jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto take_rows = [&] {
    for (std::size_t row = next++; row < rows; row = next++) {
      try {
        work(row);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        next = rows;
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    const std::size_t threads = std::min(static_cast<std::size_t>(jobs), rows);
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(take_rows);
    take_rows();
  }
  if (error) std::rethrow_exception(error);
}

/// One per point of the file; absent where the evaluation was stopped, or never begun.
using Results = std::vector<std::optional<Evaluation>>;

/// The noise-free values, or nothing if the objective does not know them. One that knows them at
/// candidates alone gets the candidate for a point that is the same in decimals.
std::optional<Results> true_values(const Objective& objective,
                                   const PointFile& file,
                                   const Domain& domain) {
  Results results(file.table.rows.size());
  for (std::size_t row = 0; row < results.size(); ++row) {
    Points point = file.points.row(static_cast<Index>(row));
    const Index candidate = find_close(domain, point.row(0));
    if (candidate >= 0) point = domain.point(candidate);
    try {
      const std::optional<Vector> value = objective.true_values(point);
      if (!value) return std::nullopt;
      results[row].emplace().value = (*value)(0);
    } catch (const InvalidArgument& error) {
      fail(line_text(file.table, row), error.what());
    }
  }
  return results;
}

Results evaluations(const Objective& objective,
                    const PointFile& file,
                    std::uint64_t seed,
                    int jobs,
                    const EvaluateHooks& hooks) {
  Results results(file.table.rows.size());
  try {
    for_each_row(results.size(), jobs, [&](std::size_t row) {
      if (hooks.should_stop && hooks.should_stop()) throw EvaluationStopped("stopped on request");
      Rng rng = make_stream(seed, "objective_noise", row);
      try {
        results[row] = evaluate_once(objective, file.points.row(static_cast<Index>(row)), rng);
      } catch (const InvalidArgument& error) {
        fail(line_text(file.table, row), error.what());
      }
    });
  } catch (const EvaluationStopped&) {  // what there is, is shown
  }
  return results;
}

/// Header and cells; a value that is not there is "".
RowTable make_rows(const Domain& domain,
                   const Box* box,
                   const PointFile& file,
                   const Results& results,
                   bool is_true) {
  std::vector<std::string> header = domain.names();
  header.emplace_back(is_true ? "true_value" : "value");
  if (!is_true) header.emplace_back("noise_stddev");
  RowTable rows{std::move(header)};
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) continue;
    std::vector<std::string> row;
    for (Index k = 0; k < file.points.cols(); ++k) {
      row.push_back(coordinate_text(box, k, file.points(static_cast<Index>(i), k)));
    }
    row.push_back(number_cell(results[i]->value));
    if (!is_true) row.push_back(number_cell(results[i]->noise_stddev));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string json_text_of(const Domain& domain,
                         const Box* box,
                         const PointFile& file,
                         const Results& results,
                         bool is_true,
                         const Experiment& experiment,
                         std::uint64_t seed) {
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  Json points = Json::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) continue;
    const Points point = file.points.row(static_cast<Index>(i));
    Json entry{{"line", file.table.lines[i]}, {"point", point_json(box, point.row(0))}};
    entry[is_true ? "true_value" : "value"] = number(results[i]->value);
    if (!is_true) entry["noise_stddev"] = number(results[i]->noise_stddev);
    if (!results[i]->failure.empty()) entry["failure"] = results[i]->failure;
    points.push_back(std::move(entry));
  }
  const Json content{{"format", 1},
                     {"objective", experiment.config.at("objective").at("type")},
                     {"seed", seed},
                     {"values", is_true ? "noise_free" : "one_evaluation_each"},
                     {"names", domain.names()},
                     {"points", std::move(points)}};
  return content.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

EvaluateOutcome run_evaluate(const EvaluateCommand& command,
                             const Experiment& experiment,
                             std::istream& standard_input,
                             const EvaluateHooks& hooks) {
  require_optimization("evaluate", experiment);
  if (command.jobs < 1) fail("--jobs", "found " + std::to_string(command.jobs) + "; allowed: >= 1");
  const std::uint64_t seed = command.seed.value_or(experiment.seeds.front());
  const Json& config = experiment.config;
  const Domain domain = domain_of(experiment, seed);
  const std::optional<Box> of_domain = box_of(config.at("domain"));
  const Box* const box = of_domain ? &*of_domain : nullptr;
  const PointFile file = read_point_file(command.points, domain, box, standard_input);
  const std::unique_ptr<Objective> objective =
      make_objective(objective_section(config), domain, seed);
  objective->stop_when(hooks.should_stop);
  const std::optional<Results> known = true_values(*objective, file, domain);
  const bool is_true = known.has_value();
  const Results results = known ? *known : evaluations(*objective, file, seed, command.jobs, hooks);
  EvaluateOutcome outcome;
  outcome.points = results.size();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) continue;
    ++outcome.done;
    if (results[i]->failure.empty()) continue;
    outcome.failures.push_back(line_text(file.table, i) + ": " + results[i]->failure);
  }
  if (command.format == OutputFormat::kJson) {
    hooks.write(json_text_of(domain, box, file, results, is_true, experiment, seed));
  } else {
    const RowTable rows = make_rows(domain, box, file, results, is_true);
    const std::string head =
        (is_true ? "noise-free values, " : "one evaluation each, ") + progress_text(outcome) + "\n";
    const bool is_table = command.format == OutputFormat::kTable;
    hooks.write(is_table ? head + aligned_text(rows) : csv_text(rows));
  }
  return outcome;
}

std::string progress_text(const EvaluateOutcome& outcome) {
  const std::string points =
      std::to_string(outcome.points) + (outcome.points == 1 ? " point" : " points");
  return outcome.done == outcome.points ? points : std::to_string(outcome.done) + " of " + points;
}

}  // namespace pomlux
