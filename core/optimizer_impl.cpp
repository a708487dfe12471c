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
  PendingPoints(Surrogate& surrogate, const std::vector<Point>& points) : surrogate_(surrogate) {
    try {
      for (const Point& point : points) surrogate.add_pending(point);
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

/// Told points around which a box is searched.
constexpr std::size_t kCentres = 3;

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
    : finite(std::move(domain_)),
      surrogate(std::move(surrogate_)),
      acquisition(std::move(acquisition_)),
      options(std::move(options_)),
      book(finite->size(), options.repeats),
      initial(plan_initial_design()) {}

Optimizer::Impl::Impl(Box box_,
                      std::unique_ptr<Surrogate> surrogate_,
                      std::unique_ptr<Acquisition> acquisition_,
                      OptimizerOptions options_)
    : box(std::in_place, std::move(box_), options_.search, options_.seed),
      surrogate(std::move(surrogate_)),
      acquisition(std::move(acquisition_)),
      options(std::move(options_)),
      book(0, options.repeats),
      initial_points(box->initial_design(options.initial, options.initial_design)) {}

void Optimizer::Impl::renew() {
  if (!is_stale) return;
  box->renew(progress.asked, best_told(kCentres));
  is_stale = false;
}

const Domain& Optimizer::Impl::domain() {
  if (finite) return *finite;
  renew();
  return box->domain();
}

const Domain& Optimizer::Impl::encoded() {
  if (finite) return *finite;
  renew();
  return box->encoded();
}

Point Optimizer::Impl::point_of(Index candidate) const {
  return finite ? Point(finite->point(candidate)) : box->known(candidate);
}

Point Optimizer::Impl::encoded_point_of(Index candidate) const {
  return finite ? point_of(candidate) : Point(box->box().encode(box->known(candidate)));
}

Index Optimizer::Impl::adopt(const PointRef& point) {
  const Index candidate = box->add(point);
  book.resize(box->num_known());
  is_stale = true;
  return candidate;
}

void Optimizer::Impl::forget(Index num_known) {
  if (!box) return;
  box->truncate(num_known);
  book.resize(num_known);
  is_stale = true;
}

std::vector<Index> Optimizer::Impl::best_told(std::size_t count) const {
  std::vector<const Trial*> told;
  for (const Trial& trial : book.trials()) {
    if (trial.value) told.push_back(&trial);
  }
  const double sign = sign_of(options.sense);
  std::stable_sort(told.begin(), told.end(), [sign](const Trial* a, const Trial* b) {
    return sign * *a->value > sign * *b->value;
  });
  std::vector<Index> best;
  for (const Trial* trial : told) {
    if (best.size() == count) break;
    if (std::find(best.begin(), best.end(), trial->candidate) == best.end()) {
      best.push_back(trial->candidate);
    }
  }
  return best;
}

std::vector<Index> Optimizer::Impl::plan_initial_design() const {
  const Index n = finite->size();
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
    design = sobol_candidates(*finite, std::min(options.initial, n), rng);
  } else if (!options.repeats) {
    design = draw_without_replacement(rng, n, options.initial);
  }
  while (static_cast<Index>(design.size()) < options.initial) design.push_back(draw_index(rng, n));
  return design;
}

/// The next candidate of the initial design. One of a drawn design that is not open any more
/// (pending in a batch, told as foreign data, failed) is replaced by a random open one, so that the
/// design keeps its size.
std::optional<Index> Optimizer::Impl::take_initial(std::size_t& next) {
  while (next < initial.size()) {
    const std::size_t position = next;
    const Index planned = initial[position];
    if (!book.is_open(planned) && options.initial_candidates.empty()) {
      const std::vector<Index> open = book.open();
      if (open.empty()) return std::nullopt;
      Rng rng = make_stream(options.seed, "initial_design", position + 1);
      ++next;
      return open[static_cast<std::size_t>(draw_index(rng, static_cast<Index>(open.size())))];
    }
    ++next;
    if (book.is_open(planned)) return planned;
  }
  return std::nullopt;
}

/// The same over a box.
std::optional<Index> Optimizer::Impl::take_initial_point(std::size_t& next) {
  while (next < initial_points.size()) {
    const std::size_t position = next++;
    const Index known = box->find(initial_points[position]);
    if (known < 0) return adopt(initial_points[position]);
    if (book.is_open(known)) return known;
    if (const std::optional<Point> other = box->draw_unknown(position + 1)) return adopt(*other);
  }
  return std::nullopt;
}

std::optional<Suggestion> Optimizer::Impl::ask() {
  // Places are used up by suggestions only: an ask that gives none leaves no trace.
  std::size_t next = progress.next_initial;
  const std::optional<Index> candidate = box ? take_initial_point(next) : take_initial(next);
  std::optional<Suggestion> suggestion;
  if (candidate) {
    progress.report = AskReport{};
    suggestion = suggest(*candidate, true);
  } else {
    suggestion = ask_acquisition();
  }
  if (suggestion) progress.next_initial = next;
  return suggestion;
}

Suggestion Optimizer::Impl::suggest(Index candidate, bool is_initial) {
  const Point point = point_of(candidate);
  is_stale = true;
  return {book.ask(candidate, point, is_initial), candidate, point, is_initial};
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
  const GaussianVector& posterior = surrogate->posterior(encoded());
  if (options.sense == Sense::kMaximize) return posterior;
  return negated.emplace(posterior);
}

std::vector<Index> Optimizer::Impl::open_candidates() {
  std::vector<Index> candidates = book.open();
  if (!box) return candidates;
  for (Index row = box->num_known(); row < domain().size(); ++row) candidates.push_back(row);
  return candidates;
}

std::optional<ScoredPoint> Optimizer::Impl::polish_best(const AcquisitionContext& context,
                                                        const std::vector<Index>& candidates,
                                                        const Vector& scores,
                                                        double score) const {
  std::optional<ScoredPoint> best;
  if (options.search.polished == 0 || !acquisition->slope(context, 0.0, 1.0)) return best;
  const Points& encoded = box->encoded().points();
  for (const Index row : polish_starts(encoded, candidates, scores, options.search.polished)) {
    std::optional<ScoredPoint> found = polish(box->box(),
                                              *surrogate,
                                              *acquisition,
                                              context,
                                              options.sense,
                                              encoded.row(row),
                                              best ? best->score : score);
    if (!found) continue;
    const Index known = box->find(found->point);
    if (known < 0 || book.is_open(known)) best = std::move(found);
  }
  return best;
}

std::optional<Suggestion> Optimizer::Impl::ask_acquisition() {
  const std::vector<Index> candidates = open_candidates();
  if (candidates.empty()) return std::nullopt;
  AskReport report;
  if (is_fit_due()) {
    const Stopwatch watch;
    report.fit = fit();
    report.fit_seconds = watch.seconds();
  }
  const Stopwatch posterior_watch;
  std::vector<Point> under_way;
  if (acquisition->conditions_on_pending()) {
    for (const Index candidate : book.pending()) under_way.push_back(encoded_point_of(candidate));
  }
  const PendingPoints pending(*surrogate, under_way);
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
  std::optional<ScoredPoint> polished;
  if (box) polished = polish_best(context, candidates, scores, scores(best));
  if (polished) report.score = polished->score;
  report.acquisition_seconds = acquisition_watch.seconds();
  // From here on nothing throws: an ask that failed in a model or rule can simply be repeated.
  progress.report = report;
  Index choice = candidates[static_cast<std::size_t>(best)];
  if (box) choice = adopt(polished ? polished->point : Point(box->domain().point(choice)));
  ++progress.asked;
  return suggest(choice, false);
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
