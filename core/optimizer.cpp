// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find, std::min
#include <chrono>     // steady clock
#include <cmath>      // std::isfinite
#include <pomlux/core/errors.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/core/trial_book.hpp>
#include <utility>  // std::move

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

void require_observation(Index candidate, double value, std::optional<double> noise_stddev) {
  if (!std::isfinite(value)) {
    fail("Optimizer::tell",
         "the value for candidate " + format_number(candidate) + " is " + format_number(value) +
             "; must be finite (tell_failed reports a failed evaluation)");
  }
  if (noise_stddev && !(std::isfinite(*noise_stddev) && *noise_stddev >= 0.0)) {
    fail("Optimizer::tell",
         "noise_stddev for candidate " + format_number(candidate) + " is " +
             format_number(*noise_stddev) + "; must be >= 0 and finite");
  }
}

/// Throws unless the listed candidates exist and, without repeats, differ.
void require_initial_candidates(const OptimizerOptions& options, const TrialBook& book) {
  const std::vector<Index>& listed = options.initial_candidates;
  for (auto it = listed.begin(); it != listed.end(); ++it) {
    const std::string where =
        "Optimizer: initial_candidates[" + format_number(it - listed.begin()) + "]";
    book.require_candidate(where, *it);
    if (!options.repeats && std::find(listed.begin(), it, *it) != it) {
      fail(where, "candidate " + format_number(*it) + " is listed before and repeats are off");
    }
  }
}

}  // namespace

void validate(const OptimizerOptions& options) {
  const auto listed = static_cast<Index>(options.initial_candidates.size());
  if (options.initial < 0) {
    fail("OptimizerOptions", "initial is " + format_number(options.initial) + "; must be >= 0");
  }
  if (listed > 0 && options.initial != 0 && options.initial != listed) {
    fail("OptimizerOptions",
         "initial is " + format_number(options.initial) + " with " + format_number(listed) +
             " initial_candidates; must be 0 or their number");
  }
  if (options.fit_every < 0) {
    fail("OptimizerOptions", "fit_every is " + format_number(options.fit_every) + "; must be >= 0");
  }
  if (options.fit_until && *options.fit_until < 1) {
    fail("OptimizerOptions",
         "fit_until is " + format_number(*options.fit_until) + "; must be >= 1");
  }
}

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

Optimizer::Impl::Impl(Domain domain_,
                      std::unique_ptr<Surrogate> surrogate_,
                      std::unique_ptr<Acquisition> acquisition_,
                      OptimizerOptions options_)
    : domain(std::move(domain_)),
      surrogate(std::move(surrogate_)),
      acquisition(std::move(acquisition_)),
      options(std::move(options_)),
      book(domain.size(), options.repeats),
      initial(plan_initial_design()) {}

std::vector<Index> Optimizer::Impl::plan_initial_design() const {
  const Index n = domain.size();
  require_initial_candidates(options, book);
  if (!options.initial_candidates.empty()) return options.initial_candidates;
  if (!options.repeats && options.initial > n) {
    fail("Optimizer",
         "initial is " + format_number(options.initial) + "; the domain has " + format_number(n) +
             " candidates and repeats are off");
  }
  Rng rng = make_stream(options.seed, "initial_design");
  std::vector<Index> design;
  if (options.initial_design == InitialDesign::kSobol) {
    design = sobol_candidates(domain, std::min(options.initial, n), rng);
  } else if (!options.repeats) {
    design = draw_without_replacement(rng, n, options.initial);
  }
  while (static_cast<Index>(design.size()) < options.initial) design.push_back(draw_index(rng, n));
  return design;
}

/// The next candidate of the initial design. One of a drawn design that is not open any more
/// (pending in a batch, told as foreign data, failed) is replaced by a random open one, so that the
/// design keeps its size.
std::optional<Index> Optimizer::Impl::take_initial() {
  while (progress.next_initial < initial.size()) {
    const std::size_t position = progress.next_initial;
    const Index planned = initial[position];
    if (!book.is_open(planned) && options.initial_candidates.empty()) {
      const std::vector<Index> open = book.open();
      if (open.empty()) return std::nullopt;
      Rng rng = make_stream(options.seed, "initial_design", position + 1);
      ++progress.next_initial;
      return open[static_cast<std::size_t>(draw_index(rng, static_cast<Index>(open.size())))];
    }
    ++progress.next_initial;
    if (book.is_open(planned)) return planned;
  }
  return std::nullopt;
}

std::optional<Suggestion> Optimizer::Impl::ask() {
  const std::optional<Index> candidate = take_initial();
  if (!candidate) return ask_acquisition();
  progress.report = AskReport{};
  return suggest(*candidate, true);
}

Suggestion Optimizer::Impl::suggest(Index candidate, bool is_initial) {
  return {book.ask(candidate, is_initial), candidate, domain.point(candidate), is_initial};
}

bool Optimizer::Impl::is_fit_due() const {
  if (options.fit_every == 0 || book.num_told() == 0) return false;
  if (!told_at_fit) return true;
  if (options.fit_until && book.num_told() > *options.fit_until) return false;
  return book.num_told() - *told_at_fit >= options.fit_every;
}

FitReport Optimizer::Impl::fit() {
  if (book.num_told() == 0) return {};
  Rng rng = make_stream(options.seed, "fit", static_cast<std::uint64_t>(progress.asked));
  const FitReport report = surrogate->fit(rng);
  told_at_fit = book.num_told();
  return report;
}

const GaussianVector& Optimizer::Impl::belief() {
  const GaussianVector& posterior = surrogate->posterior(domain);
  if (options.sense == Sense::kMaximize) return posterior;
  return negated.emplace(posterior);
}

std::optional<Suggestion> Optimizer::Impl::ask_acquisition() {
  const std::vector<Index> candidates = book.open();
  if (candidates.empty()) return std::nullopt;
  AskReport report;
  if (is_fit_due()) {
    const Stopwatch watch;
    report.fit = fit();
    report.fit_seconds = watch.seconds();
  }
  const Stopwatch posterior_watch;
  const GaussianVector& f = belief();
  report.posterior_seconds = posterior_watch.seconds();

  const Stopwatch acquisition_watch;
  AcquisitionContext context{
      f, std::nullopt, f.mean().maxCoeff(), surrogate->noise_stddev(), progress.asked + 1};
  if (const std::optional<Incumbent> best = best_observed()) {
    context.best_observed = sign_of(options.sense) * best->value;
  }
  Rng rng = make_stream(options.seed, "acquisition", static_cast<std::uint64_t>(progress.asked));
  const Vector scores = acquisition->score(context, candidates, rng);
  Index best = 0;
  for (Index i = 1; i < scores.size(); ++i) {
    if (scores(i) > scores(best)) best = i;
  }
  report.score = scores(best);
  report.acquisition_seconds = acquisition_watch.seconds();
  // From here on nothing throws: an ask that failed in a model or rule can simply be repeated.
  progress.report = report;
  ++progress.asked;
  return suggest(candidates[static_cast<std::size_t>(best)], false);
}

std::optional<Incumbent> Optimizer::Impl::best_observed() const {
  const double sign = sign_of(options.sense);
  std::optional<Incumbent> best;
  for (const Trial& trial : book.trials()) {
    if (trial.value && (!best || sign * *trial.value > sign * best->value)) {
      best = Incumbent{trial.candidate, *trial.value, 0.0};
    }
  }
  return best;
}

Optimizer::Optimizer(Domain domain,
                     std::unique_ptr<Surrogate> surrogate,
                     std::unique_ptr<Acquisition> acquisition,
                     OptimizerOptions options) {
  validate(options);
  if (!surrogate) fail("Optimizer", "surrogate is missing");
  if (!acquisition) fail("Optimizer", "acquisition is missing");
  require_same_size("Optimizer",
                    "a point of the domain",
                    domain.dimension(),
                    "an input of the surrogate",
                    surrogate->dimension());
  impl_ = std::make_unique<Impl>(
      std::move(domain), std::move(surrogate), std::move(acquisition), std::move(options));
}

Optimizer::~Optimizer() = default;
Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;

std::optional<Suggestion> Optimizer::ask() { return impl_->ask(); }

std::vector<Suggestion> Optimizer::ask(Index q) {
  if (q < 1) fail("Optimizer::ask", "q is " + format_number(q) + "; must be >= 1");
  const Impl::Progress before = impl_->progress;
  const auto first = static_cast<Index>(trials().size());
  std::vector<Suggestion> suggestions;
  try {
    while (static_cast<Index>(suggestions.size()) < q) {
      std::optional<Suggestion> suggestion = impl_->ask();
      if (!suggestion) break;
      suggestions.push_back(std::move(*suggestion));
    }
  } catch (...) {
    // The caller never sees the first ones, so they must not stay pending.
    impl_->book.withdraw(first);
    impl_->progress = before;
    throw;
  }
  return suggestions;
}

void Optimizer::tell(const Suggestion& suggestion,
                     double value,
                     std::optional<double> noise_stddev) {
  const Index trial = impl_->book.pending("Optimizer::tell", suggestion);
  require_observation(suggestion.candidate, value, noise_stddev);
  impl_->surrogate->add(impl_->domain.point(suggestion.candidate), value, noise_stddev);
  impl_->book.tell(trial, value, noise_stddev);
}

void Optimizer::tell(Index candidate, double value, std::optional<double> noise_stddev) {
  impl_->book.require_candidate("Optimizer::tell", candidate);
  require_observation(candidate, value, noise_stddev);
  impl_->surrogate->add(impl_->domain.point(candidate), value, noise_stddev);
  const Index trial = impl_->book.oldest_pending(candidate);
  if (trial >= 0) {
    impl_->book.tell(trial, value, noise_stddev);
  } else {
    impl_->book.tell_foreign(candidate, value, noise_stddev);
  }
}

void Optimizer::tell(const PointRef& point, double value, std::optional<double> noise_stddev) {
  const Index candidate = impl_->domain.find(point);
  if (candidate < 0) {
    std::string coordinates;
    for (Index k = 0; k < point.size(); ++k) {
      coordinates += (k > 0 ? ", " : "") + format_number(point(k));
    }
    fail("Optimizer::tell", "the point (" + coordinates + ") is not a candidate of the domain");
  }
  tell(candidate, value, noise_stddev);
}

void Optimizer::tell_failed(const Suggestion& suggestion) {
  impl_->book.tell_failed(impl_->book.pending("Optimizer::tell_failed", suggestion));
}

const GaussianVector& Optimizer::posterior() { return impl_->surrogate->posterior(impl_->domain); }

Pom Optimizer::pom(const PomEstimator& estimator, Rng& rng) {
  return estimator.estimate(impl_->belief(), rng);
}

Pom Optimizer::pom(const PomEstimator& estimator) {
  Rng rng = make_stream(impl_->options.seed, "pom", static_cast<std::uint64_t>(num_told()));
  return pom(estimator, rng);
}

std::optional<Incumbent> Optimizer::best_observed() const { return impl_->best_observed(); }

Incumbent Optimizer::best_by_model() {
  const GaussianVector& f = posterior();
  Index best = 0;
  (sign_of(impl_->options.sense) * f.mean()).maxCoeff(&best);
  return {best, f.mean()(best), f.stddev()(best)};
}

FitReport Optimizer::fit() { return impl_->fit(); }

const std::vector<Trial>& Optimizer::trials() const { return impl_->book.trials(); }
Index Optimizer::num_told() const { return impl_->book.num_told(); }
const AskReport& Optimizer::last_ask() const { return impl_->progress.report; }
const Domain& Optimizer::domain() const { return impl_->domain; }
const Surrogate& Optimizer::surrogate() const { return *impl_->surrogate; }
const OptimizerOptions& Optimizer::options() const { return impl_->options; }

}  // namespace pomlux
