// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <memory>      // lock
#include <optional>    // names of other folders
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/folder_lock.hpp>
#include <pomlux/experiments/outcome.hpp>
#include <string>       // texts
#include <string_view>  // names
#include <vector>       // seeds

namespace pomlux {

/// What a run finds where it wants to write.
enum class FolderState {
  kFree,        ///< nothing there, or an empty folder
  kFinished,    ///< finished results of the same resolved configuration
  kUnfinished,  ///< results of the same configuration that were not finished, or only begun
  kShorter,     ///< results, finished or not, that more steps or seeds would make those wanted
  kDifferent,   ///< results of another configuration
  kForeign,     ///< something that is not a results folder
};

/// What a run does with earlier results.
enum class FolderUse {
  kNew,        ///< refuses them
  kOverwrite,  ///< replaces them, whatever they are results of
  kResume,     ///< goes on with them if they are a beginning of its own
};

struct FolderReport {
  FolderState state = FolderState::kFree;
  std::string detail;  ///< what differs, for messages
};

/// "seed-0007".
[[nodiscard]] std::string seed_folder_name(std::uint64_t seed);
/// The seed of a folder that has such a name, or nothing.
[[nodiscard]] std::optional<std::uint64_t> seed_of_folder(std::string_view name);

/// experiment.yaml: the resolved configuration as it lies in a results folder. A candidate file is
/// named as the copy beside it.
[[nodiscard]] std::string experiment_text(const Experiment& experiment);

/// Looks at a folder without changing it. Keys `output` may differ.
[[nodiscard]] FolderReport inspect_folder(const std::filesystem::path& folder,
                                          const Experiment& experiment);

/// The seeds that a folder holds results of, or is to; empty if it does not say.
[[nodiscard]] std::vector<std::uint64_t> seeds_of_results(const std::filesystem::path& folder);

/// A results folder held by this process.
class ResultsFolder {
 public:
  /// Creates and locks the folder. To overwrite, removes the files that an earlier run left there,
  /// by their names, and nothing else. Then writes experiment.yaml and a copy of the candidate
  /// file, if there is one.
  /// @throws InvalidArgument if it is locked, or not free and not of this use, or foreign;
  /// WriteError.
  ResultsFolder(std::filesystem::path path, const Experiment& experiment, FolderUse use);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Creates the folder of one seed.
  [[nodiscard]] std::filesystem::path make_seed_folder(std::uint64_t seed) const;

 private:
  std::filesystem::path path_;
  std::unique_ptr<FolderLock> lock_;
};

}  // namespace pomlux
