// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>   // seeds
#include <memory>    // plug-ins
#include <optional>  // nothing left to ask
#include <pomlux/core/acquisition.hpp>
#include <pomlux/core/box.hpp>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/pom_estimator.hpp>
#include <pomlux/core/surrogate.hpp>
#include <vector>  // trials

namespace pomlux {

enum class TrialState { kAsked, kTold, kFailed };

/// One evaluation, in the order of asking or, for foreign data, of telling.
struct Trial {
  Index candidate = -1;
  Point point;  ///< [d] of the candidate
  TrialState state = TrialState::kAsked;
  bool is_initial = false;             ///< from the initial design
  bool is_foreign = false;             ///< told without having been asked
  std::optional<double> value;         ///< user's sign; set when told
  std::optional<double> noise_stddev;  ///< if told with its own
};

/// What to evaluate next. `trial` identifies it when it comes back.
struct Suggestion {
  Index trial = -1;
  Index candidate = -1;
  Point point;  ///< [d]
  bool is_initial = false;
};

/// Where an optimiser stands, as far as it does not follow from how it was made.
struct OptimizerState {
  std::vector<Trial> trials;
  std::vector<Index> told;           ///< trials in the order of telling, that of the observations
  Index initial_asked = 0;           ///< places of the initial design used up
  Index asked = 0;                   ///< asks answered by the acquisition
  std::optional<Index> told_at_fit;  ///< values told before the last fit; none: not fitted yet
  Vector parameters;                 ///< Surrogate::exact_parameters()
};

enum class InitialDesign {
  kRandom,  ///< uniform; without replacement unless repeats are allowed
  kSobol,   ///< sobol_candidates; over a box, Sobol points
};

struct OptimizerOptions {
  /// Any 64-bit value; the whole run is a function of it and of what is told.
  std::uint64_t seed = 0;
  Sense sense = Sense::kMaximize;
  /// Candidates asked before the acquisition takes over. Not negative; 0 starts from the prior. One
  /// that cannot be asked when its turn comes (see `repeats`) is replaced by a random open one.
  Index initial = 0;
  InitialDesign initial_design = InitialDesign::kRandom;
  /// If not empty, these candidates are the initial design and `initial` must be 0 or their number.
  /// Those that cannot be asked when their turn comes are left out.
  std::vector<Index> initial_candidates = {};
  /// May a candidate with a told value be asked again? Pending and failed ones are never.
  bool repeats = false;
  /// Refit before a suggestion of the acquisition if no fit was made yet or at least this many
  /// values were told since; 0: never. Nothing is fitted before the first value.
  Index fit_every = 1;
  /// No scheduled fit once more values than this were told; the first one is always made.
  std::optional<Index> fit_until = std::nullopt;
  /// Of an optimiser over a box; not looked at over a finite domain.
  BoxSearchOptions search = {};
};
void validate(const OptimizerOptions& options);

/// Parts of the last ask(), wall-clock seconds (steady clock), and its fit.
struct AskReport {
  FitReport fit;
  double fit_seconds = 0.0;
  double posterior_seconds = 0.0;
  double acquisition_seconds = 0.0;
  double score = 0.0;  ///< of the chosen candidate; 0 in the initial design
};

/// A candidate and its value, user's sign.
struct Incumbent {
  Index candidate = -1;
  double value = 0.0;
  double stddev = 0.0;  ///< 0 for an observation
};

/// Ask/tell Bayesian optimisation over a finite domain or a box. Knows only the seams.
///
/// Order of work: ask() -> (refit) -> posterior over the domain -> scores -> open candidate with
/// the largest score, lowest index on ties. Rules that condition on pending evaluations see their
/// variance lowered, the mean as it is; posterior() and pom() are of what was told. Values may be
/// told in any order, also for candidates never asked ("foreign data"); observations that the
/// surrogate brings along stay in its posterior but are no trials, and its pending points are the
/// optimiser's. Every call that throws, because of its arguments or because the surrogate,
/// rule or estimator threw, leaves trials and random streams as they were and can be repeated.
///
/// Over a box the domain is a set of candidates that every ask and every tell renews: first the
/// points that were asked or told, by order of appearance, which is their candidate number for
/// good; behind them the points to choose from next. posterior(), pom() and the answers made of
/// them are over this set. The choice is polished (BoxSearchOptions), so it may be a point that was
/// no candidate; one that was told, is pending or failed is not asked again unless `repeats` says
/// so. The set is a function of the seed, the number of asks and of what was told.
///
/// The same seed and the same calls give the same answers bit for bit. Streams: (seed,
/// "initial_design"), ("acquisition", "fit" and "candidates", acquisition asks so far), ("pom",
/// values told).
/// Not copyable; one thread at a time per object; objects share no state.
class Optimizer {
 public:
  /// @throws InvalidArgument if a part is missing, dimensions differ, or options are out of range.
  Optimizer(Domain domain,
            std::unique_ptr<Surrogate> surrogate,
            std::unique_ptr<Acquisition> acquisition,
            OptimizerOptions options = {});
  /// The surrogate takes encoded points (Box::encode). @throws as above; also for
  /// initial_candidates, which number the points of a finite domain.
  Optimizer(Box box,
            std::unique_ptr<Surrogate> surrogate,
            std::unique_ptr<Acquisition> acquisition,
            OptimizerOptions options = {});
  ~Optimizer();
  Optimizer(Optimizer&&) noexcept;
  Optimizer& operator=(Optimizer&&) noexcept;

  /// The next candidate, or nothing when every candidate is used, pending or failed ("domain
  /// exhausted").
  [[nodiscard]] std::optional<Suggestion> ask();
  /// q >= 1 different suggestions, as by q calls of ask(); fewer, or none, when the domain runs
  /// out.
  [[nodiscard]] std::vector<Suggestion> ask(Index q);

  /// Answers a pending trial; each can be answered once. @throws InvalidArgument if the trial is
  /// unknown or not pending, the value is not finite, or noise_stddev is negative or not finite.
  void tell(const Suggestion& suggestion,
            double value,
            std::optional<double> noise_stddev = std::nullopt);
  /// By candidate: answers its oldest pending trial, else foreign data (a repeat if told before).
  void tell(Index candidate, double value, std::optional<double> noise_stddev = std::nullopt);
  /// The first candidate equal to the point; any point of a box. @throws InvalidArgument also if
  /// there is none, the point is not in the box, or the dimension differs.
  void tell(const PointRef& point, double value, std::optional<double> noise_stddev = std::nullopt);
  /// The evaluation failed: the candidate is not asked again.
  void tell_failed(const Suggestion& suggestion);

  /// Belief over the domain given all that was told, user's sign, with the hyper-parameters of the
  /// last fit. Valid until the next non-const call.
  [[nodiscard]] const GaussianVector& posterior();
  /// Probability of each candidate being the optimum in the user's sense, of posterior().
  [[nodiscard]] Pom pom(const PomEstimator& estimator, Rng& rng);
  [[nodiscard]] Pom pom(const PomEstimator& estimator);
  /// Best told value; nothing before the first. Lowest trial on ties.
  [[nodiscard]] std::optional<Incumbent> best_observed() const;
  /// Best posterior mean over the domain, with its standard deviation.
  [[nodiscard]] Incumbent best_by_model();

  // Parts of state(), without copies.
  [[nodiscard]] Index initial_asked() const;
  [[nodiscard]] Index asked() const;
  [[nodiscard]] std::optional<Index> told_at_fit() const;
  /// For continuing elsewhere: an optimiser made like this one and restored to this state goes on
  /// bit for bit as this one would.
  [[nodiscard]] OptimizerState state() const;
  /// Of an optimiser that was not asked or told anything yet. last_ask() stays empty.
  /// @throws InvalidArgument, leaving it as it was, if it was, or the state contradicts itself or
  /// does not fit the domain or the surrogate.
  void restore(const OptimizerState& state);

  /// Refits now, whatever the schedule says; does nothing before the first value.
  FitReport fit();
  [[nodiscard]] const std::vector<Trial>& trials() const;
  /// Trials in the order of telling.
  [[nodiscard]] const std::vector<Index>& told() const;
  [[nodiscard]] Index num_told() const;
  [[nodiscard]] const AskReport& last_ask() const;
  /// The candidates, in the user's coordinates. Over a box: as of now, valid until the next
  /// non-const call.
  [[nodiscard]] const Domain& domain() const;
  /// The box, or null over a finite domain.
  [[nodiscard]] const Box* box() const;
  [[nodiscard]] const Surrogate& surrogate() const;
  [[nodiscard]] const OptimizerOptions& options() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pomlux
