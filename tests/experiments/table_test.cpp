// SPDX-License-Identifier: MIT
// Objectives and domains from a table of answers.
#include <catch.hpp>
#include <experiments/temporary_folder.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <pomlux/experiments/runner.hpp>
#include <pomlux/experiments/table_file.hpp>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using test::make_file;
using test::read_file;
using test::TemporaryFolder;

const std::string kParabola =
    "x,loss\n0,0.09\n0.1,0.04\n0.2,0.01\n0.3,0\n0.4,0.01\n0.5,0.04\n0.6,0.09\n0.7,0.16\n0.8,0.25\n"
    "0.9,0.36\n1,0.49\n";

const std::string kTableConfig =
    "objective: {type: table, path: parabola.csv, value: loss, sense: minimize}\n"
    "domain: {type: grid, lower: [0], upper: [1], points: [11]}\n"
    "model:\n"
    "  kernel: {type: squared_exponential, length_scale: 0.3}\n"
    "  noise_stddev: 1e-3\n"
    "  fit: {method: none}\n"
    "budget: {initial_candidates: [0, 5, 10], steps: 1}\n"
    "seeds: [0]\n";

Experiment parse_table(const TemporaryFolder& folder, const std::vector<std::string>& sets = {}) {
  const std::vector<Override> overrides = parse_overrides(sets);
  return parse_experiment(kTableConfig, "table.yaml", folder.path(), overrides);
}

}  // namespace

TEST_CASE("Told three values of a parabola, EI asks for the known candidates",
          "[experiments][table]") {
  const auto [sense, asked] =
      GENERATE(table<std::string, std::string>({{"minimize", "3"}, {"maximize", "8"}}));
  const TemporaryFolder folder;
  make_file(folder.path() / "parabola.csv", kParabola);
  run_experiment(
      parse_table(folder, {"objective.sense=" + sense}), folder.path() / "r", FolderUse::kNew, {});
  const CsvTable steps = read_csv_file(folder.path() / "r/seed-0000/steps.csv");
  REQUIRE(steps.rows.size() == 4);
  std::vector<std::string> told, candidates;
  for (const auto& row : steps.rows) {
    told.push_back(row[*steps.column("value")]);
    candidates.push_back(row[*steps.column("candidate")]);
  }
  told.resize(3);
  CHECK(told == std::vector<std::string>{"0.09", "0.04", "0.49"});
  CHECK(candidates[3] == asked);
}

TEST_CASE("A column of values is no coordinate", "[experiments][table]") {
  const TemporaryFolder folder;
  make_file(folder.path() / "two.csv", "x,b,c\n0,1,5\n1,2,6\n");
  const std::string objective = "objective={type: table, path: two.csv, value: c}";
  const std::string initial = "budget={initial: 1, steps: 1}";
  CHECK_THROWS_WITH(
      parse_table(folder, {objective, initial, "domain={type: table, path: two.csv, value: b}"}),
      Contains("objective.value: found 'c'") && Contains("domain.value is 'b'"));
  CHECK_THROWS_WITH(parse_table(folder, {objective, initial, "domain={type: file, path: two.csv}"}),
                    Contains("objective.value: found 'c', a coordinate of the domain; allowed"));
  make_file(folder.path() / "points.csv", "x,c\n0,1\n1,2\n");
  make_file(folder.path() / "values.csv", "x,b\n0,1\n1,2\n");
  CHECK_NOTHROW(parse_table(folder,
                            {"objective={type: table, path: values.csv, value: b}",
                             initial,
                             "domain={type: table, path: points.csv, value: c}"}));
}

TEST_CASE("A domain can be the points of the objective's table", "[experiments][table]") {
  const TemporaryFolder folder;
  make_file(folder.path() / "parabola.csv", kParabola);
  const Experiment experiment = parse_table(folder, {"domain={type: table}"});
  REQUIRE(experiment.fixed_domain);
  CHECK(experiment.fixed_domain->size() == 11);
  CHECK(experiment.fixed_domain->names() == std::vector<std::string>{"x"});
  CHECK(experiment.config.at("domain").at("value") == "loss");
  CHECK(parse_experiment(to_yaml(experiment.config), "again.yaml", ".").config ==
        experiment.config);
  CHECK_THROWS_WITH(
      parse_table(folder, {"domain={type: table}", "objective={type: random_linear}"}),
      Contains("domain: is null") || Contains("domain.path: is null"));
  const Domain labelled = [&] {
    make_file(folder.path() / "l.csv", "label,b,value,a\nfirst,1,5,2\nsame,1,5,2\nlast,3,6,4\n");
    return read_table_domain(folder.path() / "l.csv", "value");
  }();
  CHECK(labelled.names() == std::vector<std::string>{"b", "a"});
  CHECK(labelled.labels() == std::vector<std::string>{"first", "last"});
  CHECK(read_table_values(folder.path() / "l.csv", "value", labelled) ==
        Vector(Eigen::Vector2d(5.0, 6.0)));
  make_file(folder.path() / "n.csv", "x,value,noise_stddev\n1,3,0.1\n2,4,0.2\n");
  CHECK_THROWS_WITH(read_table_domain(folder.path() / "n.csv", "value"),
                    Contains("n.csv: column noise_stddev would be a coordinate"));
}

TEST_CASE("Columns of a table are found by name, else by place", "[experiments][table]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "t.csv";
  make_file(file, "height,value,width\n1,10,2\n3,20,4\n");
  Points points(2, 2);
  points << 4.0, 3.0, 2.0, 1.0;
  const Vector found = Eigen::Vector2d(20.0, 10.0);
  CHECK(read_table_values(file, "value", Domain(points, {"width", "height"})) == found);
  CHECK_THROWS_WITH(read_table_values(file, "value", Domain(points, {"width", "depth"})),
                    Contains("t.csv") && Contains("needs the coordinates width, depth"));
  const Points swapped = points.rowwise().reverse();
  CHECK(read_table_values(file, "value", Domain(swapped)) == found);
  CHECK_THROWS_WITH(read_table_values(file, "value", Domain(Points::Zero(1, 3))),
                    Contains("needs the coordinates x_0, x_1, x_2"));
}

TEST_CASE("Decimals of a table stand for the coordinates of a grid", "[experiments][table]") {
  const TemporaryFolder folder;
  make_file(folder.path() / "t.csv", "x,value\n0.3,1\n1e6,2\n");
  Points points(2, 1);
  points << 0.1 + 0.2, 1e6;
  CHECK(read_table_values(folder.path() / "t.csv", "value", Domain(points)) ==
        Vector(Eigen::Vector2d(1.0, 2.0)));
  points(0, 0) = 0.3 + 0.01;
  CHECK_THROWS_WITH(read_table_values(folder.path() / "t.csv", "value", Domain(points)),
                    Contains("no row for candidate 0 (x_0 = 0.31); the nearest is line 2"));
}

TEST_CASE("Faults of a table are faults of the configuration, with file and line",
          "[experiments][table]") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const std::string& message) {
    CAPTURE(text);
    make_file(folder.path() / "parabola.csv", text);
    CHECK_THROWS_WITH(parse_table(folder),
                      Contains("table.yaml:1: objective.path: ") && Contains(message));
  };
  refused("x,value\n0,1\n", "parabola.csv: no column loss; found x, value");
  refused("0,1\n", "needs a header with the column loss");
  refused("x,loss\n", "holds no rows");
  refused("x,loss\n0,1\n0,2\n", "parabola.csv:3: the value is 2; line 2 gives the same point 1");
  refused("x,loss\n0,1\n0.1,nan\n", "parabola.csv:3: column loss: found 'nan'");
  refused("x,loss\n0,1\n\"0,1\",2\n", "parabola.csv:3: column x: found '0,1'");
  refused("x,y,loss\n0,1,2\n", "the columns are x, y, loss; needs the coordinates x_0");
  refused("x,loss\n0,1\n1,2\n", "no row for candidate 1 (x_0 = 0.1); the nearest is line 2");
}

TEST_CASE("Results keep the table that they came from", "[experiments][table]") {
  const TemporaryFolder folder;
  const std::filesystem::path results = folder.path() / "r";
  make_file(folder.path() / "parabola.csv", kParabola);
  const Experiment experiment = parse_table(folder, {"domain={type: table}"});
  run_experiment(experiment, results, FolderUse::kNew, {});
  CHECK(read_file(results / "table.csv") == kParabola);
  CHECK(inspect_folder(results, experiment).state == FolderState::kFinished);
  make_file(folder.path() / "parabola.csv", kParabola + "2,3\n");
  CHECK(inspect_folder(results, experiment).state == FolderState::kDifferent);
  std::filesystem::remove(folder.path() / "parabola.csv");
  const Experiment again = load_experiment(results / "experiment.yaml");
  CHECK(run_experiment(again, results, FolderUse::kOverwrite, {}).is_finished());
  CHECK(read_file(results / "table.csv") == kParabola);
}
