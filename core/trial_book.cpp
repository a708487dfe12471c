// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/core/trial_book.hpp>

namespace pomlux {

TrialBook::TrialBook(Index num_candidates, bool repeats)
    : repeats_(repeats), uses_(static_cast<std::size_t>(num_candidates)) {}

TrialBook::Use& TrialBook::use_of(const Trial& trial) {
  return uses_[static_cast<std::size_t>(trial.candidate)];
}

bool TrialBook::is_open(Index candidate) const {
  const Use& use = uses_[static_cast<std::size_t>(candidate)];
  return use.pending == 0 && !use.has_failed && (repeats_ || use.told == 0);
}

std::vector<Index> TrialBook::open() const {
  std::vector<Index> result;
  for (Index candidate = 0; candidate < static_cast<Index>(uses_.size()); ++candidate) {
    if (is_open(candidate)) result.push_back(candidate);
  }
  return result;
}

void TrialBook::require_candidate(std::string_view where, Index candidate) const {
  const auto n = static_cast<Index>(uses_.size());
  if (candidate >= 0 && candidate < n) return;
  fail(where, "candidate " + format_number(candidate) + " is not in 0.." + format_number(n - 1));
}

Index TrialBook::ask(Index candidate, const PointRef& point, bool is_initial) {
  Trial trial;
  trial.candidate = candidate;
  trial.point = point;
  trial.is_initial = is_initial;
  trials_.push_back(trial);
  ++use_of(trial).pending;
  return static_cast<Index>(trials_.size()) - 1;
}

void TrialBook::withdraw(Index first) {
  while (static_cast<Index>(trials_.size()) > first) {
    POMLUX_ASSERT(trials_.back().state == TrialState::kAsked);
    --use_of(trials_.back()).pending;
    trials_.pop_back();
  }
}

Index TrialBook::pending(std::string_view where, const Suggestion& suggestion) const {
  const Index index = suggestion.trial;
  const std::string name = "trial " + format_number(index) + " for candidate " +
                           format_number(suggestion.candidate) + " ";
  if (index < 0 || index >= static_cast<Index>(trials_.size())) {
    fail(where,
         name + "was not asked; there are " + format_number(static_cast<Index>(trials_.size())));
  }
  const Trial& trial = trials_[static_cast<std::size_t>(index)];
  if (trial.candidate != suggestion.candidate) {
    fail(where,
         name + "was not asked; trial " + format_number(index) + " is for candidate " +
             format_number(trial.candidate));
  }
  if (trial.state == TrialState::kTold) {
    fail(where, name + "was told before; a further value is told by candidate");
  }
  if (trial.state == TrialState::kFailed) fail(where, name + "was told as failed before");
  return index;
}

std::vector<Index> TrialBook::pending() const {
  std::vector<Index> result;
  for (const Trial& trial : trials_) {
    if (trial.state == TrialState::kAsked) result.push_back(trial.candidate);
  }
  return result;
}

Index TrialBook::oldest_pending(Index candidate) const {
  if (uses_[static_cast<std::size_t>(candidate)].pending == 0) return -1;
  Index index = 0;
  for (const Trial& trial : trials_) {
    if (trial.candidate == candidate && trial.state == TrialState::kAsked) return index;
    ++index;
  }
  return -1;
}

void TrialBook::tell(Index trial, double value, std::optional<double> noise_stddev) {
  Trial& told = at(trial);
  told.state = TrialState::kTold;
  told.value = value;
  told.noise_stddev = noise_stddev;
  --use_of(told).pending;
  ++use_of(told).told;
  told_.push_back(trial);
}

void TrialBook::tell_foreign(Index candidate,
                             const PointRef& point,
                             double value,
                             std::optional<double> noise_stddev) {
  Trial trial;
  trial.candidate = candidate;
  trial.point = point;
  trial.state = TrialState::kTold;
  trial.is_foreign = true;
  trial.value = value;
  trial.noise_stddev = noise_stddev;
  trials_.push_back(trial);
  ++use_of(trial).told;
  told_.push_back(static_cast<Index>(trials_.size()) - 1);
}

void TrialBook::tell_failed(Index trial) {
  Trial& failed = at(trial);
  failed.state = TrialState::kFailed;
  --use_of(failed).pending;
  use_of(failed).has_failed = true;
}

TrialBook TrialBook::filled(const std::vector<Trial>& trials,
                            const std::vector<Index>& told) const {
  const auto refuse = [](std::size_t trial, const std::string& what) {
    fail("OptimizerState", "trial " + format_number(static_cast<Index>(trial)) + " " + what);
  };
  TrialBook book(static_cast<Index>(uses_.size()), repeats_);
  for (const Trial& trial : trials) {
    const std::size_t index = book.trials_.size();
    book.require_candidate("OptimizerState", trial.candidate);
    const bool is_told = trial.state == TrialState::kTold;
    if (is_told != trial.value.has_value()) {
      refuse(index, is_told ? "was told and has no value" : "was not told and has a value");
    }
    if (trial.is_foreign && !is_told) refuse(index, "is foreign and was not told");
    book.trials_.push_back(trial);
    Use& use = book.use_of(trial);
    if (trial.state == TrialState::kAsked) ++use.pending;
    if (trial.state == TrialState::kFailed) use.has_failed = true;
  }
  std::vector<bool> is_listed(trials.size(), false);
  for (const Index trial : told) {
    const auto index = static_cast<std::size_t>(trial);
    if (trial < 0 || index >= trials.size() || is_listed[index] || !trials[index].value) {
      refuse(index, "is in the order of telling, but twice, unknown or not told");
    }
    is_listed[index] = true;
    ++book.use_of(trials[index]).told;
  }
  book.told_ = told;
  for (std::size_t index = 0; index < trials.size(); ++index) {
    if (trials[index].value && !is_listed[index]) {
      refuse(index, "was told and is missing in the order of telling");
    }
  }
  return book;
}

}  // namespace pomlux
