// SPDX-License-Identifier: MIT
#include <algorithm>  // std::any_of
#include <array>      // digit buffers
#include <charconv>   // digits without locale
#include <cmath>      // std::abs
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/estimation_table.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/report_numbers.hpp>

namespace pomlux {
namespace {

constexpr const char* kPlusMinus = " \u00b1 ";
/// Below this, two decimals would hide an error of a percentage.
constexpr double kLeastShownError = 0.005;

std::string two_decimals(double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(
      buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 2);
  return {buffer.data(), result.ptr};
}

/// As the tables of papers have it; more digits where the error is small.
std::string percentage(const MeanAndError& value) {
  if (value.count == 0) return "";
  if (!(value.error >= kLeastShownError)) return with_error(value);
  return two_decimals(value.mean) + kPlusMinus + two_decimals(value.error);
}

std::string published_text(const Json& published, const std::string& name) {
  for (const Json& one : published) {
    if (one.at("estimator") != name) continue;
    const bool has_error = one.at("standard_error").is_number();
    const double mean = one.at("mean").get<double>();
    if (!has_error) return format_number(mean);
    return percentage({mean, one.at("standard_error").get<double>(), 1});
  }
  return "";
}

std::vector<std::string> estimators_in(const std::vector<TotalVariations>& by_seed) {
  std::vector<std::string> names;
  for (const TotalVariations& seed : by_seed) {
    for (const auto& [name, value] : seed) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

MeanAndError percent_over_seeds(const std::vector<TotalVariations>& by_seed,
                                const std::string& name) {
  std::vector<double> values;
  for (const TotalVariations& seed : by_seed) {
    for (const auto& [own, value] : seed) {
      if (own == name) values.push_back(100.0 * value);
    }
  }
  return mean_and_error(values);
}

/// Of the seeds that are done, or of all that began if none is.
std::vector<TotalVariations> counted_seeds(const RunOutcome& outcome) {
  std::vector<TotalVariations> done;
  std::vector<TotalVariations> begun;
  for (const SeedOutcome& seed : outcome.seeds) {
    if (seed.total_variations.empty()) continue;
    begun.push_back(seed.total_variations);
    if (seed.status == SeedStatus::kDone) done.push_back(seed.total_variations);
  }
  return done.empty() ? begun : done;
}

std::string without_plus_minus(std::string text) {
  constexpr std::string_view kSign = "\u00b1";
  for (std::size_t at = text.find(kSign); at != std::string::npos; at = text.find(kSign)) {
    text.replace(at, kSign.size(), "+-");
  }
  return text;
}

std::string truth_of(const Experiment& experiment) {
  return experiment.config.at("track").at("truth").get<std::string>();
}

}  // namespace

RowTable estimation_rows(const std::vector<TotalVariations>& by_seed, const Json& published) {
  const std::vector<std::string> names = estimators_in(by_seed);
  const bool has_published = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return !published_text(published, name).empty();
  });
  RowTable rows{{"estimator", "total variation"}};
  if (has_published) rows.front().emplace_back("published");
  for (const std::string& name : names) {
    rows.push_back({name, percentage(percent_over_seeds(by_seed, name))});
    if (has_published) rows.back().push_back(published_text(published, name));
  }
  return rows;
}

std::string estimation_table(const Experiment& experiment, const RunOutcome& outcome) {
  const std::vector<TotalVariations> by_seed = counted_seeds(outcome);
  RowTable rows = estimation_rows(by_seed, experiment.config.at("published"));
  for (auto& row : rows) {
    for (std::string& cell : row) cell = without_plus_minus(cell);
  }
  const std::string seeds = by_seed.size() == 1 ? "one seed"
                                                : "mean +- standard error over " +
                                                      std::to_string(by_seed.size()) + " seeds";
  return "total variation to " + truth_of(experiment) + ", percent: " + seeds + "\n" +
         aligned_text(rows);
}

std::string estimation_summary(const Experiment& experiment, const RunOutcome& outcome) {
  std::vector<std::string> names;
  for (const Json& section : experiment.config.at("track").at("estimators")) {
    if (section.at("name") != truth_of(experiment))
      names.push_back(section.at("name").get<std::string>());
  }
  RowTable rows{{"seed", "status", "reason", "vectors"}};
  for (const std::string& name : names) rows.front().push_back("tv_" + name);
  for (const char* name : {"estimator_seconds", "writing_seconds", "total_seconds"})
    rows.front().emplace_back(name);
  for (const SeedOutcome& seed : outcome.seeds) {
    std::vector<std::string> row{format_number(seed.seed),
                                 std::string(to_string(seed.status)),
                                 seed.reason,
                                 format_number(seed.evaluations)};
    for (std::size_t k = 0; k < names.size(); ++k) {
      const bool is_known = k < seed.total_variations.size();
      row.push_back(is_known ? format_number(seed.total_variations[k].second) : "");
    }
    for (const double seconds : {seed.seconds.estimator, seed.seconds.writing, seed.seconds.total})
      row.push_back(format_number(seconds));
    rows.push_back(std::move(row));
  }
  return csv_text(rows);
}

}  // namespace pomlux
