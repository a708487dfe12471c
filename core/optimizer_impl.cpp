// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find, std::min
#include <chrono>     // steady clock
#include <pomlux/core/errors.hpp>
#include <pomlux/core/optimizer_impl.hpp>
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

/// Conditions a surrogate on pending points for as long as it lives.
class PendingPoints {
 public:
  PendingPoints(Surrogate& surrogate, const Domain& domain, const std::vector<Index>& candidates)
      : surrogate_(surrogate) {
    try {
      for (const Index candidate : candidates) surrogate.add_pending(domain.point(candidate));
    } catch (...) {
      surrogate.clear_pending();
      throw;
    }
  }
  ~PendingPoints() { surrogate_.clear_pending(); }
  PendingPoints(const PendingPoints&) = delete;
  PendingPoints& operator=(const PendingPoints&) = delete;

 private:
  Surrogate& surrogate_;
};

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
  const PendingPoints pending(
      *surrogate,
      domain,
      acquisition->conditions_on_pending() ? book.pending() : std::vector<Index>());
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

}  // namespace pomlux
