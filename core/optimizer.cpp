// SPDX-License-Identifier: MIT
#include <pomlux/core/optimizer.hpp>

#include <algorithm>  // std::find
#include <chrono>     // steady clock
#include <cmath>      // std::isfinite
#include <utility>    // std::move

#include <pomlux/core/errors.hpp>

namespace pomlux {
namespace {

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What the optimiser knows of one candidate.
struct CandidateUse {
  Index told = 0;
  Index pending = 0;
  bool has_failed = false;
};

}  // namespace

void validate(const OptimizerOptions& options) {
  const auto count = static_cast<Index>(options.initial_candidates.size());
  if (options.initial < 0) {
    fail("OptimizerOptions", "initial is " + std::to_string(options.initial) + "; must be >= 0");
  }
  if (count > 0 && options.initial != 0 && options.initial != count) {
    fail("OptimizerOptions",
         "initial is " + std::to_string(options.initial) + " with " + std::to_string(count) +
             " initial_candidates; must be 0 or their number");
  }
  if (options.fit_every < 0) {
    fail("OptimizerOptions", "fit_every is " + std::to_string(options.fit_every) + "; must be >= 0");
  }
}

struct Optimizer::Impl {
  Domain domain;
  std::unique_ptr<Surrogate> surrogate;
  std::unique_ptr<Acquisition> acquisition;
  OptimizerOptions options;
  std::vector<Trial> trials;
  std::vector<CandidateUse> uses;
  std::vector<Index> initial;  // the whole initial design
  std::size_t next_initial = 0;
  Index asked = 0;  // acquisition asks so far; keys the random streams
  Index told = 0;
  Index told_at_fit = -1;
  AskReport report;
  std::unique_ptr<NegatedGaussian> negated;

  void plan_initial_design();
  [[nodiscard]] bool is_allowed(Index candidate) const;
  [[nodiscard]] std::vector<Index> allowed() const;
  [[nodiscard]] Suggestion suggest(Index candidate, bool is_initial);
  [[nodiscard]] std::optional<Suggestion> ask_initial();
  [[nodiscard]] std::optional<Suggestion> ask_acquisition();
  void fit_if_due();
  FitReport fit(std::uint64_t stream);
  void record(Index trial, double value, std::optional<double> noise_stddev);
  [[nodiscard]] Index pending_trial(const Suggestion& suggestion) const;
  void require_candidate(Index candidate) const;
  /// Posterior in the direction of maximisation, as rules and estimators see it.
  [[nodiscard]] const GaussianVector& belief();
};

void Optimizer::Impl::plan_initial_design() {
  const Index n = domain.size();
  if (!options.initial_candidates.empty()) {
    for (const Index candidate : options.initial_candidates) require_candidate(candidate);
    initial = options.initial_candidates;
    return;
  }
  if (!options.repeats && options.initial > n) {
    fail("Optimizer",
         "initial is " + std::to_string(options.initial) + " but the domain has " + std::to_string(n) +
             " candidates and repeats are off");
  }
  Rng rng = make_stream(options.seed, "initial_design");
  if (options.initial_design == InitialDesign::kSobol) {
    initial = sobol_candidates(domain, std::min(options.initial, n), rng);
    while (static_cast<Index>(initial.size()) < options.initial) initial.push_back(draw_index(rng, n));
  } else if (options.repeats) {
    for (Index i = 0; i < options.initial; ++i) initial.push_back(draw_index(rng, n));
  } else {
    initial = draw_without_replacement(rng, n, options.initial);
  }
}

bool Optimizer::Impl::is_allowed(Index candidate) const {
  const CandidateUse& use = uses[static_cast<std::size_t>(candidate)];
  return use.pending == 0 && !use.has_failed && (options.repeats || use.told == 0);
}

std::vector<Index> Optimizer::Impl::allowed() const {
  std::vector<Index> result;
  for (Index candidate = 0; candidate < domain.size(); ++candidate) {
    if (is_allowed(candidate)) result.push_back(candidate);
  }
  return result;
}

Suggestion Optimizer::Impl::suggest(Index candidate, bool is_initial) {
  Trial trial;
  trial.candidate = candidate;
  trial.is_initial = is_initial;
  trials.push_back(trial);
  ++uses[static_cast<std::size_t>(candidate)].pending;
  return {static_cast<Index>(trials.size()) - 1, candidate, domain.point(candidate), is_initial};
}

std::optional<Suggestion> Optimizer::Impl::ask_initial() {
  while (next_initial < initial.size()) {
    const Index candidate = initial[next_initial++];
    // A design with replacement repeats candidates, but never one that is pending: that entry is skipped.
    const CandidateUse& use = uses[static_cast<std::size_t>(candidate)];
    const bool is_open = options.repeats ? !use.has_failed && use.pending == 0 : is_allowed(candidate);
    if (is_open) {
      report = AskReport{};
      return suggest(candidate, true);
    }
  }
  return std::nullopt;
}

void Optimizer::Impl::fit_if_due() {
  report.fit = FitReport{};
  if (options.fit_every == 0 || told == 0) return;
  const bool is_first = told_at_fit < 0;
  if (!is_first && told - told_at_fit < options.fit_every) return;
  const Stopwatch watch;
  report.fit = fit(static_cast<std::uint64_t>(asked));
  report.fit_seconds = watch.seconds();
}

FitReport Optimizer::Impl::fit(std::uint64_t stream) {
  Rng rng = make_stream(options.seed, "fit", stream);
  told_at_fit = told;
  return surrogate->fit(rng);
}

const GaussianVector& Optimizer::Impl::belief() {
  const GaussianVector& posterior = surrogate->posterior(domain);
  if (options.sense == Sense::kMaximize) return posterior;
  negated = std::make_unique<NegatedGaussian>(posterior);
  return *negated;
}

std::optional<Suggestion> Optimizer::Impl::ask_acquisition() {
  const std::vector<Index> candidates = allowed();
  if (candidates.empty()) return std::nullopt;
  report = AskReport{};
  fit_if_due();
  const Stopwatch posterior_watch;
  const GaussianVector& f = belief();
  report.posterior_seconds = posterior_watch.seconds();

  const Stopwatch acquisition_watch;
  AcquisitionContext context{f, std::nullopt, f.mean().maxCoeff(), surrogate->noise_stddev(), asked + 1};
  for (const Trial& trial : trials) {
    if (!trial.value) continue;
    const double value = sign_of(options.sense) * *trial.value;
    context.best_observed = std::max(value, context.best_observed.value_or(value));
  }
  Rng rng = make_stream(options.seed, "acquisition", static_cast<std::uint64_t>(asked));
  const Vector scores = acquisition->score(context, candidates, rng);
  Index best = 0;
  for (Index i = 1; i < scores.size(); ++i) {
    if (scores(i) > scores(best)) best = i;
  }
  report.score = scores(best);
  report.acquisition_seconds = acquisition_watch.seconds();
  ++asked;
  return suggest(candidates[static_cast<std::size_t>(best)], false);
}

void Optimizer::Impl::require_candidate(Index candidate) const {
  if (candidate >= 0 && candidate < domain.size()) return;
  fail("Optimizer",
       "candidate " + std::to_string(candidate) + " is not in 0.." + std::to_string(domain.size() - 1));
}

Index Optimizer::Impl::pending_trial(const Suggestion& suggestion) const {
  const Index index = suggestion.trial;
  if (index < 0 || index >= static_cast<Index>(trials.size()) ||
      trials[static_cast<std::size_t>(index)].candidate != suggestion.candidate) {
    fail("Optimizer",
         "trial " + std::to_string(index) + " for candidate " + std::to_string(suggestion.candidate) +
             " was not asked by this optimiser");
  }
  const TrialState state = trials[static_cast<std::size_t>(index)].state;
  if (state != TrialState::kAsked) {
    fail("Optimizer",
         "trial " + std::to_string(index) + " for candidate " + std::to_string(suggestion.candidate) +
             (state == TrialState::kTold ? " was told before" : " was told as failed before"));
  }
  return index;
}

void Optimizer::Impl::record(Index index, double value, std::optional<double> noise_stddev) {
  Trial& trial = trials[static_cast<std::size_t>(index)];
  CandidateUse& use = uses[static_cast<std::size_t>(trial.candidate)];
  surrogate->add(domain.point(trial.candidate), value, noise_stddev);
  if (!trial.is_foreign) --use.pending;
  trial.state = TrialState::kTold;
  trial.value = value;
  trial.noise_stddev = noise_stddev;
  ++use.told;
  ++told;
}

namespace {

void require_observation(Index candidate, double value, std::optional<double> noise_stddev) {
  if (!std::isfinite(value)) {
    fail("Optimizer::tell",
         "the value for candidate " + std::to_string(candidate) + " is " + format_number(value) +
             "; must be finite (tell_failed reports a failed evaluation)");
  }
  if (noise_stddev && !(std::isfinite(*noise_stddev) && *noise_stddev >= 0.0)) {
    fail("Optimizer::tell",
         "noise_stddev for candidate " + std::to_string(candidate) + " is " +
             format_number(*noise_stddev) + "; must be >= 0 and finite");
  }
}

}  // namespace

Optimizer::Optimizer(Domain domain,
                     std::unique_ptr<Surrogate> surrogate,
                     std::unique_ptr<Acquisition> acquisition,
                     OptimizerOptions options) {
  validate(options);
  if (!surrogate) fail("Optimizer", "surrogate is missing");
  if (!acquisition) fail("Optimizer", "acquisition is missing");
  require_same_size("Optimizer", "a point", domain.dimension(), "the surrogate's input", surrogate->dimension());
  const auto n = static_cast<std::size_t>(domain.size());
  impl_ = std::make_unique<Impl>(Impl{std::move(domain), std::move(surrogate), std::move(acquisition),
                                      std::move(options), {}, std::vector<CandidateUse>(n), {}, 0, 0, 0, -1,
                                      {}, nullptr});
  impl_->plan_initial_design();
}

Optimizer::~Optimizer() = default;
Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;

std::optional<Suggestion> Optimizer::ask() {
  std::optional<Suggestion> suggestion = impl_->ask_initial();
  return suggestion ? suggestion : impl_->ask_acquisition();
}

std::vector<Suggestion> Optimizer::ask(Index q) {
  if (q < 1) fail("Optimizer::ask", "q is " + std::to_string(q) + "; must be >= 1");
  std::vector<Suggestion> suggestions;
  while (static_cast<Index>(suggestions.size()) < q) {
    std::optional<Suggestion> suggestion = ask();
    if (!suggestion) break;
    suggestions.push_back(std::move(*suggestion));
  }
  return suggestions;
}

void Optimizer::tell(const Suggestion& suggestion, double value, std::optional<double> noise_stddev) {
  const Index index = impl_->pending_trial(suggestion);
  require_observation(suggestion.candidate, value, noise_stddev);
  impl_->record(index, value, noise_stddev);
}

void Optimizer::tell(Index candidate, double value, std::optional<double> noise_stddev) {
  impl_->require_candidate(candidate);
  require_observation(candidate, value, noise_stddev);
  std::vector<Trial>& trials = impl_->trials;
  const auto pending = std::find_if(trials.begin(), trials.end(), [&](const Trial& trial) {
    return trial.candidate == candidate && trial.state == TrialState::kAsked;
  });
  if (pending != trials.end()) {
    impl_->record(pending - trials.begin(), value, noise_stddev);
    return;
  }
  Trial trial;
  trial.candidate = candidate;
  trial.is_foreign = true;
  trials.push_back(trial);
  try {
    impl_->record(static_cast<Index>(trials.size()) - 1, value, noise_stddev);
  } catch (...) {
    trials.pop_back();
    throw;
  }
}

void Optimizer::tell(const PointRef& point, double value, std::optional<double> noise_stddev) {
  const Index candidate = impl_->domain.find(point);
  if (candidate < 0) {
    std::string text;
    for (Index k = 0; k < point.size(); ++k) text += (k > 0 ? ", " : "") + format_number(point(k));
    fail("Optimizer::tell", "the point (" + text + ") is not a candidate of the domain");
  }
  tell(candidate, value, noise_stddev);
}

void Optimizer::tell_failed(const Suggestion& suggestion) {
  const Index index = impl_->pending_trial(suggestion);
  impl_->trials[static_cast<std::size_t>(index)].state = TrialState::kFailed;
  CandidateUse& use = impl_->uses[static_cast<std::size_t>(suggestion.candidate)];
  --use.pending;
  use.has_failed = true;
}

const GaussianVector& Optimizer::posterior() { return impl_->surrogate->posterior(impl_->domain); }

Pom Optimizer::pom(const PomEstimator& estimator, Rng& rng) { return estimator.estimate(impl_->belief(), rng); }

Pom Optimizer::pom(const PomEstimator& estimator) {
  Rng rng = make_stream(impl_->options.seed, "pom", static_cast<std::uint64_t>(impl_->told));
  return pom(estimator, rng);
}

std::optional<Incumbent> Optimizer::best_observed() const {
  const double sign = sign_of(impl_->options.sense);
  std::optional<Incumbent> best;
  for (const Trial& trial : impl_->trials) {
    if (trial.value && (!best || sign * *trial.value > sign * best->value)) {
      best = Incumbent{trial.candidate, *trial.value, 0.0};
    }
  }
  return best;
}

Incumbent Optimizer::best_by_model() {
  const GaussianVector& f = posterior();
  Index best = 0;
  if (impl_->options.sense == Sense::kMaximize) {
    f.mean().maxCoeff(&best);
  } else {
    f.mean().minCoeff(&best);
  }
  return {best, f.mean()(best), f.stddev()(best)};
}

FitReport Optimizer::fit() { return impl_->told == 0 ? FitReport{} : impl_->fit(static_cast<std::uint64_t>(impl_->asked)); }

const std::vector<Trial>& Optimizer::trials() const { return impl_->trials; }
Index Optimizer::num_told() const { return impl_->told; }
const AskReport& Optimizer::last_ask() const { return impl_->report; }
const Domain& Optimizer::domain() const { return impl_->domain; }
const Surrogate& Optimizer::surrogate() const { return *impl_->surrogate; }
const OptimizerOptions& Optimizer::options() const { return impl_->options; }

}  // namespace pomlux
