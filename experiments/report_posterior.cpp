// SPDX-License-Identifier: MIT
#include <algorithm>  // sorting
#include <cmath>      // logarithms
#include <limits>     // NaN
#include <numeric>    // std::iota
#include <pomlux/experiments/report_posterior.hpp>

namespace pomlux {

std::optional<PosteriorData> posterior_data(const ResultTable& table) {
  PosteriorData data;
  data.mean = table.numbers("mean");
  data.candidate = table.numbers("candidate");
  if (data.mean.empty() || data.candidate.empty()) return std::nullopt;
  for (const std::string& name : table.names_between("candidate", "mean")) {
    if (table.numbers(name).size() != table.rows()) continue;
    data.axes.push_back(name);
    data.coordinates.push_back(table.numbers(name));
  }
  data.labels = table.words("label");
  if (table.has_numbers("stddev")) data.stddev = table.numbers("stddev");
  if (table.has_numbers("true_value")) data.true_value = table.numbers("true_value");
  data.evaluations = table.numbers("evaluations");
  for (const std::string& estimator : estimators_of(table, "pom_")) {
    if (!table.has_numbers("pom_" + estimator)) continue;
    data.estimators.push_back(estimator);
    data.pom.push_back(table.numbers("pom_" + estimator));
  }
  return data;
}

double entropy_of(const std::vector<double>& probabilities) {
  double entropy = 0.0;
  for (const double p : probabilities) {
    if (!std::isfinite(p)) return std::numeric_limits<double>::quiet_NaN();
    if (p > 0.0) entropy -= p * std::log(p);
  }
  return std::max(entropy, 0.0);
}

std::vector<std::size_t> top_candidates(const PosteriorData& data, Sense sense, std::size_t k) {
  std::vector<double> score = data.pom.empty() ? data.mean : data.pom.front();
  for (double& value : score) {
    if (data.pom.empty()) value *= sign_of(sense);
    if (!std::isfinite(value)) value = -std::numeric_limits<double>::infinity();
  }
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto count = static_cast<std::ptrdiff_t>(std::min(k, order.size()));
  std::partial_sort(
      order.begin(), order.begin() + count, order.end(), [&](std::size_t a, std::size_t b) {
        return score[a] > score[b] || (score[a] == score[b] && a < b);
      });
  order.resize(static_cast<std::size_t>(count));
  return order;
}

}  // namespace pomlux
