// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <experiments/temporary_folder.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/json.hpp>
#include <pomlux/experiments/predict_command.hpp>
#include <pomlux/experiments/yaml_tree.hpp>
#include <sstream>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using test::make_file;
using test::TemporaryFolder;

const std::string kLine =
    "name: line\n"
    "objective: {type: random_linear}\n"
    "domain: {type: grid, lower: [0], upper: [1], points: [11]}\n"
    "model:\n"
    "  kernel: {type: matern52, length_scale: 0.3}\n"
    "  noise_stddev: 0.1\n"
    "  fit: {method: none}\n"
    "budget: {initial: 1, steps: 1}\n"
    "seeds: [0]\n";

const std::string kWave = "x_0,value\n0,0.1\n0.25,0.9\n0.5,0.2\n0.75,-0.8\n1,-0.1\n";

std::string output_of(const std::string& config,
                      const std::string& data,
                      const std::string& at,
                      OutputFormat format,
                      const std::vector<std::string>& sets = {}) {
  const TemporaryFolder folder;
  make_file(folder.path() / "data.csv", data);
  make_file(folder.path() / "at.csv", at);
  const std::vector<Override> overrides = parse_overrides(sets);
  PredictCommand command;
  command.data = (folder.path() / "data.csv").string();
  command.points = at.empty() ? "" : (folder.path() / "at.csv").string();
  command.format = format;
  std::istringstream nothing;
  std::string text;
  (void)run_predict(command,
                    parse_experiment(config, "a.yaml", ".", overrides),
                    nothing,
                    [&](std::string_view part) { text += part; });
  return text;
}

Json predict(const std::string& data,
             const std::string& at,
             const std::vector<std::string>& sets = {}) {
  return Json::parse(output_of(kLine, data, at, OutputFormat::kJson, sets));
}

std::string predict_refusal(const std::string& data, const std::string& at) {
  try {
    (void)predict(data, at);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("Predictions say how good their probabilities are", "[experiments][predict]") {
  const TemporaryFolder folder;
  make_file(folder.path() / "data.csv", kWave);
  const std::vector<Override> overrides = parse_overrides(
      {"track.estimators=[f_lite, {type: local_hazard, neighbours: 2, max_error: 1e-9}]"});
  PredictCommand command;
  command.data = (folder.path() / "data.csv").string();
  command.format = OutputFormat::kJson;
  std::istringstream nothing;
  std::string text;
  const std::vector<std::string> notes =
      run_predict(command,
                  parse_experiment(kLine, "a.yaml", ".", overrides),
                  nothing,
                  [&](std::string_view part) { text += part; });
  CHECK(notes == std::vector<std::string>{"local_hazard ended with status inaccurate"});
  const Json estimators = Json::parse(text).at("estimators");
  CHECK(estimators.at("f_lite").at("status") == "converged");
  CHECK(estimators.at("f_lite").at("model_error").is_null());
  CHECK(estimators.at("local_hazard").at("status") == "inaccurate");
  CHECK(estimators.at("local_hazard").at("model_error") > 1e-9);
}

TEST_CASE("Files of people hold labels and files of runs hold numbers of categories",
          "[experiments][predict]") {
  const std::string config =
      "objective: {type: manual}\n"
      "domain: {type: box, candidates: 20, around: 5, axes: [{name: heat, lower: 0, upper: 9}, "
      "{name: batch, categories: [\"1\", \"2\", \"3\"]}]}\n"
      "model: {fit: {method: none}}\nbudget: {initial: 1, steps: 1}\nseeds: [0]\n";
  const auto text_of = [&](const std::string& data, const std::string& at) {
    return output_of(config, data, at, OutputFormat::kJson);
  };
  const std::string labels = text_of("heat,batch,value\n3,1,5\n4,3,7\n", "heat,batch\n4,3\n5,2\n");
  CHECK(Json::parse(labels).at("points")[0].at("mean") >
        Json::parse(labels).at("points")[1].at("mean"));
  CHECK(Json::parse(labels).at("points")[1].at("point") == Json::array({5.0, "2"}));
  CHECK_THAT(
      output_of(config, "heat,batch,value\n3,1,5\n", "heat,batch\n4,3\n", OutputFormat::kCsv),
      Contains("\n4,3,"));
  CHECK(labels == text_of("step,phase,state,candidate,heat,batch,value\n"
                          "0,initial,told,0,3,0,5\n1,initial,told,1,4,2,7\n",
                          "candidate,heat,batch,mean,stddev,evaluations\n1,4,2,7,0,1\n"
                          "2,5,1,6,1,0\n"));
  CHECK(labels == text_of("heat,batch,value\n3,1,5\n4,3,7\n",
                          "seed,status,reason,best_observed_candidate,heat,batch\n"
                          "0,done,,1,4,2\n1,done,,2,5,1\n"));
  CHECK_THROWS_WITH(text_of("heat,batch,value\n3,0,5\n", "heat,batch\n4,3\n"),
                    Contains("data.csv:2: column batch: found '0'; allowed: 1, 2, 3"));
  CHECK_THROWS_WITH(text_of("heat,batch,value\n3,1,5\n", "heat,batch\n4,4\n"),
                    Contains("at.csv:2: column batch: found '4'; allowed: 1, 2, 3"));
}

TEST_CASE("Predictions agree with values computed in high precision", "[experiments][predict]") {
  struct Row {
    std::string kernel;
    double log_likelihood;
    double mean[3];
    double variance[3];
  };
  const std::vector<Row> rows{{"squared_exponential",
                               -4.754938043,
                               {0.498900827, 0.658665991, 0.006345487},
                               {0.011933000, 0.009505789, 0.999961559}},
                              {"matern52",
                               -4.934625121,
                               {0.465149862, 0.647522948, 0.007763041},
                               {0.052532301, 0.046067413, 0.999690508}},
                              {"matern32",
                               -5.019536228,
                               {0.448783919, 0.605244203, 0.005468818},
                               {0.105716100, 0.100644085, 0.999506023}},
                              {"matern12",
                               -5.197172543,
                               {0.381099448, 0.433677082, -0.003672728},
                               {0.383607090, 0.383600059, 0.998739937}}};
  for (const Row& row : rows) {
    CAPTURE(row.kernel);
    const Json result = predict(kWave, "x_0\n0.1\n0.4\n2\n", {"model.kernel.type=" + row.kernel});
    CHECK_THAT(result.at("log_marginal_likelihood").get<double>(),
               WithinAbs(row.log_likelihood, 1e-9));
    for (std::size_t i = 0; i < 3; ++i) {
      const Json& point = result.at("points").at(i);
      CHECK_THAT(point.at("mean").get<double>(), WithinAbs(row.mean[i], 1e-9));
      const double stddev = point.at("stddev").get<double>();
      CHECK_THAT(stddev * stddev, WithinAbs(row.variance[i], 1e-9));
      const double observed = point.at("stddev_observed").get<double>();
      CHECK_THAT(observed * observed, WithinAbs(row.variance[i] + 0.01, 1e-9));
    }
  }
  // With respect to standard deviations instead of variances, the gradient doubles.
  const Json slope = predict(kWave, "0.1\n").at("log_marginal_likelihood_gradient");
  CHECK_THAT(slope.at("length_scale").get<double>(), WithinAbs(0.0480069, 1e-7));
  CHECK_THAT(slope.at("amplitude").get<double>(), WithinAbs(2.0 * -1.0915807, 1e-7));
  CHECK_THAT(slope.at("noise_stddev").get<double>(), WithinAbs(2.0 * -0.0233893, 1e-7));
}

TEST_CASE("A linear kernel predicts a line", "[experiments][predict]") {
  std::string config = kLine;
  const std::string kernel = "{type: matern52, length_scale: 0.3}";
  config.replace(config.find(kernel), kernel.size(), "{type: linear, amplitude: 0}");
  const std::string data = "x_0,value\n1,1.1\n2,1.9\n3,3.2\n";
  const Json line = Json::parse(output_of(config, data, "4\n0\n", OutputFormat::kJson));
  CHECK_THAT(line.at("log_marginal_likelihood").get<double>(), WithinAbs(-2.1146432, 1e-7));
  const Json& at_4 = line.at("points").at(0);
  CHECK_THAT(at_4.at("mean").get<double>(), WithinAbs(4.1399001, 1e-7));
  CHECK_THAT(std::pow(at_4.at("stddev").get<double>(), 2), WithinAbs(0.0114204, 1e-7));
  CHECK(line.at("points").at(1).at("mean").get<double>() == 0.0);
  CHECK(line.at("points").at(1).at("stddev").get<double>() == 0.0);
}

TEST_CASE("Noise of one observation replaces the model's", "[experiments][predict]") {
  const std::string with_noise = "x_0,value,noise_stddev\n0.2,1,0.5\n0.2,3,\n";
  const Json result = predict(with_noise, "0.2\n");
  // Precisions 4 and 100 and the prior's 1.
  CHECK_THAT(result.at("points").at(0).at("mean").get<double>(),
             WithinAbs((4.0 * 1.0 + 100.0 * 3.0) / 105.0, 1e-12));
  CHECK_THAT(result.at("points").at(0).at("stddev").get<double>(),
             WithinAbs(1.0 / std::sqrt(105.0), 1e-12));
}

TEST_CASE("The steps of a run are observations", "[experiments][predict]") {
  const std::string steps =
      "step,x_0,value,state,value_noise_stddev,failure,noise_stddev\n"
      "0,0.2,1,told,0.5,,7\n1,0.9,,failed,,ended with exit code 3,7\n2,0.2,3,told,,,7\n";
  const Json result = predict(steps, "0.2\n");
  CHECK(result.at("observations") == 2);
  CHECK_THAT(result.at("points").at(0).at("mean").get<double>(),
             WithinAbs((4.0 * 1.0 + 100.0 * 3.0) / 105.0, 1e-12));
}

TEST_CASE("An input that is called like a column of steps.csv is found", "[experiments][predict]") {
  std::string config = kLine;
  const std::string grid = "points: [11]";
  config.replace(config.find(grid), grid.size(), grid + ", names: [amplitude]");
  const std::string steps =
      "step,phase,state,candidate,x_amplitude,value,value_noise_stddev,amplitude\n"
      "0,initial,told,2,0.2,1,0.5,9\n1,initial,told,2,0.2,3,,9\n";
  const Json result = Json::parse(output_of(config, steps, "0.2\n", OutputFormat::kJson));
  CHECK_THAT(result.at("points").at(0).at("mean").get<double>(),
             WithinAbs((4.0 * 1.0 + 100.0 * 3.0) / 105.0, 1e-12));
}

TEST_CASE("An objective that is not there is no fault of a prediction", "[experiments][predict]") {
  std::string config = kLine;
  const std::string objective = "{type: random_linear}";
  config.replace(
      config.find(objective), objective.size(), "{type: command, command: [./not-there, x]}");
  CHECK_THROWS_AS(parse_experiment(config, "a.yaml", "."), ConfigError);
  CHECK_NOTHROW(parse_experiment(config, "a.yaml", ".", {}, ObjectiveUse::kNone));
}

TEST_CASE("A fit finds the pooled noise of repeated readings", "[experiments][predict]") {
  const std::string readings =
      "x_0,value\n0,1\n0,1.2\n0,0.8\n0,1\n1,3.1\n1,2.9\n1,3\n1,3\n2,2.1\n2,1.9\n2,2.2\n2,1.8\n";
  for (const char* standardize : {"false", "true"}) {
    CAPTURE(standardize);
    const Json result =
        predict(readings,
                "0\n1\n2\n",
                {"model.fit.method=lbfgs", std::string("model.standardize=") + standardize});
    const Json& found = result.at("hyperparameters");
    const double noise = found.at("noise_stddev").get<double>();
    CHECK_THAT(noise * noise, WithinAbs(0.022, 0.004));
    CHECK_THAT(found.at("mean").get<double>(), WithinAbs(2.0, 0.1));
    CHECK(result.at("fit").at("status") == "converged");
    CHECK_THAT(result.at("points").at(1).at("mean").get<double>(), WithinAbs(3.0, 0.05));
  }
}

TEST_CASE("Every format holds the same numbers", "[experiments][predict]") {
  const std::string at = "x_0\n0.1\n0.4\n";
  const std::string csv = output_of(kLine, kWave, at, OutputFormat::kCsv);
  CHECK_THAT(csv,
             Catch::Matchers::StartsWith("x_0,mean,stddev,stddev_observed,pom_f_lite\n0.1,0.4651"));
  const std::string table = output_of(kLine, kWave, at, OutputFormat::kTable);
  CHECK_THAT(table, Contains("log marginal likelihood: -4.9346"));
  CHECK_THAT(table, Contains("length_scale") && Contains("0.4651"));
  const std::string all = output_of(kLine, kWave, "", OutputFormat::kCsv);
  CHECK(std::count(all.begin(), all.end(), '\n') == 12);  // the candidates
}

TEST_CASE("Faults of the files are named by line and column", "[experiments][predict]") {
  CHECK_THAT(predict_refusal("x_0,value\n0.1,0.5\n0.2,nan\n", "0.1\n"),
             Contains("data.csv:3") && Contains("value") && Contains("'nan'"));
  CHECK_THAT(predict_refusal("x_0,value\n0.3,\n", "0.1\n"), Contains("data.csv:2"));
  CHECK_THAT(predict_refusal("x_0,y\n0.3,1\n", "0.1\n"), Contains("value"));
  CHECK_THAT(predict_refusal("x_0,value\n0.3,1e200\n", "0.1\n"), Contains("data.csv:2"));
  CHECK_THAT(predict_refusal("x_0,value,noise_stddev\n0.3,1,-1\n", "0.1\n"),
             Contains("data.csv:2") && Contains("noise_stddev"));
  CHECK_THAT(predict_refusal(kWave, "a,b\n0.1,0.2\n"), Contains("at.csv"));
  CHECK_THAT(predict_refusal(kWave, "x_0\nabc\n"), Contains("at.csv:2") && Contains("'abc'"));
}

TEST_CASE("Without observations the prior is predicted", "[experiments][predict]") {
  const Json result = predict("x_0,value\n", "0.1\n", {"model.fit.method=lbfgs"});
  CHECK(result.at("observations") == 0);
  CHECK(result.at("fit").at("status") == "not_run");
  CHECK(result.at("points").at(0).at("mean").get<double>() == 0.0);
  CHECK(result.at("points").at(0).at("stddev").get<double>() == 1.0);
}

}  // namespace
