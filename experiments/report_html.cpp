// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <pomlux/experiments/html_parts.hpp>
#include <pomlux/experiments/report_html.hpp>
#include <pomlux/experiments/svg_text.hpp>
#include <string_view>  // fixed text

namespace pomlux {
namespace {

using figures::escape_xml;

constexpr std::size_t kOpenTables = 1;     ///< tables of candidates shown; the others unfold
constexpr std::size_t kMostWarnings = 50;  ///< shown one by one

/// "drop_wave, maximised; 3 of 4 seeds complete".
std::string headline(const RunResult& run) {
  std::string text = run.objective;
  if (!text.empty()) text += ", ";
  text += run.is_estimation               ? "estimators compared on Gaussian vectors; "
          : run.sense == Sense::kMinimize ? "minimised; "
                                          : "maximised; ";
  const auto complete = static_cast<std::size_t>(std::count_if(
      run.seeds.begin(), run.seeds.end(), [](const SeedResult& seed) { return seed.is_complete; }));
  if (complete == run.seeds.size())
    return text + std::to_string(complete) + (complete == 1 ? " seed" : " seeds");
  return text + std::to_string(complete) + " of " + std::to_string(run.seeds.size()) +
         " seeds complete";
}

std::string fact(const RunResult& run, std::string_view key) {
  for (const auto& [name, value] : run.provenance)
    if (name == key) return value;
  return "";
}

void add_header(std::string& html, const RunResult& run) {
  html += "<header>\n<h1>" + escape_xml(run.name) + "</h1>\n";
  add_paragraph(html, headline(run));
  std::string made;
  const std::string version = fact(run, "Pomlux");
  const std::string started = fact(run, "Started");
  if (!version.empty()) made = "Pomlux " + version;
  if (!started.empty()) made += (made.empty() ? "started " : ", started ") + started;
  if (!made.empty()) add_paragraph(html, made, "soft");
  html += "</header>\n";
}

void add_warnings(std::string& html, const RunResult& run) {
  if (run.warnings.empty()) return;
  html += "<section class=\"notice\">\n<strong>Please note</strong>\n<ul>\n";
  for (std::size_t i = 0; i < std::min(run.warnings.size(), kMostWarnings); ++i)
    html += "<li>" + escape_xml(run.warnings[i]) + "</li>\n";
  if (run.warnings.size() > kMostWarnings)
    html += "<li>and " + std::to_string(run.warnings.size() - kMostWarnings) +
            " more, in manifest.json</li>\n";
  html += "</ul>\n</section>\n";
}

void add_tiles(std::string& html, const std::vector<KeyNumber>& numbers) {
  if (numbers.empty()) return;
  html += "<div class=\"tiles\">\n";
  for (const KeyNumber& number : numbers) {
    html += "<div class=\"tile\"><div class=\"label\">" + escape_xml(number.label) +
            "</div><div class=\"value\">" + escape_xml(number.value) +
            "</div><div class=\"remark\">" + escape_xml(number.remark) + "</div></div>\n";
  }
  html += "</div>\n";
}

void add_final_numbers(std::string& html, const ReportPage& page) {
  if (page.final_numbers.rows.empty()) return;
  html += "<section>\n<h2>" + escape_xml(page.final_heading) + "</h2>\n";
  add_table(html, page.final_numbers);
  add_paragraph(html, page.final_remark, "soft");
  html += "</section>\n";
}

void add_top(std::string& html, const RunResult& run, const std::vector<ReportTable>& tables) {
  if (tables.empty()) return;
  html += "<section>\n<h2>Candidates most likely to be the " + optimum_noun(run.sense) + "</h2>\n";
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const bool is_open = i < kOpenTables;
    const std::string title = escape_xml(tables[i].title);
    html += is_open ? "<h3>" + title + "</h3>\n" : "<details>\n<summary>" + title + "</summary>\n";
    add_table(html, tables[i]);
    if (!is_open) html += "</details>\n";
  }
  add_paragraph(html, "All candidates: seed-*/posterior.csv.", "soft");
  html += "</section>\n";
}

void add_repeat(std::string& html, const RunResult& run) {
  html += "<section>\n<h2>Running it again</h2>\n";
  add_paragraph(html,
                "experiment.yaml in this folder is the resolved configuration: every default is "
                "filled in. The same build gives the same numbers, on any number of threads.");
  html += "<pre>pomlux run experiment.yaml --out results/" + escape_xml(run.name) +
          "_again\npomlux report .    # draws this page again</pre>\n";
  if (!run.configuration.empty())
    html += "<h3>experiment.yaml</h3>\n<pre>" + escape_xml(run.configuration) + "</pre>\n";
  html += "</section>\n";
}

void add_provenance(std::string& html, const RunResult& run) {
  if (run.provenance.empty()) return;
  html += "<section>\n<h2>Provenance</h2>\n<table class=\"facts\">\n";
  for (const auto& [name, value] : run.provenance)
    html += "<tr><th>" + escape_xml(name) + "</th><td>" + escape_xml(value) + "</td></tr>\n";
  html += "</table>\n</section>\n";
}

}  // namespace

std::string report_html(const RunResult& run, const ReportPage& page) {
  std::string html = page_begin(run.name);
  add_header(html, run);
  add_warnings(html, run);
  add_tiles(html, page.key_numbers);
  for (const FigureSection& section : page.sections) add_figures(html, section);
  add_final_numbers(html, page);
  add_top(html, run, page.top);
  add_repeat(html, run);
  add_provenance(html, run);
  return html + page_end();
}

}  // namespace pomlux
