// SPDX-License-Identifier: MIT
#include <algorithm>  // std::sort
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <pomlux/experiments/config_difference.hpp>
#include <pomlux/experiments/recall_file.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/report_data.hpp>
#include <pomlux/experiments/reproduce_data.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

namespace fs = std::filesystem;

/// The folder of the whole recipe and those of shards, sorted.
std::vector<fs::path> folders_of(const fs::path& out, const Recipe& recipe) {
  std::vector<fs::path> folders;
  std::error_code error;
  const std::string prefix = recipe.name + ".shard-";
  for (const fs::directory_entry& entry : fs::directory_iterator(out, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = name == recipe.name || name.starts_with(prefix);
    if (is_ours && entry.is_directory(error)) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// Whatever decides a result but the seeds, which may be spread over folders.
bool is_same(const Experiment& wanted, const std::string& there, std::string& difference) {
  std::vector<ConfigDifference> differences = config_differences(there, to_yaml(wanted.config));
  std::erase_if(differences, [](const ConfigDifference& one) { return one.key == "seeds"; });
  difference = differences_text(differences);
  return differences.empty();
}

std::size_t place_of(std::vector<Index>& queries, Index query) {
  const auto found = std::find(queries.begin(), queries.end(), query);
  if (found != queries.end()) return static_cast<std::size_t>(found - queries.begin());
  queries.push_back(query);
  return queries.size() - 1;
}

void put(std::vector<double>& values, std::size_t place, double value) {
  if (values.size() <= place) values.resize(place + 1, kNaN);
  values[place] = value;
}

double cell(const ResultTable& table, const char* name, std::size_t row) {
  const std::vector<double>& column = table.numbers(name);
  return row < column.size() ? column[row] : kNaN;
}

void read_poms(const fs::path& file, Index initial, SeedSeries& seed, RecipeResults& results) {
  const ResultTable table = ResultTable::read(file, results.warnings);
  const std::vector<std::string>& names = table.words("estimator");
  for (std::size_t row = 0; row < table.rows() && row < names.size(); ++row) {
    const Index query = static_cast<Index>(cell(table, "step", row)) - initial;
    const std::size_t place = place_of(results.queries, query);
    MethodSeries& series = seed.methods[names[row]];
    put(series.tv, place, cell(table, "tv", row));
    put(series.tv_batch, place, cell(table, "tv_batch", row));
    put(series.entropy, place, cell(table, "entropy", row));
    put(series.relative_error, place, cell(table, "relative_entropy_error", row));
    put(series.sampling_error, place, cell(table, "sampling_error", row));
    put(series.seconds, place, cell(table, "estimate_seconds", row));
  }
}

/// Posteriors of a whole seed that are looked at.
std::size_t num_posteriors(const Experiment& experiment, const SeedResult& seed) {
  const Json& track = experiment.config.at("track");
  Index posteriors = static_cast<Index>(seed.steps.rows());
  if (!is_estimation(experiment)) {
    posteriors -= experiment.config.at("budget").at("initial").get<Index>();
    if (track.at("steps").is_array()) {
      const auto steps = track.at("steps").get<std::vector<Index>>();
      posteriors = std::count_if(
          steps.begin(), steps.end(), [posteriors](Index step) { return step < posteriors; });
    }
  }
  return static_cast<std::size_t>(std::max<Index>(posteriors, 0));
}

/// What the tables' files of a seed lack: "pom.csv has 0 rows of 15", or nothing. pom.csv has a row
/// for every estimator and posterior, recall.csv a curve for each of them and three more orders.
std::string lack_of(const fs::path& folder, const Experiment& experiment, const SeedResult& seed) {
  const Json& track = experiment.config.at("track");
  const std::size_t posteriors = num_posteriors(experiment, seed);
  const std::size_t estimators = track.at("estimators").size();
  std::vector<std::string> ignored;
  const auto check = [&](const char* name, std::size_t wanted) -> std::string {
    std::error_code error;
    const fs::path file = folder / seed.folder / name;
    const std::size_t rows =
        fs::is_regular_file(file, error) ? ResultTable::read(file, ignored).rows() : 0;
    if (rows == wanted) return "";
    return std::string(name) + " has " + std::to_string(rows) + " rows of " +
           std::to_string(wanted);
  };
  std::string lack = check("pom.csv", estimators * posteriors);
  if (lack.empty() && track.at("recall").get<bool>()) {
    constexpr std::size_t kOtherOrders = 3;
    constexpr std::size_t kPoints = RecallCurve::kPoints;
    lack = check("recall.csv", (estimators + kOtherOrders) * posteriors * kPoints);
  }
  return lack;
}

void read_recall(const fs::path& file, Index initial, SeedSeries& seed, RecipeResults& results) {
  std::error_code error;
  if (!fs::exists(file, error)) return;
  const ResultTable table = ResultTable::read(file, results.warnings);
  const std::vector<std::string>& names = table.words("method");
  for (std::size_t row = 0; row < table.rows() && row < names.size(); ++row) {
    const Index query = static_cast<Index>(cell(table, "step", row)) - initial;
    const std::size_t place = place_of(results.queries, query);
    std::vector<std::vector<double>>& curves = seed.methods[names[row]].recall;
    if (curves.size() <= place) curves.resize(place + 1);
    curves[place].push_back(cell(table, "recall", row));
  }
}

bool has_seed(const std::vector<std::uint64_t>& seeds, std::uint64_t seed) {
  return std::find(seeds.begin(), seeds.end(), seed) != seeds.end();
}

/// Finished seeds of results of the same configuration, but for the seeds.
void add_finished(const fs::path& folder,
                  const Experiment& wanted,
                  std::vector<std::uint64_t>& finished) {
  std::error_code error;
  if (!fs::exists(folder / "manifest.json", error)) return;
  const RunResult run = read_run(folder);
  std::string difference;
  if (!is_same(wanted, run.configuration, difference)) return;
  for (const SeedResult& seed : run.seeds) {
    if (seed.is_complete && lack_of(folder, wanted, seed).empty()) finished.push_back(seed.seed);
  }
}

bool is_read(const RecipeResults& results, std::uint64_t seed) {
  return std::any_of(results.seeds.begin(), results.seeds.end(), [seed](const SeedSeries& one) {
    return one.seed == seed;
  });
}

/// Samples of the truth per posterior, where its section gives them.
double samples_of(const Experiment& experiment) {
  const Json& track = experiment.config.at("track");
  for (const Json& section : track.at("estimators")) {
    if (section.at("name") != track.at("truth") || section.at("type") != "ts_mc") continue;
    const double alpha = section.at("alpha").get<double>();
    if (alpha <= 0.0) return section.at("samples").get<double>();
    const Domain domain = domain_of(experiment, experiment.seeds.front());
    return static_cast<double>(ts_mc_samples(alpha, domain.size()));
  }
  return 0.0;
}

}  // namespace

Experiment load_recipe(const Recipe& recipe,
                       Fidelity fidelity,
                       const fs::path& configs,
                       const std::string& seeds) {
  const Recipe::Setting& setting = recipe.at(fidelity);
  std::vector<Override> overrides = parse_overrides(recipe.sets);
  for (const Override& one : parse_overrides(setting.sets)) overrides.push_back(one);
  Experiment experiment = load_experiment(configs / recipe.config, overrides);
  const std::string& chosen = seeds.empty() ? setting.seeds : seeds;
  if (!chosen.empty()) {
    experiment.seeds = parse_seeds(chosen);
    experiment.config["seeds"] = experiment.seeds;
  }
  return experiment;
}

fs::path recipe_folder(const fs::path& out, const Recipe& recipe, const Shard& shard) {
  if (shard.count == 1) return out / recipe.name;
  return out / (recipe.name + ".shard-" + std::to_string(shard.index) + "-of-" +
                std::to_string(shard.count));
}

std::vector<std::uint64_t> seeds_there(const Recipe& recipe, const fs::path& out) {
  std::vector<std::uint64_t> seeds;
  for (const fs::path& folder : folders_of(out, recipe)) {
    for (const std::uint64_t seed : seeds_of_results(folder)) {
      if (!has_seed(seeds, seed)) seeds.push_back(seed);
    }
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

bool has_results(const Recipe& recipe, const fs::path& out) {
  return !folders_of(out, recipe).empty();
}

RecipeResults read_recipe(const Recipe& recipe,
                          Fidelity fidelity,
                          const Experiment& wanted,
                          const fs::path& out) {
  RecipeResults results;
  results.recipe = recipe.name;
  results.recall_query = recipe.at(fidelity).recall_query;
  const Json& config = wanted.config;
  const bool has_queries = !is_estimation(wanted);
  const Index initial = has_queries ? config.at("budget").at("initial").get<Index>() : 0;
  const Json& track = config.at("track");
  if (track.at("truth").is_string()) results.truth = track.at("truth").get<std::string>();
  results.truth_samples = has_queries ? samples_of(wanted) : 0.0;
  if (!has_queries) results.sizes = config.at("vectors").at("sizes").get<std::vector<double>>();
  for (const fs::path& folder : folders_of(out, recipe)) {
    RunResult run;
    try {
      run = read_run(folder);
    } catch (const InvalidArgument& error) {
      results.warnings.emplace_back(error.what());
      continue;
    }
    std::string difference;
    if (!is_same(wanted, run.configuration, difference)) {
      results.warnings.push_back(folder.string() +
                                 ": left out, as its configuration differs: " + difference);
      continue;
    }
    for (const std::string& warning : run.warnings) {
      // What is said of single seeds shows as what is missing.
      if (warning.starts_with("manifest.json")) {
        results.warnings.push_back(folder.string() + ": " + warning);
      }
    }
    results.configuration = run.configuration;
    for (const SeedResult& one : run.seeds) {
      const bool is_wanted = has_seed(wanted.seeds, one.seed) && !is_read(results, one.seed);
      if (!one.is_complete || !is_wanted) continue;
      SeedSeries seed;
      seed.seed = one.seed;
      const std::string lack = lack_of(folder, wanted, one);
      if (!lack.empty()) {
        results.warnings.push_back(results.recipe + ": seed " + std::to_string(one.seed) +
                                   " left out: " + lack + "; pomlux reproduce completes it");
        continue;
      }
      read_poms(folder / one.folder / "pom.csv", initial, seed, results);
      read_recall(folder / one.folder / "recall.csv", initial, seed, results);
      results.seeds.push_back(std::move(seed));
    }
    for (const auto& [part, seconds] : run.seconds) results.seconds += seconds;
  }
  std::sort(results.seeds.begin(),
            results.seeds.end(),
            [](const SeedSeries& a, const SeedSeries& b) { return a.seed < b.seed; });
  for (const std::uint64_t seed : wanted.seeds) {
    if (!is_read(results, seed)) results.missing.push_back(seed);
  }
  return results;
}

std::vector<std::uint64_t> seeds_to_compute(const Recipe& recipe,
                                            const Experiment& wanted,
                                            const std::vector<std::uint64_t>& seeds,
                                            const fs::path& folder) {
  std::vector<std::uint64_t> finished;
  for (const fs::path& one : folders_of(folder.parent_path(), recipe)) {
    add_finished(one, wanted, finished);
  }
  std::vector<std::uint64_t> open;
  for (const std::uint64_t seed : seeds) {
    if (!has_seed(finished, seed)) open.push_back(seed);
  }
  if (open.empty()) return {};
  std::vector<std::uint64_t> all = seeds_of_results(folder);
  std::vector<std::uint64_t> besides;
  for (const std::uint64_t seed : all) {
    if (!has_seed(finished, seed) && !has_seed(seeds, seed)) besides.push_back(seed);
  }
  if (!besides.empty()) {
    fail(folder.string(),
         "has unfinished seeds that were not asked for (" + seeds_text(besides) +
             "); ask for them too, or give another folder with --out");
  }
  for (const std::uint64_t seed : open) {
    if (!has_seed(all, seed)) all.push_back(seed);
  }
  return all;
}

}  // namespace pomlux
