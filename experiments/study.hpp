// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders
#include <memory>      // lock
#include <optional>    // noise per value
#include <pomlux/core/optimizer.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/folder_lock.hpp>
#include <pomlux/experiments/journal.hpp>
#include <pomlux/experiments/optimizer_journal.hpp>
#include <string>  // reasons
#include <vector>  // suggestions

namespace pomlux {

/// An optimisation that lives in a folder, for benches with a person in the loop and programs in
/// any language: `study.yaml`, the configuration, which the user puts there, and `journal.jsonl`,
/// what was asked and told. Opening it restores the optimiser bit for bit; every change is in the
/// journal when the call returns, and on the disk after sync().
class Study {
 public:
  static constexpr const char* kConfigName = "study.yaml";
  static constexpr const char* kJournalName = "journal.jsonl";
  /// experiment.yaml: the configuration that the journal was begun with, resolved.
  static constexpr const char* kResolvedName = "experiment.yaml";

  enum class Access {
    kRead,   ///< beside a writer
    kWrite,  ///< one process at a time; waits up to kLockWait seconds for another
  };
  static constexpr double kLockWait = 10.0;

  /// Opens it, and begins it where there is no journal yet (with kRead, without writing).
  /// @throws InvalidArgument if there is no study.yaml, it has faults (ConfigError), it or the
  /// candidates were changed since the beginning, the journal is damaged, or another process
  /// writes; WriteError.
  Study(std::filesystem::path folder, Access access);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const Experiment& experiment() const { return experiment_; }
  [[nodiscard]] std::uint64_t seed() const { return experiment_.seeds.front(); }
  [[nodiscard]] Optimizer& optimizer() { return *optimizer_; }
  /// Things worth a word to the user: a torn line, another build.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  // As those of Optimizer, and into the journal.
  /// Synced. If an ask fails after others have succeeded: those, and a note.
  std::vector<Suggestion> ask(Index q);
  /// At the candidate equal to the point within kPointTolerance; over a box, at the point itself,
  /// unless a pending one is that close. @return the trial that was answered or, as foreign data,
  /// made. @throws InvalidArgument if there is no such candidate, naming the nearest.
  Index tell(const PointRef& point, double value, std::optional<double> noise_stddev);
  /// The oldest pending trial at this point. @throws InvalidArgument if there is none.
  Index tell_failed(const PointRef& point, const std::string& reason);
  void sync() { journal_->sync(); }
  /// The point, as tell would take it.
  [[nodiscard]] Point resolve(const PointRef& point) const;
  /// Of a pending trial. @throws InvalidArgument if it is not pending.
  [[nodiscard]] Point point_of_trial(Index trial) const;
  /// @throws InvalidArgument if there is no such candidate.
  [[nodiscard]] Point point_of_candidate(Index candidate) const;

 private:
  void load();
  [[nodiscard]] Json header() const;
  void require_same_beginning(const JournalText& journal);
  void append(const Json& event);

  std::filesystem::path folder_;
  std::unique_ptr<FolderLock> lock_;
  Experiment experiment_;
  std::optional<Optimizer> optimizer_;
  OptimizerLog log_;
  std::optional<Journal> journal_;
  std::vector<std::string> notes_;
};

}  // namespace pomlux
