// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>     // seeds
#include <filesystem>  // files
#include <optional>    // a domain common to all seeds
#include <pomlux/core/domain.hpp>
#include <pomlux/experiments/json.hpp>
#include <pomlux/experiments/yaml_tree.hpp>
#include <string>  // texts
#include <vector>  // seeds, overrides

namespace pomlux {

/// A value that replaces one of the file: `--set path=value`.
struct Override {
  std::string path;
  std::string value;
};

/// "a.b=c" split at the first '='. @throws InvalidArgument if there is none or the path is empty.
[[nodiscard]] Override parse_override(const std::string& text);
[[nodiscard]] std::vector<Override> parse_overrides(const std::vector<std::string>& texts);

/// A checked experiment.
struct Experiment {
  Json config;                         ///< resolved: defaults filled in, keys in table order
  std::vector<std::uint64_t> seeds;    ///< config["seeds"]
  std::optional<Domain> fixed_domain;  ///< the candidates, if they are the same for all seeds
  bool has_drawn_seed = false;         ///< the file gave no seeds
};

/// Whether the objective of a configuration will be evaluated.
enum class ObjectiveUse {
  kEvaluated,  ///< it must be possible: programs and files that it names are there
  kNone,
};

/// True for `type: estimation`, which has neither objective nor domain, model, acquisition, budget.
[[nodiscard]] bool is_estimation(const Experiment& experiment);
/// @throws InvalidArgument, with what `command` needs, unless the type is optimization.
void require_optimization(const std::string& command, const Experiment& experiment);

/// Reads, resolves and checks a configuration. Files it names are read, nothing is evaluated.
/// @throws ConfigError with all faults at once, by line; InvalidArgument for a file that cannot be
/// read.
[[nodiscard]] Experiment load_experiment(const std::filesystem::path& file,
                                         const std::vector<Override>& overrides = {},
                                         ObjectiveUse use = ObjectiveUse::kEvaluated);
/// The same for a text. `source` names it in messages; relative paths are relative to `base`.
[[nodiscard]] Experiment parse_experiment(const std::string& text,
                                          const std::string& source,
                                          const std::filesystem::path& base,
                                          const std::vector<Override>& overrides = {},
                                          ObjectiveUse use = ObjectiveUse::kEvaluated);

/// "7", "0-9" or "0,3,7-9". @throws InvalidArgument naming what is wrong: not a number from 0 to
/// 2^64 - 1, a range that falls, a repeat, more than 100000 seeds.
[[nodiscard]] std::vector<std::uint64_t> parse_seeds(const std::string& text);
/// "0-4, 7" of ascending seeds.
[[nodiscard]] std::string seeds_text(const std::vector<std::uint64_t>& seeds);

/// The whole of a text file. @throws InvalidArgument naming the path if it cannot be opened, is a
/// directory or has more than `limit` bytes.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path, std::size_t limit);

/// A resolved configuration as YAML that reads back to the same values.
[[nodiscard]] std::string to_yaml(const Json& config);

}  // namespace pomlux
