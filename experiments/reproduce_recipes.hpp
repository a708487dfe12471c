// SPDX-License-Identifier: MIT
#pragma once

#include <array>   // settings by fidelity
#include <string>  // names
#include <vector>  // recipes

namespace pomlux {

/// How much of the paper's protocol is computed.
enum class Fidelity {
  kSmoke,  ///< a few posteriors with few samples: does everything work?
  kQuick,  ///< the paper's seeds and steps, the truth at some of the steps and with fewer samples
  kPaper   ///< the whole protocol
};
[[nodiscard]] const char* to_string(Fidelity fidelity);

/// An experiment of the paper, or a variant of one: a configuration and what is set differently.
struct Recipe {
  std::string name;    ///< of its results folder: "gp1", "drop_wave.lbfgs"
  std::string config;  ///< file name in the folder of the paper's configurations
  /// What a variant changes and why that might explain a difference; empty for the protocol itself.
  std::string hypothesis;
  std::vector<std::string> sets;  ///< key.path=value, whatever the fidelity
  struct Setting {
    std::string seeds;  ///< empty: as in the file
    std::vector<std::string> sets;
    /// A posterior that is looked at for its recall alone, and left out of averages; -1: none.
    int recall_query = -1;
  };
  std::array<Setting, 3> settings;  ///< by fidelity
  /// Where seconds are compared: one seed at a time, on so many threads; 0: as cores allow.
  int threads = 0;

  [[nodiscard]] bool is_variant() const { return !hypothesis.empty(); }
  [[nodiscard]] const Setting& at(Fidelity fidelity) const {
    return settings[static_cast<std::size_t>(fidelity)];
  }
};

/// All of them, variants behind what they vary.
[[nodiscard]] const std::vector<Recipe>& recipes();
/// @throws InvalidArgument, with the names that there are.
[[nodiscard]] const Recipe& recipe_named(const std::string& name);
/// Appends the recipe of that name unless it is there.
void add_recipe(const std::string& name, std::vector<const Recipe*>& chosen);
/// What a variant varies; a recipe of the protocol is its own.
[[nodiscard]] const Recipe& base_of(const Recipe& recipe);

/// A column of Tables 1 and 2 and the recipe it is computed from.
struct TableColumn {
  std::string column;  ///< as in the published data
  std::string recipe;
  /// Posteriors before this query of the acquisition are left out of averages.
  int first_query = 0;
  /// Joint samples behind the published truth; 0: the truth is not sampled.
  double truth_samples = 0.0;
  bool is_in_table2 = true;
};
[[nodiscard]] const std::vector<TableColumn>& table_columns();
/// Of a recipe or a variant of it; nullptr if it is in no table.
[[nodiscard]] const TableColumn* find_table_column(const std::string& recipe);

/// Something that `pomlux reproduce` makes.
struct Reproduction {
  std::string name;
  std::string doc;
  std::vector<std::string> recipes;  ///< that it needs; none: an illustration
};
[[nodiscard]] const std::vector<Reproduction>& reproductions();

}  // namespace pomlux
