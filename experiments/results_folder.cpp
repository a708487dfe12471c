// SPDX-License-Identifier: MIT
#include <algorithm>  // std::all_of
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/build_info.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExperiment = "experiment.yaml";
constexpr const char* kManifest = "manifest.json";
constexpr const char* kCandidates = "candidates.csv";
constexpr std::size_t kLargestText = std::size_t{1} << 28U;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

bool is_free(const fs::path& folder) {
  std::error_code error;
  if (!is_there(folder)) return true;
  if (!fs::is_directory(folder, error)) return false;
  const fs::directory_iterator entries(folder, error);
  return !error && std::all_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
    return entry.path().filename() == FolderLock::kFileName;
  });
}

/// The manifest of an earlier run, or null if the folder is not ours.
Json read_manifest(const fs::path& folder) {
  try {
    const std::string text = read_text_file(folder / kManifest, kLargestText);
    const Json manifest = Json::parse(text, nullptr, false);
    const bool is_ours = manifest.is_object() && manifest.contains("format") &&
                         manifest.contains("pomlux_version") && is_there(folder / kExperiment);
    return is_ours ? manifest : Json();
  } catch (const InvalidArgument&) {
    return {};
  }
}

bool is_finished(const Json& manifest) {
  const Json& seeds = manifest.value("seeds", Json::array());
  const bool has_end = manifest.contains("finished") && manifest.at("finished").is_string();
  return has_end && std::all_of(seeds.begin(), seeds.end(), [](const Json& seed) {
           const std::string status = seed.is_object() ? seed.value("status", "") : "";
           return status == "done" || status == "exhausted";
         });
}

/// Lines of a configuration that decide the results.
std::vector<std::string> deciding_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line.front() != '#' && !line.starts_with("output:")) {
      lines.push_back(std::move(line));
    }
    begin = end + 1;
  }
  return lines;
}

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first);
}

/// The first difference between two configurations, or empty.
std::string first_difference(const std::string& there, const std::string& here) {
  const std::vector<std::string> old_lines = deciding_lines(there);
  const std::vector<std::string> new_lines = deciding_lines(here);
  for (std::size_t i = 0; i < std::max(old_lines.size(), new_lines.size()); ++i) {
    const std::string old_line = i < old_lines.size() ? trimmed(old_lines[i]) : "nothing";
    const std::string new_line = i < new_lines.size() ? trimmed(new_lines[i]) : "nothing";
    if (old_line != new_line) return "'" + old_line + "' there, '" + new_line + "' here";
  }
  return "";
}

bool has_candidate_file(const Experiment& experiment) {
  return experiment.config.at("domain").at("type") == "file";
}

fs::path candidate_file(const Experiment& experiment) {
  return experiment.config.at("domain").at("path").get<std::string>();
}

bool is_same_path(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

/// Removes what runs write, and nothing else. The manifest goes last, as it says whose folder it
/// is.
void remove_results(const fs::path& folder, const fs::path& kept) {
  std::vector<fs::path> ours;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_result = name.starts_with("seed-") || name == "figures" ||
                           name == "report.html" || name == "summary.csv" || name == kExperiment ||
                           name == kCandidates;
    if (is_result && !is_same_path(entry.path(), kept)) ours.push_back(entry.path());
  }
  ours.push_back(folder / kManifest);
  for (const fs::path& path : ours) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) throw WriteError("cannot remove " + path.string() + ": " + error.message());
  }
}

/// A run under way is a better reason to refuse than what it has left so far.
void require_unlocked(const fs::path& folder) {
  try {
    const FolderLock probe(folder);
  } catch (const WriteError&) {  // nobody writes to a folder that is read-only
  }
}

[[noreturn]] void refuse_folder(const fs::path& folder, const FolderReport& report) {
  if (report.state != FolderState::kForeign) require_unlocked(folder);
  switch (report.state) {
    case FolderState::kForeign:
      fail(folder.string(), report.detail + "; give another folder with --out");
    case FolderState::kDifferent:
      fail(folder.string(),
           "holds results of another configuration (" + report.detail +
               "); give another folder with --out, or --overwrite");
    case FolderState::kUnfinished:
      fail(folder.string(),
           "holds results that were not finished (" + report.detail +
               "); give another folder with --out, or --overwrite");
    default:
      fail(folder.string(),
           "holds finished results; give another folder with --out, or --overwrite");
  }
}

}  // namespace

std::string seed_folder_name(std::uint64_t seed) {
  std::string digits = format_number(seed);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return "seed-" + digits;
}

std::string experiment_text(const Experiment& experiment) {
  Json config = experiment.config;
  if (has_candidate_file(experiment)) config["domain"]["path"] = kCandidates;
  return "# Resolved by pomlux " + build_info().version +
         "; run it again elsewhere with: pomlux run experiment.yaml --out FOLDER\n" +
         to_yaml(config);
}

FolderReport inspect_folder(const fs::path& folder, const Experiment& experiment) {
  if (is_free(folder)) return {};
  std::error_code error;
  if (!fs::is_directory(folder, error)) return {FolderState::kForeign, "is not a folder"};
  const Json manifest = read_manifest(folder);
  if (manifest.is_null()) {
    return {FolderState::kForeign, "is not empty and not a results folder"};
  }
  const std::string there = read_text_file(folder / kExperiment, kLargestText);
  const std::string difference = first_difference(there, experiment_text(experiment));
  if (!difference.empty()) return {FolderState::kDifferent, difference};
  if (has_candidate_file(experiment)) {
    const std::string old_file = is_there(folder / kCandidates)
                                     ? read_text_file(folder / kCandidates, kLargestText)
                                     : std::string();
    if (old_file != read_text_file(candidate_file(experiment), kLargestText)) {
      return {FolderState::kDifferent, "the candidate file has changed"};
    }
  }
  if (is_finished(manifest)) return {FolderState::kFinished, ""};
  return {FolderState::kUnfinished, "see " + (folder / kManifest).string()};
}

ResultsFolder::ResultsFolder(fs::path path, const Experiment& experiment, bool overwrites)
    : path_(std::move(path)) {
  const auto require_usable = [&] {
    const FolderReport report = inspect_folder(path_, experiment);
    const bool is_ours = report.state != FolderState::kForeign;
    if (report.state != FolderState::kFree && !(overwrites && is_ours))
      refuse_folder(path_, report);
    return report;
  };
  static_cast<void>(require_usable());  // before anything is created
  make_folder(path_);
  lock_ = std::make_unique<FolderLock>(path_);
  const FolderReport report = require_usable();  // another process may have been here meanwhile
  const fs::path source = has_candidate_file(experiment) ? candidate_file(experiment) : fs::path();
  if (report.state != FolderState::kFree) remove_results(path_, source);
  if (!source.empty() && !is_same_path(source, path_ / kCandidates)) {
    replace_file(path_ / kCandidates, read_text_file(source, kLargestText));
  }
  replace_file(path_ / kExperiment, experiment_text(experiment));
}

fs::path ResultsFolder::make_seed_folder(std::uint64_t seed) const {
  fs::path folder = path_ / seed_folder_name(seed);
  make_folder(folder);
  return folder;
}

}  // namespace pomlux
