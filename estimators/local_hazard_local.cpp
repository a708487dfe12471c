// SPDX-License-Identifier: MIT
#include <algorithm>  // std::fill
#include <cmath>      // std::sqrt
#include <pomlux/estimators/local_hazard_error.hpp>
#include <pomlux/estimators/local_hazard_kernels.hpp>  // kMostNeighbours
#include <pomlux/estimators/local_hazard_local.hpp>

namespace pomlux {
namespace {

constexpr double kClose = 0.95;      // correlation with the nearest neighbour
constexpr double kOfMoments = 0.25;  // error per change by other moments

}  // namespace

double spread_beyond(const LocalHazardOptions& options) {
  return options.moments == HazardMoments::kSequential ? kInfinity : options.strong_correlation;
}

std::vector<bool> propagated_arms(const HazardArms& arms, const LocalHazardOptions& options) {
  std::vector<bool> result(arms.arms.size());
  for (Index i = 0; i < arms.size(); ++i) {
    result[static_cast<std::size_t>(i)] =
        options.moments == HazardMoments::kPropagation ||
        (options.moments == HazardMoments::kAuto && arms.strongest(i) > options.strong_correlation);
  }
  return result;
}

double error_of_unseen(double unseen, double share) {
  return std::max(0.1 * std::sqrt(unseen), share * unseen);
}

std::vector<bool> LocalRegime::propagated(const HazardArms& arms) const {
  const bool sees_all = arms.most > 0 && arms.most == arms.size() - 1;
  if (sees_all && options_.moments == HazardMoments::kAuto) {
    return std::vector<bool>(arms.arms.size(), true);
  }
  return propagated_arms(arms, options_);
}

HazardEstimate LocalRegime::solve(const HazardArms& arms,
                                  const std::vector<bool>& propagates) const {
  HazardEstimate result;
  result.probabilities = Vector::Zero(arms.size());
  result.add(
      integrate_hazard(arms, arms.mean, propagates, floor_, {.max_panels = options_.max_panels}),
      1.0,
      floor_ > -kInfinity);
  return result;
}

HazardEstimate LocalRegime::estimate(const HazardArms& arms) const {
  HazardEstimate result = solve(arms, propagated(arms));
  result.unseen = unseen_correlation(f_, f_.stddev(), arms, weights_);
  // Without neighbours none of the correlation is seen in part.
  const double share = arms.most == 0 ? 1.0 : kOfUnseen;
  const double of_unseen = error_of_unseen(result.unseen, share);
  const auto share_beyond = [&](double correlation) {
    return share_correlated(arms, result.probabilities, correlation);
  };
  const double of_moments = 0.001 + 0.007 * share_beyond(options_.strong_correlation) + of_unseen +
                            0.25 * share_beyond(1.0 - kSingular);
  result.error = std::max(of_moments, result.mass_error());
  return result;
}

double LocalRegime::check(HazardEstimate& best) const {
  double doubt = best.mass_error();
  if (!(share_correlated(arms_, best.probabilities, kClose) > kFew) || arms_.most < 2) return doubt;
  const auto change = [&](const HazardArms& arms, const std::vector<bool>& propagates) {
    return solve(arms, propagates).total_variation(best);
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

HazardEstimate LocalRegime::refined(double least_error) const {
  constexpr auto kMost = static_cast<Index>(detail::kMostNeighbours);
  constexpr double kCloser = 0.5;
  HazardArms more = arms_;
  find_neighbours(f_,
                  {.most = std::min(2 * arms_.most, kMost),
                   .spread_beyond = spread_beyond(options_),
                   .spread = kCloser},
                  more);
  HazardEstimate result = estimate(more);
  result.error = std::max(result.error, least_error);
  return result;
}

HazardEstimate LocalRegime::independently(const HazardEstimate& local) const {
  HazardArms alone = arms_;
  std::fill(alone.count.begin(), alone.count.end(), 0);
  HazardEstimate result = solve(alone, std::vector<bool>(arms_.arms.size(), false));
  result.unseen = local.unseen;
  result.is_independence = true;
  result.error = std::max(local.error, result.total_variation(local));
  return result;
}

}  // namespace pomlux
