// SPDX-License-Identifier: MIT
#include <cmath>    // std::hypot
#include <istream>  // standard input
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/observation_table.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/pom_command.hpp>
#include <pomlux/experiments/predict_command.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/row_table.hpp>
#include <pomlux/gp/gaussian_process.hpp>

namespace pomlux {
namespace {

/// Points as the model sees them. @throws InvalidArgument for one outside a box.
Points encoded(const std::optional<Box>& box, const PointsRef& points) {
  if (!box) return points;
  for (Index i = 0; i < points.rows(); ++i) {
    box->require_inside("row " + format_number(i) + " of the points", points.row(i));
  }
  return box->encode(points);
}

void add_observations(const CsvTable& table,
                      const Domain& domain,
                      const std::optional<Box>& box,
                      GaussianProcess& model) {
  for (const ObservedRow& one : read_observations(table, domain, box ? &*box : nullptr, model)) {
    try {
      model.add(encoded(box, one.point), one.value, one.noise_stddev);
    } catch (const InvalidArgument& error) {
      fail(line_text(table, one.row), error.what());
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
  /// By tracked estimator, [n] each: the probability of every point to be the best of them.
  std::vector<std::pair<std::string, Pom>> poms;
};

RowTable rows_of_prediction(const Prediction& prediction, const Domain& domain, const Box* box) {
  std::vector<std::string> header = domain.names();
  for (const char* name : {"mean", "stddev", "stddev_observed"}) header.emplace_back(name);
  for (const auto& [name, pom] : prediction.poms) header.push_back("pom_" + name);
  RowTable rows{std::move(header)};
  for (Index i = 0; i < prediction.points.rows(); ++i) {
    std::vector<std::string> row;
    for (Index k = 0; k < prediction.points.cols(); ++k) {
      row.push_back(coordinate_text(box, k, prediction.points(i, k)));
    }
    row.push_back(format_number(prediction.latent.mean(i)));
    row.push_back(format_number(prediction.latent.stddev(i)));
    row.push_back(format_number(prediction.stddev_observed(i)));
    for (const auto& [name, pom] : prediction.poms)
      row.push_back(format_number(pom.probabilities(i)));
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

std::string json_text_of(const Prediction& prediction, const Domain& domain, const Box* box) {
  Json points = Json::array();
  for (Index i = 0; i < prediction.points.rows(); ++i) {
    Json poms = Json::object();
    for (const auto& [name, pom] : prediction.poms) poms[name] = pom.probabilities(i);
    points.push_back({{"point", point_json(box, prediction.points.row(i))},
                      {"mean", prediction.latent.mean(i)},
                      {"stddev", prediction.latent.stddev(i)},
                      {"stddev_observed", prediction.stddev_observed(i)},
                      {"pom", std::move(poms)}});
  }
  Json estimators = Json::object();
  for (const auto& [name, pom] : prediction.poms) {
    estimators[name] = {{"status", to_string(pom.status)},
                        {"numerical_error", or_null(pom.numerical_error)},
                        {"sampling_error", or_null(pom.sampling_error)},
                        {"model_error", or_null(pom.model_error)}};
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
                     {"estimators", std::move(estimators)},
                     {"names", domain.names()},
                     {"points", std::move(points)}};
  return content.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// PoM of the points, each of them a candidate.
void add_poms(const Experiment& experiment,
              std::uint64_t seed,
              const Points& seen,
              GaussianProcess& model,
              Prediction& prediction) {
  if (seen.rows() == 0) return;
  const GaussianVector& posterior = model.posterior(Domain(seen));
  const NegatedGaussian negated(posterior);
  const bool maximizes = to_sense(experiment.config.at("objective")) == Sense::kMaximize;
  for (const Json& section : experiment.config.at("track").at("estimators")) {
    const auto name = section.at("name").get<std::string>();
    Rng rng = make_stream(seed, "track:" + name);
    prediction.poms.emplace_back(
        name,
        make_estimator(section)->estimate(
            maximizes ? posterior : static_cast<const GaussianVector&>(negated), rng));
  }
}

/// Fits the model to what it was told and predicts. @return warnings.
std::vector<std::string> predict_with(const PredictCommand& command,
                                      const Experiment& experiment,
                                      const Domain& domain,
                                      std::uint64_t seed,
                                      GaussianProcess& model,
                                      std::istream& standard_input,
                                      const std::function<void(std::string_view)>& write) {
  const std::optional<Box> of_domain = box_of(experiment.config.at("domain"));
  const Box* const box = of_domain ? &*of_domain : nullptr;
  Prediction prediction;
  prediction.points = domain.points();
  if (!command.points.empty()) {
    prediction.points =
        read_prediction_points(read_table(command.points, standard_input), domain, box);
  }
  const Points seen = encoded(of_domain, prediction.points);
  prediction.observations = model.num_observations();
  if (experiment.config.at("model").at("fit").at("method") != "none") {
    Rng rng = make_stream(seed, "fit");
    prediction.fit = model.fit(rng);
  }
  prediction.latent = model.predict(seen);
  const double noise = model.noise_stddev();
  prediction.stddev_observed =
      prediction.latent.stddev.unaryExpr([&](double stddev) { return std::hypot(stddev, noise); });
  prediction.log_likelihood = model.log_likelihood();
  prediction.gradient = model.log_likelihood_gradient();
  prediction.hyperparameters = model.hyperparameters();
  prediction.jitter = model.jitter();
  add_poms(experiment, seed, seen, model, prediction);

  if (command.format == OutputFormat::kJson) {
    write(json_text_of(prediction, domain, box));
  } else {
    const RowTable rows = rows_of_prediction(prediction, domain, box);
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
  for (const auto& [name, pom] : prediction.poms) add_note(name, pom.status, notes);
  return notes;
}

}  // namespace

std::vector<std::string> run_predict(const PredictCommand& command,
                                     const Experiment& experiment,
                                     std::istream& standard_input,
                                     const std::function<void(std::string_view)>& write) {
  require_optimization("predict", experiment);
  if (command.data.empty()) fail("--data", "is missing; a configuration alone has no observations");
  if (command.data == "-" && command.points == "-") {
    fail("--at", "is standard input, as --data; allowed: one of them");
  }
  const std::uint64_t seed = command.seed.value_or(experiment.seeds.front());
  const Domain domain = domain_of(experiment, seed);
  const Json& section = experiment.config.at("domain");
  const std::unique_ptr<GaussianProcess> model =
      make_model(experiment.config.at("model"), encoded_domain(section, domain));
  add_observations(read_table(command.data, standard_input), domain, box_of(section), *model);
  return predict_with(command, experiment, domain, seed, *model, standard_input, write);
}

std::vector<std::string> run_predict(const PredictCommand& command,
                                     Study& study,
                                     std::istream& standard_input,
                                     const std::function<void(std::string_view)>& write) {
  if (!command.data.empty()) fail("--data", "does not go with a study; pomlux tell takes it");
  const Domain& domain = study.optimizer().domain();
  const std::unique_ptr<Surrogate> copy = study.optimizer().surrogate().clone();
  auto& model = dynamic_cast<GaussianProcess&>(*copy);
  return predict_with(command,
                      study.experiment(),
                      domain,
                      command.seed.value_or(study.seed()),
                      model,
                      standard_input,
                      write);
}

}  // namespace pomlux
