// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>       // objective of the samples
#include <filesystem>  // folders
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/report.hpp>
#include <string>  // contents

#include "catch.hpp"
#include "experiments/markup.hpp"
#include "experiments/temporary_folder.hpp"

namespace pomlux::test {

/// What a results folder made up for a test looks like.
struct Sample {
  int dimension = 2;
  int points = 5;  ///< per axis
  int seeds = 2;
  int evaluations = 8;
  bool is_known = true;  ///< regret and true values
  bool has_pom = true;
  std::string sense = "maximize";
};

inline std::string text(double value) { return format_number(value); }

inline std::string axis_names(const Sample& sample) {
  std::string names;
  for (int k = 0; k < sample.dimension; ++k) names += ",x_" + std::to_string(k);
  return names;
}

inline int candidates(const Sample& sample) {
  int n = 1;
  for (int k = 0; k < sample.dimension; ++k) n *= sample.points;
  return n;
}

inline std::string coordinates(const Sample& sample, int candidate) {
  std::string cells;
  for (int k = 0; k < sample.dimension; ++k) {
    cells += "," + text(0.5 * (candidate % sample.points));
    candidate /= sample.points;
  }
  return cells;
}

inline std::string steps_csv(const Sample& sample, int seed) {
  std::string csv = "step,phase,candidate" + axis_names(sample) + ",value,best_observed,best_mean";
  if (sample.is_known) csv += ",regret,simple_regret";
  csv +=
      ",length_scale,amplitude,mean,noise_stddev,log_likelihood,fit_status,entropy_f_lite,fit_"
      "seconds\n";
  for (int step = 1; step <= sample.evaluations; ++step) {
    const bool is_initial = step <= 2;
    const int candidate = (step * 7 + seed) % candidates(sample);
    csv += std::to_string(step) + (is_initial ? ",initial," : ",acquisition,") +
           std::to_string(candidate) + coordinates(sample, candidate);
    csv += "," + text(0.25 * step - seed) + "," + text(0.25 * step - seed) + ",";
    if (!is_initial) csv += text(0.2 * step);
    if (sample.is_known) csv += "," + text(1.0 / step) + "," + text(std::pow(2.0, -step - seed));
    csv += is_initial ? ",,,,,,not_run,,"
                      : ",0.5,1,0,0.1,-3,converged," + text(2.0 - 0.1 * step) + ",";
    csv += "0.001\n";
  }
  return csv;
}

inline std::string posterior_csv(const Sample& sample) {
  std::string csv = "candidate" + axis_names(sample) + ",mean,stddev";
  if (sample.is_known) csv += ",true_value";
  csv += ",evaluations";
  if (sample.has_pom) csv += ",pom_f_lite";
  csv += "\n";
  const int n = candidates(sample);
  for (int i = 0; i < n; ++i) {
    csv += std::to_string(i) + coordinates(sample, i) + "," + text(std::sin(i)) + ",0.5";
    if (sample.is_known) csv += "," + text(std::cos(i));
    csv += i % 3 == 0 ? ",1" : ",0";
    if (sample.has_pom) csv += "," + text(2.0 * (i + 1) / (n * (n + 1.0)));
    csv += "\n";
  }
  return csv;
}

inline std::string manifest_json(const Sample& sample) {
  std::string seeds;
  for (int seed = 0; seed < sample.seeds; ++seed)
    seeds += std::string(seed > 0 ? "," : "") + "{\"seed\":" + std::to_string(seed) +
             ",\"status\":\"done\",\"reason\":\"\",\"evaluations\":8}";
  return "{\"format\":1,\"name\":\"a <b> & "
         "c\",\"pomlux_version\":\"0.1.0\",\"build\":{\"compiler\":"
         "\"GNU 12\"},\"dependencies\":{\"eigen\":\"3.4.0\"},\"host\":\"here\",\"started\":"
         "\"2026-01-01T00:00:00Z\",\"command_line\":\"pomlux run "
         "'x.yaml'\",\"threads\":2,\"sense\":\"" +
         sample.sense + "\",\"objective\":\"drop_wave\",\"seeds\":[" + seeds +
         "],\"warnings\":[\"a <warning>\"],\"seconds\":{\"fit\":1.5,\"total\":2}}";
}

inline void make_results(const std::filesystem::path& folder, const Sample& sample) {
  make_file(folder / "experiment.yaml", "name: a <b> & c\n");
  make_file(folder / "manifest.json", manifest_json(sample));
  for (int seed = 0; seed < sample.seeds; ++seed) {
    const std::filesystem::path place = folder / ("seed-000" + std::to_string(seed));
    make_file(place / "steps.csv", steps_csv(sample, seed));
    make_file(place / "posterior.csv", posterior_csv(sample));
  }
}

/// Renders without gnuplot, checks what holds for every report, and returns the page.
inline std::string render(const std::filesystem::path& folder) {
  const ReportSummary summary = render_report(folder, {.makes_pdf = false});
  REQUIRE(summary.html == folder / "report.html");
  std::string html = read_file(summary.html);
  CHECK(markup_fault(html) == "");
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("src=") == std::string::npos);
  CHECK(html.find("@import") == std::string::npos);
  std::string rest = html;
  const std::string name_space = "http://www.w3.org/2000/svg";
  for (std::size_t at = rest.find(name_space); at != std::string::npos; at = rest.find(name_space))
    rest.erase(at, name_space.size());
  CHECK(rest.find("http") == std::string::npos);
  CHECK(rest.find("//") == std::string::npos);
  for (const std::string& name : summary.figures) {
    CHECK(markup_fault(read_file(folder / "figures" / (name + ".svg"))) == "");
    CHECK(std::filesystem::exists(folder / "figures" / (name + ".csv")));
    CHECK(std::filesystem::exists(folder / "figures" / (name + ".gp")));
    CHECK_THAT(html, ContainsSubstring("figures/" + name + ".svg"));
  }
  return html;
}

}  // namespace pomlux::test
