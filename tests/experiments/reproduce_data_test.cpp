// SPDX-License-Identifier: MIT
// What of the paper's experiments is computed, found and left out.
#include <catch.hpp>
#include <experiments/reproduce_helpers.hpp>
#include <experiments/temporary_folder.hpp>
#include <fstream>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/reproduce_command.hpp>
#include <pomlux/experiments/reproduce_page.hpp>
#include <pomlux/experiments/runner.hpp>
#include <set>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using test::kPaper;
using test::published_values;
using test::TemporaryFolder;
namespace fs = std::filesystem;

Experiment small_gp1(const std::string& seeds) {
  Experiment experiment = load_recipe(recipe_named("gp1"), Fidelity::kSmoke, kPaper, seeds);
  return experiment;
}

}  // namespace

TEST_CASE("Smoke results are not compared", "[experiments][reproduce]") {
  const TemporaryFolder folder;
  const Recipe& recipe = recipe_named("gp1");
  const Experiment wanted = small_gp1("0-1");
  REQUIRE(run_experiment(wanted, recipe_folder(folder.path(), recipe), FolderUse::kNew, {})
              .is_finished());
  const TableComparison comparison =
      compare({"table1"}, {{&recipe, wanted}}, Fidelity::kSmoke, folder.path(), published_values());
  REQUIRE(comparison.cells.size() == 5);
  for (const TableCell& cell : comparison.cells) {
    CHECK(cell.published);
    CHECK_FALSE(cell.z);
    CHECK(cell.verdict().empty());
  }
  CHECK_THAT(comparison_table(comparison), Contains("smoke: nothing to compare"));
}

TEST_CASE("Shards partition the seeds", "[experiments][reproduce]") {
  const Shard shard = parse_shard("2/8");
  CHECK(shard.index == 2);
  CHECK(shard.count == 8);
  for (const char* text : {"", "0/8", "9/8", "1", "1/0", "a/b", "1/8x", "-1/8", "1/2/3"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_shard(text), Contains("--shard") && Contains("i/k"));
  }
  const std::vector<std::uint64_t> seeds{5, 6, 7, 8, 9, 10, 11};
  std::multiset<std::uint64_t> found;
  for (std::size_t i = 1; i <= 3; ++i) {
    for (const std::uint64_t seed : seeds_of_shard(seeds, 4, {i, 3})) found.insert(seed);
  }
  CHECK(found == std::multiset<std::uint64_t>(seeds.begin(), seeds.end()));
}

TEST_CASE("Shards are collected once, whatever else lies there", "[experiments][reproduce]") {
  const TemporaryFolder folder;
  const Recipe& recipe = recipe_named("gp1");
  const Experiment wanted = small_gp1("0-3");
  const auto run = [&](const std::string& seeds, const Shard& shard, const std::string& set = "") {
    Experiment part = small_gp1(seeds);
    if (!set.empty()) part.config["model"]["noise_stddev"] = 0.5;
    REQUIRE(run_experiment(part, recipe_folder(folder.path(), recipe, shard), FolderUse::kNew, {})
                .is_finished());
  };
  run("0,2", {1, 2});
  RecipeResults half = read_recipe(recipe, Fidelity::kSmoke, wanted, folder.path());
  CHECK(half.seeds.size() == 2);
  CHECK(half.missing == std::vector<std::uint64_t>{1, 3});
  CHECK(half.queries == std::vector<Index>{2, 5});
  CHECK(half.truth_samples == 2000.0);
  run("1,2", {2, 2});                 // 2 again
  run("3", {3, 3}, "another model");  // not of this experiment
  run("9", {4, 4});                   // not asked for
  const RecipeResults most = read_recipe(recipe, Fidelity::kSmoke, wanted, folder.path());
  CHECK(most.seeds.size() == 3);
  CHECK(most.missing == std::vector<std::uint64_t>{3});
  REQUIRE(most.warnings.size() == 1);
  CHECK_THAT(most.warnings.front(),
             Contains("shard-3-of-3") && Contains("model.noise_stddev: 0.5 there"));
  // The whole has to compute what no shard has.
  const fs::path whole_folder = recipe_folder(folder.path(), recipe);
  const auto to_compute = [&](std::vector<std::uint64_t> seeds, const fs::path& place) {
    return seeds_to_compute(recipe, wanted, seeds, place);
  };
  CHECK(to_compute({0, 1, 2, 3}, whole_folder) == std::vector<std::uint64_t>{3});
  CHECK(to_compute({0, 2}, whole_folder).empty());
  // A folder's seeds only grow.
  const fs::path first_shard = recipe_folder(folder.path(), recipe, {1, 2});
  CHECK(to_compute({3}, first_shard) == std::vector<std::uint64_t>{0, 2, 3});
  run("0-3", {1, 1});
  const RecipeResults whole = read_recipe(recipe, Fidelity::kSmoke, wanted, folder.path());
  CHECK(whole.seeds.size() == 4);
  CHECK(whole.missing.empty());
  {
    const fs::path lost = folder.path() / "gp1" / "seed-0003" / "pom.csv";
    REQUIRE(fs::exists(lost));
    const TemporaryFolder kept;
    fs::copy(folder.path() / "gp1", kept.path() / "gp1", fs::copy_options::recursive);
    fs::resize_file(kept.path() / "gp1" / "seed-0003" / "pom.csv", fs::file_size(lost) / 2);
    const RecipeResults damaged = read_recipe(recipe, Fidelity::kSmoke, wanted, kept.path());
    CHECK(damaged.seeds.size() == 3);
    CHECK(damaged.missing == std::vector<std::uint64_t>{3});
    CHECK_THAT(damaged.warnings.back(), Contains("gp1: seed 3 left out: pom.csv has"));
    // All seeds have lost the same rows.
    for (const char* seed : {"seed-0000", "seed-0001", "seed-0002", "seed-0003"}) {
      const fs::path file = kept.path() / "gp1" / seed / "pom.csv";
      std::ifstream in(folder.path() / "gp1" / seed / "pom.csv");
      std::string line;
      std::string text;
      for (int i = 0; i < 7 && std::getline(in, line); ++i) text += line + "\n";
      std::ofstream(file) << text;
    }
    const RecipeResults short_of_rows = read_recipe(recipe, Fidelity::kSmoke, wanted, kept.path());
    CHECK(short_of_rows.seeds.empty());
    CHECK_THAT(short_of_rows.warnings.back(), Contains("6 rows of 12"));
    // A manifest that cannot be read.
    std::ofstream(kept.path() / "gp1" / "manifest.json") << "{";
    const RecipeResults unknown = read_recipe(recipe, Fidelity::kSmoke, wanted, kept.path());
    CHECK(unknown.seeds.empty());
    CHECK_THAT(unknown.warnings.front(), Contains("gp1: manifest.json is not valid JSON"));
  }
  {
    // An unfinished seed that was not asked for is not computed unasked.
    const TemporaryFolder kept;
    RunHooks hooks;
    int steps = 0;
    hooks.should_stop = [&steps] { return ++steps > 12; };  // in the second seed
    const fs::path place = recipe_folder(kept.path(), recipe);
    const RunOutcome stopped = run_experiment(small_gp1("0-1"), place, FolderUse::kNew, {}, hooks);
    REQUIRE(stopped.is_interrupted());
    REQUIRE(stopped.seeds[0].status == SeedStatus::kDone);
    CHECK(to_compute({0}, place).empty());
    CHECK(to_compute({0, 1}, place) == std::vector<std::uint64_t>{0, 1});
    CHECK_THROWS_WITH(to_compute({2}, place), Contains("not asked for (1)"));
  }
  const Json published = published_values();
  const std::vector<TableCell> cells = table_cells("table1", {whole}, published);
  REQUIRE(cells.size() == 5);
  CHECK(cells.front().ours.seeds == 4);
  // Texts of all formats have every cell.
  const TableComparison comparison{Fidelity::kSmoke, cells, table_orders(cells), {whole}};
  const Json json = Json::parse(comparison_json(comparison));
  REQUIRE(json.at("cells").size() == 5);
  CHECK(json.at("cells")[0].at("ours").get<double>() == cells[0].ours.mean);
  CHECK(json.at("recipes")[0].at("seeds").size() == 4);
  CHECK_THAT(comparison_table(comparison), Contains("f_lite") && Contains("fidelity smoke"));
  CHECK_THAT(comparison_latex(comparison), Contains("f\\_lite") && Contains("$\\pm$"));
  CHECK_THAT(comparison_csv(comparison), Contains("table1,gp1,f_lite,"));
}
