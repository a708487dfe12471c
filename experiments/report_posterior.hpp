// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // files without rows
#include <pomlux/experiments/report_data.hpp>
#include <string>  // names
#include <vector>  // candidates

namespace pomlux {

/// The belief of one seed at its end, over all candidates.
struct PosteriorData {
  std::vector<std::string> axes;                 ///< names of the coordinates
  std::vector<std::vector<double>> coordinates;  ///< [axis][candidate]
  std::vector<std::string> estimators;           ///< may be empty
  std::vector<std::vector<double>> pom;          ///< [estimator][candidate]
  std::vector<double> candidate;                 ///< indices as in the file
  std::vector<std::string> labels;               ///< empty if none
  std::vector<double> mean;
  std::vector<double> stddev;
  std::vector<double> true_value;   ///< empty if unknown
  std::vector<double> evaluations;  ///< empty if unknown

  [[nodiscard]] std::size_t size() const { return mean.size(); }
};

/// What a posterior.csv holds; nothing if the table lacks rows or the columns candidate and mean.
[[nodiscard]] std::optional<PosteriorData> posterior_data(const ResultTable& table);

/// -sum p log p in nats, with 0 log 0 = 0; NaN if a probability is missing.
[[nodiscard]] double entropy_of(const std::vector<double>& probabilities);

/// The k candidates with the largest PoM by the first estimator (by posterior mean in the run's
/// sense where there is none), first index on ties.
[[nodiscard]] std::vector<std::size_t> top_candidates(const PosteriorData& data,
                                                      Sense sense,
                                                      std::size_t k);

}  // namespace pomlux
