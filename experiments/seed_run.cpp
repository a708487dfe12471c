// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <exception>  // whatever objectives throw
#include <new>        // std::bad_alloc
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/evaluation.hpp>
#include <pomlux/experiments/make_optimizer.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/runner.hpp>
#include <pomlux/experiments/seed_files.hpp>
#include <pomlux/experiments/seed_journal.hpp>
#include <pomlux/experiments/seed_truth.hpp>
#include <pomlux/experiments/stopwatch.hpp>
#include <pomlux/experiments/tracker.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

/// Everything of one seed while it runs.
class SeedRun {
 public:
  SeedRun(const Experiment& experiment,
          std::uint64_t seed,
          const std::filesystem::path& folder,
          const RunHooks& hooks,
          SeedJournal& journal)
      : config_(experiment.config),
        seed_(seed),
        folder_(folder),
        hooks_(hooks),
        journal_(journal),
        domain_(domain_of(experiment, seed)),
        objective_(hooks.make_objective
                       ? hooks.make_objective(domain_, seed)
                       : make_objective(objective_section(config_), domain_, seed)),
        policy_(failure_policy(config_.at("objective"))),
        optimizer_(make_optimizer(config_, domain_, seed)),
        truth_(config_, *objective_, domain_),
        tracker_(config_.at("track"), seed) {
    budget_ = budget_of(config_);
    objective_->stop_when(hooks_.should_stop);
  }

  /// Goes on where an earlier process was, or begins.
  void begin(SeedOutcome& outcome);
  /// Evaluates until the budget is used, the domain is, somebody says stop, or something throws.
  void evaluate_all(SeedOutcome& outcome);
  /// The final posterior, refitted on all that was told (unless fit.until has passed), into
  /// posterior.csv and the outcome.
  void finish(SeedOutcome& outcome);

 private:
  [[nodiscard]] SeedColumns columns() const;
  [[nodiscard]] std::string name_of(Index step, const Suggestion& suggestion) const;
  void evaluate(StepRecord& record);
  void tell(StepRecord& record);
  void count_evaluation(Index candidate) {
    const auto position = static_cast<std::size_t>(candidate);
    if (position >= evaluations_.size()) evaluations_.resize(position + 1, 0);
    ++evaluations_[position];
  }
  bool take_step(Index step, SeedOutcome& outcome);
  [[nodiscard]] Tracker::Estimate current() {
    return [this](const PomEstimator& one, Rng& rng) { return optimizer_.pom(one, rng); };
  }
  [[nodiscard]] std::vector<RecallCurve> recalls(Index step, const std::vector<PomRecord>& poms);
  [[nodiscard]] StepRecord::Model model_record(Index step, SeedOutcome& outcome);
  void count_fit(const FitReport& fit, SeedOutcome& outcome);
  void add_warnings(SeedOutcome& outcome) const;
  void report_progress(const StepRecord& record) const;

  const Json& config_;
  std::uint64_t seed_;
  const std::filesystem::path& folder_;
  const RunHooks& hooks_;
  SeedJournal& journal_;
  Domain domain_;  // of a box: its candidates in the beginning, and in the end
  std::unique_ptr<Objective> objective_;
  FailurePolicy policy_;
  Optimizer optimizer_;
  SeedTruth truth_;
  std::vector<Index> evaluations_;  // per candidate
  Tracker tracker_;
  std::optional<SeedFiles> files_;
  Index budget_ = 0;
  SeedCounters counters_;
  double seconds_before_ = 0.0;  // of earlier processes
  Stopwatch watch_;
};

void SeedRun::begin(SeedOutcome& outcome) {
  SeedFileSizes kept;
  if (std::optional<SeedJournal::Restored> restored = journal_.restore(optimizer_)) {
    counters_ = std::move(restored->counters);
    tracker_.go_on_after(counters_.unconverged_poms);
    kept = restored->files;
    outcome.seconds = restored->gathered.seconds;
    outcome.jitter = restored->gathered.jitter;
    outcome.fit_bounds = std::move(restored->gathered.fit_bounds);
    seconds_before_ = outcome.seconds.total;
    for (const Trial& trial : optimizer_.trials()) {
      if (trial.value) count_evaluation(trial.candidate);
    }
  }
  files_.emplace(folder_, columns(), kept);
  if (const std::string note = journal_.note(); !note.empty() && hooks_.on_note) {
    hooks_.on_note("seed " + format_number(seed_) + " " + note);
  }
  if (const std::string difference = journal_.build_difference(); !difference.empty()) {
    outcome.warnings.push_back("begun by another build, so bits may differ: " + difference);
  }
}

SeedColumns SeedRun::columns() const {
  SeedColumns columns;
  for (const Hyperparameter& one : optimizer_.surrogate().hyperparameters()) {
    columns.hyperparameters.push_back(one.name);
  }
  columns.coordinates = coordinate_columns(domain_, columns.hyperparameters);
  columns.estimators = tracker_.names();
  columns.has_regret = truth_.has_optimum();
  columns.has_entropy = tracker_.has_entropy();
  columns.has_recall = tracker_.has_recall();
  columns.truth = tracker_.truth();
  return columns;
}

/// "step 4 (candidate 7: x_0 = 0.5, x_1 = 1)", counted as in steps.csv.
std::string SeedRun::name_of(Index step, const Suggestion& suggestion) const {
  return "step " + std::to_string(step) + " (candidate " + std::to_string(suggestion.candidate) +
         ": " + coordinates_text(domain_.names(), suggestion.point, optimizer_.box()) + ")";
}

/// Fills in what the objective says. @throws InvalidArgument with step and point for mistakes of
/// the caller, and for failures if they are to stop the seed; EvaluationStopped.
void SeedRun::evaluate(StepRecord& record) {
  Rng rng = make_stream(seed_, "objective_noise", static_cast<std::uint64_t>(record.step));
  std::optional<Evaluation> known = journal_.answer();
  Evaluation found;
  try {
    found = known ? std::move(*known) : evaluate_once(*objective_, record.suggestion.point, rng);
  } catch (const EvaluationStopped&) {
    throw;
  } catch (...) {
    fail(name_of(record.step, record.suggestion), message_of(std::current_exception()));
  }
  record.value = found.value;
  record.noise_stddev = found.noise_stddev;
  record.failure = std::move(found.failure);
  if (record.failure.empty()) return;
  if (policy_.kind == FailurePolicy::Kind::kStop) {
    fail(name_of(record.step, record.suggestion), record.failure);
  }
  if (counters_.failed_steps++ == 0) {
    counters_.first_failure = name_of(record.step, record.suggestion) + ": " + record.failure;
  }
  record.state = StepState::kFailed;
  if (policy_.kind == FailurePolicy::Kind::kSkip) return;
  record.state = StepState::kPenalised;
  record.value = policy_.penalty;
  record.noise_stddev.reset();  // of equal values without noise a likelihood may be unbounded
}

void SeedRun::tell(StepRecord& record) {
  const Index candidate = record.suggestion.candidate;
  if (record.value) {
    optimizer_.tell(record.suggestion, *record.value, record.noise_stddev);
    count_evaluation(candidate);
    record.regret = truth_.regret(candidate, record.suggestion.point);
  } else {
    optimizer_.tell_failed(record.suggestion);
  }
  journal_.answered(optimizer_, record.suggestion.trial, record.failure);
  if (const std::optional<Incumbent> best = optimizer_.best_observed()) {
    record.best_observed = best->value;
  }
  if (record.regret) {
    counters_.simple_regret =
        std::min(*record.regret, counters_.simple_regret.value_or(*record.regret));
  }
  record.simple_regret = counters_.simple_regret;
}

std::vector<RecallCurve> SeedRun::recalls(Index step, const std::vector<PomRecord>& poms) {
  Rng rng = make_stream(seed_, "track:ts", static_cast<std::uint64_t>(step));
  const Pom& truth = find_record(poms, *tracker_.truth())->pom;
  const GaussianVector& f = optimizer_.posterior();
  if (optimizer_.options().sense == Sense::kMaximize) return recall_curves(f, poms, truth, rng);
  return recall_curves(NegatedGaussian(f), poms, truth, rng);
}

StepRecord::Model SeedRun::model_record(Index step, SeedOutcome& outcome) {
  StepRecord::Model model;
  model.best_mean = optimizer_.best_by_model().value;
  model.hyperparameters = optimizer_.surrogate().hyperparameters();
  model.log_likelihood = optimizer_.surrogate().log_likelihood();
  if (tracker_.looks_at(step - optimizer_.initial_asked())) {
    model.poms = tracker_.estimate(step, current());
    if (tracker_.has_recall()) model.recalls = recalls(step, model.poms);
    outcome.seconds.estimator += estimate_seconds(model.poms);
    counters_.unconverged_poms = tracker_.unconverged();
  }
  outcome.jitter = std::max(outcome.jitter, optimizer_.surrogate().jitter());
  return model;
}

void SeedRun::count_fit(const FitReport& fit, SeedOutcome& outcome) {
  if (fit.status == Status::kFellBack) ++counters_.fallen_back_fits;
  if (fit.status == Status::kNotRun) return;
  const auto* const gp = dynamic_cast<const GaussianProcess*>(&optimizer_.surrogate());
  if (gp != nullptr) outcome.fit_bounds = gp->fit_bounds();
}

void SeedRun::report_progress(const StepRecord& record) const {
  if (!hooks_.on_step) return;
  StepProgress progress{seed_, counters_.steps, budget_, record.best_observed, {}};
  if (record.model && !record.model->poms.empty()) {
    progress.entropy = record.model->poms.front().pom.entropy();
  }
  hooks_.on_step(progress);
}

/// Asks, evaluates, tells and writes. False if there is nothing to ask.
bool SeedRun::take_step(Index step, SeedOutcome& outcome) {
  const std::optional<Suggestion> suggestion = optimizer_.ask();
  if (!suggestion) return false;
  StepRecord record;
  record.step = step;
  record.suggestion = *suggestion;
  record.ask = optimizer_.last_ask();
  journal_.asked(optimizer_, *suggestion);
  outcome.seconds.fit += record.ask.fit_seconds;
  outcome.seconds.posterior += record.ask.posterior_seconds;
  outcome.seconds.acquisition += record.ask.acquisition_seconds;
  count_fit(record.ask.fit, outcome);
  if (!suggestion->is_initial) record.model = model_record(step, outcome);
  evaluate(record);
  tell(record);
  ++counters_.steps;
  Stopwatch writing;
  files_->append(record);
  const bool is_sync_due = journal_.is_sync_due();
  outcome.seconds.writing += writing.lap();
  outcome.seconds.total = seconds_before_ + watch_.seconds();
  journal_.done(counters_, outcome, files_->sizes());
  if (is_sync_due) files_->sync();
  outcome.seconds.writing += writing.seconds();
  report_progress(record);
  return true;
}

void SeedRun::evaluate_all(SeedOutcome& outcome) {
  const auto interrupt = [&] {
    outcome.status = SeedStatus::kInterrupted;
    outcome.reason = "interrupted after " + std::to_string(counters_.steps) + " of " +
                     std::to_string(budget_) + " evaluations";
  };
  outcome.status = SeedStatus::kDone;
  outcome.reason = "budget of " + std::to_string(budget_) + " evaluations used";
  for (Index step = counters_.steps; step < budget_; ++step) {
    if (hooks_.should_stop && hooks_.should_stop()) return interrupt();
    try {
      if (take_step(step, outcome)) continue;
    } catch (const EvaluationStopped&) {
      return interrupt();
    }
    outcome.status = SeedStatus::kExhausted;
    const Index size =
        optimizer_.box() ? static_cast<Index>(optimizer_.trials().size()) : domain_.size();
    outcome.reason = "domain exhausted: all " + std::to_string(size) + " candidates are evaluated" +
                     (counters_.failed_steps > 0 ? " or failed" : " and repeats are off");
    break;
  }
  if (counters_.failed_steps > 0 && counters_.failed_steps == counters_.steps) {
    outcome.status = SeedStatus::kFailed;
    outcome.reason = "all " + std::to_string(counters_.steps) +
                     " evaluations failed; the first: " + counters_.first_failure;
  }
}

void SeedRun::add_warnings(SeedOutcome& outcome) const {
  if (counters_.failed_steps > 0) {
    outcome.warnings.push_back(std::to_string(counters_.failed_steps) + " of " +
                               std::to_string(counters_.steps) + " evaluations failed" +
                               (policy_.kind == FailurePolicy::Kind::kPenalise
                                    ? ", told as " + format_number(policy_.penalty)
                                    : "") +
                               "; the first: " + counters_.first_failure);
  }
  if (outcome.jitter > 0.0) {
    outcome.warnings.push_back("a covariance matrix was not positive definite; up to " +
                               format_number(outcome.jitter) + " was added to its diagonal");
  }
  if (counters_.fallen_back_fits > 0) {
    outcome.warnings.push_back(
        std::to_string(counters_.fallen_back_fits) +
        " fits ended early or kept the values before, as the likelihood could not be computed");
  }
  if (counters_.unconverged_poms > 0) {
    outcome.warnings.push_back(std::to_string(counters_.unconverged_poms) +
                               " estimates did not reach their accuracy; see pom.csv");
  }
  const Index n = domain_.size();
  if (n > kMostCoordinateCells / domain_.dimension()) {
    outcome.warnings.emplace_back("posterior.csv is without coordinates, as they are too many");
  }
}

void SeedRun::finish(SeedOutcome& outcome) {
  outcome.evaluations = counters_.steps;
  outcome.failed_evaluations = counters_.failed_steps;
  outcome.best_observed = optimizer_.best_observed();
  if (outcome.best_observed) {
    outcome.best_observed_point = optimizer_.domain().point(outcome.best_observed->candidate);
  }
  outcome.simple_regret = counters_.simple_regret;
  Stopwatch watch;
  const OptimizerOptions& options = optimizer_.options();
  const bool is_schedule_over = options.fit_until && outcome.evaluations > *options.fit_until;
  if (options.fit_every > 0 && !is_schedule_over) count_fit(optimizer_.fit(), outcome);
  outcome.seconds.fit += watch.lap();
  const GaussianVector& posterior = optimizer_.posterior();
  outcome.best_mean = optimizer_.best_by_model();
  domain_ = optimizer_.domain();
  evaluations_.resize(static_cast<std::size_t>(domain_.size()), 0);
  if (optimizer_.box()) truth_.look_at(domain_);
  outcome.inference_regret =
      truth_.regret(outcome.best_mean->candidate, domain_.point(outcome.best_mean->candidate));
  outcome.seconds.posterior += watch.lap();
  const std::vector<PomRecord> poms = tracker_.estimate(
      budget_, current(), [this](const std::string& name) { return tracker_.is_final(name); });
  outcome.seconds.estimator += estimate_seconds(poms);
  counters_.unconverged_poms = tracker_.unconverged();
  for (const PomRecord& one : poms)
    outcome.entropies.emplace_back(one.estimator, one.pom.entropy());
  outcome.hyperparameters = optimizer_.surrogate().hyperparameters();
  outcome.log_likelihood = optimizer_.surrogate().log_likelihood();
  outcome.jitter = std::max(outcome.jitter, optimizer_.surrogate().jitter());
  add_warnings(outcome);
  const Stopwatch writing;
  write_posterior(folder_ / "posterior.csv",
                  {domain_, columns().coordinates, posterior, truth_.values(), evaluations_, poms});
  outcome.candidates = domain_.size();
  outcome.seconds.writing += writing.seconds();
  outcome.seconds.total = seconds_before_ + watch_.seconds();
  const bool is_over =
      outcome.status == SeedStatus::kDone || outcome.status == SeedStatus::kExhausted;
  if (is_over) journal_.finish(outcome);
}

/// The budget may have grown since.
bool wants_more(const SeedOutcome& finished, const Experiment& experiment) {
  return finished.status == SeedStatus::kDone &&
         finished.evaluations < budget_of(experiment.config);
}

}  // namespace

SeedOutcome run_seed(const Experiment& experiment,
                     std::uint64_t seed,
                     const std::filesystem::path& folder,
                     const RunHooks& hooks,
                     bool resumes) {
  SeedOutcome outcome;
  outcome.seed = seed;
  outcome.status = SeedStatus::kRunning;
  const auto guarded = [&](const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      outcome.status = SeedStatus::kFailed;
      outcome.reason = message_of(std::current_exception());
    }
  };
  std::optional<SeedJournal> journal;
  std::optional<SeedRun> run;
  guarded([&] {
    journal.emplace(folder, seed, resumes);
    std::optional<SeedOutcome> finished = journal->finished();
    if (finished && !wants_more(*finished, experiment)) {
      outcome = std::move(*finished);
      return;
    }
    run.emplace(experiment, seed, folder, hooks, *journal);
    run->begin(outcome);
  });
  if (!run || outcome.status != SeedStatus::kRunning) return outcome;
  guarded([&] { run->evaluate_all(outcome); });
  const std::string reason = outcome.reason;
  const bool has_failed = outcome.status == SeedStatus::kFailed;
  guarded([&] { run->finish(outcome); });
  if (has_failed) outcome.reason = reason;  // the first error explains the second
  return outcome;
}

}  // namespace pomlux
