// SPDX-License-Identifier: MIT
#include <cmath>  // std::abs
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/observation_table.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/seed_files.hpp>
#include <pomlux/experiments/spec.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr const char* kValue = "value";
constexpr const char* kNoise = "noise_stddev";
// In steps.csv, where noise_stddev is the model's.
constexpr const char* kNoiseOfStep = "value_noise_stddev";
constexpr const char* kState = "state";

/// The domain with the names that its coordinates have in this file: in steps.csv of a run, those
/// of other columns are avoided.
Domain as_named_in(const CsvTable& table, const Domain& domain, const Surrogate& model) {
  for (const char* name : {"step", "phase", kState, "candidate"}) {
    if (!table.column(name)) return domain;
  }
  std::vector<std::string> hyperparameters;
  for (const Hyperparameter& one : model.hyperparameters()) hyperparameters.push_back(one.name);
  return Domain(domain.points(), coordinate_columns(domain, hyperparameters));
}

}  // namespace

std::vector<ObservedRow> read_observations(const CsvTable& table,
                                           const Domain& plain,
                                           const Box* box,
                                           const Surrogate& model) {
  const Domain domain = as_named_in(table, plain, model);
  const Points points = read_points(table, point_columns(table, domain, {kValue, kNoise}), box);
  const std::optional<std::size_t> value = table.column(kValue);
  std::optional<std::size_t> noise = table.column(kNoiseOfStep);
  if (!noise) noise = table.column(kNoise);
  const std::optional<std::size_t> state = table.column(kState);
  if (!value) {
    fail(table.source, "the columns are " + join(table.columns) + "; needs one named " + kValue);
  }
  std::vector<ObservedRow> result;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (state && table.rows[row][*state] == "failed") continue;
    ObservedRow one;
    one.row = row;
    one.point = points.row(static_cast<Index>(row));
    if (noise && !table.rows[row][*noise].empty()) one.noise_stddev = table.number(row, *noise);
    one.value = table.number(row, *value);
    if (one.noise_stddev && *one.noise_stddev < 0.0) {
      fail(line_text(table, row),
           "column " + table.columns[*noise] + ": found " + format_number(*one.noise_stddev) +
               "; allowed: >= 0, or nothing");
    }
    if (std::abs(one.value) > kLargestObservation) {
      fail(line_text(table, row),
           "column value: found " + format_number(one.value) + "; allowed: at most " +
               format_number(kLargestObservation) + " in size");
    }
    result.push_back(std::move(one));
  }
  return result;
}

Points read_prediction_points(const CsvTable& table, const Domain& domain, const Box* box) {
  return read_points(table, point_columns(table, domain, {kValue, kNoise}), box);
}

}  // namespace pomlux
