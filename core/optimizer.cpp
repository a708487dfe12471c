// SPDX-License-Identifier: MIT
#include <cmath>  // std::isfinite
#include <pomlux/core/errors.hpp>
#include <pomlux/core/optimizer_impl.hpp>
#include <pomlux/core/sobol.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

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
  const BoxSearchOptions& search = options.search;
  if (search.candidates < 1) {
    fail("OptimizerOptions",
         "search.candidates is " + format_number(search.candidates) + "; must be >= 1");
  }
  if (search.around < 0 || search.around > search.candidates) {
    fail("OptimizerOptions",
         "search.around is " + format_number(search.around) + "; must be in 0.." +
             format_number(search.candidates) + ", the number of candidates");
  }
  if (search.polished < 0) {
    fail("OptimizerOptions",
         "search.polished is " + format_number(search.polished) + "; must be >= 0");
  }
  if (options.fit_until && *options.fit_until < 1) {
    fail("OptimizerOptions",
         "fit_until is " + format_number(*options.fit_until) + "; must be >= 1");
  }
}

namespace {

void require_parts(const OptimizerOptions& options,
                   const Surrogate* surrogate,
                   const Acquisition* acquisition,
                   const char* point,
                   Index dimension) {
  validate(options);
  if (surrogate == nullptr) fail("Optimizer", "surrogate is missing");
  if (acquisition == nullptr) fail("Optimizer", "acquisition is missing");
  require_same_size(
      "Optimizer", point, dimension, "an input of the surrogate", surrogate->dimension());
}

}  // namespace

Optimizer::Optimizer(Domain domain,
                     std::unique_ptr<Surrogate> surrogate,
                     std::unique_ptr<Acquisition> acquisition,
                     OptimizerOptions options) {
  require_parts(
      options, surrogate.get(), acquisition.get(), "a point of the domain", domain.dimension());
  impl_ = std::make_unique<Impl>(
      std::move(domain), std::move(surrogate), std::move(acquisition), std::move(options));
}

Optimizer::Optimizer(Box box,
                     std::unique_ptr<Surrogate> surrogate,
                     std::unique_ptr<Acquisition> acquisition,
                     OptimizerOptions options) {
  require_parts(options,
                surrogate.get(),
                acquisition.get(),
                "an encoded point of the box",
                box.model_dimension());
  if (box.dimension() > kMaxSobolDimension) {
    fail("Optimizer",
         "the box has " + format_number(box.dimension()) + " axes; at most " +
             format_number(kMaxSobolDimension) + " can be searched");
  }
  if (!options.initial_candidates.empty()) {
    fail("Optimizer",
         "initial_candidates has " +
             format_number(static_cast<Index>(options.initial_candidates.size())) +
             " entries; a box has no numbered candidates to begin with");
  }
  impl_ = std::make_unique<Impl>(
      std::move(box), std::move(surrogate), std::move(acquisition), std::move(options));
}

Optimizer::~Optimizer() = default;
Optimizer::Optimizer(Optimizer&&) noexcept = default;
Optimizer& Optimizer::operator=(Optimizer&&) noexcept = default;

std::optional<Suggestion> Optimizer::ask() { return impl_->ask(); }

std::vector<Suggestion> Optimizer::ask(Index q) {
  if (q < 1) fail("Optimizer::ask", "q is " + format_number(q) + "; must be >= 1");
  const Impl::Progress before = impl_->progress;
  const auto first = static_cast<Index>(trials().size());
  const Index num_known = impl_->box ? impl_->box->num_known() : 0;
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
    impl_->forget(num_known);
    throw;
  }
  return suggestions;
}

void Optimizer::tell(const Suggestion& suggestion,
                     double value,
                     std::optional<double> noise_stddev) {
  const Index trial = impl_->book.pending("Optimizer::tell", suggestion);
  require_observation(suggestion.candidate, value, noise_stddev);
  impl_->surrogate->add(impl_->encoded_point_of(suggestion.candidate), value, noise_stddev);
  impl_->book.tell(trial, value, noise_stddev);
  impl_->is_stale = true;
}

void Optimizer::tell(Index candidate, double value, std::optional<double> noise_stddev) {
  if (impl_->box && candidate >= impl_->box->num_known() && candidate < domain().size()) {
    tell(Point(domain().point(candidate)), value, noise_stddev);
    return;
  }
  impl_->book.require_candidate("Optimizer::tell", candidate);
  require_observation(candidate, value, noise_stddev);
  impl_->surrogate->add(impl_->encoded_point_of(candidate), value, noise_stddev);
  const Index trial = impl_->book.oldest_pending(candidate);
  if (trial >= 0) {
    impl_->book.tell(trial, value, noise_stddev);
  } else {
    impl_->book.tell_foreign(candidate, impl_->point_of(candidate), value, noise_stddev);
  }
  impl_->is_stale = true;
}

void Optimizer::tell(const PointRef& point, double value, std::optional<double> noise_stddev) {
  if (impl_->box) {
    impl_->box->box().require_inside("Optimizer::tell", point);
    const Index num_known = impl_->box->num_known();
    try {
      tell(impl_->adopt(point), value, noise_stddev);
    } catch (...) {
      impl_->forget(num_known);
      throw;
    }
    return;
  }
  const Index candidate = impl_->finite->find(point);
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

const GaussianVector& Optimizer::posterior() {
  return impl_->surrogate->posterior(impl_->encoded());
}

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

Index Optimizer::initial_asked() const { return static_cast<Index>(impl_->progress.next_initial); }
Index Optimizer::asked() const { return impl_->progress.asked; }
std::optional<Index> Optimizer::told_at_fit() const { return impl_->told_at_fit; }

OptimizerState Optimizer::state() const {
  OptimizerState state;
  state.trials = impl_->book.trials();
  state.told = impl_->book.told();
  state.initial_asked = initial_asked();
  state.asked = asked();
  state.told_at_fit = told_at_fit();
  state.parameters = impl_->surrogate->exact_parameters();
  return state;
}

namespace {

/// The points of trials, numbered as these say.
void adopt_all(const std::vector<Trial>& trials, BoxCandidates& box) {
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const std::string trial = "trial " + format_number(static_cast<Index>(i));
    box.box().require_inside("OptimizerState: " + trial, trials[i].point);
    const Index number = box.add(trials[i].point);
    if (number == trials[i].candidate) continue;
    fail("OptimizerState",
         trial + " has candidate " + format_number(trials[i].candidate) +
             "; by order of appearance its point is number " + format_number(number));
  }
}

/// Equal up to what writing and reading a decimal number may change.
bool is_same_point(const PointRef& a, const PointRef& b) {
  return a.size() == b.size() && ((a - b).array().abs() <= 1e-9 * b.array().abs().max(1e-9)).all();
}

}  // namespace

void Optimizer::restore(const OptimizerState& state) {
  const char* where = "Optimizer::restore";
  if (!trials().empty()) {
    fail(where,
         "the optimiser has " + format_number(static_cast<Index>(trials().size())) +
             " trials already; make a new one");
  }
  const Index design = impl_->design_size();
  if (state.initial_asked < 0 || state.initial_asked > design || state.asked < 0) {
    fail(where,
         "initial_asked is " + format_number(state.initial_asked) + ", asked " +
             format_number(state.asked) + "; must be 0.." + format_number(design) + " and >= 0");
  }
  std::optional<BoxCandidates> box = impl_->box;
  TrialBook book = impl_->book;
  std::vector<Trial> trials = state.trials;
  if (box) {
    adopt_all(trials, *box);
    book.resize(box->num_known());
  }
  for (Trial& trial : trials) {
    book.require_candidate("OptimizerState", trial.candidate);
    if (!box) {
      Point point = impl_->point_of(trial.candidate);
      if (trial.point.size() > 0 && !is_same_point(trial.point, point)) {
        fail(where,
             "candidate " + format_number(trial.candidate) +
                 " has other coordinates than in the state; the domain is another one");
      }
      trial.point = std::move(point);
    }
  }
  book = book.filled(trials, state.told);
  if (state.told_at_fit && (*state.told_at_fit < 1 || *state.told_at_fit > book.num_told())) {
    fail(where,
         "told_at_fit is " + format_number(*state.told_at_fit) + "; must be 1.." +
             format_number(book.num_told()));
  }
  const auto num_told = static_cast<Index>(state.told.size());
  Points points(num_told, impl_->surrogate->dimension());
  Vector values(num_told);
  Vector noise = Vector::Constant(num_told, kNaN);
  for (Index i = 0; i < num_told; ++i) {
    const Trial& trial = trials[static_cast<std::size_t>(state.told[static_cast<std::size_t>(i)])];
    require_observation(trial.candidate, *trial.value, trial.noise_stddev);
    points.row(i) = box ? Point(box->box().encode(box->known(trial.candidate)))
                        : impl_->encoded_point_of(trial.candidate);
    values(i) = *trial.value;
    if (trial.noise_stddev) noise(i) = *trial.noise_stddev;
  }
  std::unique_ptr<Surrogate> surrogate = impl_->surrogate->clone();
  surrogate->restore(points, values, noise, state.parameters);
  impl_->book = std::move(book);
  impl_->box = std::move(box);
  impl_->is_stale = true;
  impl_->surrogate = std::move(surrogate);
  impl_->progress.next_initial = static_cast<std::size_t>(state.initial_asked);
  impl_->progress.asked = state.asked;
  impl_->told_at_fit = state.told_at_fit;
}

FitReport Optimizer::fit() { return impl_->fit(); }

const std::vector<Trial>& Optimizer::trials() const { return impl_->book.trials(); }
const std::vector<Index>& Optimizer::told() const { return impl_->book.told(); }
Index Optimizer::num_told() const { return impl_->book.num_told(); }
const AskReport& Optimizer::last_ask() const { return impl_->progress.report; }
const Domain& Optimizer::domain() const { return impl_->domain(); }
const Box* Optimizer::box() const { return impl_->box ? &impl_->box->box() : nullptr; }
const Surrogate& Optimizer::surrogate() const { return *impl_->surrogate; }
const OptimizerOptions& Optimizer::options() const { return impl_->options; }

}  // namespace pomlux
