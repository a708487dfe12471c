// SPDX-License-Identifier: MIT
#include <algorithm>  // std::all_of
#include <array>      // names
#include <charconv>   // seeds beyond 2^63
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/build_info.hpp>
#include <pomlux/experiments/config_difference.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExperiment = "experiment.yaml";
constexpr const char* kManifest = "manifest.json";
constexpr const char* kCandidates = "candidates.csv";
constexpr const char* kTable = "table.csv";
constexpr const char* kFigures = "figures";
constexpr const char* kSeedPrefix = "seed-";
/// How every experiment_text begins: the mark by which a folder without a manifest is known.
constexpr const char* kMark = "# Resolved by pomlux ";
constexpr std::size_t kLargestText = std::size_t{1} << 28U;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The name that a file was to get whose writer died.
std::string_view without_suffix(std::string_view name, std::string_view suffix) {
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name;
}

/// Files of a run in its results folder.
bool is_common_file(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames{
      kExperiment, kManifest, kCandidates, kTable, "summary.csv", "report.html"};
  return is_one_of(without_suffix(name, ".part"), kNames);
}

/// Files of a run in the folder of a seed.
bool is_seed_file(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames{
      "steps.csv", "pom.csv", "recall.csv", "posterior.csv", "journal.jsonl"};
  return is_one_of(without_suffix(name, ".part"), kNames);
}

/// Files of a report in the folder of its figures.
bool is_figure_file(std::string_view name) {
  constexpr std::array<std::string_view, 7> kStems{"simple_regret",
                                                   "best_observed",
                                                   "entropy",
                                                   "pom_by_seed",
                                                   "hyperparameters",
                                                   "time",
                                                   "total_variation"};
  constexpr std::array<std::string_view, 4> kEndings{".svg", ".csv", ".gp", ".pdf"};
  constexpr std::string_view kPosterior = "posterior_";
  const std::string_view file = without_suffix(without_suffix(name, ".part"), ".partial");
  const std::size_t dot = std::min(file.rfind('.'), file.size());
  const std::string_view stem = file.substr(0, dot);
  if (!is_one_of(file.substr(dot), kEndings)) return false;
  return is_one_of(stem, kStems) || (stem.starts_with(kPosterior) &&
                                     seed_of_folder(stem.substr(kPosterior.size())).has_value());
}

/// What runs write into a results folder: files, and folders of such files.
bool is_result(const fs::directory_entry& entry) {
  std::error_code error;
  const std::string name = entry.path().filename().string();
  if (!entry.is_directory(error)) return is_common_file(name);
  return name == kFigures || seed_of_folder(name).has_value();
}

bool is_lock(const fs::directory_entry& entry) {
  return entry.path().filename() == FolderLock::kFileName;
}

/// The manifest of an earlier run, or null if there is none.
Json read_manifest(const fs::path& folder) {
  try {
    const std::string text = read_text_file(folder / kManifest, kLargestText);
    const Json manifest = Json::parse(text, nullptr, false);
    const bool is_ours =
        manifest.is_object() && manifest.contains("format") && manifest.contains("pomlux_version");
    return is_ours ? manifest : Json();
  } catch (const InvalidArgument&) {
    return {};
  }
}

/// True for what a run leaves that died before it had a manifest: nothing but files of ours, and
/// an experiment.yaml, if there is one, that no person wrote.
bool is_begun(const fs::path& folder) {
  bool has_results = false;  // a list of candidates alone may be anybody's
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (is_lock(entry)) continue;
    if (!is_result(entry)) return false;
    has_results = has_results || !entry.path().filename().string().ends_with(".part");
  }
  if (!has_results) return true;
  return is_there(folder / kExperiment) &&
         read_text_file(folder / kExperiment, kLargestText).starts_with(kMark);
}

bool is_finished(const Json& manifest) {
  const bool has_end = manifest.contains("finished") && manifest.at("finished").is_string();
  if (!has_end || !manifest.contains("seeds") || !manifest.at("seeds").is_array()) return false;
  const Json& seeds = manifest.at("seeds");
  return std::all_of(seeds.begin(), seeds.end(), [](const Json& seed) {
    const Json status = seed.is_object() && seed.contains("status") ? seed.at("status") : Json();
    return status == "done" || status == "exhausted";
  });
}

/// A file that a configuration names and its results keep a copy of.
struct InputFile {
  const char* section;
  const char* name;  // of the copy
  fs::path source;
};

std::vector<InputFile> input_files(const Experiment& experiment) {
  std::vector<InputFile> files;
  if (is_estimation(experiment)) return files;
  const auto add = [&](const char* section, std::string_view type, const char* name) {
    const Json& options = experiment.config.at(section);
    if (options.at("type") == type) files.push_back({section, name, options.at("path")});
  };
  add("domain", "file", kCandidates);
  add("domain", "table", kCandidates);
  add("objective", "table", kTable);
  return files;
}

bool is_same_path(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

bool is_source(const fs::path& path, const std::vector<InputFile>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const InputFile& input) {
    return is_same_path(path, input.source);
  });
}

void remove_path(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw WriteError("cannot remove " + path.string() + ": " + error.message());
}

/// Removes the files whose names are ours, and the folder if nothing else is in it.
void remove_files(const fs::path& folder,
                  bool (*is_ours)(std::string_view),
                  const std::vector<InputFile>& kept) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::error_code error;
    const bool is_file = !entry.is_directory(error);
    if (is_file && is_ours(entry.path().filename().string()) && !is_source(entry.path(), kept))
      files.push_back(entry.path());
  }
  for (const fs::path& file : files) remove_path(file);
  std::error_code error;
  if (!fs::is_symlink(folder, error) && fs::is_empty(folder, error)) remove_path(folder);
}

/// Removes what runs write, and nothing else. At every moment the folder can be told to be ours:
/// the manifest goes last, and experiment.yaml stays until it is replaced.
void remove_results(const fs::path& folder, const std::vector<InputFile>& kept) {
  std::vector<fs::path> files;
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::error_code error;
    const std::string name = entry.path().filename().string();
    const bool stays = name == kExperiment || name == kManifest || is_source(entry, kept);
    if (is_result(entry) && !stays)
      (entry.is_directory(error) ? folders : files).push_back(entry.path());
  }
  for (const fs::path& path : folders) {
    remove_files(path, path.filename() == kFigures ? is_figure_file : is_seed_file, kept);
  }
  for (const fs::path& path : files) remove_path(path);
  remove_path(folder / kManifest);
}

/// A run under way is a better reason to refuse than what it has left so far.
void require_unlocked(const fs::path& folder) {
  try {
    const FolderLock probe(folder);
  } catch (const WriteError&) {  // nobody writes to a folder that is read-only
  }
}

bool has_seed_folder(const fs::path& folder) {
  const fs::directory_iterator entries(folder);
  return std::any_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
    return seed_of_folder(entry.path().filename().string()).has_value();
  });
}

/// Without experiment.yaml nobody knows what the seeds are results of.
bool is_of_unknown_origin(const fs::path& folder) {
  return !is_there(folder / kExperiment) && has_seed_folder(folder);
}

[[noreturn]] void refuse_folder(const fs::path& folder, const FolderReport& report, FolderUse use) {
  if (report.state != FolderState::kForeign) require_unlocked(folder);
  // Who resumes has no --overwrite: `reproduce` at all, and `run` beside --resume.
  const std::string elsewhere = use == FolderUse::kResume
                                    ? "give another folder with --out, or remove this one"
                                    : "give another folder with --out, or --overwrite";
  const std::string detail = " (" + report.detail + "); ";
  switch (report.state) {
    case FolderState::kForeign:
      fail(folder.string(), report.detail + "; give another folder with --out");
    case FolderState::kDifferent:
      fail(folder.string(), "holds results of another configuration" + detail + elsewhere);
    case FolderState::kUnfinished:
      if (is_of_unknown_origin(folder)) {
        fail(folder.string(), "holds results of an unknown configuration" + detail + elsewhere);
      }
      fail(
          folder.string(),
          "holds results that were not finished" + detail + "go on with --resume, or " + elsewhere);
    case FolderState::kShorter:
      fail(folder.string(),
           "holds a beginning of these results" + detail + "go on with --resume, or " + elsewhere);
    default:
      fail(folder.string(), "holds finished results; " + elsewhere);
  }
}

bool is_usable(const fs::path& folder, FolderState state, FolderUse use) {
  if (state == FolderState::kFree) return true;
  if (use == FolderUse::kOverwrite) return state != FolderState::kForeign;
  if (use == FolderUse::kNew) return false;
  if (state == FolderState::kFinished || state == FolderState::kShorter) return true;
  return state == FolderState::kUnfinished && !is_of_unknown_origin(folder);
}

}  // namespace

std::string seed_folder_name(std::uint64_t seed) {
  std::string digits = format_number(seed);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return kSeedPrefix + digits;
}

std::string experiment_text(const Experiment& experiment) {
  Json config = experiment.config;
  for (const InputFile& file : input_files(experiment)) config[file.section]["path"] = file.name;
  return kMark + build_info().version +
         "; run it again elsewhere with: pomlux run experiment.yaml --out FOLDER\n" +
         to_yaml(config);
}

std::optional<std::uint64_t> seed_of_folder(std::string_view name) {
  if (!name.starts_with(kSeedPrefix)) return std::nullopt;
  const std::string_view digits = name.substr(std::string_view(kSeedPrefix).size());
  std::uint64_t seed = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (seed_folder_name(seed) != name) return std::nullopt;
  return seed;
}

FolderReport inspect_folder(const fs::path& folder, const Experiment& experiment) {
  if (!is_there(folder)) return {};
  std::error_code error;
  if (!fs::is_directory(folder, error)) return {FolderState::kForeign, "is not a folder"};
  const fs::directory_iterator entries(folder, error);
  if (error) return {FolderState::kForeign, "cannot be read: " + error.message()};
  if (std::all_of(begin(entries), end(entries), is_lock)) return {};
  const Json manifest = read_manifest(folder);
  if (manifest.is_null() && !is_begun(folder)) {
    return {FolderState::kForeign, "is not empty and not a results folder"};
  }
  if (!is_there(folder / kExperiment)) {
    return {FolderState::kUnfinished, std::string(kExperiment) + " is missing"};
  }
  const std::string there = read_text_file(folder / kExperiment, kLargestText);
  const std::vector<ConfigDifference> differences =
      config_differences(there, experiment_text(experiment));
  if (!is_continuation(differences)) {
    return {FolderState::kDifferent, differences_text(differences)};
  }
  for (const InputFile& file : input_files(experiment)) {
    const std::string old_file = is_there(folder / file.name)
                                     ? read_text_file(folder / file.name, kLargestText)
                                     : std::string();
    if (old_file != read_text_file(file.source, kLargestText)) {
      const bool is_domain = file.section == std::string_view("domain");
      return {FolderState::kDifferent,
              std::string("the ") + (is_domain ? "candidate file" : "table") + " has changed"};
    }
  }
  if (!differences.empty()) return {FolderState::kShorter, differences_text(differences)};
  if (manifest.is_null()) {
    return {FolderState::kUnfinished, std::string("no ") + kManifest + " of a run is there"};
  }
  if (is_finished(manifest)) return {FolderState::kFinished, ""};
  return {FolderState::kUnfinished, "see " + (folder / kManifest).string()};
}

std::vector<std::uint64_t> seeds_of_results(const fs::path& folder) {
  if (!is_there(folder / kExperiment)) return {};
  const std::string text = read_text_file(folder / kExperiment, kLargestText);
  constexpr std::string_view kKey = "\nseeds: ";
  const std::size_t key = text.find(kKey);
  if (key == std::string::npos) return {};
  const std::size_t begin = key + kKey.size();
  const Json seeds =
      Json::parse(text.substr(begin, text.find('\n', begin) - begin), nullptr, false);
  std::vector<std::uint64_t> result;
  for (const Json& seed : seeds) {
    if (!seed.is_number_unsigned()) return {};
    result.push_back(seed.get<std::uint64_t>());
  }
  return result;
}

ResultsFolder::ResultsFolder(fs::path path, const Experiment& experiment, FolderUse use)
    : path_(std::move(path)) {
  const auto require_usable = [&] {
    FolderReport report = inspect_folder(path_, experiment);
    if (!is_usable(path_, report.state, use)) refuse_folder(path_, report, use);
    return report;
  };
  static_cast<void>(require_usable());  // before anything is created
  make_folder(path_);
  lock_ = std::make_unique<FolderLock>(path_);
  const FolderReport report = require_usable();  // another process may have been here meanwhile
  const std::vector<InputFile> inputs = input_files(experiment);
  if (use == FolderUse::kOverwrite && report.state != FolderState::kFree) {
    remove_results(path_, inputs);
  }
  // First what says whose folder this is, should this process die here.
  replace_file(path_ / kExperiment, experiment_text(experiment));
  for (const InputFile& file : inputs) {
    if (is_same_path(file.source, path_ / file.name)) continue;
    replace_file(path_ / file.name, read_text_file(file.source, kLargestText));
  }
}

fs::path ResultsFolder::make_seed_folder(std::uint64_t seed) const {
  fs::path folder = path_ / seed_folder_name(seed);
  make_folder(folder);
  return folder;
}

}  // namespace pomlux
