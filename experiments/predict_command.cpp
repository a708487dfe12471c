// SPDX-License-Identifier: MIT
#include <cmath>    // std::hypot
#include <istream>  // standard input
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/predict_command.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/row_table.hpp>
#include <pomlux/experiments/seed_files.hpp>
#include <pomlux/gp/gaussian_process.hpp>

namespace pomlux {
namespace {

constexpr const char* kValue = "value";
constexpr const char* kNoise = "noise_stddev";
// In steps.csv, where noise_stddev is the model's.
constexpr const char* kNoiseOfStep = "value_noise_stddev";
constexpr const char* kState = "state";

/// The domain with the names that its coordinates have in this file: in steps.csv of a run, those
/// of other columns are avoided.
Domain as_named_in(const CsvTable& table, const Domain& domain, const GaussianProcess& model) {
  for (const char* name : {"step", "phase", kState, "candidate"}) {
    if (!table.column(name)) return domain;
  }
  std::vector<std::string> hyperparameters;
  for (const Hyperparameter& one : model.hyperparameters()) hyperparameters.push_back(one.name);
  return Domain(domain.points(), coordinate_columns(domain, hyperparameters));
}

void add_observations(const CsvTable& table, const Domain& plain, GaussianProcess& model) {
  const Domain domain = as_named_in(table, plain, model);
  const Points points = read_points(table, point_columns(table, domain, {kValue, kNoise}));
  const std::optional<std::size_t> value = table.column(kValue);
  std::optional<std::size_t> noise = table.column(kNoiseOfStep);
  if (!noise) noise = table.column(kNoise);
  const std::optional<std::size_t> state = table.column(kState);
  if (!value) {
    fail(table.source, "the columns are " + join(table.columns) + "; needs one named " + kValue);
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (state && table.rows[row][*state] == "failed") continue;
    std::optional<double> noise_stddev;
    if (noise && !table.rows[row][*noise].empty()) noise_stddev = table.number(row, *noise);
    const double observed = table.number(row, *value);
    try {
      model.add(points.row(static_cast<Index>(row)), observed, noise_stddev);
    } catch (const InvalidArgument& error) {
      fail(line_text(table, row), error.what());
    }
  }
}

struct Prediction {
  Points points;
  Marginals latent;
  Vector stddev_observed;
  Index observations = 0;
  FitReport fit;
  double log_likelihood = 0.0;
  double jitter = 0.0;
  std::vector<Hyperparameter> gradient;
  std::vector<Hyperparameter> hyperparameters;
};

RowTable rows_of_prediction(const Prediction& prediction, const Domain& domain) {
  std::vector<std::string> header = domain.names();
  for (const char* name : {"mean", "stddev", "stddev_observed"}) header.emplace_back(name);
  RowTable rows{std::move(header)};
  for (Index i = 0; i < prediction.points.rows(); ++i) {
    std::vector<std::string> row;
    for (const double x : prediction.points.row(i)) row.push_back(format_number(x));
    row.push_back(format_number(prediction.latent.mean(i)));
    row.push_back(format_number(prediction.latent.stddev(i)));
    row.push_back(format_number(prediction.stddev_observed(i)));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string headline(const Prediction& prediction) {
  std::string text = "observations: " + format_number(prediction.observations) +
                     "\nlog marginal likelihood: " + format_number(prediction.log_likelihood) +
                     "\nfit: " + std::string(to_string(prediction.fit.status)) + ", " +
                     format_number(prediction.fit.starts) + " starts, " +
                     format_number(prediction.fit.evaluations) + " evaluations\n";
  RowTable rows{{"hyper-parameter", "value", "gradient"}};
  for (std::size_t i = 0; i < prediction.hyperparameters.size(); ++i) {
    rows.push_back({prediction.hyperparameters[i].name,
                    format_number(prediction.hyperparameters[i].value),
                    format_number(prediction.gradient[i].value)});
  }
  return text + aligned_text(rows) + "\n";
}

Json to_json(const std::vector<Hyperparameter>& values) {
  Json result = Json::object();
  for (const Hyperparameter& one : values) result[one.name] = one.value;
  return result;
}

std::string json_text_of(const Prediction& prediction, const Domain& domain) {
  Json points = Json::array();
  for (Index i = 0; i < prediction.points.rows(); ++i) {
    Json point = Json::array();
    for (const double x : prediction.points.row(i)) point.push_back(x);
    points.push_back({{"point", std::move(point)},
                      {"mean", prediction.latent.mean(i)},
                      {"stddev", prediction.latent.stddev(i)},
                      {"stddev_observed", prediction.stddev_observed(i)}});
  }
  const FitReport& fit = prediction.fit;
  const Json content{{"format", 1},
                     {"observations", prediction.observations},
                     {"log_marginal_likelihood", prediction.log_likelihood},
                     {"log_marginal_likelihood_gradient", to_json(prediction.gradient)},
                     {"hyperparameters", to_json(prediction.hyperparameters)},
                     {"fit",
                      {{"status", to_string(fit.status)},
                       {"starts", fit.starts},
                       {"iterations", fit.iterations},
                       {"evaluations", fit.evaluations}}},
                     {"jitter", prediction.jitter},
                     {"names", domain.names()},
                     {"points", std::move(points)}};
  return content.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::vector<std::string> run_predict(const PredictCommand& command,
                                     const Experiment& experiment,
                                     std::istream& standard_input,
                                     const std::function<void(std::string_view)>& write) {
  require_optimization("predict", experiment);
  if (command.data == "-" && command.points == "-") {
    fail("--at", "is standard input, as --data; allowed: one of them");
  }
  const std::uint64_t seed = command.seed.value_or(experiment.seeds.front());
  const Json& config = experiment.config;
  const Domain domain = domain_of(experiment, seed);
  const std::unique_ptr<GaussianProcess> model = make_model(config.at("model"), domain);
  add_observations(read_table(command.data, standard_input), domain, *model);

  Prediction prediction;
  prediction.points = domain.points();
  if (!command.points.empty()) {
    const CsvTable at = read_table(command.points, standard_input);
    prediction.points = read_points(at, point_columns(at, domain, {kValue, kNoise}));
  }
  prediction.observations = model->num_observations();
  if (config.at("model").at("fit").at("method") != "none") {
    Rng rng = make_stream(seed, "fit");
    prediction.fit = model->fit(rng);
  }
  prediction.latent = model->predict(prediction.points);
  const double noise = model->noise_stddev();
  prediction.stddev_observed =
      prediction.latent.stddev.unaryExpr([&](double stddev) { return std::hypot(stddev, noise); });
  prediction.log_likelihood = model->log_likelihood();
  prediction.gradient = model->log_likelihood_gradient();
  prediction.hyperparameters = model->hyperparameters();
  prediction.jitter = model->jitter();

  if (command.format == OutputFormat::kJson) {
    write(json_text_of(prediction, domain));
  } else {
    const RowTable rows = rows_of_prediction(prediction, domain);
    const bool is_csv = command.format == OutputFormat::kCsv;
    write(is_csv ? csv_text(rows) : headline(prediction) + aligned_text(rows));
  }
  std::vector<std::string> notes;
  if (prediction.jitter > 0.0) {
    notes.push_back("the covariance of the observations was not positive definite; " +
                    format_number(prediction.jitter) + " was added to its diagonal");
  }
  if (prediction.fit.status == Status::kFellBack) {
    notes.emplace_back("the fit kept the values before, as the likelihood could not be computed");
  }
  return notes;
}

}  // namespace pomlux
