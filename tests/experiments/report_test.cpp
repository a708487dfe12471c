// SPDX-License-Identifier: MIT
#include <filesystem>  // folders
#include <fstream>     // appending
#include <locale>      // hostile locales
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/report.hpp>
#include <string>  // contents

#include "catch.hpp"
#include "experiments/report_sample.hpp"

using namespace pomlux;
using namespace pomlux::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> figures_of(const fs::path& folder) {
  return render_report(folder, {.makes_pdf = false}).figures;
}

struct HostilePunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\1"; }
};

}  // namespace

TEST_CASE("the report of a grid shows curves, maps, numbers and provenance",
          "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {});
  CHECK(figures_of(folder.path()) == std::vector<std::string>{"simple_regret",
                                                              "entropy",
                                                              "posterior_seed-0000",
                                                              "pom_by_seed",
                                                              "hyperparameters",
                                                              "time"});
  const std::string html = render(folder.path());
  for (const std::string part : {"a &lt;b&gt; &amp; c",
                                 "a &lt;warning&gt;",
                                 "Objective without noise",
                                 "Posterior mean",
                                 "Posterior standard deviation",
                                 "Probability of being the maximiser",
                                 "log 25",
                                 "pomlux run experiment.yaml --out",
                                 "GNU 12",
                                 "eigen 3.4.0",
                                 "Mean \u00b1 s.e.",
                                 "pomlux run &#39;x.yaml&#39;"}) {
    CAPTURE(part);
    CHECK_THAT(html, ContainsSubstring(part));
  }
  CHECK(html.find("minimiser") == std::string::npos);
}

TEST_CASE("one folder gives one report, byte for byte, under any locale", "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {});
  const std::string first = render(folder.path());
  const std::string figure = read_file(folder.path() / "figures/posterior_seed-0000.svg");
  const std::locale previous =
      std::locale::global(std::locale(std::locale::classic(), new HostilePunctuation));
  const ReportSummary summary = render_report(folder.path(), {.makes_pdf = false});
  std::locale::global(previous);
  CHECK(read_file(summary.html) == first);
  CHECK(read_file(folder.path() / "figures/posterior_seed-0000.svg") == figure);
}

TEST_CASE("a minimising run speaks of the minimiser everywhere", "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {.sense = "minimize"});
  const std::string html = render(folder.path());
  CHECK_THAT(html, ContainsSubstring("Probability of being the minimiser"));
  CHECK_THAT(html, ContainsSubstring("Candidates most likely to be the minimiser"));
  CHECK_THAT(html, ContainsSubstring("minimised"));
  CHECK(html.find("maximi") == std::string::npos);
}

TEST_CASE("without a known optimum the best observed value is shown", "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {.is_known = false});
  CHECK(figures_of(folder.path()).front() == "best_observed");
  const std::string html = render(folder.path());
  CHECK(html.find("Simple regret") == std::string::npos);
  CHECK(html.find("Objective without noise") == std::string::npos);
}

TEST_CASE("one seed has no standard error", "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {.seeds = 1});
  const std::string html = render(folder.path());
  CHECK(html.find("\u00b1 s.e.") == std::string::npos);
  CHECK(html.find("standard error</text>") == std::string::npos);
  CHECK_THAT(html, ContainsSubstring("One complete seed, so there is no standard error."));
  CHECK_FALSE(fs::exists(folder.path() / "figures/pom_by_seed.svg"));
}

TEST_CASE("domains of one, three and no varying dimension are shown by curves, ranks and a table",
          "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path() / "line", {.dimension = 1, .points = 30});
  CHECK_THAT(render(folder.path() / "line"),
             ContainsSubstring("mean \u00b1 2 standard deviations"));
  make_results(folder.path() / "cube", {.dimension = 3, .points = 4});
  CHECK_THAT(render(folder.path() / "cube"), ContainsSubstring("rank of the candidate"));
  make_results(folder.path() / "point", {.dimension = 2, .points = 1});
  const std::string html = render(folder.path() / "point");
  CHECK_THAT(html, ContainsSubstring("this one holds 100 %"));
  CHECK_THAT(html, ContainsSubstring("of 1 candidate<"));
}

TEST_CASE("failed and unfinished seeds stand at the top and not in the means",
          "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {.seeds = 3});
  std::string manifest = manifest_json({.seeds = 3});
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = manifest.find(from);
    REQUIRE(at != std::string::npos);
    manifest.replace(at, from.size(), to);
  };
  replace("\"seed\":1,\"status\":\"done\",\"reason\":\"\"",
          "\"seed\":1,\"status\":\"failed\",\"reason\":\"exit <3>\"");
  make_file(folder.path() / "manifest.json", manifest);
  fs::remove_all(folder.path() / "seed-0001");
  const std::string html = render(folder.path());
  CHECK_THAT(html,
             ContainsSubstring("seed 1 is not complete (failed, 0 evaluations): exit &lt;3&gt;"));
  CHECK_THAT(html, ContainsSubstring("2 of 3 seeds complete"));
  CHECK_THAT(html, ContainsSubstring("over 2 complete seeds"));
  CHECK(html.find("Please note") < html.find("Progress"));
}

TEST_CASE("a run that died while writing a row is shown up to that row", "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {.seeds = 1});
  std::ofstream(folder.path() / "seed-0000/steps.csv", std::ios::app) << "9,acquisi";
  fs::remove(folder.path() / "manifest.json");
  fs::remove(folder.path() / "seed-0000/posterior.csv");
  const std::string html = render(folder.path());
  CHECK_THAT(html, ContainsSubstring("seed-0000/steps.csv:10"));
  CHECK_THAT(html, ContainsSubstring("manifest.json is missing"));
  CHECK_THAT(html, ContainsSubstring("seed 0 is not complete (unknown, 8 evaluations)"));
  CHECK_THAT(html, ContainsSubstring("Simple regret"));
}

TEST_CASE("missing columns, empty files and cells that are no numbers are coped with",
          "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {.has_pom = false});
  CHECK_THAT(render(folder.path()), ContainsSubstring("Posterior mean"));
  make_file(folder.path() / "seed-0000/steps.csv", "step,value,best_observed\n1,oops,\n2,1,1\n");
  make_file(folder.path() / "seed-0000/posterior.csv", "candidate,mean\n0,1\n");
  make_file(folder.path() / "seed-0001/steps.csv", "");
  make_file(folder.path() / "seed-0001/posterior.csv", "candidate\n0\n");
  const std::string html = render(folder.path());
  CHECK_THAT(html, ContainsSubstring("line 2, column value: &#39;oops&#39;"));
  make_file(folder.path() / "seed-0000/steps.csv", "step,phase,candidate,value\n");
  make_file(folder.path() / "manifest.json",
            "{\"seeds\": [1, {\"seed\": \"x\"}, {\"seed\": 0, \"status\": 3}], \"name\": 7, "
            "\"seconds\": [], \"warnings\": {}}");
  static_cast<void>(render(folder.path()));
  make_file(folder.path() / "manifest.json", "[1, 2");
  CHECK_THAT(render(folder.path()), ContainsSubstring("not valid JSON"));
}

TEST_CASE("constant and extreme values are drawn without nan or inf", "[experiments][report]") {
  const TemporaryFolder folder;
  Sample sample{.seeds = 1};
  make_results(folder.path(), sample);
  std::string csv = "candidate,x_0,x_1,mean,stddev,evaluations,pom_f_lite\n";
  for (int i = 0; i < 25; ++i)
    csv += std::to_string(i) + coordinates(sample, i) + (i == 0 ? ",1e300" : ",-1e300") + ",0,0," +
           (i == 0 ? "1\n" : "0\n");
  make_file(folder.path() / "seed-0000/posterior.csv", csv);
  const std::string html = render(folder.path());
  for (const std::string word : {"nan", "inf", "NaN"}) {
    CHECK(html.find(">" + word + "<") == std::string::npos);
    CHECK(html.find("\"" + word + "\"") == std::string::npos);
  }
}

TEST_CASE("parameters that never changed are named instead of drawn", "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {});
  const std::string html = render(folder.path());
  CHECK_THAT(
      html,
      ContainsSubstring("Constant: length scale 0.5, amplitude 1, noise stddev 0.1, mean 0."));
  CHECK(html.find("Amplitude (standard deviation)") == std::string::npos);
  CHECK_THAT(html, ContainsSubstring("Log marginal likelihood (nats)"));
}

TEST_CASE("100 000 candidates keep the page small", "[experiments][report]") {
  const TemporaryFolder folder;
  Sample sample{.dimension = 2, .points = 316, .seeds = 1};
  make_results(folder.path(), sample);
  const std::string html = render(folder.path());
  CHECK(html.size() < 4'000'000);
  CHECK_THAT(html, ContainsSubstring("Neighbouring candidates are joined"));
}

TEST_CASE("what is no results folder is refused by name", "[experiments][report]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(render_report(folder.path() / "absent"), ContainsSubstring("absent"));
  CHECK_THROWS_WITH(render_report(folder.path()), ContainsSubstring("experiment.yaml"));
  make_results(folder.path(), {});
  CHECK_THROWS_AS(render_report(folder.path(), {.gnuplot_timeout_seconds = 0.0}), InvalidArgument);
  make_file(folder.path() / "figures", "in the way");
  CHECK_THROWS_WITH(render_report(folder.path()), ContainsSubstring("figures"));
}

TEST_CASE("a missing gnuplot is one note and leaves the page alone", "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {});
  const std::string without = render(folder.path());
  const ReportSummary summary = render_report(folder.path(), {.gnuplot = "no-such-gnuplot"});
  CHECK(summary.notes.size() == 1);
  CHECK_THAT(summary.notes.front(), ContainsSubstring("no-such-gnuplot"));
  CHECK(read_file(summary.html) == without);
}

TEST_CASE("every gnuplot script of a report runs", "[experiments][report]") {
  if (!fs::exists("/usr/bin/gnuplot")) {
    WARN("gnuplot is not installed: not checked");
    return;
  }
  const TemporaryFolder folder;
  make_results(folder.path(), {});
  const ReportSummary summary = render_report(folder.path());
  CHECK(summary.notes.empty());
  for (const std::string& name : summary.figures) {
    CAPTURE(name);
    CHECK(read_file(folder.path() / "figures" / (name + ".pdf")).starts_with("%PDF"));
  }
}
