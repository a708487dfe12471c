// SPDX-License-Identifier: MIT
#include <algorithm>  // std::adjacent_find
#include <charconv>   // seeds beyond 2^63
#include <fstream>    // files
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/config_checks.hpp>
#include <pomlux/experiments/config_reader.hpp>
#include <pomlux/experiments/experiment_spec.hpp>
#include <pomlux/experiments/registry_external.hpp>
#include <random>   // std::random_device, for a seed that nobody gave
#include <sstream>  // file contents
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr std::size_t kLargestConfig = std::size_t{16} << 20U;
constexpr std::size_t kMostSeeds = 100'000;

std::optional<std::uint64_t> parse_seed(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [position, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || position != end) return std::nullopt;
  return value;
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

[[noreturn]] void refuse_seeds(const std::string& message) { throw InvalidArgument(message); }

std::uint64_t seed_or_fail(const std::string& text) {
  const std::optional<std::uint64_t> seed = parse_seed(text);
  if (!seed) refuse_seeds("found " + in_quotes(text) + " as a seed");
  return *seed;
}

void append_seeds(const std::string& part, std::vector<std::uint64_t>& seeds) {
  // A leading '-' is a sign, which no seed has, and not a range.
  const std::size_t dash = part.find('-', 1);
  if (part.empty() || dash == std::string::npos) {
    seeds.push_back(seed_or_fail(part));
    return;
  }
  const std::uint64_t first = seed_or_fail(trimmed(part.substr(0, dash)));
  const std::uint64_t last = seed_or_fail(trimmed(part.substr(dash + 1)));
  if (first > last) refuse_seeds("found the falling range " + in_quotes(part));
  if (last - first >= kMostSeeds) {
    refuse_seeds("found " + in_quotes(part) + ", more than " + std::to_string(kMostSeeds) +
                 " seeds");
  }
  for (std::uint64_t seed = first;; ++seed) {
    seeds.push_back(seed);
    if (seed == last) break;
  }
}

std::uint64_t draw_seed() {
  std::random_device device;
  const std::uint64_t high = device();
  return (high << 32U) | device();
}

}  // namespace

bool is_estimation(const Experiment& experiment) {
  return experiment.config.at("type") == "estimation";
}

void require_optimization(const std::string& command, const Experiment& experiment) {
  if (!is_estimation(experiment)) return;
  fail(command,
       "the configuration " + in_quotes(experiment.config.at("name").get<std::string>()) +
           " is of type estimation, which has neither objective nor model; allowed: type "
           "optimization");
}

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InvalidArgument("--set " + in_quotes(text) + ": allowed: key.path=value");
  }
  return {trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
}

std::vector<Override> parse_overrides(const std::vector<std::string>& texts) {
  std::vector<Override> overrides;
  for (const std::string& text : texts) overrides.push_back(parse_override(text));
  return overrides;
}

std::vector<std::uint64_t> parse_seeds(const std::string& text) {
  std::vector<std::uint64_t> seeds;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    append_seeds(trimmed(text.substr(begin, end - begin)), seeds);
    begin = end + 1;
  }
  if (seeds.size() > kMostSeeds) {
    refuse_seeds("found " + std::to_string(seeds.size()) + " seeds; allowed: at most " +
                 std::to_string(kMostSeeds));
  }
  std::vector<std::uint64_t> sorted = seeds;
  std::sort(sorted.begin(), sorted.end());
  const auto repeat = std::adjacent_find(sorted.begin(), sorted.end());
  if (repeat != sorted.end()) refuse_seeds("found the seed " + format_number(*repeat) + " twice");
  return seeds;
}

std::string seeds_text(const std::vector<std::uint64_t>& seeds) {
  std::string text;
  for (std::size_t i = 0; i < seeds.size();) {
    std::size_t end = i;
    while (end + 1 < seeds.size() && seeds[end + 1] == seeds[end] + 1) ++end;
    text += (text.empty() ? "" : ", ") + format_number(seeds[i]);
    if (end > i) text += "-" + format_number(seeds[end]);
    i = end + 1;
  }
  return text;
}

std::string read_text_file(const std::filesystem::path& path, std::size_t limit) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InvalidArgument(path.string() + ": is a directory; allowed: a file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const bool exists = std::filesystem::exists(path, error);
    throw InvalidArgument(path.string() + (exists ? ": cannot be read" : ": no such file"));
  }
  std::string text;
  std::vector<char> block(std::size_t{1} << 16U);
  while (file && text.size() <= limit) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw InvalidArgument(path.string() + ": cannot be read");
  if (text.size() > limit) {
    throw InvalidArgument(path.string() + ": is larger than " + std::to_string(limit) + " bytes");
  }
  return text;
}

Experiment load_experiment(const std::filesystem::path& file,
                           const std::vector<Override>& overrides,
                           ObjectiveUse use) {
  const std::string text = read_text_file(file, kLargestConfig);
  return parse_experiment(text, file.string(), file.parent_path(), overrides, use);
}

Experiment parse_experiment(const std::string& text,
                            const std::string& source,
                            const std::filesystem::path& base,
                            const std::vector<Override>& overrides,
                            ObjectiveUse use) {
  YamlNode root = parse_yaml(text, source);
  if (root.kind != YamlNode::Kind::kMap) {
    throw ConfigError(
        {{source + ":" + std::to_string(root.line),
          root.line,
          "",
          "found " + root.found() + "; allowed: a map with the keys of an experiment"}});
  }
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    apply_override(root, overrides[i].path, overrides[i].value, static_cast<int>(i));
  }
  ConfigReader reader(source, base, overrides);
  Experiment experiment;
  const Json values = reader.read(root, experiment_section());
  Json& config = experiment.config;
  config = {{"schema", values.at("schema")}, {"name", values.at("name")}};  // these come first
  config.update(values);
  if (config["name"].is_null()) config["name"] = std::filesystem::path(source).stem().string();
  if (config["output"].is_null()) config["output"] = "results/" + config["name"].get<std::string>();
  if (config.contains("objective")) complete_table_domain(config);
  if (config["seeds"].is_null() && !reader.has_fault("seeds")) {
    config["seeds"] = Json::array({draw_seed()});
    experiment.has_drawn_seed = true;
  }
  check_experiment(experiment, reader, use);
  if (!reader.faults().empty()) throw ConfigError(reader.faults());
  experiment.seeds = config["seeds"].get<std::vector<std::uint64_t>>();
  return experiment;
}

}  // namespace pomlux
