// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <cmath>      // std::sqrt
#include <optional>   // attempts
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/few_arms.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/local_hazard.hpp>
#include <pomlux/estimators/local_hazard_belief.hpp>
#include <pomlux/estimators/local_hazard_error.hpp>
#include <pomlux/estimators/local_hazard_factors.hpp>
#include <pomlux/estimators/local_hazard_kernels.hpp>  // kMostNeighbours
#include <pomlux/estimators/local_hazard_local.hpp>
#include <pomlux/estimators/local_hazard_nodes.hpp>
#include <pomlux/estimators/ts_mc.hpp>

namespace pomlux {
namespace {

constexpr double kUnseenLimit = 0.03;
constexpr Index kScouts = 64;  // arms that tell whether factors do
constexpr Index kMostSought = 2048;
constexpr Index kMostRefined = 512;
constexpr double kTold = 0.25;   // of their variance, that neighbours leave
constexpr double kStrong = 0.1;  // their correlation, if neighbours seem to see all of it
// What one factor may leave unseen of what was.
constexpr double kRestOfOne = 0.15;
constexpr double kRestOfOneAtLeast = 0.005;
// Model errors where nothing is left unseen.
constexpr double kOfOneFactor = 0.001;
constexpr double kOfFactors = 0.003;
constexpr double kOfGuess = 0.03;  // where loadings of arms follow from others near them
constexpr double kOfBlur = 0.015;  // where the rest has the least standard deviation
// Doubt of a local answer.
constexpr double kDoubtful = 0.02;   // from here on more neighbours help
constexpr double kUnstable = 0.1;    // up to here
constexpr double kCoarse = 0.005;    // error of the unseen from which on they do
constexpr double kMostDoubt = 0.35;  // beyond it independence is closer more often

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
    const HazardEstimate estimate = choose(rng);
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
    find_neighbours(
        belief_.f, {.most = options_.neighbours, .spread_beyond = spread_beyond(options_)}, arms_);
  }

  /// Keeps one of each set of equal arms; equals_ remembers the others.
  void merge_equals() {
    const std::vector<Index> first = find_equal_arms(belief_.f, arms_);
    std::vector<Index> kept;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i] == static_cast<Index>(i)) kept.push_back(arms_.arms[i]);
      equals_.emplace_back(arms_.arms[i], arms_.arms[static_cast<std::size_t>(first[i])]);
    }
    if (kept.size() < first.size()) set_arms(std::move(kept));
  }

  HazardEstimate choose(Rng& rng) const {
    if (arms_.size() == 0) {
      HazardEstimate certain;
      certain.certain = certain.mass = 1.0;
      return certain;
    }
    const bool is_auto =
        options_.regime == HazardRegime::kAuto && options_.moments == HazardMoments::kAuto;
    if (is_auto && arms_.size() <= kExactArms && arms_.most > 0 && !has_certain()) return exactly();
    const Vector weights = active_weights();
    const LocalRegime local(belief_.f, arms_, weights, floor(), options_);
    HazardEstimate best = local.estimate();
    const bool is_given = options_.regime == HazardRegime::kFactors;
    if (options_.regime == HazardRegime::kLocal || is_given) {
      if (const auto given = is_given ? by_factors(best) : std::nullopt) return *given;
      local.check(best);
      return best;
    }
    if (need_factors(best)) {
      const auto given = by_factors(best);
      if (given && is_better(*given, best)) best = *given;
    }
    const bool is_asked = options_.regime == HazardRegime::kSampling;
    const bool is_local = !is_asked && best.regime == HazardRegime::kLocal;
    const double doubt = is_local ? local.check(best) : 0.0;
    const bool is_needed = options_.allow_sampling && best.error > options_.max_error;
    if (arms_.size() <= kMostSampled && (is_asked || is_needed)) return sampled(best, rng);
    if (doubt > kMostDoubt) return local.independently(best);
    if (!is_local || !may_refine(best, doubt)) return best;
    // Where half of the neighbours did something, what twice as many leave is not known better.
    const HazardEstimate refined = local.refined(doubt > kDoubtful ? best.error : doubt);
    const bool is_consistent = refined.is_complete && refined.error <= best.error &&
                               refined.total_variation(best) <= 2.0 * best.error;
    return is_consistent ? refined : best;
  }

  /// Of up to kExactArms arms.
  [[nodiscard]] HazardEstimate exactly() const {
    const Matrix block = belief_.f.covariance_block(arms_.arms, arms_.arms);
    const Vector own = belief_.f.stddev()(arms_.arms);
    const double unit = arms_.stddev.maxCoeff();
    const Vector stddev = arms_.stddev / unit;
    Matrix covariance(own.size(), own.size());
    double rounding = 0.0;
    for (Index i = 0; i < own.size(); ++i) {
      for (Index j = 0; j < own.size(); ++j) {
        const double correlation = i == j ? 1.0 : block(i, j) / own(i) / own(j);
        covariance(i, j) = std::clamp(correlation, -1.0, 1.0) * stddev(i) * stddev(j);
        const Index x = arms_.arms[static_cast<std::size_t>(i)];
        const Index z = arms_.arms[static_cast<std::size_t>(j)];
        rounding = std::max(rounding, difference_rounding(belief_.f, x, z));
      }
    }
    FewArms few = solve_few_arms(arms_.mean / unit, covariance, rounding);
    HazardEstimate result;
    result.mass = 1.0;
    result.probabilities = std::move(few.probabilities);
    result.error = few.error;
    return result;
  }

  /// Whether more neighbours would help: where half of them do or, with sequential moments, where
  /// much correlation is unseen but not most.
  [[nodiscard]] bool may_refine(const HazardEstimate& local, double doubt) const {
    const bool has_more =
        arms_.most > 0 && arms_.most == options_.neighbours &&
        arms_.most < std::min(arms_.size() - 1, static_cast<Index>(detail::kMostNeighbours));
    const bool is_cheap = arms_.size() <= kMostRefined && options_.moments == HazardMoments::kAuto;
    if (!has_more || !is_cheap || !local.is_complete || doubt >= kUnstable) return false;
    const bool is_coarse = error_of_unseen(local.unseen) > kCoarse && local.unseen < kUnseenLimit;
    return doubt > kDoubtful || (is_coarse && local.propagated_share < 0.5);
  }

  /// Given all factors, the rest being taken as independent, or given one with neighbours in the
  /// rest: whichever has the smaller error, if that may be below the local one.
  [[nodiscard]] std::optional<HazardEstimate> by_factors(const HazardEstimate& local) const {
    const Vector weights =
        0.7 * local.probabilities.array() + 0.3 / static_cast<double>(arms_.size());
    // As few as explain it, if any do: where weights are uneven, more load on single arms.
    SplitArms best = split(arms_, weights, options_.factors, 0);
    for (Index most = 1; most < options_.factors && best.unseen < 2.0 * kExplained; most *= 2) {
      SplitArms fewer = split(arms_, weights, most, 0);
      if (fewer.unseen < kExplained) {
        best = std::move(fewer);
        break;
      }
    }
    const auto many =
        given(best, std::clamp((local.error - kOfFactors) / kOfUnseen, kExplained, kMostRest));
    if (options_.neighbours == 0 || (many && many->unseen < kExplained)) return many;
    const auto one = given(split(arms_, weights, 1, options_.neighbours),
                           kRestOfOne * local.unseen + kRestOfOneAtLeast);
    return one && !(many && many->error < one->error) ? one : many;
  }

  /// Where factors explain all correlation they are exact; else the two must agree. Arms that
  /// factors determine are blurred, which only helps where moments fail on them.
  [[nodiscard]] bool is_better(const HazardEstimate& given, const HazardEstimate& local) const {
    const bool is_blurred = given.blurred > kFew;
    if (is_blurred && !(tied_share(arms_, local.probabilities) > kFew)) return false;
    if (given.unseen < kExplained && !(given.propagated_share > 0.0)) return true;
    return given.error < local.error && given.total_variation(local) <= 2.0 * local.error;
  }

  /// Where correlation is unseen, or neighbours tell much of the arms: with few arms, or strong
  /// factors, they seem to see all of it. Many arms are worth it only if factors explain all.
  [[nodiscard]] bool need_factors(const HazardEstimate& local) const {
    if (options_.regime != HazardRegime::kAuto || options_.neighbours == 0) return false;
    if (local.unseen > kUnseenLimit) return arms_.size() <= kMostSought || are_scouts_explained();
    return tied_share(arms_, local.probabilities, kTold) > kFew && are_scouts_explained();
  }

  /// Whether factors explain the correlation of the arms that matter most.
  [[nodiscard]] bool are_scouts_explained() const {
    const Vector weights = active_weights();
    const std::vector<Index> order = heaviest(weights, kScouts);
    HazardArms scouts;
    for (const Index i : order) scouts.arms.push_back(arms_.arms[static_cast<std::size_t>(i)]);
    scouts.mean = arms_.mean(order);
    scouts.stddev = arms_.stddev(order);
    find_neighbours(belief_.f, {}, scouts);
    const Vector own = weights(order);
    const double unseen = unseen_correlation(belief_.f, belief_.f.stddev(), scouts, own);
    if (!(unseen > kStrong)) return false;
    const SplitArms given = split(scouts, own, options_.factors, 0);
    return given.shifts.cols() > 0 && given.unseen < kExplained;
  }

  /// With so many neighbours in what up to `most` factors leave.
  [[nodiscard]] SplitArms split(const HazardArms& arms,
                                const Vector& weights,
                                Index most,
                                Index neighbours) const {
    return split_arms(belief_,
                      arms,
                      weights,
                      weights_(arms.arms),
                      {.factors = most,
                       .neighbours = neighbours,
                       .most_neighbours = options_.neighbours,
                       .spread_beyond = spread_beyond(options_)});
  }

  /// Nothing if there is no factor or, unless kFactors is asked for, if `most_unseen` is left
  /// unseen or moments would fail on the rest.
  [[nodiscard]] std::optional<HazardEstimate> given(const SplitArms& split,
                                                    double most_unseen) const {
    const Index r = split.shifts.cols();
    const bool is_refused = split.unseen >= most_unseen || split.tied > kFew;
    if (r == 0 || (is_refused && options_.regime == HazardRegime::kAuto)) return std::nullopt;
    const bool is_plain = split.rest.most == 0;
    const bool is_guessed =
        split.rest.size() > kFactorArms && !(is_plain && split.unseen < kExplained);
    const double of_rest = (is_plain && r == 1 ? kOfOneFactor : kOfFactors) +
                           (is_guessed ? kOfGuess : 0.0) +
                           (is_plain ? kOfUnseen * split.unseen : error_of_unseen(split.unseen));
    const auto average = [&](const HazardArms& rest) {
      return average_over_factors(rest,
                                  split.shifts,
                                  propagated_arms(rest, options_),
                                  floor(),
                                  options_.max_panels,
                                  std::max(of_rest, kOfFactors));
    };
    const FactorAverage over = average(split.rest);
    HazardEstimate result{over.average};
    result.regime = HazardRegime::kFactors;
    result.factors = r;
    result.unseen = split.unseen;
    result.blurred = split.blurred.dot(result.probabilities);
    double of_blur = 0.0;
    if (result.blurred > 0.0) {
      // What it does if every second arm has twice as much.
      HazardArms wider = split.rest;
      for (Index i = 0; i < wider.size(); i += 2) wider.stddev(i) *= 1.0 + split.blurred(i);
      wider.inverse_stddev = wider.stddev.cwiseInverse();
      of_blur = average(wider).average.total_variation(result);
    }
    result.error = of_rest + 0.004 * result.propagated_share + 0.25 * over.roughness +
                   0.25 * share_correlated(split.rest, result.probabilities, 1.0 - kSingular) +
                   kOfBlur * result.blurred + of_blur;
    result.error = std::max(result.error, result.mass_error());
    return result;
  }

  /// By joint samples of the arms that are left, and of the best certain one as one more.
  [[nodiscard]] HazardEstimate sampled(const HazardEstimate& rough, Rng& rng) const {
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
    HazardEstimate result;
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
  [[nodiscard]] Vector spread(const HazardEstimate& estimate) const {
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
