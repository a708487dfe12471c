// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // names of journals
#include <pomlux/core/optimizer.hpp>
#include <pomlux/experiments/journal.hpp>
#include <pomlux/experiments/json.hpp>
#include <string>  // reasons

namespace pomlux {

/// The first event of a journal: format, seed, and the build that wrote it.
[[nodiscard]] Json header_event(std::uint64_t seed);
/// In what the build that wrote a header differs from this one as far as bits may depend on it;
/// empty if it does not.
[[nodiscard]] std::string build_difference(const Json& header);

/// What asks and answers leave in a journal, and back. The events in their order are an
/// OptimizerState: each adds to it what it changed.
class OptimizerLog {
 public:
  /// After optimizer.ask() gave this suggestion: {"event": "asked", trial, candidate, point,
  /// initial, initial_asked, asked, told_at_fit, and parameters where a fit has changed them}.
  [[nodiscard]] Json asked(const Optimizer& optimizer, const Suggestion& suggestion);
  /// {"event": "told", trial, candidate, point, value, noise_stddev, foreign}.
  [[nodiscard]] static Json told(const Optimizer& optimizer, Index trial);
  /// {"event": "failed", trial, candidate, point, reason}.
  [[nodiscard]] static Json failed(const Optimizer& optimizer,
                                   Index trial,
                                   const std::string& reason);

  /// Applies an event of a trial. @throws InvalidArgument if it does not
  /// follow from the events before.
  void apply(const Json& event);
  /// Is there anything to restore?
  [[nodiscard]] bool is_empty() const { return state_.trials.empty(); }
  /// After the events applied so far, for Optimizer::restore. @param fresh an optimiser without
  /// trials, for the parameters before the first fit.
  [[nodiscard]] OptimizerState state(const Optimizer& fresh) const;

 private:
  OptimizerState state_;
};

/// An ask or the answer to one.
[[nodiscard]] bool is_of_trial(const Json& event);
/// Applies the events of the first `num_trials` trials. @throws InvalidArgument naming file and
/// line.
void replay(const std::filesystem::path& path,
            const JournalText& journal,
            std::size_t num_trials,
            OptimizerLog& log);

}  // namespace pomlux
