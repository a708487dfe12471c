// SPDX-License-Identifier: MIT
#include <algorithm>  // extremes
#include <array>      // digit buffers
#include <charconv>   // digits without locale
#include <cmath>      // logarithms
#include <pomlux/experiments/report_numbers.hpp>
#include <pomlux/experiments/svg_text.hpp>

namespace pomlux {
namespace {

using figures::short_number;

constexpr std::size_t kMostAxes = 6;     ///< columns of coordinates
constexpr std::size_t kMostInPoint = 3;  ///< coordinates in one cell
constexpr int kDigits = 5;
constexpr double kRounding = 1e-13;  ///< errors of this size are rounding of equal values

double last_finite(const std::vector<double>& values) {
  for (auto value = values.rbegin(); value != values.rend(); ++value)
    if (std::isfinite(*value)) return *value;
  return kNaN;
}

std::string count_text(double value) { return short_number(value, 15); }

/// Index of the best value in the run's sense; size if there is none.
std::size_t best_row(const std::vector<double>& values, Sense sense) {
  std::size_t best = values.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    if (best == values.size() || sign_of(sense) * values[i] > sign_of(sense) * values[best])
      best = i;
  }
  return best;
}

std::string point_text(const ResultTable& steps, std::size_t row) {
  std::string text;
  const std::vector<std::string> axes = steps.names_between("candidate", "value");
  const std::vector<double>& candidates = steps.numbers("candidate");
  if (axes.empty() || axes.size() > kMostInPoint)
    return row < candidates.size() ? "candidate " + count_text(candidates[row]) : "";
  for (const std::string& axis : axes) {
    const std::vector<double>& values = steps.numbers(axis);
    text += (text.empty() ? "(" : ", ") +
            (row < values.size() ? short_number(values[row], kDigits) : "");
  }
  return text + ")";
}

std::vector<double> column(const std::vector<SeedEnd>& ends, double SeedEnd::*member) {
  std::vector<double> values;
  for (const SeedEnd& end : ends) values.push_back(end.*member);
  return values;
}

/// Values of the seeds that means are taken over.
std::vector<double> averaged(const RunResult& run, const std::vector<double>& by_seed) {
  std::vector<double> values;
  for (const SeedResult* seed : averaged_seeds(run))
    values.push_back(by_seed[static_cast<std::size_t>(seed - run.seeds.data())]);
  return values;
}

std::vector<double> entropies_of(const FinalEntropies& entropies, std::size_t estimator) {
  std::vector<double> values;
  for (const auto& seed : entropies.by_seed) values.push_back(seed[estimator]);
  return values;
}

bool any_finite(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::string fixed(double value, int decimals) {
  std::array<char, 400> buffer{};
  const auto result = std::to_chars(
      buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
  return {buffer.data(), result.ptr};
}

}  // namespace

MeanAndError mean_and_error(const std::vector<double>& values) {
  MeanAndError result{0.0, kNaN, 0};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    result.mean += value;
    ++result.count;
  }
  if (result.count == 0) return {kNaN, kNaN, 0};
  const auto n = static_cast<double>(result.count);
  result.mean /= n;
  double squares = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) squares += (value - result.mean) * (value - result.mean);
  if (result.count > 1) result.error = std::sqrt(squares / (n - 1.0) / n);
  return result;
}

std::string with_error(const MeanAndError& value) {
  if (!std::isfinite(value.error) || !std::isfinite(value.mean)) return short_number(value.mean);
  if (value.error <= kRounding * std::abs(value.mean))
    return short_number(value.mean, kDigits) + " \u00b1 0";
  const int decimals = 1 - static_cast<int>(std::floor(std::log10(value.error)));
  const double largest = std::max(std::abs(value.mean), value.error);
  if (decimals > 6 || largest >= 1e6)
    return short_number(value.mean) + " \u00b1 " + short_number(value.error, 2);
  // Errors of 10 and more keep all digits before the point.
  const int shown = std::max(0, decimals);
  return fixed(value.mean, shown) + " \u00b1 " + fixed(value.error, shown);
}

SeedEnd seed_end(const RunResult& run,
                 const SeedResult& seed,
                 const std::optional<PosteriorData>& posterior) {
  const ResultTable& steps = seed.steps;
  SeedEnd end;
  end.evaluations = static_cast<double>(steps.rows());
  end.best_observed = last_finite(steps.numbers("best_observed"));
  end.simple_regret = last_finite(steps.numbers("simple_regret"));
  end.best_mean = last_finite(steps.numbers("best_mean"));
  const std::size_t row = best_row(steps.numbers("value"), run.sense);
  if (row < steps.rows()) end.best_point = point_text(steps, row);
  if (posterior) {
    const std::size_t best = best_row(posterior->mean, run.sense);
    if (best < posterior->size()) end.best_mean = posterior->mean[best];
  }
  return end;
}

std::vector<KeyNumber> key_numbers(const RunResult& run,
                                   const std::vector<SeedEnd>& ends,
                                   const FinalEntropies& entropies) {
  std::vector<KeyNumber> numbers;
  const std::size_t count = averaged_seeds(run).size();
  const std::string remark =
      count > 1 ? "mean \u00b1 s.e. over " + std::to_string(count) + " seeds" : "one seed";
  const auto add = [&](const std::string& label, const std::vector<double>& by_seed) {
    const std::vector<double> values = averaged(run, by_seed);
    if (any_finite(values)) numbers.push_back({label, with_error(mean_and_error(values)), remark});
  };
  add("Best observed value", column(ends, &SeedEnd::best_observed));
  add("Simple regret", column(ends, &SeedEnd::simple_regret));
  if (!entropies.estimators.empty())
    add("Entropy, " + entropies.estimators[0] + " (nats)", entropies_of(entropies, 0));
  add("Evaluations per seed", column(ends, &SeedEnd::evaluations));
  if (numbers.size() > 0 && numbers.back().label == "Evaluations per seed") {
    const MeanAndError evaluations =
        mean_and_error(averaged(run, column(ends, &SeedEnd::evaluations)));
    if (evaluations.count == 1 || evaluations.error == 0.0)
      numbers.back().value = count_text(evaluations.mean);
    numbers.back().remark = entropies.candidates > 0.0
                                ? "of " + count_text(entropies.candidates) +
                                      (entropies.candidates == 1.0 ? " candidate" : " candidates")
                                : "";
  }
  if (std::isfinite(run.total_seconds))
    numbers.push_back({"Wall time", short_number(run.total_seconds, 3) + " s", "whole experiment"});
  return numbers;
}

ReportTable final_table(const RunResult& run,
                        const std::vector<SeedEnd>& ends,
                        const FinalEntropies& entropies) {
  ReportTable table;
  table.words = 2;
  table.columns = {
      "Seed", "Status", "Evaluations", "Best observed", "observed at", "Best posterior mean"};
  const bool has_regret = any_finite(column(ends, &SeedEnd::simple_regret));
  if (has_regret) table.columns.emplace_back("Simple regret");
  for (const std::string& estimator : entropies.estimators)
    table.columns.push_back("Entropy, " + estimator + " (nats)");
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const SeedEnd& end = ends[i];
    std::vector<std::string> row = {std::to_string(run.seeds[i].seed),
                                    run.seeds[i].status,
                                    count_text(end.evaluations),
                                    short_number(end.best_observed, kDigits),
                                    end.best_point,
                                    short_number(end.best_mean, kDigits)};
    if (has_regret) row.push_back(short_number(end.simple_regret, kDigits));
    for (const double entropy : entropies.by_seed[i]) row.push_back(short_number(entropy, kDigits));
    table.rows.push_back(std::move(row));
  }
  if (averaged_seeds(run).size() < 2) return table;
  const auto summary = [&](const std::vector<double>& by_seed) {
    return with_error(mean_and_error(averaged(run, by_seed)));
  };
  table.summary = {"Mean \u00b1 s.e.",
                   "",
                   "",
                   summary(column(ends, &SeedEnd::best_observed)),
                   "",
                   summary(column(ends, &SeedEnd::best_mean))};
  if (has_regret) table.summary.push_back(summary(column(ends, &SeedEnd::simple_regret)));
  for (std::size_t k = 0; k < entropies.estimators.size(); ++k)
    table.summary.push_back(summary(entropies_of(entropies, k)));
  return table;
}

ReportTable top_table(const RunResult& run,
                      const SeedResult& seed,
                      const PosteriorData& data,
                      std::size_t k) {
  ReportTable table;
  table.title = "Seed " + std::to_string(seed.seed);
  table.columns = {"Rank", "Candidate"};
  table.words = 0;
  if (!data.labels.empty()) table.columns.emplace_back("Label");
  const std::size_t axes = std::min(data.axes.size(), kMostAxes);
  table.columns.insert(table.columns.end(),
                       data.axes.begin(),
                       data.axes.begin() + static_cast<std::ptrdiff_t>(axes));
  if (axes < data.axes.size())
    table.columns.push_back("\u2026 " + std::to_string(data.axes.size() - axes) + " more");
  for (const std::string& estimator : data.estimators) table.columns.push_back("PoM, " + estimator);
  table.columns.insert(table.columns.end(), {"Mean", "Std. dev."});
  if (!data.true_value.empty()) table.columns.emplace_back("Without noise");
  table.columns.emplace_back("Evaluated");
  std::size_t rank = 0;
  double sum = 0.0;
  for (const std::size_t i : top_candidates(data, run.sense, k)) {
    std::vector<std::string> row = {std::to_string(++rank), count_text(data.candidate[i])};
    if (!data.labels.empty()) row.push_back(data.labels[i]);
    for (std::size_t axis = 0; axis < axes; ++axis)
      row.push_back(short_number(data.coordinates[axis][i], kDigits));
    if (axes < data.axes.size()) row.emplace_back();
    for (const auto& pom : data.pom) row.push_back(short_number(pom[i], kDigits));
    if (!data.pom.empty() && std::isfinite(data.pom[0][i])) sum += data.pom[0][i];
    row.push_back(short_number(data.mean[i], kDigits));
    row.push_back(short_number(data.stddev.empty() ? kNaN : data.stddev[i], kDigits));
    if (!data.true_value.empty()) row.push_back(short_number(data.true_value[i], kDigits));
    row.push_back(data.evaluations.empty() ? "" : count_text(data.evaluations[i]));
    table.rows.push_back(std::move(row));
  }
  if (!data.pom.empty())
    table.title +=
        ": " +
        (rank == 1 ? std::string("this one holds ") : "these " + std::to_string(rank) + " hold ") +
        short_number(100.0 * sum, 3) + " % of the probability by " + data.estimators[0];
  return table;
}

}  // namespace pomlux
