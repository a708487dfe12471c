// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <pomlux/experiments/reproduce_data.hpp>
#include <pomlux/experiments/reproduce_recipes.hpp>
#include <string>  // names
#include <vector>  // names

namespace pomlux {

enum class TableFormat { kTable, kJson, kCsv, kLatex };

/// `pomlux reproduce` and `pomlux collect`, which is the same without computing.
struct ReproduceCommand {
  std::vector<std::string> names;     ///< of reproductions, or "all"
  std::vector<std::string> variants;  ///< recipes beside the protocol's, or "all"
  Fidelity fidelity = Fidelity::kQuick;
  std::string seeds;  ///< empty: of the recipe
  int jobs = 0;       ///< 0: as many as cores
  int threads = 0;
  Shard shard;
  TableFormat format = TableFormat::kTable;
  std::filesystem::path out;      ///< empty: results/reproduce/<fidelity>
  std::filesystem::path configs;  ///< empty: configs/paper, or where the program is installed
  bool is_strict = false;         ///< fail where a cell differs or is missing
  bool is_listing = false;        ///< print one command per seed instead
  bool computes = true;
  std::string command_line;
};

/// Computes what is not there yet, prints tables and writes tables.txt and tables.json beside the
/// results. With a shard of several, computes it and prints no tables.
/// @return the exit code. @throws InvalidArgument for names that are not known.
[[nodiscard]] int reproduce(const ReproduceCommand& command);

/// "2/8". @throws InvalidArgument.
[[nodiscard]] Shard parse_shard(const std::string& text);
/// The seeds of one shard of an experiment whose first seed has this number in the whole work.
[[nodiscard]] std::vector<std::uint64_t> seeds_of_shard(const std::vector<std::uint64_t>& seeds,
                                                        std::size_t first,
                                                        const Shard& shard);

}  // namespace pomlux
