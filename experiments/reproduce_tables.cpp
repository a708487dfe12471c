// SPDX-License-Identifier: MIT
#include <algorithm>  // std::sort
#include <array>      // methods
#include <cmath>      // std::sqrt
#include <pomlux/core/pom.hpp>
#include <pomlux/experiments/report_numbers.hpp>
#include <pomlux/experiments/reproduce_tables.hpp>

namespace pomlux {
namespace {

using Values = SeriesValues;

/// A method of the published tables and its name in our results.
struct TableMethod {
  const char* published;
  const char* ours;
};
constexpr std::array<TableMethod, 5> kEstimators{{{"est", "est"},
                                                  {"vapor", "vapor"},
                                                  {"f_lite", "f_lite"},
                                                  {"a_lite", "a_lite"},
                                                  {"independence", "independence"}}};
/// Of the variants `added`: a row of ours, and the slip of the public code that a published one
/// has.
constexpr TableMethod kOurs{"local_hazard", "local_hazard"};
constexpr TableMethod kEstPositivePart{"est", "est_positive_part"};
constexpr std::array<TableMethod, 8> kOrders{{{"ts_mc", "ts_mc"},
                                              {"independence", "independence"},
                                              {"a_lite", "a_lite"},
                                              {"f_lite", "f_lite"},
                                              {"est", "est"},
                                              {"vapor", "vapor"},
                                              {"ts", "ts"},
                                              {"means", "mean"}}};

bool is_whole(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

double average(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

Values whole_seeds(const Values& values) {
  Values whole;
  for (const std::vector<double>& seed : values) {
    if (is_whole(seed)) whole.push_back(seed);
  }
  return whole;
}

std::vector<double> seed_averages(const Values& values) {
  std::vector<double> averages;
  for (const std::vector<double>& seed : values) averages.push_back(average(seed));
  return averages;
}

MeanWithError scaled(MeanWithError value, double factor) {
  value.mean *= factor;
  value.error *= factor;
  value.error_of_seeds *= factor;
  return value;
}

std::size_t place_in(const Json& columns, const std::string& column) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == column) return i;
  }
  return columns.size();
}

void compare_table1(const Json& published, TableCell& cell) {
  const Json& table = published.at("table1");
  const std::size_t place = place_in(table.at("columns"), cell.column);
  if (!table.contains(cell.method) || place >= table.at(cell.method).size()) return;
  const Json& entry = table.at(cell.method)[place];
  cell.published = entry.at("mean").get<double>();
  cell.published_error = entry.at("se").get<double>();
  cell.z = z_score(cell.ours.mean, cell.ours.error, *cell.published, *cell.published_error);
}

/// On M with S, which the printed value and band give back.
void compare_table2(const Json& published, const MeanWithError& squares, TableCell& cell) {
  const Json& table = published.at("table2");
  const std::size_t place = place_in(table.at("columns"), cell.column);
  if (!table.contains(cell.method) || place >= table.at(cell.method).size()) return;
  const Json& entry = table.at(cell.method)[place];
  const auto square = [&entry](const char* key) {
    const double value = entry.at(key).get<double>() / 100.0;
    return value * value;
  };
  cell.published = entry.at("value").get<double>();
  cell.published_error = 0.5 * (entry.at("high").get<double>() - entry.at("low").get<double>());
  cell.z =
      z_score(squares.mean, squares.error, square("value"), 0.5 * (square("high") - square("low")));
}

TableCell make_cell(const char* table,
                    const TableColumn& column,
                    const RecipeResults& results,
                    const char* method) {
  TableCell cell;
  cell.table = table;
  cell.column = column.column;
  cell.method = method;
  cell.variant = variant_of(results);
  const Values noises = counted(series_of(results, results.truth, &MethodSeries::sampling_error),
                                results,
                                column.first_query);
  cell.truth_noise = results.truth_samples > 0.0 ? 100.0 * mean_over_steps(noises).mean : 0.0;
  return cell;
}

void set_interval(TableCell& cell) {
  cell.low = cell.ours.mean - cell.ours.error;
  cell.high = cell.ours.mean + cell.ours.error;
}

void add_table1(const RecipeResults& results,
                const TableColumn& column,
                const Json& published,
                std::vector<TableCell>& cells) {
  const bool is_sampled = results.truth_samples > 0.0;
  const auto mean = is_sampled ? mean_over_steps : mean_over_seeds;
  const auto add = [&](const TableMethod& method, const char* variant, const Values& values) {
    TableCell cell = make_cell("table1", column, results, method.published);
    if (*variant != '\0') {
      cell.variant = cell.variant.empty() ? variant : cell.variant + "+" + variant;
    }
    const bool is_truth = method.ours == results.truth;
    const Values here = counted(values, results, column.first_query);
    cell.ours = scaled(mean(here), 100.0);
    cell.by_seed = seed_averages(here);
    if (cell.ours.seeds == 0 && !is_truth) return;
    const Values raw = series_of(results, method.ours, &MethodSeries::tv);
    cell.raw = 100.0 * mean(counted(raw, results, column.first_query)).mean;
    if (is_truth) cell.ours = {0.0, 0.0, 0.0, results.seeds.size()};
    set_interval(cell);
    compare_table1(published, cell);
    cells.push_back(std::move(cell));
  };
  for (const TableMethod& method : kEstimators) {
    add(method, "", distances_of(results, column, method.ours));
  }
  add(kEstPositivePart, "", distances_of(results, column, kEstPositivePart.ours));
  add(kOurs, "", distances_of(results, column, kOurs.ours));
  // Of the published sampling noise this column has most: would fewer samples explain it?
  if (column.column != "drop_wave" || results.truth_samples != column.truth_samples) return;
  for (const TableMethod& method : kEstimators) {
    add(method, "truth_quarter", series_of(results, method.ours, &MethodSeries::tv_batch));
  }
}

void add_table2(const RecipeResults& results,
                const TableColumn& column,
                const Json& published,
                std::vector<TableCell>& cells) {
  const auto add = [&](const TableMethod& method) {
    TableCell cell = make_cell("table2", column, results, method.published);
    const Values here =
        counted(squared_errors_of(results, method.ours), results, column.first_query);
    const MeanWithError squares = mean_over_steps(here);
    cell.by_seed = seed_averages(here);
    if (squares.seeds == 0) return;
    cell.ours.seeds = squares.seeds;
    cell.ours.mean = 100.0 * std::sqrt(squares.mean);
    cell.low = 100.0 * std::sqrt(std::max(squares.mean - squares.error, 0.0));
    cell.high = 100.0 * std::sqrt(squares.mean + squares.error);
    cell.ours.error = 0.5 * (cell.high - cell.low);
    cell.raw = cell.ours.mean;
    compare_table2(published, squares, cell);
    cells.push_back(std::move(cell));
  };
  for (const TableMethod& method : kEstimators) add(method);
  add(kEstPositivePart);
  add(kOurs);
}

/// Areas by seed: of the last posterior, or averaged over all.
std::vector<double> areas_of(const RecipeResults& results, const std::string& method, bool all) {
  std::vector<double> areas;
  const auto last = static_cast<std::size_t>(
      std::max_element(results.queries.begin(), results.queries.end()) - results.queries.begin());
  for (const SeedSeries& seed : results.seeds) {
    const auto found = seed.methods.find(method);
    const bool has_curves =
        found != seed.methods.end() && found->second.recall.size() == results.queries.size();
    std::vector<double> own;
    for (std::size_t i = 0; has_curves && i < results.queries.size(); ++i) {
      const std::vector<double>& curve = found->second.recall[i];
      if (all ? results.queries[i] == results.recall_query : i != last) continue;
      const Eigen::Map<const Vector> view(curve.data(), static_cast<Index>(curve.size()));
      own.push_back(is_whole(curve) && curve.size() > 1 ? recall_area(view) : kNaN);
    }
    areas.push_back(is_whole(own) ? average(own) : kNaN);
  }
  return areas;
}

Values as_values(const std::vector<double>& by_seed) {
  Values values;
  for (const double value : by_seed) values.push_back({value});
  return values;
}

void add_auc(const RecipeResults& results,
             const TableColumn& column,
             const Json& published,
             std::vector<TableCell>& cells) {
  const Json& table = published.at("auc");
  const auto add = [&](const TableMethod& method, const char* variant, bool all) {
    TableCell cell = make_cell("auc", column, results, method.published);
    if (*variant != '\0') {
      cell.variant = cell.variant.empty() ? variant : cell.variant + "+" + variant;
    }
    const std::vector<double> areas = areas_of(results, method.ours, all);
    const std::vector<double> best = areas_of(results, results.truth, all);
    cell.ours = scaled(mean_over_seeds(as_values(areas)), 100.0);
    cell.by_seed = areas;
    if (cell.ours.seeds == 0) return;
    cell.raw = cell.ours.mean;
    set_interval(cell);
    if (table.contains(cell.method)) {
      cell.published = table.at(cell.method).at("mean").get<double>();
      cell.published_error = table.at(cell.method).at("se").get<double>();
      cell.z = z_score(cell.ours.mean, cell.ours.error, *cell.published, *cell.published_error);
    }
    if (method.ours != results.truth) {
      std::vector<double> gaps;
      for (std::size_t i = 0; i < areas.size(); ++i) gaps.push_back(best[i] - areas[i]);
      const MeanWithError gap = scaled(mean_over_seeds(as_values(gaps)), 100.0);
      cell.gap = gap.mean;
      cell.gap_error = gap.error;
      if (cell.published) {
        cell.published_gap = table.at("ts_mc").at("mean").get<double>() - *cell.published;
      }
    }
    cells.push_back(std::move(cell));
  };
  if (variant_of(results) == "added") {  // the other curves are those of the protocol
    add(kEstPositivePart, "", false);
    add(kOurs, "", false);
    return;
  }
  for (const TableMethod& method : kOrders) add(method, "", false);
  add({"ts", "ts_reference"}, "reference_ts", false);
  for (const TableMethod& method : kOrders) add(method, "all_steps", true);
}

/// Areas are better when they are larger, errors when they are smaller.
bool is_better(const TableCell& cell, double value, double other) {
  return cell.table == "auc" ? value > other : value < other;
}

/// By more than two standard errors of the paired differences of the seeds?
bool is_distinct(const TableCell& a, const TableCell& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(a.by_seed.size(), b.by_seed.size()); ++i) {
    differences.push_back(a.by_seed[i] - b.by_seed[i]);
  }
  const MeanAndError difference = mean_and_error(differences);
  return difference.count > 1 && std::abs(difference.mean) > 2.0 * difference.error;
}

TableOrder order_of(const std::vector<const TableCell*>& column) {
  TableOrder order{
      column.front()->table, column.front()->column, column.front()->variant, {}, {}, {}, {}};
  std::vector<const TableCell*> sorted = column;
  const auto sort_by = [&](const auto& value) {
    std::stable_sort(sorted.begin(), sorted.end(), [&](const TableCell* a, const TableCell* b) {
      return is_better(*a, value(*a), value(*b));
    });
  };
  sort_by([](const TableCell& cell) { return cell.ours.mean; });
  for (const TableCell* cell : sorted) order.ours.push_back(cell->method);
  sort_by([](const TableCell& cell) { return *cell.published; });
  for (const TableCell* cell : sorted) order.published.push_back(cell->method);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = i + 1; j < sorted.size(); ++j) {
      const TableCell& better = *sorted[i];
      const TableCell& worse = *sorted[j];
      if (*better.published == *worse.published) continue;
      if (!is_better(worse, worse.ours.mean, better.ours.mean)) continue;
      const std::string pair = worse.method + " before " + better.method;
      order.reversed.push_back(pair);
      if (is_distinct(better, worse)) order.contradictions.push_back(pair);
    }
  }
  return order;
}

}  // namespace

MeanWithError mean_over_seeds(const Values& values) {
  const std::vector<double> averages = seed_averages(whole_seeds(values));
  const MeanAndError result = mean_and_error(averages);
  if (result.count == 0) return {};
  return {result.mean, result.error, result.error, result.count};
}

MeanWithError mean_over_steps(const Values& values) {
  const Values whole = whole_seeds(values);
  if (whole.empty()) return {};
  const std::size_t steps = whole.front().size();
  MeanWithError result;
  for (std::size_t i = 0; i < steps; ++i) {
    std::vector<double> here;
    for (const std::vector<double>& seed : whole) here.push_back(seed[i]);
    const MeanAndError at = mean_and_error(here);
    result.mean += at.mean / static_cast<double>(steps);
    result.error += at.error / static_cast<double>(steps);
  }
  result.error_of_seeds = mean_over_seeds(whole).error;
  result.seeds = whole.size();
  return result;
}

std::string TableCell::verdict() const {
  if (!published || !is_compared) return "";
  if (unit == "seconds") return ours.mean < *published ? "faster" : "slower";
  if (!z) return ours.mean == *published ? "identity" : "";
  const double size = std::abs(*z);
  if (!std::isfinite(size)) return "";
  return size <= 2.0 ? "agrees" : size <= 3.0 ? "near" : "differs";
}

std::vector<TableCell> table_cells(const std::string& table,
                                   const std::vector<RecipeResults>& results,
                                   const Json& published) {
  std::vector<TableCell> cells;
  for (const RecipeResults& one : results) {
    if (one.seeds.empty()) continue;
    const TableColumn* const column = find_table_column(one.recipe);
    if (column == nullptr) continue;
    if (table == "table1") add_table1(one, *column, published, cells);
    if (table == "table2" && column->is_in_table2) add_table2(one, *column, published, cells);
    if (table == "auc" && column->column == "quadcopter") add_auc(one, *column, published, cells);
  }
  return cells;
}

std::vector<TableOrder> table_orders(const std::vector<TableCell>& cells) {
  std::vector<TableOrder> orders;
  std::vector<const TableCell*> column;
  const auto finish = [&] {
    if (column.size() > 1) orders.push_back(order_of(column));
    column.clear();
  };
  for (const TableCell& cell : cells) {
    const bool is_same = !column.empty() && column.front()->table == cell.table &&
                         column.front()->column == cell.column &&
                         column.front()->variant == cell.variant;
    if (!is_same) finish();
    if (cell.published && cell.unit == "percent") column.push_back(&cell);
  }
  finish();
  return orders;
}

}  // namespace pomlux
