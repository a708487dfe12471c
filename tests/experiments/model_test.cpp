// SPDX-License-Identifier: MIT
// What the model section of a configuration makes of the model, seen from a run.

#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <experiments/temporary_folder.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/catalogue.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/runner.hpp>
#include <pomlux/experiments/yaml_tree.hpp>
#include <pomlux/gp/gaussian_process.hpp>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinRel;
using test::TemporaryFolder;

/// A function of one's own.
class OwnFunction final : public Objective {
 public:
  OwnFunction(Index dimension, std::function<double(const PointRef&)> f)
      : dimension_(dimension), f_(std::move(f)) {}
  [[nodiscard]] Index dimension() const override { return dimension_; }
  [[nodiscard]] Vector evaluate(const PointsRef& points, Rng&) const override {
    Vector values(points.rows());
    for (Index i = 0; i < points.rows(); ++i) values(i) = f_(points.row(i));
    return values;
  }
  [[nodiscard]] std::optional<Vector> true_values(const PointsRef&) const override {
    return std::nullopt;
  }

 private:
  Index dimension_;
  std::function<double(const PointRef&)> f_;
};

std::string config_with(const std::string& model) {
  return "name: trial\n"
         "objective: {type: random_linear}\n"
         "domain: {type: grid, lower: [-1, -100], upper: [1, 100], points: [15, 15]}\n"
         "model: {" +
         model +
         "}\n"
         "budget: {initial: 5, steps: 25}\n"
         "track: {estimators: []}\n"
         "seeds: 0-9\n";
}

Experiment with_model(const std::string& model, const std::vector<Override>& overrides = {}) {
  return parse_experiment(config_with(model), "a.yaml", ".", overrides);
}

std::string model_refusal(const std::string& model) {
  try {
    (void)with_model(model);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> names_of(const GaussianProcess& model) {
  std::vector<std::string> names;
  for (const Hyperparameter& one : model.hyperparameters()) names.push_back(one.name);
  return names;
}

std::unique_ptr<GaussianProcess> model_of(const Experiment& experiment) {
  return make_model(experiment.config.at("model"), *experiment.fixed_domain);
}

RunOutcome run_model(const Experiment& experiment,
                     const TemporaryFolder& folder,
                     const std::function<double(const PointRef&)>& f) {
  RunHooks hooks;
  hooks.make_objective = [&](const Domain& domain, std::uint64_t) {
    return std::make_unique<OwnFunction>(domain.dimension(), f);
  };
  return run_experiment(experiment, folder.path() / "r", FolderUse::kNew, {}, hooks);
}

TEST_CASE("A fitted isotropic kernel takes its ratios from the domain", "[experiments][model]") {
  const auto model = model_of(with_model("kernel: {type: matern52, length_scale: 0.5}"));
  const std::vector<Hyperparameter> values = model->hyperparameters();
  REQUIRE(names_of(*model)[1] == "length_scale_1");
  CHECK_THAT(values[1].value / values[0].value, WithinRel(100.0, 1e-12));
  CHECK_THAT(values[1].value * values[0].value, WithinRel(0.25, 1e-12));  // geometric mean 0.5
}

TEST_CASE("Fixed length scales, and those of like extents, stay as they are given",
          "[experiments][model]") {
  for (const char* model :
       {"kernel: {type: matern52, length_scale: 0.5}, fit: {method: none}",
        "kernel: {type: matern52, length_scale: 0.5}, scale_inputs: false",
        "kernel: {type: matern52, length_scale: 0.5}, fit: {parameters: [amplitude]}"}) {
    CAPTURE(model);
    const auto plain = model_of(with_model(model));
    CHECK(names_of(*plain)[0] == "length_scale");
    CHECK(plain->hyperparameters()[0].value == 0.5);
  }
  const Experiment square = with_model("kernel: {type: matern52}",
                                       {{"domain.lower", "[-1, -1]"}, {"domain.upper", "[1, 2]"}});
  CHECK(names_of(*model_of(square))[0] == "length_scale");
}

TEST_CASE("Inputs of very different extents are optimised all the same", "[experiments][model]") {
  const TemporaryFolder folder;
  const RunOutcome outcome =
      run_model(with_model("noise_stddev: 0.1"), folder, [](const PointRef& x) {
        return -x(0) * x(0) - x(1) * x(1) / 1e4;
      });
  int found = 0;
  for (const SeedOutcome& seed : outcome.seeds) {
    const Point& best = *seed.best_observed_point;
    if (std::abs(best(0)) <= 2.0 / 14.0 + 1e-9 && std::abs(best(1)) <= 200.0 / 14.0 + 1e-9) {
      ++found;
    }
  }
  REQUIRE(outcome.seeds.size() == 10);
  CHECK(found >= 8);
}

TEST_CASE("Standardised values give the same run in any unit", "[experiments][model]") {
  const auto chosen = [](double factor, double offset) {
    const TemporaryFolder folder;
    const Experiment experiment =
        with_model("standardize: true, noise_stddev: 0.1",
                   {{"seeds", "[1]"},
                    // Enough to find a length scale: candidates beyond correlation are tied.
                    {"budget.initial", "12"},
                    {"budget.steps", offset == 0.0 ? "10" : "5"}});
    (void)run_model(experiment, folder, [&](const PointRef& x) {
      return factor * (std::sin(2.0 * x(0)) - std::pow(x(1) - 13.0, 2) / 1e4) + offset;
    });
    const CsvTable steps = read_csv_file(folder.path() / "r/seed-0001/steps.csv");
    std::vector<std::string> result;
    for (const auto& row : steps.rows) result.push_back(row[*steps.column("candidate")]);
    return result;
  };
  const std::vector<std::string> base = chosen(1.0, 0.0);
  CHECK(chosen(1e9, 0.0) == base);
  CHECK(chosen(1e-9, 0.0) == base);
  const std::vector<std::string> shifted = chosen(1.0, 1e6);
  CHECK(std::equal(shifted.begin(), shifted.end(), base.begin()));
}

TEST_CASE("A fit schedule is honoured", "[experiments][model]") {
  const TemporaryFolder folder;
  const Experiment experiment =
      with_model("fit: {every: 3, until: 12}", {{"seeds", "[1]"}, {"budget.steps", "15"}});
  (void)run_model(
      experiment, folder, [](const PointRef& x) { return std::sin(3.0 * x(0)) + x(1) / 50; });
  const CsvTable steps = read_csv_file(folder.path() / "r/seed-0001/steps.csv");
  std::string fitted;
  for (const auto& row : steps.rows) {
    const std::string& status = row[*steps.column("fit_status")];
    fitted += status.empty() || status == "not_run" ? '-' : 'f';
  }
  // After 5, 8 and 11 values; not after 14, 17 and at the end.
  CHECK(fitted == "-----f--f--f--------");
  const auto value = [&](std::size_t row) {
    return steps.rows[row][*steps.column("length_scale_0")];
  };
  CHECK(value(11) == value(19));
  CHECK(value(8) != value(11));
}

TEST_CASE("Iterations and end of every fit are in steps.csv", "[experiments][model]") {
  const auto cells = [](const std::string& fit, const char* column) {
    const TemporaryFolder folder;
    const Experiment experiment =
        with_model("scale_inputs: false, fit: " + fit, {{"seeds", "[1]"}, {"budget.steps", "3"}});
    (void)run_model(experiment, folder, [](const PointRef& x) { return std::sin(3.0 * x(0)); });
    const CsvTable steps = read_csv_file(folder.path() / "r/seed-0001/steps.csv");
    REQUIRE(*steps.column("fit_iterations") == *steps.column("fit_status") + 1);
    std::vector<std::string> result;
    for (const auto& row : steps.rows) result.push_back(row[*steps.column(column)]);
    return result;
  };
  using Column = std::vector<std::string>;
  const std::string limited = "{method: adam, max_iterations: 150, learning_rate: 0.05, every: 2}";
  CHECK(cells(limited, "fit_iterations") == Column{"", "", "", "", "", "150", "0", "150"});
  CHECK(cells(limited, "fit_status") ==
        Column{"", "", "", "", "", "iteration_limit", "not_run", "iteration_limit"});
  // The mean alone is soon found: the last fits start near it and leave it by one update.
  const std::string stopped = "{method: adam, parameters: [mean]}";
  CHECK(cells(stopped, "fit_iterations")[7] == "101");
  CHECK(cells(stopped, "fit_status")[7] == "converged");
  for (const std::string& one : cells("{method: none}", "fit_iterations")) {
    CHECK((one.empty() || one == "0"));
  }
  CHECK(std::stoi(cells("{method: lbfgs}", "fit_iterations")[5]) > 0);
}

TEST_CASE("The paper's fit is chosen by its name", "[experiments][model]") {
  const auto limit_of = [](const std::string& fit) {
    return with_model("fit: " + fit).config.at("model").at("fit").at("max_iterations");
  };
  CHECK(limit_of("{method: adam}") == 1000);
  CHECK(limit_of("{method: lbfgs}") == 200);
  CHECK(limit_of("{method: adam, max_iterations: 7}") == 7);
  CHECK(model_refusal("fit: {method: adam, learning_rate: 0.1, restarts: 0}").empty());

  CHECK_THAT(model_refusal("fit: {method: adam, restarts: 3}"),
             Contains("model.fit.restarts: found 3; allowed: 0, as method: adam does not use it"));
  CHECK_THAT(model_refusal("fit: {method: adam, bounds: {amplitude: [0, 1]}}"),
             Contains("model.fit.bounds.amplitude") && Contains("allowed: null"));
  CHECK_THAT(model_refusal("fit: {method: adam, priors: {length_scale: [1, 1]}}"),
             Contains("model.fit.priors.length_scale") && Contains("adam"));
  CHECK_THAT(model_refusal("fit: {method: adam, priors: {others: from_data}}"),
             Contains("model.fit.priors.others") && Contains("allowed: \"none\""));
  CHECK_THAT(model_refusal("noise_stddev: 0, fit: {method: adam}"),
             Contains("model.noise_stddev") && Contains("adam"));
  CHECK(model_refusal("noise_stddev: 0, fit: {method: adam, parameters: [mean]}").empty());
  CHECK_THAT(model_refusal("fit: {learning_rate: 0.1}"),
             Contains("model.fit.learning_rate: found 0.1; allowed: 0.01, or method: adam"));
  CHECK_THAT(model_refusal("fit: {method: adam, learning_rate: 0}"),
             Contains("model.fit.learning_rate"));
}

TEST_CASE("Kernels can be added and multiplied", "[experiments][model]") {
  const Experiment experiment = with_model(
      "kernel: {type: sum, terms: [{type: linear, amplitude: 0}, {type: product, terms: "
      "[{type: matern52, length_scale: 2, ard: true}, squared_exponential]}]}, "
      "scale_inputs: false");
  const auto model = model_of(experiment);
  const std::vector<std::string> names = names_of(*model);
  CHECK(names == std::vector<std::string>{"term_0.length_scale",
                                          "term_0.amplitude",
                                          "term_1.term_0.length_scale_0",
                                          "term_1.term_0.length_scale_1",
                                          "term_1.term_0.amplitude",
                                          "term_1.term_1.length_scale",
                                          "term_1.term_1.amplitude",
                                          "mean",
                                          "noise_stddev"});
  CHECK(to_yaml(parse_experiment(to_yaml(experiment.config), "b.yaml", ".").config) ==
        to_yaml(experiment.config));
  const TemporaryFolder folder;
  const RunOutcome outcome =
      run_model(with_model("kernel: {type: sum, terms: [linear, matern52]}", {{"seeds", "[0]"}}),
                folder,
                [](const PointRef& x) { return x(0) + std::sin(x(1) / 20.0); });
  CHECK(outcome.seeds[0].status == SeedStatus::kDone);
  const CsvTable steps = read_csv_file(folder.path() / "r/seed-0000/steps.csv");
  CHECK(steps.column("term_1.amplitude").has_value());
}

TEST_CASE("Faults of the model section are named", "[experiments][model]") {
  CHECK_THAT(model_refusal("kernel: {type: sum, terms: []}"), Contains("model.kernel.terms"));
  CHECK_THAT(model_refusal("kernel: {type: sum}"), Contains("model.kernel.terms"));
  CHECK_THAT(model_refusal("kernel: {type: sum, terms: [matern]}"), Contains("matern52"));
  CHECK_THAT(model_refusal("kernel: {type: sum, terms: [{type: matern52, length_scale: [1, 2]}]}"),
             Contains("model.kernel.terms[0].length_scale"));
  CHECK_THAT(model_refusal("fit: {priors: {length_scale: [1]}}"),
             Contains("model.fit.priors.length_scale") && Contains("median"));
  CHECK_THAT(model_refusal("fit: {priors: {amplitude: [0, 1]}}"),
             Contains("model.fit.priors.amplitude"));
  CHECK_THAT(model_refusal("fit: {parameters: [amplitude], priors: {length_scale: [1, 1]}}"),
             Contains("model.fit.priors.length_scale"));
  CHECK_THAT(model_refusal("fit: {method: none, priors: {amplitude: [1, 1]}}"),
             Contains("model.fit.priors.amplitude"));
  CHECK_THAT(model_refusal("fit: {until: 0}"), Contains("model.fit.until"));
}

TEST_CASE("Priors of a configuration reach the fit", "[experiments][model]") {
  const auto length_with = [](const std::string& priors) {
    const auto model = model_of(with_model("scale_inputs: false, fit: {priors: {" + priors + "}}"));
    for (double x : {-0.9, -0.4, 0.0, 0.3, 0.8}) {
      model->add(Eigen::RowVector2d(x, 40.0 * x), std::sin(3.0 * x));
    }
    Rng rng = make_stream(0, "fit");
    (void)model->fit(rng);
    return model->hyperparameters()[0].value;
  };
  CHECK_THAT(length_with("length_scale: [7, 0.01]"), WithinRel(7.0, 0.01));
  CHECK(length_with("others: from_data") != length_with("others: none"));
}

TEST_CASE("Kernels within kernels are listed once", "[experiments][model]") {
  CHECK_THAT(catalogue("model.kernel"), Contains("sum") && Contains("product"));
  CHECK_THROWS_AS(catalogue("model.kernel.terms"), InvalidArgument);
}

}  // namespace
