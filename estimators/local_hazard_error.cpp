// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <cmath>      // std::abs
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

bool is_neighbour(const HazardArms& arms, Index x, Index z) {
  const auto begin = arms.neighbours.begin() + x * arms.most;
  const auto end = begin + arms.count[static_cast<std::size_t>(x)];
  return std::find(begin, end, static_cast<std::int32_t>(z)) != end;
}

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
  double sum = 0.0;
  for (std::size_t a = 0; a < indices.size(); ++a) {
    double row = 0.0;
    for (std::size_t b = 0; b < indices.size(); ++b) {
      if (a == b || is_neighbour(arms, drawn.positions[a], drawn.positions[b])) continue;
      const double covariance = block(static_cast<Index>(b), static_cast<Index>(a));
      const double correlation = std::abs(covariance) / stddev(indices[a]) / stddev(indices[b]);
      row += drawn.weights[b] * std::min(correlation, 1.0);
    }
    sum += drawn.weights[a] * row;
  }
  return sum;
}

double singular_share(const HazardArms& arms, const Vector& probabilities) {
  double singular = 0.0;
  for (Index i = 0; i < arms.size(); ++i) {
    if (arms.strongest(i) > 1.0 - kSingular) singular += probabilities(i);
  }
  const double total = probabilities.sum();
  return total > 0.0 ? singular / total : 0.0;
}

}  // namespace pomlux
