// SPDX-License-Identifier: MIT
#pragma once
// Private to core: what an optimiser holds and how it asks.

#include <memory>    // plug-ins
#include <optional>  // nothing left to ask
#include <pomlux/core/optimizer.hpp>
#include <pomlux/core/trial_book.hpp>
#include <vector>  // initial design

namespace pomlux {

struct Optimizer::Impl {
  Impl(Domain domain_,
       std::unique_ptr<Surrogate> surrogate_,
       std::unique_ptr<Acquisition> acquisition_,
       OptimizerOptions options_);

  [[nodiscard]] std::vector<Index> plan_initial_design() const;
  [[nodiscard]] std::optional<Index> take_initial();
  [[nodiscard]] std::optional<Suggestion> ask();
  [[nodiscard]] std::optional<Suggestion> ask_acquisition();
  [[nodiscard]] Suggestion suggest(Index candidate, bool is_initial);
  [[nodiscard]] bool is_fit_due() const;
  FitReport fit();
  /// Posterior in the direction of maximisation, as rules and estimators see it.
  [[nodiscard]] const GaussianVector& belief();
  [[nodiscard]] std::optional<Incumbent> best_observed() const;

  Domain domain;
  std::unique_ptr<Surrogate> surrogate;
  std::unique_ptr<Acquisition> acquisition;
  OptimizerOptions options;
  TrialBook book;
  std::vector<Index> initial;  // the whole initial design
  std::optional<Index> told_at_fit;
  std::optional<NegatedGaussian> negated;  // belief() of a minimisation

  /// What an ask changes besides the book.
  struct Progress {
    std::size_t next_initial = 0;
    Index asked = 0;  // asks answered by the acquisition; keys the random streams
    AskReport report;
  } progress;
};

}  // namespace pomlux
