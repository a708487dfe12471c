// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <cmath>      // std::sqrt
#include <optional>   // attempts
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/local_hazard.hpp>
#include <pomlux/estimators/local_hazard_belief.hpp>
#include <pomlux/estimators/local_hazard_error.hpp>
#include <pomlux/estimators/local_hazard_factors.hpp>
#include <pomlux/estimators/local_hazard_nodes.hpp>
#include <pomlux/estimators/ts_mc.hpp>

namespace pomlux {
namespace {

constexpr double kUnseenLimit = 0.03;
// What factors may leave unseen of that.
constexpr double kRestOfMany = 1.0;
constexpr double kRestOfOne = 0.15, kRestOfOneAtLeast = 0.005;
constexpr double kLeastNeighbour = 0.05;  // correlation of a neighbour given the factors
// How a local answer is checked.
constexpr double kClose = 0.95;      // correlation with the nearest neighbour
constexpr double kFewClose = 0.1;    // probability of such arms that needs no check
constexpr double kOfMoments = 0.25;  // error per change by other moments
constexpr double kMostDoubt = 0.35;  // beyond it independence is closer more often

/// Of the arms that are left, by one regime.
struct Estimate : HazardAverage {
  HazardRegime regime = HazardRegime::kLocal;
  Index factors = 0;
  double unseen = 0.0;
  double error = 0.0;
  std::optional<std::uint64_t> samples{};
  bool is_independence = false;
};

class Solver {
 public:
  Solver(const GaussianVector& f, const LocalHazardOptions& options)
      : options_(options), belief_(make_hazard_belief(f)) {}

  LocalHazardResult run(Rng& rng) {
    LocalHazardResult result;
    if (is_trivial(belief_.summary)) {
      result.pom.probabilities = trivial_probabilities(belief_.mean, belief_.summary);
      result.pom.numerical_error = 0.0;
      result.pom.model_error = 0.0;
      result.pom.status = Status::kConverged;
      return result;
    }
    weights_ = f_lite(belief_.mean, belief_.stddev).probabilities;
    set_arms(prune_arms(belief_, weights_, options_.prune_mass));
    merge_equals();
    const Estimate estimate = choose(rng);
    result.regime = estimate.regime;
    result.factors = estimate.factors;
    result.active_arms = arms_.size();
    result.panels = estimate.panels;
    result.mass = estimate.mass;
    result.propagated_share = estimate.propagated_share;
    result.unseen_correlation = estimate.unseen;
    result.pom.probabilities = spread(estimate);
    result.pom.iterations = estimate.panels;
    result.is_independence = estimate.is_independence;
    result.pom.numerical_error = estimate.mass_error() + estimate.missing;
    // What the panels did not reach is unknown altogether.
    result.pom.model_error =
        std::min(1.0,
                 estimate.is_complete ? estimate.error
                                      : std::max(estimate.error, *result.pom.numerical_error));
    result.pom.samples = estimate.samples;
    if (estimate.samples) result.pom.sampling_error = estimate.error;
    result.pom.status = !estimate.is_complete                 ? Status::kIterationLimit
                        : estimate.error > options_.max_error ? Status::kInaccurate
                                                              : Status::kConverged;
    return result;
  }

 private:
  [[nodiscard]] bool has_certain() const { return belief_.summary.certain > 0; }
  [[nodiscard]] double floor() const {
    return has_certain() ? belief_.summary.best_certain - origin_ : -kInfinity;
  }

  void set_arms(std::vector<Index> active) {
    arms_ = make_hazard_arms(belief_, std::move(active), origin_);
    find_neighbours(belief_.f, options_.neighbours, 0.0, arms_, spread_beyond());
  }

  /// Keeps one of each set of equal arms; equals_ remembers the others.
  void merge_equals() {
    const std::vector<Index> first = find_equal_arms(arms_);
    std::vector<Index> kept;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i] == static_cast<Index>(i)) kept.push_back(arms_.arms[i]);
      equals_.emplace_back(arms_.arms[i], arms_.arms[static_cast<std::size_t>(first[i])]);
    }
    if (kept.size() < first.size()) set_arms(std::move(kept));
  }

  Estimate choose(Rng& rng) const {
    if (arms_.size() == 0) {
      Estimate certain;
      certain.certain = certain.mass = 1.0;
      return certain;
    }
    Estimate best = locally();
    if (options_.regime == HazardRegime::kLocal) {
      check(best);
      return best;
    }
    if (options_.regime == HazardRegime::kFactors) {
      const std::optional<Estimate> given =
          given_factors(best, options_.factors, options_.neighbours, kInfinity);
      if (given) return *given;
      check(best);
      return best;
    }
    const bool is_auto = options_.regime == HazardRegime::kAuto && options_.neighbours > 0;
    if (is_auto && best.unseen > kUnseenLimit) {
      if (const auto given = explained(best)) best = *given;
    }
    const bool is_asked = options_.regime == HazardRegime::kSampling;
    const bool is_local = !is_asked && best.regime == HazardRegime::kLocal;
    const double doubt = is_local ? check(best) : 0.0;
    const bool is_needed = options_.allow_sampling && best.error > options_.max_error;
    if (arms_.size() <= kMostSampled && (is_asked || is_needed)) return sampled(best, rng);
    return doubt > kMostDoubt ? independently(best) : best;
  }

  /// By factors, if these explain what neighbours do not see: all of them with the rest taken as
  /// independent, or one with neighbours in the rest.
  [[nodiscard]] std::optional<Estimate> explained(const Estimate& local) const {
    const auto is_better = [&](const std::optional<Estimate>& given) {
      return given && given->error < local.error &&
             total_variation(given->probabilities, local.probabilities) <= 2.0 * local.error;
    };
    const auto many = given_factors(local, options_.factors, 0, kRestOfMany * local.unseen);
    if (is_better(many) && many->error <= options_.max_error) return many;
    const auto one =
        given_factors(local, 1, options_.neighbours, kRestOfOne * local.unseen + kRestOfOneAtLeast);
    if (is_better(one) && !(is_better(many) && many->error < one->error)) return one;
    return is_better(many) ? many : std::nullopt;
  }

  /// The error as seen from the result itself, at most the one that is reported from then on: what
  /// the probabilities miss of a distribution and, where correlations are near 1, as those of
  /// smooth fields are, the total variation that half the neighbours or, in part, other moments
  /// make.
  double check(Estimate& best) const {
    double doubt = best.mass_error();
    double close = 0.0;
    for (Index i = 0; i < arms_.size(); ++i) {
      if (arms_.strongest(i) > kClose) close += best.probabilities(i);
    }
    if (!(close > kFewClose) || arms_.most < 2) return doubt;
    const auto change = [&](const HazardArms& arms, const std::vector<bool>& propagates) {
      return total_variation(solve_locally(arms, propagates).probabilities, best.probabilities);
    };
    HazardArms fewer = arms_;
    for (auto& count : fewer.count) count = (count + 1) / 2;
    doubt = std::max(doubt, change(fewer, propagated(arms_)));
    if (best.propagated_share > 0.0) {
      const std::vector<bool> none(arms_.arms.size(), false);
      doubt = std::max(doubt, kOfMoments * change(arms_, none));
    }
    best.error = std::max(best.error, doubt);
    return doubt;
  }

  /// The same arms without their neighbours.
  [[nodiscard]] Estimate independently(const Estimate& local) const {
    HazardArms alone = arms_;
    std::fill(alone.count.begin(), alone.count.end(), 0);
    const std::vector<bool> none(arms_.arms.size(), false);
    Estimate result = solve_locally(alone, none);
    result.unseen = local.unseen;
    result.is_independence = true;
    result.error =
        std::max(local.error, total_variation(result.probabilities, local.probabilities));
    return result;
  }

  [[nodiscard]] Estimate solve_locally(const HazardArms& arms,
                                       const std::vector<bool>& propagates) const {
    Estimate result;
    result.probabilities = Vector::Zero(arms.size());
    result.add(
        integrate_hazard(arms, arms.mean, propagates, floor(), {.max_panels = options_.max_panels}),
        1.0,
        has_certain());
    return result;
  }

  /// Sequential moments want the nearest neighbours.
  [[nodiscard]] double spread_beyond() const {
    return options_.moments == HazardMoments::kSequential ? kInfinity : options_.strong_correlation;
  }

  [[nodiscard]] std::vector<bool> propagated(const HazardArms& arms) const {
    std::vector<bool> result(arms.arms.size());
    for (Index i = 0; i < arms.size(); ++i) {
      result[static_cast<std::size_t>(i)] = options_.moments == HazardMoments::kPropagation ||
                                            (options_.moments == HazardMoments::kAuto &&
                                             arms.strongest(i) > options_.strong_correlation);
    }
    return result;
  }

  [[nodiscard]] Estimate locally() const {
    Estimate result = solve_locally(arms_, propagated(arms_));
    result.unseen = unseen_correlation(belief_.f, belief_.f.stddev(), arms_, active_weights());
    // Without neighbours none of the correlation is seen in part.
    const double share = arms_.most == 0 ? 1.0 : 0.4;
    const double of_unseen = std::max(0.1 * std::sqrt(result.unseen), share * result.unseen);
    const double of_moments = 0.001 + 0.007 * result.propagated_share + of_unseen +
                              0.25 * singular_share(arms_, result.probabilities);
    result.error = std::max(of_moments, result.mass_error());
    return result;
  }

  /// Given up to `most` common factors, with so many neighbours in what they leave. Nothing if
  /// there is no factor, or if more than `most_unseen` is left unseen.
  [[nodiscard]] std::optional<Estimate> given_factors(const Estimate& local,
                                                      Index most,
                                                      Index neighbours,
                                                      double most_unseen) const {
    const Vector spread_weights =
        0.7 * local.probabilities.array() + 0.3 / static_cast<double>(arms_.size());
    const Matrix loadings = common_factors(belief_.f, arms_.arms, spread_weights, most);
    const Index r = loadings.cols();
    if (r == 0) return std::nullopt;
    const ResidualGaussian rest(belief_.f, loadings);
    HazardArms arms;
    arms.arms = arms_.arms;
    arms.mean = arms_.mean;
    arms.stddev.resize(arms_.size());
    Matrix shifts(arms_.size(), r);
    for (Index i = 0; i < arms_.size(); ++i) {
      const Index x = arms_.arms[static_cast<std::size_t>(i)];
      arms.stddev(i) = belief_.scale * rest.stddev()(x);
      shifts.row(i) = belief_.scale * loadings.row(x);
    }
    arms.inverse_stddev = arms.stddev.cwiseInverse();
    find_neighbours(rest, neighbours, kLeastNeighbour, arms, spread_beyond());
    // Without neighbours the rest must be uncorrelated itself, not only small.
    const VectorView units = arms.most == 0 ? rest.stddev() : belief_.f.stddev();
    const double unseen = unseen_correlation(rest, units, arms, active_weights());
    if (unseen >= most_unseen) return std::nullopt;
    const double of_rest = (r == 1 ? 0.001 : 0.003) + 0.4 * unseen;
    const FactorAverage given = average_over_factors(
        arms, shifts, propagated(arms), floor(), options_.max_panels, std::max(of_rest, 0.003));
    Estimate result{given.average};
    result.regime = HazardRegime::kFactors;
    result.factors = r;
    result.unseen = unseen;
    result.error = of_rest + 0.004 * result.propagated_share + 0.25 * given.roughness +
                   0.25 * singular_share(arms, result.probabilities);
    result.error = std::max(result.error, result.mass_error());
    return result;
  }

  /// By joint samples of the arms that are left, and of the best certain one as one more.
  [[nodiscard]] Estimate sampled(const Estimate& rough, Rng& rng) const {
    constexpr double kRootsPerSample = 0.05, kFewest = 4000.0, kMost = 200000.0;
    const Index n = arms_.size(), all = n + (has_certain() ? 1 : 0);
    Vector mean = Vector::Constant(all, floor());
    mean.head(n) = arms_.mean;
    Matrix covariance = Matrix::Zero(all, all);
    const Matrix block = belief_.f.covariance_block(arms_.arms, arms_.arms);
    // The square of the scale may overflow.
    covariance.topLeftCorner(n, n) =
        belief_.scale * (0.5 * belief_.scale * (block + block.transpose()));
    require_correlations("local_hazard", belief_.f, arms_.arms, arms_.arms, block);
    // What is left of a correlation beyond 1 is rounding.
    const Matrix most =
        covariance.diagonal().cwiseSqrt() * covariance.diagonal().cwiseSqrt().transpose();
    covariance = covariance.cwiseMin(most).cwiseMax(-most).eval();
    const double roots = rough.probabilities.cwiseSqrt().sum() / kRootsPerSample;
    const TsMcResult drawn =
        ts_mc(DenseGaussian(std::move(mean), std::move(covariance)),
              rng,
              {.samples = static_cast<std::uint64_t>(std::clamp(roots * roots, kFewest, kMost))});
    Estimate result;
    result.regime = HazardRegime::kSampling;
    result.mass = 1.0;
    result.probabilities = drawn.pom.probabilities.head(n);
    result.certain = has_certain() ? drawn.pom.probabilities(n) : 0.0;
    result.unseen = rough.unseen;
    result.error = *drawn.pom.sampling_error;
    result.samples = drawn.pom.samples;
    return result;
  }

  /// The result for all arms.
  [[nodiscard]] Vector spread(const Estimate& estimate) const {
    const Index n = belief_.mean.size();
    Vector p = Vector::Zero(n);
    Vector sharers = Vector::Zero(n);
    for (const auto& [arm, first] : equals_) sharers(first) += 1.0;
    for (Index i = 0; i < arms_.size(); ++i) {
      const Index x = arms_.arms[static_cast<std::size_t>(i)];
      p(x) = estimate.probabilities(i) / sharers(x);
    }
    for (const auto& [arm, first] : equals_) p(arm) = p(first);
    for (Index i = 0; i < n && has_certain(); ++i) {
      if (is_certain(belief_.stddev(i)) && belief_.mean(i) == belief_.summary.best_certain) {
        p(i) = estimate.certain / static_cast<double>(belief_.summary.best_certain_count);
      }
    }
    return p / p.sum();
  }

  [[nodiscard]] Vector active_weights() const { return weights_(arms_.arms); }

  const LocalHazardOptions& options_;
  HazardBelief belief_;
  Vector weights_;  // [all arms] by F-LITE
  HazardArms arms_;
  double origin_ = 0.0;
  std::vector<std::pair<Index, Index>> equals_;  // (arm, the first one that it equals)
};

/// Without a covariance there is nothing to see in neighbours.
LocalHazardResult solve(const GaussianVector& f, Rng& rng, const LocalHazardOptions& options) {
  if (f.has_covariance()) return Solver(f, options).run(rng);
  LocalHazardResult result;
  result.pom = independence(f.mean(), f.stddev());
  result.active_arms = f.size();
  return result;
}

}  // namespace

LocalHazard::LocalHazard(LocalHazardOptions options) : options_(options) { validate(options_); }

Pom LocalHazard::do_estimate(const GaussianVector& f, Rng& rng) const {
  return solve(f, rng, options_).pom;
}

LocalHazardResult local_hazard(const GaussianVector& f,
                               Rng& rng,
                               const LocalHazardOptions& options) {
  validate(options);
  require_marginals("local_hazard", f.mean(), f.stddev());
  return solve(f, rng, options);
}

}  // namespace pomlux
