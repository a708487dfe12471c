// SPDX-License-Identifier: MIT
#include <filesystem>  // folders
#include <pomlux/experiments/report.hpp>
#include <string>  // contents
#include <vector>  // warnings

#include "catch.hpp"
#include "experiments/report_sample.hpp"

using namespace pomlux;
using namespace pomlux::test;
namespace fs = std::filesystem;

TEST_CASE("results that the manifest promises and the folder lacks are named",
          "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {.seeds = 6});
  const auto place = [&](int seed) { return folder.path() / ("seed-000" + std::to_string(seed)); };
  CHECK(render_report(folder.path(), {.makes_pdf = false}).warnings.size() == 1);  // the manifest's
  fs::remove(place(0) / "steps.csv");
  make_file(place(1) / "steps.csv", "");
  std::string steps = steps_csv({}, 2);
  steps.erase(steps.find("\n5,") + 1);
  make_file(place(2) / "steps.csv", steps);
  fs::remove_all(place(3));
  fs::remove(place(4) / "posterior.csv");
  std::string posterior = posterior_csv({});
  posterior.pop_back();
  make_file(place(5) / "posterior.csv", posterior);
  make_file(folder.path() / "experiment.yaml", "");
  const std::vector<std::string> expected{
      "seed 0 is not complete (done, 0 evaluations): seed-0000/steps.csv is missing",
      "seed 1 is not complete (done, 0 evaluations): seed-0001/steps.csv has 0 rows instead of at "
      "least 8",
      "seed 2 is not complete (done, 4 evaluations): seed-0002/steps.csv has 4 rows instead of at "
      "least 8",
      "seed 3 is not complete (done, 0 evaluations): seed-0003 is missing",
      "a <warning>",
      "experiment.yaml is empty: the run cannot be repeated",
      "seed-0004/posterior.csv is missing",
      "seed-0005/posterior.csv ends within a line; its last row may be cut short"};
  CHECK(render_report(folder.path(), {.makes_pdf = false}).warnings == expected);
  const std::string html = render(folder.path());
  CHECK_THAT(html, ContainsSubstring(expected[6]));
  CHECK_THAT(html, ContainsSubstring("2 of 6 seeds complete"));
}

TEST_CASE("seeds of every size are found without a manifest", "[experiments][report]") {
  const TemporaryFolder folder;
  make_results(folder.path(), {.seeds = 1});
  fs::remove(folder.path() / "manifest.json");
  fs::rename(folder.path() / "seed-0000", folder.path() / "seed-18446744073709551615");
  make_file(folder.path() / "seed-18446744073709551616/steps.csv", steps_csv({}, 0));
  make_file(folder.path() / "seed-notes/steps.csv", steps_csv({}, 0));
  const std::string html = render(folder.path());
  CHECK_THAT(html, ContainsSubstring("seed 18446744073709551615 is not complete (unknown, 8"));
  CHECK_THAT(html, ContainsSubstring("0 of 1 seeds complete"));
}
