// SPDX-License-Identifier: MIT
#include <algorithm>  // std::count_if
#include <cmath>      // std::isfinite
#include <map>        // verdicts
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/build_info.hpp>
#include <pomlux/experiments/reproduce_output.hpp>
#include <pomlux/experiments/row_table.hpp>
#include <pomlux/experiments/spec.hpp>
#include <pomlux/experiments/svg_text.hpp>
#include <sstream>  // fixed decimals

namespace pomlux {
namespace {

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "";
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.setf(std::ios::fixed);
  text.precision(decimals);
  text << value;
  return text.str();
}

/// As the paper prints it: two decimals below 12, one above.
std::string percent(double value) { return fixed(value, std::abs(value) < 12.0 ? 2 : 1); }

bool has_band(const TableCell& cell) { return cell.table == "table2"; }

std::string with_plus_minus(double value, double error, const TableCell& cell) {
  const auto text = [&](double number, int decimals, int digits) {
    return cell.unit == "seconds" ? figures::short_number(number, digits) : fixed(number, decimals);
  };
  const std::string mean = cell.unit == "percent" ? percent(value) : text(value, 3, 3);
  if (!std::isfinite(error)) return mean;
  return mean + " +- " + text(error, cell.unit == "percent" ? 2 : 3, 2);
}

std::string ours_text(const TableCell& cell) {
  if (has_band(cell) && std::isfinite(cell.low)) {
    return percent(cell.ours.mean) + " (" + percent(cell.low) + ", " + percent(cell.high) + ")";
  }
  return with_plus_minus(cell.ours.mean, cell.ours.error, cell);
}

std::string published_text(const TableCell& cell) {
  if (!cell.published) return "";
  if (cell.published_error) return with_plus_minus(*cell.published, *cell.published_error, cell);
  return figures::short_number(*cell.published, 3);
}

/// "table1: total variation to the true probability of maximality (percent)".
std::string heading(const TableCell& cell) {
  for (const Reproduction& one : reproductions()) {
    if (one.name == cell.table) return one.name + ": " + one.doc + " (" + cell.unit + ")";
  }
  return cell.table;
}

const TableCell& first_of(const std::vector<TableCell>& cells, const std::string& table) {
  return *std::find_if(
      cells.begin(), cells.end(), [&](const TableCell& cell) { return cell.table == table; });
}

void add_gap(const TableCell& cell, std::vector<std::string>& row) {
  std::string gap = cell.gap ? fixed(*cell.gap, 2) : "";
  if (cell.gap_error && std::isfinite(*cell.gap_error)) gap += " +- " + fixed(*cell.gap_error, 2);
  row.push_back(std::move(gap));
  row.push_back(cell.published_gap ? fixed(*cell.published_gap, 1) : "");
}

RowTable rows_of(const std::vector<TableCell>& cells, const std::string& table) {
  RowTable rows{{"column", "method", "variant", "ours", "published", "z", "verdict"}};
  const bool has_gaps = table == "auc";
  const bool has_noise = std::any_of(cells.begin(), cells.end(), [&](const TableCell& cell) {
    return cell.table == table && cell.truth_noise > 0.0;
  });
  if (has_gaps) {
    rows.front().emplace_back("gap to truth");
    rows.front().emplace_back("published");
  } else if (has_noise) {
    rows.front().emplace_back("truth noise");
  }
  for (const TableCell& cell : cells) {
    if (cell.table != table) continue;
    std::vector<std::string> row{cell.column,
                                 cell.method,
                                 cell.variant,
                                 ours_text(cell),
                                 published_text(cell),
                                 cell.z ? fixed(*cell.z, 2) : "",
                                 cell.verdict()};
    if (has_gaps) {
      add_gap(cell, row);
    } else if (has_noise) {
      row.push_back(cell.truth_noise > 0.0 ? fixed(cell.truth_noise, 2) : "");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string order_text(const TableOrder& order) {
  std::string text = order.column;
  if (!order.variant.empty()) text += " (" + order.variant + ")";
  text += ", best first: " + join(order.ours);
  if (order.ours == order.published) return text + "; as published\n";
  text += "; published: " + join(order.published);
  if (!order.reversed.empty()) text += "; reversed: " + join(order.reversed);
  text += order.contradictions.empty()
              ? ", none by more than two standard errors of the paired difference"
              : ", by more than two standard errors: " + join(order.contradictions);
  return text + "\n";
}

std::string verdict_counts(const std::vector<TableCell>& cells) {
  std::map<std::string, int> counts;
  for (const TableCell& cell : cells) {
    if (cell.variant.empty()) ++counts[cell.verdict()];
  }
  std::string text;
  for (const char* verdict : {"agrees", "near", "differs", "identity", "faster", "slower"}) {
    if (counts[verdict] == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(counts[verdict]) + " " + verdict;
  }
  return text.empty() ? "nothing to compare" : text;
}

Json null_or(const std::optional<double>& value) { return or_null(value); }
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json cell_json(const TableCell& cell) {
  const std::string verdict = cell.verdict();
  return {{"table", cell.table},
          {"column", cell.column},
          {"method", cell.method},
          {"variant", cell.variant.empty() ? Json() : Json(cell.variant)},
          {"unit", cell.unit},
          {"ours", finite(cell.ours.mean)},
          {"ours_se", finite(cell.ours.error)},
          {"ours_low", finite(cell.low)},
          {"ours_high", finite(cell.high)},
          {"ours_se_of_seeds", finite(cell.ours.error_of_seeds)},
          {"seeds", cell.ours.seeds},
          {"published", null_or(cell.published)},
          {"published_se", null_or(cell.published_error)},
          {"z", cell.z ? finite(*cell.z) : Json()},
          {"verdict", verdict.empty() ? Json() : Json(verdict)},
          {"ours_raw", finite(cell.raw)},
          {"truth_noise", finite(cell.truth_noise)},
          {"gap", null_or(cell.gap)},
          {"gap_se", null_or(cell.gap_error)},
          {"published_gap", null_or(cell.published_gap)}};
}

Json recipe_json(const RecipeResults& results) {
  Json seeds = Json::array();
  for (const SeedSeries& seed : results.seeds) seeds.push_back(seed.seed);
  return {{"name", results.recipe},
          {"seeds", seeds},
          {"missing", results.missing},
          {"posteriors", results.queries.size()},
          {"truth_samples", results.truth_samples},
          {"seconds", results.seconds}};
}

std::string latex_name(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '_' ? "\\_" : std::string(1, c);
  return text;
}

const TableCell* find_cell(const std::vector<TableCell>& cells,
                           const std::string& table,
                           const std::string& column,
                           const std::string& method) {
  for (const TableCell& cell : cells) {
    const bool is_it = cell.table == table && cell.column == column && cell.method == method;
    if (is_it && cell.variant.empty()) return &cell;
  }
  return nullptr;
}

void add_once(const std::string& name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string latex_number(const std::string& text) {
  const std::size_t sign = text.find("+-");
  return sign == std::string::npos ? text : text.substr(0, sign) + "$\\pm$" + text.substr(sign + 2);
}

std::string latex_table(const std::vector<TableCell>& cells, const std::string& table) {
  std::vector<std::string> columns;
  std::vector<std::string> methods;
  for (const TableCell& cell : cells) {
    if (cell.table != table || !cell.variant.empty()) continue;
    add_once(cell.column, columns);
    add_once(cell.method, methods);
  }
  std::string text = "% " + heading(first_of(cells, table)) +
                     "; ours, then published\n\\begin{tabular}{l" +
                     std::string(columns.size(), 'r') + "}\n\\hline\n";
  for (const std::string& column : columns) text += " & " + latex_name(column);
  text += " \\\\\n\\hline\n";
  for (const std::string& method : methods) {
    std::string ours = latex_name(method);
    std::string published = "\\quad published";
    for (const std::string& column : columns) {
      const TableCell* const cell = find_cell(cells, table, column, method);
      ours += " & " + (cell != nullptr ? latex_number(ours_text(*cell)) : "");
      published += " & " + (cell != nullptr ? latex_number(published_text(*cell)) : "");
    }
    text += ours + " \\\\\n" + published + " \\\\\n";
  }
  return text + "\\hline\n\\end{tabular}\n";
}

std::vector<std::string> tables_in(const std::vector<TableCell>& cells) {
  std::vector<std::string> names;
  for (const TableCell& cell : cells) add_once(cell.table, names);
  return names;
}

std::string results_text(const RecipeResults& results) {
  std::string text = results.recipe + ": " + std::to_string(results.seeds.size()) + " seeds, " +
                     std::to_string(results.queries.size()) + " posteriors each";
  if (results.truth_samples > 0.0) {
    text += ", truth of " + format_number(results.truth_samples) + " samples";
  }
  text += ", " + fixed(results.seconds, 0) + " s";
  if (!results.missing.empty()) text += "; missing seeds: " + seeds_text(results.missing);
  return text + "\n";
}

}  // namespace

std::string comparison_table(const TableComparison& comparison) {
  std::string text;
  for (const std::string& table : tables_in(comparison.cells)) {
    text += heading(first_of(comparison.cells, table)) + "\n" +
            aligned_text(rows_of(comparison.cells, table));
    for (const TableOrder& order : comparison.orders) {
      if (order.table == table) text += order_text(order);
    }
    text += "\n";
  }
  text += std::string("fidelity ") + to_string(comparison.fidelity) + ": " +
          verdict_counts(comparison.cells) + "\n";
  if (comparison.fidelity == Fidelity::kSmoke) {
    text += "These numbers show that everything runs; they are too few to be compared.\n";
  }
  for (const RecipeResults& one : comparison.results) text += results_text(one);
  for (const RecipeResults& one : comparison.results) {
    const Recipe& recipe = recipe_named(one.recipe);
    if (recipe.is_variant()) text += "variant " + recipe.name + ": " + recipe.hypothesis + "\n";
  }
  return text;
}

std::string comparison_json(const TableComparison& comparison) {
  Json json{{"format", 1},
            {"version", build_info().version},
            {"date", utc_now()},
            {"isa", build_info().isa},
            {"fidelity", to_string(comparison.fidelity)},
            {"recipes", Json::array()},
            {"cells", Json::array()},
            {"orders", Json::array()}};
  for (const RecipeResults& one : comparison.results) json["recipes"].push_back(recipe_json(one));
  for (const TableCell& cell : comparison.cells) json["cells"].push_back(cell_json(cell));
  for (const TableOrder& order : comparison.orders) {
    json["orders"].push_back({{"table", order.table},
                              {"column", order.column},
                              {"variant", order.variant.empty() ? Json() : Json(order.variant)},
                              {"ours", order.ours},
                              {"published", order.published},
                              {"reversed", order.reversed},
                              {"contradictions", order.contradictions}});
  }
  return json.dump(2) + "\n";
}

std::string comparison_csv(const TableComparison& comparison) {
  RowTable rows(1);
  const Json columns = cell_json({});
  for (const auto& [name, value] : columns.items()) rows.front().push_back(name);
  for (const TableCell& cell : comparison.cells) {
    const Json json = cell_json(cell);
    std::vector<std::string> row;
    for (const auto& [name, value] : json.items()) {
      row.push_back(value.is_null()     ? ""
                    : value.is_string() ? value.get<std::string>()
                                        : format_number(value.get<double>()));
    }
    rows.push_back(std::move(row));
  }
  return csv_text(rows);
}

std::string comparison_latex(const TableComparison& comparison) {
  std::string text;
  for (const std::string& table : tables_in(comparison.cells)) {
    text += latex_table(comparison.cells, table) + "\n";
  }
  return text;
}

std::string comparison_html(const TableComparison& comparison,
                            const std::vector<std::string>& sections,
                            const std::vector<std::string>& warnings) {
  std::string html = page_begin("Reproduction of LITE");
  html += "<header>\n<h1>Reproduction of LITE</h1>\n";
  add_paragraph(
      html,
      "Tables and figures of Menet et al., LITE (AISTATS 2025), computed by Pomlux beside "
      "the published numbers; z is the difference in combined standard errors.");
  add_paragraph(html,
                std::string("Fidelity ") + to_string(comparison.fidelity) + ": " +
                    verdict_counts(comparison.cells) + ". Pomlux " + build_info().version + ", " +
                    utc_now() + ".",
                "soft");
  html += "</header>\n";
  for (const std::string& warning : warnings) add_paragraph(html, "Note: " + warning, "soft");
  for (const std::string& table : tables_in(comparison.cells)) {
    RowTable rows = rows_of(comparison.cells, table);
    ReportTable shown;
    shown.words = 3;
    shown.columns = rows.front();
    shown.rows.assign(rows.begin() + 1, rows.end());
    html += "<section>\n<h2>" + figures::escape_xml(heading(first_of(comparison.cells, table))) +
            "</h2>\n";
    add_table(html, shown);
    for (const TableOrder& order : comparison.orders) {
      if (order.table == table) add_paragraph(html, order_text(order), "soft");
    }
    html += "</section>\n";
  }
  for (const std::string& section : sections) html += section;
  html += "<section>\n<h2>Runs</h2>\n";
  for (const RecipeResults& one : comparison.results) {
    const Recipe& recipe = recipe_named(one.recipe);
    add_paragraph(
        html, results_text(one) + (recipe.is_variant() ? " Variant: " + recipe.hypothesis : ""));
    if (!one.configuration.empty()) {
      add_details(html, "Configuration, from configs/paper/" + recipe.config, one.configuration);
    }
  }
  return html + "</section>\n" + page_end();
}

std::size_t num_differing(const std::vector<TableCell>& cells) {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [](const TableCell& cell) {
        return cell.variant.empty() && cell.verdict() == "differs";
      }));
}

}  // namespace pomlux
