// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <locale>
#include <pomlux/experiments/catalogue.hpp>
#include <pomlux/experiments/config.hpp>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;

const std::string kGood =
    "schema: 1\n"
    "name: trial\n"
    "objective: {type: drop_wave, noise_stddev: 0.1}\n"
    "domain: {type: grid, lower: [-1, -1], upper: [1, 1], points: [5, 5]}\n"
    "model:\n"
    "  kernel: {type: matern52, length_scale: 0.5}\n"
    "  noise_stddev: 0.1\n"
    "acquisition: {type: ei}\n"
    "budget: {initial: 3, steps: 5}\n"
    "seeds: [0, 1]\n";

Experiment parse(const std::string& text, const std::vector<Override>& overrides = {}) {
  return parse_experiment(text, "a.yaml", ".", overrides);
}

/// kGood with one line replaced, by the key it starts with.
std::string with_line(const std::string& key, const std::string& line) {
  std::string text = kGood;
  const std::size_t begin = text.find(key);
  REQUIRE(begin != std::string::npos);
  return text.replace(begin, text.find('\n', begin) - begin, line);
}

TEST_CASE("A good configuration is resolved with its defaults", "[experiments][config]") {
  const Experiment experiment = parse(kGood);
  CHECK(experiment.seeds == std::vector<std::uint64_t>{0, 1});
  CHECK(experiment.config.at("budget").at("repeats") == false);
  CHECK(experiment.config.at("acquisition").at("incumbent") == "best_observed");
  const std::string resolved = to_yaml(experiment.config);
  CHECK(to_yaml(parse(resolved).config) == resolved);
}

TEST_CASE("A fault is refused with its line, key, value and what is allowed",
          "[experiments][config]") {
  const auto [key, line, message] = GENERATE(table<std::string, std::string, std::string>({
      {"acquisition", "acquisitoin: {type: ei}", "did you mean 'acquisition'"},
      {"  kernel", "  kernel: {type: matern52, lenghtscale: 0.2}", "did you mean 'length_scale'"},
      {"budget", "budget: {initial: 3, steps: abc}", "a.yaml:9: budget.steps: found 'abc'"},
      {"budget", "budget: {initial: 3, steps: 10.5}", "budget.steps: found '10.5'"},
      {"budget", "budget: {initial: 3, steps: -3}", "budget.steps: found '-3'"},
      {"  noise_stddev", "  noise_stddev: -0.1", "a.yaml:7: model.noise_stddev: found '-0.1'"},
      {"  noise_stddev", "  noise_stddev: .nan", "model.noise_stddev: found '.nan'"},
      {"  noise_stddev", "  noise_stddev: .inf", "model.noise_stddev: found '.inf'"},
      {"  noise_stddev", "  noise_stddev: 0,1", "model.noise_stddev: found '0,1'"},
      {"  kernel", "\tkernel: {type: matern52}", "a.yaml:6"},
      {"  kernel", "  kernel: {type:matern52}", "a.yaml:6"},
      {"  kernel", "  kernel: {type: rbf}", "squared_exponential"},
      {"  kernel", "  kernel: {type: Matern52}", "did you mean 'matern52'"},
      {"acquisition", "acquisition: {type: ei, beta: 2}", "beta"},
      {"domain", "domain: {type: grid, lower: [-1, -1], upper: [1, 1], points: [25]}", "a.yaml:4"},
      {"domain",
       "domain: {type: grid, lower: [1, -1], upper: [-1, 1], points: [5, 5]}",
       "a.yaml:4"},
      {"domain",
       "domain: {type: grid, lower: [-1, -1], upper: [1, 1], points: [0, 5]}",
       "a.yaml:4"},
      {"objective", "objective: {type: drop_wave, sense: minimise}", "did you mean 'minimize'"},
      {"seeds", "seeds: [-1]", "seeds"},
      {"seeds", "seeds: [1.5]", "seeds"},
      {"seeds", "seeds: [\"0,1\", 2]", "seeds[0]"},
      {"seeds", "seeds: [18446744073709551616]", "seeds"},
      {"budget", "budget: {initial: 30, steps: 5}", "budget.initial"},
  }));
  CAPTURE(line);
  CHECK_THROWS_WITH(parse(with_line(key, line)), Contains("a.yaml:") && Contains(message));
}

TEST_CASE("Numbers are decimal and as written", "[experiments][config]") {
  const auto [text, value] = GENERATE(table<std::string, double>(
      {{"1e-3", 0.001}, {"1E-3", 0.001}, {".001", 0.001}, {"+0.001", 0.001}, {"0", 0.0}}));
  CAPTURE(text);
  const Experiment experiment = parse(with_line("  noise_stddev", "  noise_stddev: " + text));
  CHECK(experiment.config.at("model").at("noise_stddev") == value);
  // 010 is ten or nothing, never eight.
  try {
    CHECK(parse(with_line("budget", "budget: {initial: 3, steps: 010}"))
              .config.at("budget")
              .at("steps") == 10);
  } catch (const ConfigError& error) {
    CHECK_THAT(error.what(), Contains("010"));
  }
}

TEST_CASE("All faults of a file are reported at once", "[experiments][config]") {
  std::string text = with_line("budget", "budget: {initial: -3, steps: abc}");
  text.replace(text.find("matern52"), 8, "matern53");
  try {
    (void)parse(text);
    FAIL("no fault was found");
  } catch (const ConfigError& error) {
    CHECK(error.faults().size() == 3);
    CHECK_THAT(error.what(), Contains("matern53") && Contains("'-3'") && Contains("'abc'"));
  }
}

TEST_CASE("A key given twice is refused with both lines", "[experiments][config]") {
  CHECK_THROWS_WITH(parse(kGood + "seeds: [2]\n"), Contains("11") && Contains("10"));
}

TEST_CASE("Byte-order mark and CRLF are accepted, emptiness and two documents are not",
          "[experiments][config]") {
  std::string crlf = "\xEF\xBB\xBF";
  for (const char c : kGood) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(parse(crlf).config == parse(kGood).config);
  CHECK_THROWS_AS(parse(""), ConfigError);
  CHECK_THROWS_AS(parse("# nothing\n"), ConfigError);
  CHECK_THROWS_AS(parse(kGood + "---\n" + kGood), ConfigError);
  CHECK_THROWS_AS(parse(with_line("name", "name:\u00a0trial")), ConfigError);
}

TEST_CASE("A name is one that a folder can have", "[experiments][config]") {
  for (const std::string& name : {std::string(200, 'n'), std::string(".a.b"), std::string("a b")}) {
    CHECK(parse(with_line("name", "name: " + name)).config.at("output") == "results/" + name);
  }
  const std::string long_name(201, 'n');
  for (const std::string& name : {long_name,
                                  std::string("' '"),
                                  std::string("'a '"),
                                  std::string("'.. '"),
                                  std::string("..."),
                                  std::string("a/b"),
                                  std::string("\"a\\tb\""),
                                  std::string("\"\\u00a0\"")}) {
    CAPTURE(name);
    CHECK_THROWS_WITH(parse(with_line("name", "name: " + name)),
                      Contains("a.yaml:2: name: found") && Contains("allowed: 1 to 200 bytes"));
  }
  CHECK_THROWS_WITH(parse_experiment(kGood.substr(0, kGood.find("name:")) +
                                         kGood.substr(kGood.find("objective:")),
                                     long_name + ".yaml",
                                     ".",
                                     {}),
                    Contains("allowed: 1 to 200 bytes"));
}

TEST_CASE("An override replaces a value and its faults name it", "[experiments][config]") {
  CHECK(parse(kGood, {parse_override("budget.steps=7")}).config.at("budget").at("steps") == 7);
  CHECK(parse(kGood, {parse_override("model.fit.until=null")})
            .config.at("model")
            .at("fit")
            .at("until")
            .is_null());
  CHECK_THROWS_WITH(parse(kGood, {parse_override("budget.steps=abc")}),
                    Contains("--set budget.steps=abc") && Contains("budget.steps"));
  CHECK_THROWS_WITH(parse(kGood, {parse_override("budget.stepz=7")}),
                    Contains("did you mean 'steps'"));
}

TEST_CASE("Seeds are numbers, ranges or both", "[experiments][config]") {
  CHECK(parse_seeds("0,3,7-9") == std::vector<std::uint64_t>{0, 3, 7, 8, 9});
  for (const char* text : {"", "a", "3-1", "1,1", "-1", "1.5", "18446744073709551616"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_seeds(text), InvalidArgument);
  }
}

class CommaPoint : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_CASE("A global locale with decimal commas changes nothing", "[experiments][config]") {
  const std::string text = with_line("budget", "budget: {initial: 3, steps: 5}");
  const std::string before = to_yaml(parse(text, {parse_override("model.mean=2112.25")}).config);
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  const std::string during = to_yaml(parse(text, {parse_override("model.mean=2112.25")}).config);
  std::locale::global(old);
  CHECK(before == during);
  CHECK_THAT(before, Contains("2112.25"));
}

TEST_CASE("The catalogue and the schema come from the table", "[experiments][config]") {
  CHECK_THAT(catalogue(), Contains("matern52") && Contains("f_lite") && Contains("drop_wave"));
  const Json schema = configuration_schema();
  const Json& types = schema.at("anyOf");
  REQUIRE(types.size() == 2);
  CHECK(types[0].at("properties").contains("budget"));
  CHECK(types[0].at("required") == Json::array());  // a file without type is an optimisation
  CHECK(types[1].at("properties").contains("vectors"));
  CHECK(types[1].at("required") == Json::array({"type"}));
  CHECK_THAT(catalogue("vectors"), Contains("synthetic"));
  CHECK_THROWS_AS(catalogue("no such thing"), InvalidArgument);
}

}  // namespace
