// SPDX-License-Identifier: MIT
#pragma once

#include <deque>       // events of an unfinished step
#include <filesystem>  // folders
#include <optional>    // what may not be there
#include <pomlux/core/optimizer.hpp>
#include <pomlux/experiments/evaluation.hpp>
#include <pomlux/experiments/journal.hpp>
#include <pomlux/experiments/optimizer_journal.hpp>
#include <pomlux/experiments/outcome.hpp>
#include <pomlux/experiments/seed_files.hpp>
#include <string>  // notes

namespace pomlux {

/// What a seed has counted besides its outcome.
struct SeedCounters {
  Index steps = 0;         ///< taken, those that failed included
  Index failed_steps = 0;  ///< without a value of the objective
  std::string first_failure;
  std::optional<double> simple_regret;
  Index fallen_back_fits = 0;
  Index unconverged_poms = 0;
};

/// journal.jsonl of one seed: per step "asked" before the objective is evaluated, "told" or
/// "failed" as soon as it has answered, and "done" when the step is in the other files; "finished"
/// with the outcome at the end. A run that died goes on after its last "done": the step under way
/// is asked again, which gives the same candidate, and its answer is used if it was written. The
/// same is done with whole steps whose rows the other files have lost.
class SeedJournal {
 public:
  static constexpr const char* kFileName = "journal.jsonl";

  /// @param resumes go on with what is there. @throws InvalidArgument for a damaged journal, and
  /// one without answers beside a steps.csv with rows: it was lost.
  SeedJournal(const std::filesystem::path& folder, std::uint64_t seed, bool resumes);

  /// The outcome of a seed that was finished before, if its files are still there.
  [[nodiscard]] std::optional<SeedOutcome> finished() const;
  /// Where it goes on, for people; empty at the beginning.
  [[nodiscard]] std::string note() const;
  /// What differs between the build that began and this one; empty if nothing does.
  [[nodiscard]] std::string build_difference() const;

  /// After the last whole step, in a fresh optimiser.
  struct Restored {
    SeedCounters counters;
    SeedOutcome gathered;  ///< seconds, jitter and bounds of fits so far
    SeedFileSizes files;
  };
  [[nodiscard]] std::optional<Restored> restore(Optimizer& optimizer);

  /// @throws InvalidArgument if an earlier process was given another suggestion here.
  void asked(const Optimizer& optimizer, const Suggestion& suggestion);
  /// The answer to the last suggestion that an earlier process has written.
  [[nodiscard]] std::optional<Evaluation> answer() const;
  /// After the trial was told or failed. @param failure of the objective; empty if there is none.
  void answered(const Optimizer& optimizer, Index trial, const std::string& failure);
  void done(const SeedCounters& counters, const SeedOutcome& outcome, SeedFileSizes files);
  void finish(const SeedOutcome& outcome);
  /// Is it time to bring the journal to the disk, and after it the other files?
  [[nodiscard]] bool is_sync_due() const { return journal_.is_sync_due(); }
  void sync() { journal_.sync(); }

 private:
  void note_event(const Json& event);
  [[nodiscard]] std::size_t num_whole_steps() const;

  std::filesystem::path path_;
  JournalText earlier_;
  std::size_t num_done_ = 0;  // events up to the last step that is in all files
  std::deque<Json> ahead_;    // of the trials after it
  OptimizerLog log_;
  Journal journal_;
};

}  // namespace pomlux
