// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>  // std::numeric_limits
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/json.hpp>
#include <pomlux/experiments/pom_command.hpp>
#include <sstream>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;

std::string pom(const std::string& text, PomCommand command = {}) {
  std::istringstream input(text);
  std::string output;
  const std::vector<std::string> notes =
      run_pom(command, input, [&output](std::string_view block) { output += block; });
  for (const std::string& note : notes) output += "note: " + note + "\n";
  return output;
}

Json pom_json(const std::string& text, PomCommand command = {}) {
  command.format = OutputFormat::kJson;
  return Json::parse(pom(text, command));
}

std::string write_file(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("pomlux_test_" + name);
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

TEST_CASE("The values of two arms are those of the closed form", "[experiments][pom]") {
  const Json result = pom_json("mean,stddev\n0,1\n1,1\n");
  CHECK(result.at("n") == 2);
  const Json& f_lite = result.at("estimators").at("f_lite");
  CHECK_THAT(f_lite.at("p").at(0).get<double>(), WithinAbs(0.308537539, 1e-9));
  CHECK_THAT(f_lite.at("entropy").get<double>(), WithinAbs(0.617925517, 1e-9));
  CHECK_THAT(f_lite.at("kappa").get<double>(), WithinAbs(0.5, 1e-9));
  CHECK(f_lite.at("status") == "converged");
  CHECK(f_lite.at("model_error").is_null());
}

TEST_CASE("Columns are found by name, ids are kept, the rest is ignored", "[experiments][pom]") {
  PomCommand command;
  command.format = OutputFormat::kCsv;
  const std::string csv =
      pom("\xEF\xBB\xBFid; x; stddev; mean\r\n\"a,b\"; 7; 1; 0\r\nc; 8; 1; 1\r\n", command);
  CHECK_THAT(csv, Contains("id,f_lite\n\"a,b\",0.30853"));
  command.top = 1;
  CHECK_THAT(pom("0,1\n1,1\n", command), Contains("id,f_lite\n1,0.69146"));
  CHECK(pom("0,1\n1,1\n", command).find("\n0,") == std::string::npos);
}

TEST_CASE("Minimising asks for the minimum", "[experiments][pom]") {
  PomCommand command;
  command.is_minimizing = true;
  const Json result = pom_json("mean,stddev\n0,1\n1,1\n", command);
  CHECK_THAT(result.at("estimators").at("f_lite").at("p").at(0).get<double>(),
             WithinAbs(0.691462461, 1e-9));
  command.format = OutputFormat::kTable;
  CHECK_THAT(pom("mean,stddev\n0,1\n1,1\n", command), Contains("minimum"));
}

TEST_CASE("An epsilon below rounding is accepted", "[experiments][pom]") {
  PomCommand command;
  command.epsilon = 1e-30;
  const Json result = pom_json("mean,stddev\n0,1\n0.4,0.7\n1.1,0.2\n", command);
  CHECK(result.at("estimators").at("f_lite").at("status") == "rounding_limited");
}

TEST_CASE("A covariance makes stddev optional and must agree with it", "[experiments][pom]") {
  PomCommand command;
  command.covariance = write_file("covariance.csv", "4,0\n0,1\n");
  const Json result = pom_json("mean\n0\n1\n", command);
  CHECK(result.at("n") == 2);
  CHECK_NOTHROW(pom("mean,stddev\n0,2\n1,1\n", command));
  CHECK_THROWS_WITH(pom("mean,stddev\n0,2\n1,1.001\n", command),
                    Contains("stddev of arm 1 is 1.001"));
  CHECK_THROWS_WITH(pom("mean\n0\n1\n2\n", command), Contains("3 x 3"));
  command.covariance = write_file("covariance_wild.csv", "4,3\n3,1\n");
  CHECK_THROWS_WITH(pom("mean\n0\n1\n", command), Contains("a correlation of 1.5"));
  command.covariance = write_file("covariance_short.csv", "4,0\n");
  CHECK_THROWS_WITH(pom("mean\n0\n1\n", command), Contains("found 1 rows"));
}

TEST_CASE("Bad rows are named by file, line and column", "[experiments][pom]") {
  const auto [text, message] = GENERATE(table<std::string, std::string>(
      {{"mean,stddev\n0,1\n1,-2\n", "standard input:3: column stddev: found -2"},
       {"mean,stddev\n0,1\nabc,1\n", "standard input:3: column mean: found 'abc'"},
       {"mean,stddev\n0,1\n1\n", "standard input:3: column 2 is missing: found 1 cells"},
       {"mean,stddev\nnan,1\n", "standard input:2: column mean: found 'nan'"},
       {"mean,sd\n0,1\n", "no column 'stddev'; found 'mean', 'sd'"},
       {"0,1,2\n", "found 3 columns without names"},
       {"", "holds no arms"},
       {"mean,stddev\n", "holds no arms"}}));
  CAPTURE(text);
  CHECK_THROWS_WITH(pom(text), Contains(message));
}

TEST_CASE("Options that nobody takes and unknown estimators are refused", "[experiments][pom]") {
  PomCommand command;
  command.samples = 10;
  CHECK_THROWS_WITH(pom("0,1\n1,1\n", command), Contains("--samples"));
  command.estimators = {"ts_mc"};
  for (const std::int64_t samples :
       {std::int64_t{0}, std::int64_t{-5}, std::numeric_limits<std::int64_t>::max()}) {
    command.samples = samples;
    CHECK_THROWS_WITH(pom("0,1\n1,1\n", command),
                      Contains("--samples: found " + std::to_string(samples) +
                               "; allowed: an integer from 1 to 1e+15"));
  }
  command = {};
  command.estimators = {"f-lite"};
  CHECK_THROWS_WITH(pom("0,1\n1,1\n", command), Contains("did you mean 'f_lite'?"));
  command.estimators = {"f_lite", "f_lite"};
  CHECK_THROWS_WITH(pom("0,1\n1,1\n", command), Contains("given twice"));
}

TEST_CASE("What an estimate did not reach is told in every format", "[experiments][pom]") {
  // Linear in sixteen features: far correlation that neither neighbours nor eight factors see.
  std::string means, rows;
  for (int i = 0; i < 40; ++i) {
    means += "0\n";
    for (int j = 0; j < 40; ++j) {
      double covariance = 0.0;
      for (int k = 1; k <= 16; ++k) covariance += std::sin(k * i * i) * std::sin(k * j * j);
      rows += (j == 0 ? "" : ",") + format_number(covariance);
    }
    rows += "\n";
  }
  for (const OutputFormat format : {OutputFormat::kCsv, OutputFormat::kTable}) {
    PomCommand command{.estimators = {"local_hazard", "f_lite"}, .format = format};
    command.covariance = write_file("covariance_linear.csv", rows);
    const std::string text = pom("mean\n" + means, command);
    CHECK_THAT(text, Contains("note: local_hazard ended with status inaccurate"));
    CHECK_THAT(text, !Contains("note: f_lite"));
  }
}

TEST_CASE("Accuracy is given once and is positive", "[experiments][pom]") {
  CHECK_THROWS_WITH(pom("0,1\n", {.epsilon = 0.3, .alpha = 2.0}), Contains("--epsilon"));
  CHECK_THROWS_WITH(pom("0,1\n", {.alpha = 0.0}), Contains("allowed: a number > 0"));
}

TEST_CASE("The table keeps its columns apart and hides control characters", "[experiments][pom]") {
  const std::string table = pom("id,mean,stddev\na\x1b[31m,1e200,1\nb,-1e200,1\nc,0,1\n",
                                {.estimators = {"vapor", "f_lite"}, .epsilon = 1e-300});
  CHECK_THAT(table, Contains("a\\x1b[31m"));
  CHECK_THAT(table, Contains("rounding_limited  rounding_limited"));
}

}  // namespace
