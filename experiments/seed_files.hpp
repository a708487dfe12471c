// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <optional>    // empty cells
#include <pomlux/core/optimizer.hpp>
#include <pomlux/experiments/evaluation.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/outcome.hpp>
#include <pomlux/experiments/pom_file.hpp>
#include <pomlux/experiments/recall_file.hpp>
#include <string>  // names
#include <vector>  // columns

namespace pomlux {

/// One evaluation, as it goes into steps.csv.
struct StepRecord {
  Index step = 0;  ///< from 0, initial design included
  Suggestion suggestion;
  StepState state = StepState::kTold;
  std::optional<double> value;          ///< as told
  std::optional<double> noise_stddev;   ///< of this value alone, as told
  std::string failure;                  ///< why the objective has no value; empty if it has
  std::optional<double> best_observed;  ///< this value included
  std::optional<double> regret;         ///< where a value was told
  std::optional<double> simple_regret;
  /// The rest describes the posterior from which the candidate was chosen; absent in the initial
  /// design. Over a box it is of the candidates as the choice has renewed them.
  struct Model {
    double best_mean = 0.0;
    std::vector<Hyperparameter> hyperparameters;
    double log_likelihood = 0.0;
    std::vector<PomRecord> poms;  ///< empty where `track.steps` leaves the step out
    std::vector<RecallCurve> recalls;
  };
  std::optional<Model> model;
  AskReport ask;
};

/// Columns of the results files of one seed.
struct SeedColumns {
  std::vector<std::string> coordinates;      ///< coordinate_columns
  std::vector<std::string> hyperparameters;  ///< names
  std::vector<std::string> estimators;       ///< names
  bool has_regret = false;
  bool has_entropy = true;
  bool has_recall = false;
  std::optional<std::string> truth;  ///< the estimator that the others are compared with
};

/// Names of a domain's columns, with "x_" before those that a results file uses for something else:
/// the other columns of steps.csv, posterior.csv and summary.csv, and names that begin or end like
/// columns of a kind (entropy_, pom_, length_scale, _seconds, _status).
/// @param hyperparameters names of the model's.
[[nodiscard]] std::vector<std::string> coordinate_columns(
    const Domain& domain, const std::vector<std::string>& hyperparameters);

/// Bytes of the files of a seed.
struct SeedFileSizes {
  std::uintmax_t steps = 0;
  std::uintmax_t pom = 0;
  std::uintmax_t recall = 0;
};

/// steps.csv and, if estimators are tracked, pom.csv and recall.csv of one seed; a row is on disk
/// when append returns.
class SeedFiles {
 public:
  /// @param kept of earlier files to go on after; 0: new files.
  SeedFiles(const std::filesystem::path& folder, SeedColumns columns, SeedFileSizes kept = {});
  void append(const StepRecord& record);
  [[nodiscard]] SeedFileSizes sizes() const;
  void sync();

 private:
  SeedColumns columns_;
  CsvWriter steps_;
  std::optional<PomFile> poms_;
  std::optional<RecallFile> recalls_;
};

/// The final posterior, one row per candidate: candidate, coordinates, mean, stddev, true_value (if
/// known), evaluations, pom_<estimator> ..., label (if there are labels).
struct PosteriorTable {
  const Domain& domain;
  const std::vector<std::string>& coordinates;  ///< coordinate_columns
  const GaussianVector& posterior;
  const std::optional<Vector>& true_values;
  const std::vector<Index>& evaluations;
  const std::vector<PomRecord>& poms;
};
/// Coordinates are left out where they have more cells than this.
inline constexpr Index kMostCoordinateCells = 5'000'000;
void write_posterior(const std::filesystem::path& path, const PosteriorTable& table);

}  // namespace pomlux
