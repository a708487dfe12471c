// SPDX-License-Identifier: MIT
// What `track` looks at, and the files that come of it.
#include <catch.hpp>
#include <cmath>
#include <experiments/run_helpers.hpp>
#include <experiments/temporary_folder.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/experiments/recall_file.hpp>
#include <pomlux/experiments/runner.hpp>
#include <pomlux/experiments/yaml_tree.hpp>
#include <set>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using test::run_into;
using test::TemporaryFolder;

const std::string kTracking =
    "name: trial\n"
    "objective: {type: drop_wave, noise_stddev: 0.1}\n"
    "domain: {type: grid, lower: [-2.5, -2.5], upper: [2, 2], points: [7, 7]}\n"
    "model: {kernel: {type: matern52}, fit: {method: none}, noise_stddev: 0.1}\n"
    "budget: {initial: 3, steps: 5}\n"
    "track: {estimators: [f_lite, {type: ts_mc, samples: 4000, batches: 4}], truth: ts_mc, "
    "steps: [4, 0], recall: true}\n"
    "seeds: [3]\n";

Experiment tracking(const std::vector<std::string>& sets = {}) {
  return parse_experiment(kTracking, "trial.yaml", ".", parse_overrides(sets));
}

std::vector<std::string> column_of(const CsvTable& table, const std::string& name) {
  std::vector<std::string> cells;
  const std::size_t place = table.column(name).value();
  for (const auto& row : table.rows) cells.push_back(row[place]);
  return cells;
}

Pom pom_of(const Vector& probabilities) {
  Pom pom;
  pom.probabilities = probabilities;
  return pom;
}

DenseGaussian common_factor() {
  const Vector mean = (Vector(5) << 0.0, 3.0, 1.0, 2.0, -1.0).finished();
  Matrix covariance = Matrix::Constant(5, 5, 0.5);
  covariance.diagonal().setOnes();
  return {mean, covariance};
}

}  // namespace

TEST_CASE("Chosen steps alone are looked at, and only there the truth", "[experiments][track]") {
  const TemporaryFolder folder;
  REQUIRE(run_into(tracking(), folder).is_finished());
  const std::filesystem::path seed = folder.path() / "r/seed-0003";
  const CsvTable poms = read_csv_file(seed / "pom.csv");
  CHECK(column_of(poms, "step") == std::vector<std::string>{"3", "3", "7", "7"});
  const CsvTable steps = read_csv_file(seed / "steps.csv");
  const std::vector<std::string> entropies = column_of(steps, "entropy_f_lite");
  for (std::size_t i = 0; i < entropies.size(); ++i) {
    CHECK(entropies[i].empty() == (i != 3 && i != 7));
  }
  const CsvTable posterior = read_csv_file(seed / "posterior.csv");
  CHECK(posterior.column("pom_f_lite"));
  CHECK_FALSE(posterior.column("pom_ts_mc"));
  const CsvTable recall = read_csv_file(seed / "recall.csv");
  // Two steps, five methods: both estimators, mean, ts and ts_reference.
  CHECK(recall.rows.size() == 2 * 5 * RecallCurve::kPoints);
}

TEST_CASE("Chosen steps are estimated as all steps are", "[experiments][track]") {
  const TemporaryFolder some;
  const TemporaryFolder all;
  REQUIRE(run_into(tracking(), some).is_finished());
  REQUIRE(run_into(tracking({"track.steps=null"}), all).is_finished());
  const CsvTable few = read_csv_file(some.path() / "r/seed-0003/pom.csv");
  const CsvTable many = read_csv_file(all.path() / "r/seed-0003/pom.csv");
  REQUIRE(many.rows.size() == 10);
  for (const char* name : {"entropy", "tv", "tv_batch", "relative_entropy_error"}) {
    const std::vector<std::string> every = column_of(many, name);
    CHECK(column_of(few, name) == std::vector<std::string>{every[0], every[1], every[8], every[9]});
  }
  // Fewer samples are further away.
  const std::size_t tv = few.column("tv").value();
  const std::size_t batch = few.column("tv_batch").value();
  CHECK(std::stod(few.rows[0][batch]) > std::stod(few.rows[0][tv]));
}

TEST_CASE("A run that goes on has the recall of one that did not stop",
          "[experiments][track][resume]") {
  const TemporaryFolder straight;
  const TemporaryFolder broken;
  REQUIRE(run_into(tracking(), straight).is_finished());
  int left = 5;
  RunHooks hooks;
  hooks.should_stop = [&] { return left == 0; };
  hooks.on_step = [&](const StepProgress&) { --left; };
  REQUIRE_FALSE(
      run_experiment(tracking(), broken.path() / "r", FolderUse::kNew, {}, hooks).is_finished());
  REQUIRE(run_experiment(tracking(), broken.path() / "r", FolderUse::kResume, {}).is_finished());
  for (const char* name : {"recall.csv", "steps.csv"}) {
    const std::filesystem::path file = std::filesystem::path("r/seed-0003") / name;
    const CsvTable whole = read_csv_file(straight.path() / file);
    const CsvTable mended = read_csv_file(broken.path() / file);
    CHECK(mended.rows.size() == whole.rows.size());
    for (const std::string& column : whole.columns) {
      if (column.ends_with("_seconds")) continue;
      CHECK(column_of(mended, column) == column_of(whole, column));
    }
  }
}

TEST_CASE("Recall by the truth is the best, and every order ends with everything",
          "[experiments][track]") {
  const DenseGaussian f = common_factor();
  const Pom truth = pom_of((Vector(5) << 0.1, 0.5, 0.15, 0.2, 0.05).finished());
  const Pom other = pom_of((Vector(5) << 0.5, 0.1, 0.15, 0.2, 0.05).finished());
  Rng rng = make_stream(5, "recall");
  const std::vector<RecallCurve> curves =
      recall_curves(f, {{"truth", truth, 0.0}, {"other", other, 0.0}}, truth, rng);
  REQUIRE(curves.size() == 5);
  const auto first = [](double fraction) { return static_cast<Index>(std::floor(fraction)); };
  for (Index j = 0; j < RecallCurve::kPoints; ++j) {
    const Index k = first(5.0 * static_cast<double>(j) / 19.0 + 1e-12);
    const std::vector<double> best{0.0, 0.5, 0.7, 0.85, 0.95, 1.0};
    CHECK(curves[0].recall(j) == Approx(best[static_cast<std::size_t>(k)]));
    for (const RecallCurve& one : curves) CHECK(one.recall(j) <= curves[0].recall(j) + 1e-12);
  }
  for (const RecallCurve& one : curves) {
    CAPTURE(one.method);
    CHECK(one.recall(0) == 0.0);
    CHECK(one.recall(19) == Approx(1.0));
    CHECK(recall_area(one.recall) <= recall_area(curves[0].recall) + 1e-12);
  }
  // By the mean: 1, 3, 2, 0, 4, which has the arm of 0.15 before that of 0.1, as the truth has.
  CHECK(curves[2].method == "mean");
  CHECK(recall_area(curves[2].recall) == Approx(recall_area(curves[0].recall)));
}

TEST_CASE("Repeated Thompson sampling picks in the order of certain arms", "[experiments][track]") {
  const Vector mean = (Vector(4) << 2.0, 4.0, 1.0, 3.0).finished();
  const DenseGaussian certain(mean, Matrix::Zero(4, 4));
  const Pom truth = pom_of((Vector(4) << 0.2, 0.4, 0.1, 0.3).finished());
  Rng rng = make_stream(6, "recall");
  const std::vector<RecallCurve> curves = recall_curves(certain, {}, truth, rng);
  REQUIRE(curves.size() == 3);
  CHECK(curves[1].method == "ts");
  CHECK(recall_area(curves[1].recall) == Approx(recall_area(curves[0].recall)));
  // The reference's list begins with the last arm: 3, 1, 0, 2 have 0.3, 0.7, 0.9, 1.
  CHECK(curves[2].method == "ts_reference");
  CHECK(curves[2].recall(5) == Approx(0.3));
  CHECK(curves[2].recall(10) == Approx(0.7));
  CHECK(curves[2].recall(15) == Approx(0.9));
}

TEST_CASE("What cannot be tracked is refused", "[experiments][track]") {
  CHECK_THROWS_WITH(tracking({"track.steps=[5]"}),
                    Contains("track.steps[0]") && Contains("allowed: from 0 to 4"));
  CHECK_THROWS_WITH(tracking({"track.steps=[1, 1]"}), Contains("found 1 twice"));
  CHECK_THROWS_WITH(tracking({"track.truth=null"}), Contains("track.recall"));
}
