// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max_element
#include <cmath>      // std::sqrt
#include <pomlux/experiments/reproduce_series.hpp>

namespace pomlux {
namespace {

const MethodSeries* find_method(const SeedSeries& seed, const std::string& method) {
  const auto found = seed.methods.find(method);
  return found == seed.methods.end() ? nullptr : &found->second;
}

}  // namespace

SeriesValues series_of(const RecipeResults& results,
                       const std::string& method,
                       std::vector<double> MethodSeries::*field) {
  SeriesValues values;
  for (const SeedSeries& seed : results.seeds) {
    const MethodSeries* const series = find_method(seed, method);
    if (series == nullptr) continue;
    std::vector<double> own = series->*field;
    own.resize(results.queries.size(), kNaN);
    values.push_back(std::move(own));
  }
  return values;
}

SeriesValues counted(const SeriesValues& values, const RecipeResults& results, Index first_query) {
  SeriesValues kept;
  for (const std::vector<double>& seed : values) {
    kept.emplace_back();
    for (std::size_t i = 0; i < seed.size(); ++i) {
      const Index query = results.queries[i];
      if (query >= first_query && query != results.recall_query) kept.back().push_back(seed[i]);
    }
  }
  return kept;
}

double at_published_samples(double tv, double tv_quarter, double n, double published) {
  const double noise = (tv_quarter * tv_quarter - tv * tv) / 3.0;
  const double square = tv * tv - noise * (1.0 - n / published);
  return std::copysign(std::sqrt(std::abs(square)), square);
}

SeriesValues distances_of(const RecipeResults& results,
                          const TableColumn& column,
                          const std::string& method) {
  SeriesValues tv = series_of(results, method, &MethodSeries::tv);
  if (column.truth_samples <= 0.0 || results.truth_samples <= 0.0) return tv;
  const SeriesValues quarter = series_of(results, method, &MethodSeries::tv_batch);
  for (std::size_t seed = 0; seed < tv.size(); ++seed) {
    for (std::size_t i = 0; i < tv[seed].size(); ++i) {
      tv[seed][i] = at_published_samples(
          tv[seed][i], quarter[seed][i], results.truth_samples, column.truth_samples);
    }
  }
  return tv;
}

SeriesValues squared_errors_of(const RecipeResults& results, const std::string& method) {
  SeriesValues values = series_of(results, method, &MethodSeries::relative_error);
  for (std::vector<double>& seed : values) {
    for (double& value : seed) value *= value;
  }
  return values;
}

SeriesValues last_recalls_of(const RecipeResults& results, const std::string& method) {
  const auto last = static_cast<std::size_t>(
      std::max_element(results.queries.begin(), results.queries.end()) - results.queries.begin());
  SeriesValues values;
  for (const SeedSeries& seed : results.seeds) {
    const MethodSeries* const series = find_method(seed, method);
    if (series != nullptr && last < series->recall.size()) values.push_back(series->recall[last]);
  }
  return values;
}

std::string variant_of(const RecipeResults& results) {
  const std::size_t dot = results.recipe.find('.');
  return dot == std::string::npos ? "" : results.recipe.substr(dot + 1);
}

std::optional<double> z_score(double value, double error, double other, double other_error) {
  const double combined = std::hypot(error, other_error);
  if (!(combined > 0.0)) return std::nullopt;
  return (value - other) / combined;
}

}  // namespace pomlux
