// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <exception>  // whatever objectives throw
#include <new>        // std::bad_alloc
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/evaluation.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/runner.hpp>
#include <pomlux/experiments/seed_files.hpp>
#include <pomlux/experiments/stopwatch.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

struct Tracked {
  std::string name;
  std::unique_ptr<PomEstimator> estimator;
};

OptimizerOptions optimizer_options(const Json& config, std::uint64_t seed) {
  const Json& budget = config.at("budget");
  const Json& fit = config.at("model").at("fit");
  OptimizerOptions options;
  options.seed = seed;
  options.sense = to_sense(config.at("objective"));
  options.initial = budget.at("initial").get<Index>();
  options.initial_design =
      budget.at("initial_design") == "sobol" ? InitialDesign::kSobol : InitialDesign::kRandom;
  options.initial_candidates = budget.at("initial_candidates").get<std::vector<Index>>();
  options.repeats = budget.at("repeats").get<bool>();
  options.fit_every = fit.at("method") == "none" ? 0 : fit.at("every").get<Index>();
  if (!fit.at("until").is_null()) options.fit_until = fit.at("until").get<Index>();
  return options;
}

/// Everything of one seed while it runs.
class SeedRun {
 public:
  SeedRun(const Experiment& experiment,
          std::uint64_t seed,
          const std::filesystem::path& folder,
          const RunHooks& hooks)
      : config_(experiment.config),
        seed_(seed),
        folder_(folder),
        hooks_(hooks),
        domain_(domain_of(experiment, seed)),
        objective_(hooks.make_objective ? hooks.make_objective(domain_, seed)
                                        : make_objective(config_.at("objective"), domain_, seed)),
        sign_(sign_of(to_sense(config_.at("objective")))),
        policy_(failure_policy(config_.at("objective"))),
        optimizer_(domain_,
                   make_model(config_.at("model"), domain_),
                   make_acquisition(config_.at("acquisition")),
                   optimizer_options(config_, seed)),
        true_values_(objective_->true_values(domain_.points())),
        evaluations_(static_cast<std::size_t>(domain_.size()), 0) {
    for (const Json& section : config_.at("track").at("estimators")) {
      tracked_.push_back({section.at("name").get<std::string>(), make_estimator(section)});
    }
    if (true_values_) optimum_ = (sign_ * *true_values_).maxCoeff();
    budget_ = config_.at("budget").at("initial").get<Index>() +
              config_.at("budget").at("steps").get<Index>();
    objective_->stop_when(hooks_.should_stop);
    files_.emplace(folder_, columns());
  }

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
  bool take_step(Index step, SeedOutcome& outcome);
  [[nodiscard]] std::vector<PomRecord> estimate(Index step, SeedOutcome& outcome);
  [[nodiscard]] StepRecord::Model model_record(Index step, SeedOutcome& outcome);
  void count_fit(const FitReport& fit, SeedOutcome& outcome);
  [[nodiscard]] std::optional<double> regret_of(Index candidate) const;
  void add_warnings(SeedOutcome& outcome) const;
  void report_progress(const StepRecord& record) const;

  const Json& config_;
  std::uint64_t seed_;
  const std::filesystem::path& folder_;
  const RunHooks& hooks_;
  Domain domain_;
  std::unique_ptr<Objective> objective_;
  double sign_;
  FailurePolicy policy_;
  Optimizer optimizer_;
  std::optional<Vector> true_values_;
  std::vector<Index> evaluations_;  // per candidate
  std::vector<Tracked> tracked_;
  std::optional<SeedFiles> files_;
  double optimum_ = 0.0;  // in the direction of maximisation, where true values are known
  std::optional<double> simple_regret_;
  Index budget_ = 0;
  Index steps_ = 0;         // taken, those that failed included
  Index failed_steps_ = 0;  // without a value of the objective
  std::string first_failure_;
  Index fallen_back_fits_ = 0;
  Index unconverged_poms_ = 0;
};

SeedColumns SeedRun::columns() const {
  SeedColumns columns;
  for (const Hyperparameter& one : optimizer_.surrogate().hyperparameters()) {
    columns.hyperparameters.push_back(one.name);
  }
  columns.coordinates = coordinate_columns(domain_, columns.hyperparameters);
  for (const Tracked& one : tracked_) columns.estimators.push_back(one.name);
  columns.has_regret = true_values_.has_value();
  columns.has_entropy = config_.at("track").at("entropy").get<bool>();
  const Json& truth = config_.at("track").at("truth");
  if (!truth.is_null()) columns.truth = truth.get<std::string>();
  return columns;
}

/// "step 4 (candidate 7: x_0 = 0.5, x_1 = 1)", counted as in steps.csv.
std::string SeedRun::name_of(Index step, const Suggestion& suggestion) const {
  return "step " + std::to_string(step) + " (candidate " + std::to_string(suggestion.candidate) +
         ": " + coordinates_text(domain_.names(), suggestion.point) + ")";
}

/// Fills in what the objective says. @throws InvalidArgument with step and point for mistakes of
/// the caller, and for failures if they are to stop the seed; EvaluationStopped.
void SeedRun::evaluate(StepRecord& record) {
  Rng rng = make_stream(seed_, "objective_noise", static_cast<std::uint64_t>(record.step));
  Evaluation found;
  try {
    found = evaluate_once(*objective_, record.suggestion.point, rng);
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
  if (failed_steps_++ == 0) {
    first_failure_ = name_of(record.step, record.suggestion) + ": " + record.failure;
  }
  record.state = StepState::kFailed;
  if (policy_.kind == FailurePolicy::Kind::kSkip) return;
  record.state = StepState::kPenalised;
  record.value = policy_.penalty;
  record.noise_stddev = 0.0;  // else a fit may take the penalty for noise
}

void SeedRun::tell(StepRecord& record) {
  const Index candidate = record.suggestion.candidate;
  if (record.value) {
    optimizer_.tell(record.suggestion, *record.value, record.noise_stddev);
    ++evaluations_[static_cast<std::size_t>(candidate)];
    record.regret = regret_of(candidate);
  } else {
    optimizer_.tell_failed(record.suggestion);
  }
  if (const std::optional<Incumbent> best = optimizer_.best_observed()) {
    record.best_observed = best->value;
  }
  if (record.regret) {
    simple_regret_ = std::min(*record.regret, simple_regret_.value_or(*record.regret));
  }
  record.simple_regret = simple_regret_;
}

std::vector<PomRecord> SeedRun::estimate(Index step, SeedOutcome& outcome) {
  std::vector<PomRecord> records;
  for (const Tracked& one : tracked_) {
    Rng rng = make_stream(seed_, "track:" + one.name, static_cast<std::uint64_t>(step));
    const Stopwatch watch;
    Pom pom = optimizer_.pom(*one.estimator, rng);
    const double seconds = watch.seconds();
    outcome.seconds.estimator += seconds;
    if (pom.status != Status::kConverged && pom.status != Status::kRoundingLimited) {
      ++unconverged_poms_;
    }
    records.push_back({one.name, std::move(pom), seconds});
  }
  return records;
}

StepRecord::Model SeedRun::model_record(Index step, SeedOutcome& outcome) {
  StepRecord::Model model;
  model.best_mean = optimizer_.best_by_model().value;
  model.hyperparameters = optimizer_.surrogate().hyperparameters();
  model.log_likelihood = optimizer_.surrogate().log_likelihood();
  model.poms = estimate(step, outcome);
  outcome.jitter = std::max(outcome.jitter, optimizer_.surrogate().jitter());
  return model;
}

void SeedRun::count_fit(const FitReport& fit, SeedOutcome& outcome) {
  if (fit.status == Status::kFellBack) ++fallen_back_fits_;
  if (fit.status == Status::kNotRun) return;
  const auto* const gp = dynamic_cast<const GaussianProcess*>(&optimizer_.surrogate());
  if (gp != nullptr) outcome.fit_bounds = gp->fit_bounds();
}

std::optional<double> SeedRun::regret_of(Index candidate) const {
  if (!true_values_) return std::nullopt;
  return optimum_ - sign_ * (*true_values_)(candidate);
}

void SeedRun::report_progress(const StepRecord& record) const {
  if (!hooks_.on_step) return;
  StepProgress progress{seed_, steps_, budget_, record.best_observed, {}};
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
  outcome.seconds.fit += record.ask.fit_seconds;
  outcome.seconds.posterior += record.ask.posterior_seconds;
  outcome.seconds.acquisition += record.ask.acquisition_seconds;
  count_fit(record.ask.fit, outcome);
  if (!suggestion->is_initial) record.model = model_record(step, outcome);
  evaluate(record);
  tell(record);
  ++steps_;
  const Stopwatch writing;
  files_->append(record);
  outcome.seconds.writing += writing.seconds();
  report_progress(record);
  return true;
}

void SeedRun::evaluate_all(SeedOutcome& outcome) {
  const auto interrupt = [&] {
    outcome.status = SeedStatus::kInterrupted;
    outcome.reason = "interrupted after " + std::to_string(steps_) + " of " +
                     std::to_string(budget_) + " evaluations";
  };
  outcome.status = SeedStatus::kDone;
  outcome.reason = "budget of " + std::to_string(budget_) + " evaluations used";
  for (Index step = 0; step < budget_; ++step) {
    if (hooks_.should_stop && hooks_.should_stop()) return interrupt();
    try {
      if (take_step(step, outcome)) continue;
    } catch (const EvaluationStopped&) {
      return interrupt();
    }
    outcome.status = SeedStatus::kExhausted;
    outcome.reason = "domain exhausted: all " + std::to_string(domain_.size()) +
                     " candidates are evaluated" +
                     (failed_steps_ > 0 ? " or failed" : " and repeats are off");
    break;
  }
  if (failed_steps_ > 0 && failed_steps_ == steps_) {
    outcome.status = SeedStatus::kFailed;
    outcome.reason =
        "all " + std::to_string(steps_) + " evaluations failed; the first: " + first_failure_;
  }
}

void SeedRun::add_warnings(SeedOutcome& outcome) const {
  if (failed_steps_ > 0) {
    outcome.warnings.push_back(std::to_string(failed_steps_) + " of " + std::to_string(steps_) +
                               " evaluations failed" +
                               (policy_.kind == FailurePolicy::Kind::kPenalise
                                    ? ", told as " + format_number(policy_.penalty)
                                    : "") +
                               "; the first: " + first_failure_);
  }
  if (outcome.jitter > 0.0) {
    outcome.warnings.push_back("a covariance matrix was not positive definite; up to " +
                               format_number(outcome.jitter) + " was added to its diagonal");
  }
  if (fallen_back_fits_ > 0) {
    outcome.warnings.push_back(
        std::to_string(fallen_back_fits_) +
        " fits kept the values before, as the likelihood could not be computed");
  }
  if (unconverged_poms_ > 0) {
    outcome.warnings.push_back(std::to_string(unconverged_poms_) +
                               " estimates did not reach their accuracy; see pom.csv");
  }
  const Index n = domain_.size();
  if (n > kMostCoordinateCells / domain_.dimension()) {
    outcome.warnings.emplace_back("posterior.csv is without coordinates, as they are too many");
  }
}

void SeedRun::finish(SeedOutcome& outcome) {
  outcome.evaluations = steps_;
  outcome.failed_evaluations = failed_steps_;
  outcome.best_observed = optimizer_.best_observed();
  if (outcome.best_observed) {
    outcome.best_observed_point = domain_.point(outcome.best_observed->candidate);
  }
  outcome.simple_regret = simple_regret_;
  Stopwatch watch;
  const OptimizerOptions& options = optimizer_.options();
  const bool is_schedule_over = options.fit_until && outcome.evaluations > *options.fit_until;
  if (options.fit_every > 0 && !is_schedule_over) count_fit(optimizer_.fit(), outcome);
  outcome.seconds.fit += watch.lap();
  const GaussianVector& posterior = optimizer_.posterior();
  outcome.best_mean = optimizer_.best_by_model();
  outcome.inference_regret = regret_of(outcome.best_mean->candidate);
  outcome.seconds.posterior += watch.lap();
  const std::vector<PomRecord> poms = estimate(budget_, outcome);
  for (const PomRecord& one : poms)
    outcome.entropies.emplace_back(one.estimator, one.pom.entropy());
  outcome.hyperparameters = optimizer_.surrogate().hyperparameters();
  outcome.log_likelihood = optimizer_.surrogate().log_likelihood();
  outcome.jitter = std::max(outcome.jitter, optimizer_.surrogate().jitter());
  add_warnings(outcome);
  const Stopwatch writing;
  write_posterior(folder_ / "posterior.csv",
                  {domain_, columns().coordinates, posterior, true_values_, evaluations_, poms});
  outcome.candidates = domain_.size();
  outcome.seconds.writing += writing.seconds();
}

}  // namespace

SeedOutcome run_seed(const Experiment& experiment,
                     std::uint64_t seed,
                     const std::filesystem::path& folder,
                     const RunHooks& hooks) {
  const Stopwatch watch;
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
  std::optional<SeedRun> run;
  guarded([&] { run.emplace(experiment, seed, folder, hooks); });
  if (run) {
    guarded([&] { run->evaluate_all(outcome); });
    const std::string reason = outcome.reason;
    const bool has_failed = outcome.status == SeedStatus::kFailed;
    guarded([&] { run->finish(outcome); });
    if (has_failed) outcome.reason = reason;  // the first error explains the second
  }
  outcome.seconds.total = watch.seconds();
  return outcome;
}

}  // namespace pomlux
