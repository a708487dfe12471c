// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>     // seeds
#include <filesystem>  // folders
#include <map>         // methods
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/reproduce_recipes.hpp>
#include <string>  // names
#include <vector>  // seeds

namespace pomlux {

/// What one method came to at every posterior that was looked at; NaN where a file has none.
struct MethodSeries {
  std::vector<double> tv;
  std::vector<double> tv_batch;  ///< to parts of the truth's samples
  std::vector<double> entropy;
  std::vector<double> relative_error;  ///< of the entropy
  std::vector<double> sampling_error;  ///< of the truth
  std::vector<double> seconds;
  std::vector<std::vector<double>> recall;  ///< a curve per posterior; empty without recall.csv
};

struct SeedSeries {
  std::uint64_t seed = 0;
  std::map<std::string, MethodSeries> methods;
};

/// All finished seeds of one recipe, wherever they were computed.
struct RecipeResults {
  std::string recipe;
  /// Of the acquisition, from 0, for every posterior; places of sizes for type estimation.
  std::vector<Index> queries;
  std::vector<SeedSeries> seeds;       ///< ascending, none twice
  std::vector<std::uint64_t> missing;  ///< asked for and not finished
  std::string truth;                   ///< name of the method
  double truth_samples = 0.0;          ///< per posterior; 0 if it is not sampled
  std::vector<double> sizes;           ///< type estimation: arms of every vector
  std::vector<std::string> warnings;
  double seconds = 0.0;       ///< of all seeds, one after the other
  Index recall_query = -1;    ///< looked at for its recall alone; -1: none
  std::string configuration;  ///< experiment.yaml of one of the folders
};

/// The experiment that a recipe stands for. @throws ConfigError, InvalidArgument.
[[nodiscard]] Experiment load_recipe(const Recipe& recipe,
                                     Fidelity fidelity,
                                     const std::filesystem::path& configs,
                                     const std::string& seeds = "");

/// Where results of a recipe, or of a shard of it, lie: "gp1", "gp1.shard-2-of-8".
struct Shard {
  std::size_t index = 1;  ///< from 1
  std::size_t count = 1;
};
[[nodiscard]] std::filesystem::path recipe_folder(const std::filesystem::path& out,
                                                  const Recipe& recipe,
                                                  const Shard& shard = {});

/// Seeds that its folders under `out` hold results of, or are to, ascending.
[[nodiscard]] std::vector<std::uint64_t> seeds_there(const Recipe& recipe,
                                                     const std::filesystem::path& out);
/// Are there results of it under `out`, whatever they are worth?
[[nodiscard]] bool has_results(const Recipe& recipe, const std::filesystem::path& out);

/// Reads the folders of a recipe under `out`, those of shards too. Seeds that were not asked for,
/// not finished or computed twice are left out; folders with results of another configuration, and
/// seeds whose pom.csv or recall.csv lacks rows, are left out with a warning.
[[nodiscard]] RecipeResults read_recipe(const Recipe& recipe,
                                        Fidelity fidelity,
                                        const Experiment& wanted,
                                        const std::filesystem::path& out);

/// What `folder`, the whole recipe's or a shard's, has to compute for the wanted seeds: those that
/// are finished and whole nowhere under `out`, and with them, as a folder's seeds only grow, what
/// it has already. Empty: nothing. @throws InvalidArgument if that has unfinished seeds besides.
[[nodiscard]] std::vector<std::uint64_t> seeds_to_compute(const Recipe& recipe,
                                                          const Experiment& wanted,
                                                          const std::vector<std::uint64_t>& seeds,
                                                          const std::filesystem::path& folder);

}  // namespace pomlux
