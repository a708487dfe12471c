// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min_element
#include <pomlux/core/linalg.hpp>
#include <pomlux/estimators/local_hazard_error.hpp>

namespace pomlux {
namespace {

struct WeightedArms {
  std::vector<Index> positions;
  std::vector<double> weights;  // sum to 1
};

WeightedArms draw_systematically(const Vector& weights) {
  WeightedArms drawn;
  const double total = weights.sum();
  if (weights.size() <= kSampledArms) {
    for (Index i = 0; i < weights.size(); ++i) {
      drawn.positions.push_back(i);
      drawn.weights.push_back(weights(i) / total);
    }
    return drawn;
  }
  const double step = total / static_cast<double>(kSampledArms);
  double cumulative = 0.0, next = 0.5 * step;
  for (Index i = 0; i < weights.size(); ++i) {
    cumulative += weights(i);
    double count = 0.0;
    for (; next < cumulative; next += step) count += 1.0;
    if (count == 0.0) continue;
    drawn.positions.push_back(i);
    drawn.weights.push_back(count / static_cast<double>(kSampledArms));
  }
  return drawn;
}

constexpr float kReachMargin = 1e-5F;  // for ties and rounding

}  // namespace

double unseen_correlation(const GaussianVector& f,
                          const VectorRef& stddev,
                          const HazardArms& arms,
                          const Vector& weights) {
  if (arms.size() <= arms.most + 1 && arms.most > 0 &&
      *std::min_element(arms.count.begin(), arms.count.end()) == arms.most) {
    return 0.0;
  }
  const WeightedArms drawn = draw_systematically(weights);
  std::vector<Index> indices;
  for (const Index i : drawn.positions) {
    indices.push_back(arms.arms[static_cast<std::size_t>(i)]);
  }
  const Matrix block = f.covariance_block(indices, indices);
  std::vector<Index> places(arms.arms.size(), -1);  // of an arm among those drawn
  Vector unseen(std::ssize(indices)), inverse(unseen.size());
  for (Index a = 0; a < inverse.size(); ++a) {
    const auto slot = static_cast<std::size_t>(a);
    places[static_cast<std::size_t>(drawn.positions[slot])] = a;
    inverse(a) = 1.0 / stddev(indices[slot]);
  }
  double sum = 0.0;
  for (Index a = 0; a < inverse.size(); ++a) {
    const Index x = drawn.positions[static_cast<std::size_t>(a)];
    unseen = (block.col(a).array() * inverse.array() * inverse(a)).abs().min(1.0);
    unseen(a) = 0.0;
    const double reach = arms.reach[static_cast<std::size_t>(x)] + kReachMargin;
    unseen = (unseen.array() > reach).select(0.0, unseen);
    for (Index k = 0; k < arms.count[static_cast<std::size_t>(x)]; ++k) {
      const Index z = arms.neighbours[static_cast<std::size_t>(x * arms.most + k)];
      const Index place = places[static_cast<std::size_t>(z)];
      if (place >= 0) unseen(place) = 0.0;
    }
    double row = 0.0;
    for (Index b = 0; b < unseen.size(); ++b) {
      row += drawn.weights[static_cast<std::size_t>(b)] * unseen(b);
    }
    sum += drawn.weights[static_cast<std::size_t>(a)] * row;
  }
  return sum;
}

double share_correlated(const HazardArms& arms, const Vector& probabilities, double correlation) {
  double correlated = 0.0;
  for (Index i = 0; i < arms.size(); ++i) {
    if (arms.strongest(i) > correlation) correlated += probabilities(i);
  }
  const double total = probabilities.sum();
  return total > 0.0 ? correlated / total : 0.0;
}

double tied_share(const HazardArms& arms, const Vector& probabilities, double left) {
  constexpr double kLeast = 0.001, kJitter = 1e-6;
  double tied = 0.0;
  for (Index x = 0; x < arms.size(); ++x) {
    const Index m = arms.count[static_cast<std::size_t>(x)];
    if (probabilities(x) < kLeast || m < 2) continue;
    Matrix correlation = (1.0 + kJitter) * Matrix::Identity(m + 1, m + 1);
    const float* pair = arms.pairs.data() + x * (arms.most * (arms.most - 1) / 2);
    for (Index j = 0; j < m; ++j) {
      correlation(m, j) = arms.correlation[static_cast<std::size_t>(x * arms.most + j)];
      for (Index i = 0; i < j; ++i) correlation(j, i) = *pair++;
    }
    CholeskyFactor factor;
    const bool is_covariance = factor.assign(correlation) == m + 1;
    const double stddev = is_covariance ? factor.lower()(m, m) : 0.0;
    if (stddev * stddev <= left) tied += probabilities(x);
  }
  return tied;
}

}  // namespace pomlux
