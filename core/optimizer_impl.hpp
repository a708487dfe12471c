// SPDX-License-Identifier: MIT
#pragma once
// Private to core: what an optimiser holds and how it asks.

#include <memory>    // plug-ins
#include <optional>  // nothing left to ask
#include <pomlux/core/box_search.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/core/trial_book.hpp>
#include <vector>  // initial design

namespace pomlux {

struct Optimizer::Impl {
  Impl(Domain domain_,
       std::unique_ptr<Surrogate> surrogate_,
       std::unique_ptr<Acquisition> acquisition_,
       OptimizerOptions options_);
  Impl(Box box_,
       std::unique_ptr<Surrogate> surrogate_,
       std::unique_ptr<Acquisition> acquisition_,
       OptimizerOptions options_);

  /// Candidates as the user and as the model sees them; over a box, renewed if they are stale.
  [[nodiscard]] const Domain& domain();
  [[nodiscard]] const Domain& encoded();
  void renew();
  /// Of a candidate that was asked or told, or any one of a finite domain.
  [[nodiscard]] Point point_of(Index candidate) const;
  [[nodiscard]] Point encoded_point_of(Index candidate) const;
  /// The number of a point of the box, which gets one if it has none.
  Index adopt(const PointRef& point);
  /// Over a box: forgets the points that were adopted after the first `num_known`.
  void forget(Index num_known);
  /// Candidates with the best told values, `count` at most, the best first.
  [[nodiscard]] std::vector<Index> best_told(std::size_t count) const;

  [[nodiscard]] std::vector<Index> plan_initial_design() const;
  [[nodiscard]] Index design_size() const {
    return static_cast<Index>(box ? initial_points.size() : initial.size());
  }
  [[nodiscard]] std::optional<Index> take_initial(std::size_t& next);
  [[nodiscard]] std::optional<Index> take_initial_point(std::size_t& next);
  [[nodiscard]] std::optional<Suggestion> ask();
  [[nodiscard]] std::optional<Suggestion> ask_acquisition();
  /// Candidates that may be asked, as rows of domain().
  [[nodiscard]] std::vector<Index> open_candidates();
  /// The best polished point above `score` that may be asked, if there is one.
  [[nodiscard]] std::optional<ScoredPoint> polish_best(const AcquisitionContext& context,
                                                       const std::vector<Index>& candidates,
                                                       const Vector& scores,
                                                       double score) const;
  [[nodiscard]] Suggestion suggest(Index candidate, bool is_initial);
  [[nodiscard]] bool is_fit_due() const;
  FitReport fit();
  /// Posterior in the direction of maximisation, as rules and estimators see it.
  [[nodiscard]] const GaussianVector& belief();
  [[nodiscard]] std::optional<Incumbent> best_observed() const;

  std::optional<Domain> finite;      // either this
  std::optional<BoxCandidates> box;  // or this
  bool is_stale = true;              // candidates of the box
  std::unique_ptr<Surrogate> surrogate;
  std::unique_ptr<Acquisition> acquisition;
  OptimizerOptions options;
  TrialBook book;
  std::vector<Index> initial;         // the whole initial design
  std::vector<Point> initial_points;  // that of a box
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
