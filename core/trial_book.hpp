// SPDX-License-Identifier: MIT
#pragma once
// Private to core: who was asked, told and failed.

#include <pomlux/core/optimizer.hpp>
#include <vector>  // trials

namespace pomlux {

/// The trials of an optimiser and what they mean for its candidates. Knows no model. Every function
/// that throws leaves the book as it was.
class TrialBook {
 public:
  /// @param repeats  may a candidate with a told value be asked again?
  TrialBook(Index num_candidates, bool repeats);

  [[nodiscard]] const std::vector<Trial>& trials() const { return trials_; }
  [[nodiscard]] Index num_told() const { return static_cast<Index>(told_.size()); }
  /// Trials in the order of telling.
  [[nodiscard]] const std::vector<Index>& told() const { return told_; }
  /// May be asked: not pending, not failed, and not told unless repeats are allowed.
  [[nodiscard]] bool is_open(Index candidate) const;
  /// All open candidates, ascending.
  [[nodiscard]] std::vector<Index> open() const;
  /// One candidate more or, of the last ones, which have no trials, fewer.
  void resize(Index num_candidates) { uses_.resize(static_cast<std::size_t>(num_candidates)); }
  /// Throws unless `candidate` is one.
  void require_candidate(std::string_view where, Index candidate) const;

  /// Opens a trial and returns its number.
  Index ask(Index candidate, const PointRef& point, bool is_initial);
  /// Forgets the trials from `first` on; all of them pending.
  void withdraw(Index first);
  /// The pending trial that a suggestion names. @throws InvalidArgument if there is none.
  [[nodiscard]] Index pending(std::string_view where, const Suggestion& suggestion) const;
  /// Candidates of all pending trials, in the order of asking.
  [[nodiscard]] std::vector<Index> pending() const;
  /// The oldest pending trial of a candidate, or -1.
  [[nodiscard]] Index oldest_pending(Index candidate) const;
  /// Answers a pending trial.
  void tell(Index trial, double value, std::optional<double> noise_stddev);
  /// Appends a trial that was never asked.
  void tell_foreign(Index candidate,
                    const PointRef& point,
                    double value,
                    std::optional<double> noise_stddev);
  void tell_failed(Index trial);
  /// A book with these trials, told in this order. @throws InvalidArgument if they contradict each
  /// other or name candidates that there are not.
  [[nodiscard]] TrialBook filled(const std::vector<Trial>& trials,
                                 const std::vector<Index>& told) const;

 private:
  struct Use {
    Index told = 0;
    Index pending = 0;
    bool has_failed = false;
  };
  [[nodiscard]] Use& use_of(const Trial& trial);
  [[nodiscard]] Trial& at(Index trial) { return trials_[static_cast<std::size_t>(trial)]; }

  bool repeats_;
  std::vector<Use> uses_;  // by candidate
  std::vector<Trial> trials_;
  std::vector<Index> told_;
};

}  // namespace pomlux
