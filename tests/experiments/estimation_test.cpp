// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <experiments/run_helpers.hpp>
#include <experiments/temporary_folder.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/estimators/est.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/experiments/estimation_table.hpp>
#include <pomlux/experiments/predict_command.hpp>
#include <pomlux/experiments/report.hpp>
#include <pomlux/experiments/runner.hpp>
#include <pomlux/objectives/synthetic.hpp>
#include <sstream>
#include <string>

namespace {

using namespace pomlux;
using test::read_file;
using test::run_into;
using test::TemporaryFolder;

const std::string kEstimation =
    "schema: 1\n"
    "type: estimation\n"
    "vectors: {type: synthetic, sizes: [2, 7, 40], mean: [0, 5], stddev: [0.5, 10]}\n"
    "track:\n"
    "  estimators:\n"
    "    - {type: est, alpha: 200}\n"
    "    - {type: f_lite, alpha: 200, name: fast}\n"
    "    - {type: ts_mc, samples: 500}\n"
    "    - {type: independence, alpha: 200}\n"
    "  truth: independence\n"
    "published: [{estimator: est, mean: 11.5, standard_error: 0.2}]\n"
    "seeds: 3-5\n";

Experiment estimation(const std::vector<std::string>& sets = {},
                      const std::string& text = kEstimation) {
  const std::vector<Override> overrides = parse_overrides(sets);
  return parse_experiment(text, "trial.yaml", ".", overrides);
}

Experiment parse_folder(const TemporaryFolder& folder) {
  return load_experiment(folder.path() / "r" / "experiment.yaml");
}

std::vector<std::string> cells_of(const CsvTable& table, const std::string& name) {
  const std::optional<std::size_t> place = table.column(name);
  REQUIRE(place);
  std::vector<std::string> cells;
  for (const auto& row : table.rows) cells.push_back(row[*place]);
  return cells;
}

/// A file without its columns of times.
std::string without_times(const std::filesystem::path& file) {
  const CsvTable table = read_csv_file(file);
  std::string text;
  for (const std::string& name : table.columns) {
    if (name.ends_with("_seconds")) continue;
    for (const std::string& cell : cells_of(table, name)) text += cell + ",";
    text += name + "\n";
  }
  return text;
}

TEST_CASE("An estimation has the numbers of the estimators", "[experiments][estimation]") {
  const TemporaryFolder folder;
  const RunOutcome outcome = run_into(estimation(), folder);
  CHECK(outcome.is_finished());
  const CsvTable poms = read_csv_file(folder.path() / "r/seed-0004/pom.csv");
  const CsvTable steps = read_csv_file(folder.path() / "r/seed-0004/steps.csv");
  REQUIRE(poms.rows.size() == 12);
  REQUIRE(cells_of(steps, "candidates") == std::vector<std::string>{"2", "7", "40"});
  const std::vector<std::string> tv = cells_of(poms, "tv");
  double est_average = 0.0;
  std::size_t row = 0;
  for (const Index n : {2, 7, 40}) {
    const IndependentGaussian f = draw_synthetic({0.0, 5.0, 0.5, 10.0}, n, 4);
    const Pom truth = independence(f.mean(), f.stddev(), {.alpha = 200.0});
    const double by_est = est(f.mean(), f.stddev(), {.alpha = 200.0}).total_variation(truth);
    const Pom fast = f_lite(f.mean(), f.stddev(), {.alpha = 200.0});
    CHECK(tv[4 * row] == format_number(by_est));
    CHECK(tv[4 * row + 1] == format_number(fast.total_variation(truth)));
    CHECK(tv[4 * row + 3].empty());  // the truth itself
    CHECK(cells_of(steps, "entropy_fast")[row] == format_number(fast.entropy()));
    est_average += by_est / 3.0;
    ++row;
  }
  const CsvTable summary = read_csv_file(folder.path() / "r/summary.csv");
  CHECK(cells_of(summary, "seed") == std::vector<std::string>{"3", "4", "5"});
  CHECK(cells_of(summary, "vectors")[1] == "3");
  CHECK(std::abs(*parse_number(cells_of(summary, "tv_est")[1]) - est_average) < 1e-15);
}

TEST_CASE("Jobs and threads change no value of an estimation", "[experiments][estimation]") {
  const TemporaryFolder one, many;
  const RunOutcome first = run_into(estimation(), one, 1, 1);
  const RunOutcome second = run_into(estimation(), many, 3, 8);
  for (const char* file : {"seed-0003/steps.csv", "seed-0005/pom.csv", "summary.csv"}) {
    CAPTURE(file);
    CHECK(without_times(one.path() / "r" / file) == without_times(many.path() / "r" / file));
  }
  CHECK(estimation_table(estimation(), first) == estimation_table(estimation(), second));
}

TEST_CASE("A size has its vector whatever other sizes there are", "[experiments][estimation]") {
  const TemporaryFolder all, one;
  run_into(estimation(), all);
  run_into(estimation(
               {"vectors.sizes=[40]",
                "published=[]",
                "track.estimators=[{type: f_lite, alpha: 200}, {type: independence, alpha: 200}]"}),
           one);
  CHECK(cells_of(read_csv_file(one.path() / "r/seed-0003/pom.csv"), "tv")[0] ==
        cells_of(read_csv_file(all.path() / "r/seed-0003/pom.csv"), "tv")[9]);
}

TEST_CASE("The table has means, standard errors and what was published",
          "[experiments][estimation]") {
  const std::vector<TotalVariations> by_seed{{{"a", 0.10}, {"b", 1e-7}},
                                             {{"a", 0.12}, {"b", 3e-7}}};
  const Json published = Json::array({{{"estimator", "a"}, {"mean", 9.5}, {"standard_error", 0.3}},
                                      {{"estimator", "c"}, {"mean", 1}, {"standard_error", 1}}});
  CHECK(estimation_rows(by_seed, published) ==
        RowTable{{"estimator", "total variation", "published"},
                 {"a", "11.00 \u00b1 1.00", "9.50 \u00b1 0.30"},
                 {"b", "0.000020 \u00b1 0.000010", ""}});
  CHECK(estimation_rows({{{"a", 0.25}}}, Json::array()) ==
        RowTable{{"estimator", "total variation"}, {"a", "25"}});
}

TEST_CASE("The page of an estimation shows its table and its figure", "[experiments][estimation]") {
  const TemporaryFolder folder;
  const RunOutcome outcome = run_into(estimation(), folder);
  const ReportSummary summary = render_report(folder.path() / "r", {.makes_pdf = false});
  CHECK(summary.warnings.empty());
  CHECK(summary.figures == std::vector<std::string>{"total_variation"});
  const std::string page = read_file(summary.html);
  CHECK_THAT(page,
             ContainsSubstring("Total variation to independence") &&
                 ContainsSubstring("11.50 \u00b1 0.20") && ContainsSubstring("over 3 seeds"));
  std::string row = estimation_rows({outcome.seeds[0].total_variations,
                                     outcome.seeds[1].total_variations,
                                     outcome.seeds[2].total_variations},
                                    Json::array())[2][1];
  CHECK_THAT(page, ContainsSubstring(row));
  CHECK_THAT(page, !ContainsSubstring("maximis") && !ContainsSubstring("evaluation"));
}

TEST_CASE("What a page of an estimation lacks is named in it", "[experiments][estimation]") {
  const TemporaryFolder folder;
  run_into(estimation(), folder);
  std::filesystem::remove(folder.path() / "r/seed-0003/pom.csv");
  test::make_file(folder.path() / "r/experiment.yaml", "# nothing\n");
  const ReportSummary summary = render_report(folder.path() / "r", {.makes_pdf = false});
  REQUIRE(summary.warnings.size() == 2);
  CHECK_THAT(read_file(summary.html),
             ContainsSubstring("seed-0003/pom.csv has 0 steps instead of 3") &&
                 ContainsSubstring("experiment.yaml:1") && ContainsSubstring("over 2 seeds"));
}

TEST_CASE("An estimation that is stopped keeps what it has", "[experiments][estimation]") {
  const TemporaryFolder folder;
  int asked = 0;
  RunHooks hooks;
  hooks.should_stop = [&] { return ++asked > 3; };  // before the seed, its first and second vector
  const RunOutcome outcome = run_into(estimation({"seeds=3"}), folder, 1, 1, hooks);
  CHECK(outcome.is_interrupted());
  CHECK(outcome.seeds[0].reason == "interrupted after 2 of 3 vectors");
  CHECK(read_csv_file(folder.path() / "r/seed-0003/pom.csv").rows.size() == 8);
  const ReportSummary summary = render_report(folder.path() / "r", {.makes_pdf = false});
  CHECK_THAT(read_file(summary.html),
             ContainsSubstring("seed 3 is not complete (interrupted, 2 vectors)"));
  CHECK_THAT(estimation_table(estimation(), outcome), ContainsSubstring("one seed"));
}

TEST_CASE("A resolved estimation reads back to itself", "[experiments][estimation]") {
  const Experiment experiment = estimation();
  const std::string resolved = to_yaml(experiment.config);
  CHECK_THAT(resolved, ContainsSubstring("schema: 1\nname: trial\ntype: estimation\nvectors:"));
  CHECK(to_yaml(estimation({}, resolved).config) == resolved);
  const TemporaryFolder folder;
  run_into(experiment, folder);
  CHECK(parse_folder(folder).config == experiment.config);
}

TEST_CASE("A fault of an estimation is refused with line, key and what is allowed",
          "[experiments][estimation]") {
  const auto [set, message] = GENERATE(table<std::string, std::string>({
      {"type=estimations", "did you mean 'estimation'"},
      {"vectors.type=synthetical", "vectors.type: found 'synthetical'; allowed: one of synthetic"},
      {"vectors.sizes=[]", "vectors.sizes: found an empty list; allowed: at least one"},
      {"vectors.sizes=[5, 5]", "vectors.sizes[1]: found 5; allowed: more than the 5 before it"},
      {"vectors.sizes=[0, 5]", "vectors.sizes[0]: found '0'; allowed: an integer from 1"},
      {"vectors.mean=[5, 0]", "vectors.mean: found [5.0,0.0]; allowed: [lower, upper] with lower"},
      {"vectors.mean=[-1e308, 1e308]", "a finite distance apart"},
      {"vectors.stddev=[1]", "vectors.stddev: found [1.0]; allowed: [lower, upper]"},
      {"vectors.stddev=[-1, 1]", "vectors.stddev[0]: found '-1'; allowed: a number >= 0"},
      {"track.truth=exact", "track.truth: found 'exact'; allowed: the name of a tracked"},
      {"track.estimators=[independence]", "track.estimators: found the truth alone; allowed:"},
      {"published=[f_lite]", "published[0]: found 'f_lite'; allowed: a list of maps"},
      {"published=[{estimator: f_lite, mean: 4}]",
       "published[0].estimator: found 'f_lite'; allowed: an estimator compared with the truth: "
       "est, fast, ts_mc"},
      {"published=[{estimator: est, mean: 4}, {estimator: est, mean: 5}]",
       "published[1].estimator: found 'est' twice"},
      {"published=[{estimator: est}]", "published[0].mean: is missing; allowed: a number from 0"},
      {"budget.steps=3", "unknown key 'budget' of type estimation (it belongs to optimization)"},
  }));
  CAPTURE(set);
  CHECK_THROWS_WITH(estimation({set}), ContainsSubstring(message) && ContainsSubstring("--set"));
}

TEST_CASE("An estimation needs its vectors and a truth", "[experiments][estimation]") {
  CHECK_THROWS_WITH(
      estimation({}, "type: estimation\ntrack:\n  estimators: [f_lite, est]\n"),
      ContainsSubstring("trial.yaml:1: vectors.type: is missing; allowed: one of synthetic"));
  std::string text = kEstimation;
  text.erase(text.find("  truth"), text.find("published") - text.find("  truth"));
  CHECK_THROWS_WITH(estimation({}, text),
                    ContainsSubstring("trial.yaml:5: track.truth: is missing; allowed: the name of "
                                      "a tracked estimator: est, fast, ts_mc, independence"));
}

TEST_CASE("A command that needs a model refuses an estimation", "[experiments][estimation]") {
  std::istringstream nothing;
  CHECK_THROWS_WITH(run_predict({}, estimation(), nothing, [](std::string_view) {}),
                    ContainsSubstring("predict: the configuration 'trial' is of type estimation") &&
                        ContainsSubstring("allowed: type optimization"));
}

}  // namespace
