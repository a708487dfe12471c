// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <exception>  // whatever objectives throw
#include <new>        // std::bad_alloc
#include <pomlux/core/errors.hpp>
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

Domain domain_of(const Experiment& experiment, std::uint64_t seed) {
  if (experiment.fixed_domain) return *experiment.fixed_domain;
  return make_domain(experiment.config.at("domain"), seed);
}

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
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
    files_.emplace(folder_, columns());
  }

  /// Evaluates until the budget is used, the domain is, somebody says stop, or something throws.
  void evaluate_all(SeedOutcome& outcome);
  /// The final posterior, refitted on all that was told (unless fit.until has passed), into
  /// posterior.csv and the outcome.
  void finish(SeedOutcome& outcome);

 private:
  [[nodiscard]] SeedColumns columns() const;
  [[nodiscard]] double evaluate(const Suggestion& suggestion);
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
  Optimizer optimizer_;
  std::optional<Vector> true_values_;
  std::vector<Index> evaluations_;  // per candidate
  std::vector<Tracked> tracked_;
  std::optional<SeedFiles> files_;
  double optimum_ = 0.0;  // in the direction of maximisation, where true values are known
  std::optional<double> simple_regret_;
  Index budget_ = 0;
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

double SeedRun::evaluate(const Suggestion& suggestion) {
  const auto index = static_cast<std::uint64_t>(optimizer_.num_told());
  Rng rng = make_stream(seed_, "objective_noise", index);
  try {
    const Points point = suggestion.point;
    const Vector values = objective_->evaluate(point, rng);
    require_same_size("objective", "values", values.size(), "points", 1);
    return values(0);
  } catch (...) {
    optimizer_.tell_failed(suggestion);
    fail("evaluation " + std::to_string(index) + " (candidate " +
             std::to_string(suggestion.candidate) + ")",
         message_of(std::current_exception()));
  }
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
  StepProgress progress{seed_, optimizer_.num_told(), budget_, record.best_observed, {}};
  if (record.model && !record.model->poms.empty()) {
    progress.entropy = record.model->poms.front().pom.entropy();
  }
  hooks_.on_step(progress);
}

void SeedRun::evaluate_all(SeedOutcome& outcome) {
  for (Index step = 0; step < budget_; ++step) {
    if (hooks_.should_stop && hooks_.should_stop()) {
      outcome.status = SeedStatus::kInterrupted;
      outcome.reason = "interrupted after " + std::to_string(step) + " of " +
                       std::to_string(budget_) + " evaluations";
      return;
    }
    const std::optional<Suggestion> suggestion = optimizer_.ask();
    if (!suggestion) {
      outcome.status = SeedStatus::kExhausted;
      outcome.reason = "domain exhausted: all " + std::to_string(domain_.size()) +
                       " candidates are evaluated and repeats are off";
      return;
    }
    StepRecord record;
    record.step = step;
    record.suggestion = *suggestion;
    record.ask = optimizer_.last_ask();
    outcome.seconds.fit += record.ask.fit_seconds;
    outcome.seconds.posterior += record.ask.posterior_seconds;
    outcome.seconds.acquisition += record.ask.acquisition_seconds;
    count_fit(record.ask.fit, outcome);
    if (!suggestion->is_initial) record.model = model_record(step, outcome);
    record.value = evaluate(*suggestion);
    optimizer_.tell(*suggestion, record.value);
    ++evaluations_[static_cast<std::size_t>(suggestion->candidate)];
    record.best_observed = optimizer_.best_observed()->value;
    record.regret = regret_of(suggestion->candidate);
    if (record.regret) {
      simple_regret_ = std::min(*record.regret, simple_regret_.value_or(*record.regret));
    }
    record.simple_regret = simple_regret_;
    const Stopwatch writing;
    files_->append(record);
    outcome.seconds.writing += writing.seconds();
    report_progress(record);
  }
  outcome.status = SeedStatus::kDone;
  outcome.reason = "budget of " + std::to_string(budget_) + " evaluations used";
}

void SeedRun::add_warnings(SeedOutcome& outcome) const {
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
  outcome.evaluations = optimizer_.num_told();
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
