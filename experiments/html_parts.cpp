// SPDX-License-Identifier: MIT
#include <pomlux/experiments/html_parts.hpp>
#include <pomlux/experiments/svg_text.hpp>

namespace pomlux {
namespace {

using figures::escape_xml;

constexpr std::string_view kStyle = R"(
:root { --ink: #1d2229; --soft: #5b6470; --line: #dfe3e8; --tint: #f6f7f9; --accent: #0072b2; }
* { box-sizing: border-box; }
html { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
body { margin: 0; color: var(--ink); background: #fff;
  font: 15px/1.5 Helvetica, Arial, "Liberation Sans", sans-serif; }
main { width: 1140px; max-width: 100%; margin: 0 auto; padding: 28px 0 48px; }
header { border-bottom: 2px solid var(--ink); padding-bottom: 14px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 6px; overflow-wrap: anywhere; }
h2 { font-size: 19px; margin: 34px 0 12px; padding-bottom: 5px; border-bottom: 1px solid var(--line); }
h3 { font-size: 15px; margin: 18px 0 8px; }
p { margin: 6px 0; }
.soft { color: var(--soft); }
.notice { margin: 18px 0 0; padding: 10px 16px 12px; background: #fdf3e7; border-left: 4px solid #d55e00; }
.notice strong { display: block; }
.notice ul { margin: 4px 0 0; padding-left: 20px; overflow-wrap: anywhere; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 20px 0 0; }
.tile { flex: 1 1 180px; background: var(--tint); border: 1px solid var(--line); border-radius: 6px;
  padding: 10px 14px; }
.tile .value { font-size: 21px; font-weight: bold; white-space: nowrap; }
.tile .label, .tile .remark { font-size: 13px; color: var(--soft); }
.figures { display: flex; flex-wrap: wrap; gap: 20px; }
figure { margin: 0 0 8px; break-inside: avoid; max-width: 100%; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption { font-size: 13px; color: var(--soft); margin: 4px 10px 0; }
.figures.pair figure { flex: 0 0 560px; width: 560px; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 12px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { border-bottom: 2px solid var(--ink); font-size: 13px; line-height: 1.25;
  vertical-align: bottom; white-space: normal; }
tfoot td { border-bottom: 0; border-top: 2px solid var(--ink); font-weight: bold; }
.word { text-align: left; }
.bad { color: #b33c00; font-weight: bold; }
.facts th { text-align: left; font-weight: normal; color: var(--soft); vertical-align: top; }
.facts td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: 12px 16px;
  font: 13px/1.45 "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere; margin: 8px 0; }
summary { cursor: pointer; margin: 12px 0 6px; }
@media (max-width: 1180px) { main { padding: 20px 16px 40px; } }
@media print {
  body { font-size: 11pt; }
  main { width: 100%; padding: 0; }
  .figures.pair figure { flex: 1 1 45%; width: 45%; }
  .tile .value { font-size: 15pt; }
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
  .scroll { overflow: visible; }
  table { font-size: 8.5pt; }
  th, td { padding: 3px 6px; }
  thead th { font-size: 8pt; }
  pre { font-size: 8.5pt; }
  a { color: inherit; }
}
)";

void add_row(std::string& html,
             const std::vector<std::string>& cells,
             std::size_t words,
             std::string_view tag) {
  html += "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    html += "<" + std::string(tag) + (i < words ? " class=\"word\">" : ">") + escape_xml(cells[i]) +
            "</" + std::string(tag) + ">";
  }
  html += "</tr>\n";
}

}  // namespace

std::string page_begin(std::string_view title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escape_xml(title) + " \u2013 Pomlux</title>\n<style>" + std::string(kStyle) +
         "</style>\n</head>\n<body>\n<main>\n";
}

std::string page_end() { return "</main>\n</body>\n</html>\n"; }

void add_paragraph(std::string& html, std::string_view text, std::string_view style) {
  html += style.empty() ? "<p>" : "<p class=\"" + std::string(style) + "\">";
  html += escape_xml(text) + "</p>\n";
}

void add_details(std::string& html, std::string_view line, std::string_view text) {
  html += "<details>\n<summary>" + escape_xml(line) + "</summary>\n<pre>" + escape_xml(text) +
          "</pre>\n</details>\n";
}

void add_figures(std::string& html, const FigureSection& section) {
  if (section.figures.empty()) return;
  html += "<section>\n<h2>" + escape_xml(section.heading) + "</h2>\n<div class=\"figures" +
          (section.figures.size() == 2 ? " pair" : "") + "\">\n";
  for (const PlacedFigure& figure : section.figures) {
    const std::string stem = "figures/" + figure.name;
    html += "<figure>\n" + figure.svg + "<figcaption>" + escape_xml(figure.caption) + " Files:";
    for (const std::string_view ending : {".svg", ".pdf", ".csv", ".gp"}) {
      if (ending == ".pdf" && !figure.has_pdf) continue;
      html += " <a href=\"" + stem + std::string(ending) + "\">" + std::string(ending) + "</a>";
    }
    html += "</figcaption>\n</figure>\n";
  }
  html += "</div>\n</section>\n";
}

void add_table(std::string& html, const ReportTable& table) {
  html += "<div class=\"scroll\"><table>\n<thead>\n";
  add_row(html, table.columns, table.words, "th");
  html += "</thead>\n<tbody>\n";
  for (const auto& row : table.rows) add_row(html, row, table.words, "td");
  html += "</tbody>\n";
  if (!table.summary.empty()) {
    html += "<tfoot>\n";
    add_row(html, table.summary, table.words, "td");
    html += "</tfoot>\n";
  }
  html += "</table></div>\n";
}

}  // namespace pomlux
