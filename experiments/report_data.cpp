// SPDX-License-Identifier: MIT
#include <algorithm>  // sorting
#include <fstream>    // files
#include <iterator>   // whole files
#include <limits>     // NaN
#include <nlohmann/json.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/outcome.hpp>
#include <pomlux/experiments/report_data.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <set>  // known seeds

namespace pomlux {
namespace {

using Manifest = nlohmann::ordered_json;

constexpr int kManifestFormat = 1;

/// The whole file; empty if it cannot be read.
std::string read_all(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "";
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A value as text, whatever its type; empty if it is missing.
std::string text_of(const Manifest& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || object.at(key).is_null()) return "";
  const Manifest& value = object.at(key);
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return format_number(value.get<double>());
  return value.dump(-1, ' ', false, Manifest::error_handler_t::replace);
}

double number_of(const Manifest& object, const char* key) {
  const bool is_there = object.is_object() && object.contains(key) && object.at(key).is_number();
  return is_there ? object.at(key).get<double>() : std::numeric_limits<double>::quiet_NaN();
}

Manifest read_manifest(const std::filesystem::path& path, std::vector<std::string>& warnings) {
  const std::string text = read_all(path);
  if (text.empty()) {
    warnings.push_back(
        "manifest.json is missing or empty: provenance and the state of the seeds are unknown");
    return Manifest::object();
  }
  Manifest manifest = Manifest::parse(text, nullptr, false);
  if (!manifest.is_object()) {
    warnings.push_back(
        "manifest.json is not valid JSON: provenance and the state of the seeds are unknown");
    return Manifest::object();
  }
  if (number_of(manifest, "format") > kManifestFormat)
    warnings.push_back("manifest.json has format " + text_of(manifest, "format") +
                       "; this version of Pomlux knows formats up to " +
                       std::to_string(kManifestFormat));
  return manifest;
}

bool is_complete_word(const std::string& status) {
  return status == to_string(SeedStatus::kDone) || status == to_string(SeedStatus::kExhausted);
}

/// How many of something a seed has by the manifest; a complete seed has at least one.
std::size_t count_of(const Manifest& seed, const char* key, bool is_complete) {
  const std::size_t least = is_complete ? 1 : 0;
  if (!seed.contains(key) || !seed.at(key).is_number_unsigned()) return least;
  return std::max(least, seed.at(key).get<std::size_t>());
}

/// Seeds of the manifest, then folders that it does not know, in ascending order.
std::vector<SeedResult> list_seeds(const std::filesystem::path& folder, const Manifest& manifest) {
  std::vector<SeedResult> seeds;
  std::set<std::uint64_t> known;
  if (manifest.contains("seeds") && manifest.at("seeds").is_array()) {
    for (const Manifest& entry : manifest.at("seeds")) {
      if (!entry.is_object() || !entry.contains("seed") || !entry.at("seed").is_number_unsigned())
        continue;
      SeedResult seed;
      seed.seed = entry.at("seed").get<std::uint64_t>();
      seed.folder = seed_folder_name(seed.seed);
      seed.status = text_of(entry, "status");
      seed.reason = text_of(entry, "reason");
      seed.is_complete = is_complete_word(seed.status);
      seed.evaluations = count_of(entry, "evaluations", seed.is_complete);
      seed.candidates = count_of(entry, "candidates", seed.is_complete);
      if (seed.status.empty()) seed.status = "unknown";
      known.insert(seed.seed);
      seeds.push_back(std::move(seed));
    }
  }
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::optional<std::uint64_t> number = seed_of_folder(entry.path().filename().string());
    if (!number || known.contains(*number)) continue;
    SeedResult seed;
    seed.seed = *number;
    seed.folder = seed_folder_name(*number);
    seed.status = "unknown";
    seeds.push_back(std::move(seed));
  }
  std::stable_sort(seeds.begin(), seeds.end(), [](const SeedResult& a, const SeedResult& b) {
    return a.seed < b.seed;
  });
  return seeds;
}

void add_group(RunResult& run,
               const Manifest& manifest,
               const char* key,
               const std::string& title) {
  if (!manifest.contains(key) || manifest.at(key).empty()) return;
  const Manifest& group = manifest.at(key);
  if (!group.is_object()) {
    run.provenance.emplace_back(title, text_of(manifest, key));
    return;
  }
  std::string text;
  for (const auto& [name, value] : group.items()) {
    if (value.is_null()) continue;
    text += (text.empty() ? "" : ", ") + name + " " + text_of(group, name.c_str());
  }
  run.provenance.emplace_back(title, text);
}

/// Bounds in force at the last fit, by parameter; those of the first seed that had a fit.
std::string fit_bounds(const Manifest& manifest) {
  if (!manifest.contains("seeds") || !manifest.at("seeds").is_array()) return "";
  for (const Manifest& seed : manifest.at("seeds")) {
    if (!seed.is_object() || !seed.contains("fit_bounds") || !seed.at("fit_bounds").is_object())
      continue;
    std::string text;
    for (const auto& [name, range] : seed.at("fit_bounds").items())
      text += (text.empty() ? "" : ", ") + name + " " +
              range.dump(-1, ' ', false, Manifest::error_handler_t::replace);
    if (!text.empty()) return text;
  }
  return "";
}

void read_provenance(RunResult& run, const Manifest& manifest) {
  const auto add = [&](const char* key, const std::string& title) {
    const std::string text = text_of(manifest, key);
    if (!text.empty()) run.provenance.emplace_back(title, text);
  };
  add("command_line", "Command");
  add("pomlux_version", "Pomlux");
  add_group(run, manifest, "build", "Build");
  add_group(run, manifest, "dependencies", "Dependencies");
  add("host", "Host");
  add("threads", "Threads");
  add("jobs", "Jobs");
  add("started", "Started");
  add("finished", "Finished");
  const std::string bounds = fit_bounds(manifest);
  if (!bounds.empty()) run.provenance.emplace_back("Bounds of the fit", bounds);
  run.total_seconds = std::numeric_limits<double>::quiet_NaN();
  if (!manifest.contains("seconds") || !manifest.at("seconds").is_object()) return;
  for (const auto& [name, value] : manifest.at("seconds").items()) {
    if (!value.is_number()) continue;
    if (name == "total") {
      run.total_seconds = value.get<double>();
    } else {
      run.seconds.emplace_back(name, std::max(0.0, value.get<double>()));
    }
  }
}

void read_warnings(RunResult& run, const Manifest& manifest) {
  if (!manifest.contains("warnings") || !manifest.at("warnings").is_array()) return;
  for (const Manifest& warning : manifest.at("warnings"))
    run.warnings.push_back(warning.is_string() ? warning.get<std::string>() : warning.dump());
}

/// "seed-0007/steps.csv is missing", or what it lacks.
std::string lack_of(const std::filesystem::path& folder,
                    const std::string& file,
                    std::size_t rows,
                    std::size_t wanted) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder / file, ignored)) return file + " is missing";
  return file + " has " + std::to_string(rows) + " rows instead of at least " +
         std::to_string(wanted);
}

/// A seed that the manifest calls complete is so only if its steps are all there.
void check_steps(const std::filesystem::path& folder,
                 SeedResult& seed,
                 std::vector<std::string>& warnings) {
  std::error_code ignored;
  const std::size_t rows = seed.steps.rows();
  if (rows >= seed.evaluations) return;
  std::string lack = lack_of(folder, seed.folder + "/steps.csv", rows, seed.evaluations);
  if (!std::filesystem::exists(folder / seed.folder, ignored)) {
    lack = seed.folder + " is missing";
    seed.candidates = 0;  // said once
  }
  if (seed.is_complete) {
    seed.is_complete = false;
    seed.reason = std::move(lack);
  } else {
    warnings.push_back(std::move(lack));
  }
}

void warn_of_unfinished(RunResult& run) {
  for (const SeedResult& seed : run.seeds) {
    if (seed.is_complete) continue;
    std::string text = "seed " + std::to_string(seed.seed) + " is not complete (" + seed.status +
                       ", " + std::to_string(seed.steps.rows()) +
                       (run.is_estimation ? " vectors)" : " evaluations)");
    if (!seed.reason.empty()) text += ": " + seed.reason;
    run.warnings.push_back(std::move(text));
  }
  const bool is_all = std::none_of(
      run.seeds.begin(), run.seeds.end(), [](const SeedResult& seed) { return seed.is_complete; });
  if (run.seeds.empty()) run.warnings.emplace_back("no seed has results yet");
  if (is_all && !run.seeds.empty())
    run.warnings.emplace_back("no seed is complete; means are over the unfinished ones");
}

}  // namespace

ResultTable RunResult::posterior(const SeedResult& seed, std::vector<std::string>& into) const {
  const std::string file = seed.folder + "/posterior.csv";
  ResultTable table = ResultTable::read(folder / file, into);
  if (table.rows() < seed.candidates)
    into.push_back(lack_of(folder, file, table.rows(), seed.candidates));
  return table;
}

RunResult read_run(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    fail(folder.string(), "is no folder; a results folder is needed");
  RunResult run;
  run.folder = folder;
  std::vector<std::string> problems;
  const bool has_manifest = std::filesystem::exists(folder / "manifest.json", ignored);
  const bool has_configuration = std::filesystem::exists(folder / "experiment.yaml", ignored);
  const Manifest manifest = read_manifest(folder / "manifest.json", problems);
  run.configuration = read_all(folder / "experiment.yaml");
  run.seeds = list_seeds(folder, manifest);
  if (!has_manifest && !has_configuration && run.seeds.empty())
    fail(folder.string(),
         "holds no experiment.yaml, manifest.json or seed-* folder; a results folder is needed");
  if (run.configuration.empty())
    problems.push_back(std::string("experiment.yaml is ") +
                       (has_configuration ? "empty" : "missing") + ": the run cannot be repeated");
  run.name = text_of(manifest, "name");
  if (run.name.empty())
    run.name = std::filesystem::absolute(folder).lexically_normal().filename().string();
  run.objective = text_of(manifest, "objective");
  run.sense = text_of(manifest, "sense") == "minimize" ? Sense::kMinimize : Sense::kMaximize;
  run.is_estimation = text_of(manifest, "type") == "estimation" ||
                      run.configuration.find("\ntype: estimation\n") != std::string::npos;
  for (SeedResult& seed : run.seeds) {
    seed.steps = ResultTable::read(folder / seed.folder / "steps.csv", problems);
    check_steps(folder, seed, problems);
  }
  read_provenance(run, manifest);
  warn_of_unfinished(run);
  read_warnings(run, manifest);
  run.warnings.insert(run.warnings.end(), problems.begin(), problems.end());
  return run;
}

std::string optimum_noun(Sense sense) {
  return sense == Sense::kMinimize ? "minimiser" : "maximiser";
}

std::vector<std::string> estimators_of(const ResultTable& table, const std::string& prefix) {
  std::vector<std::string> names;
  for (const std::string& name : table.names_with(prefix)) {
    // Times end in _seconds whatever they begin with.
    if (!name.ends_with("_seconds")) names.push_back(name.substr(prefix.size()));
  }
  return names;
}

}  // namespace pomlux
