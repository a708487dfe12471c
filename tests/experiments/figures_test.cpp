// SPDX-License-Identifier: MIT
#include <chrono>      // deadlines
#include <filesystem>  // folders
#include <fstream>     // files
#include <pomlux/core/csv.hpp>
#include <pomlux/core/types.hpp>
#include <pomlux/experiments/figures_export.hpp>
#include <pomlux/experiments/figures_files.hpp>
#include <pomlux/experiments/files.hpp>
#include <sstream>  // CSV
#include <string>   // contents

#include "catch.hpp"
#include "experiments/temporary_folder.hpp"

using namespace pomlux::figures;
using pomlux::kNaN;
using pomlux::test::read_file;
using pomlux::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

Figure two_panels() {
  Figure figure;
  figure.name = "both";
  figure.columns = 2;
  Panel curves;
  curves.title = "it's, \"quoted\"";
  curves.x.label = "x_0";
  curves.y.scale = Scale::kLog;
  curves.bands.push_back({"s.e.", {1.0, 2.0}, {0.5, kNaN}, {1.5, 2.5}, "#0072b2"});
  curves.lines.push_back({"mean", "", {1.0, 2.0}, {1.0, 0.125}, "#0072b2"});
  curves.lines.push_back({"", "empty", {1.0}, {kNaN}, "#0072b2"});
  Panel map;
  map.value.label = "value";
  map.map = HeatMap{{0.0, 1.0}, {0.0, 1.0}, {1.0, 2.0, 3.0, 4.0}};
  map.scatters.push_back({"white", {0.5}, {0.5}, {}, "#ffffff", Marker::kDot, 2.6});
  figure.panels = {curves, map};
  return figure;
}

/// A program that gets gnuplot's arguments.
std::string make_program(const TemporaryFolder& folder, const std::string& body) {
  const fs::path path = folder.path() / "plotter";
  std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
  fs::permissions(path, fs::perms::owner_all);
  return path.string();
}

bool has_gnuplot() { return fs::exists("/usr/bin/gnuplot"); }

}  // namespace

TEST_CASE("the CSV of a figure reads back, one row per datum", "[experiments][figures]") {
  std::istringstream text(to_csv(two_panels()));
  const pomlux::CsvTable table = pomlux::read_csv(text, "figure");
  CHECK(table.columns ==
        std::vector<std::string>{"panel", "series", "kind", "x", "y", "low", "high", "value"});
  REQUIRE(table.rows.size() == 2 + 2 + 1 + 4 + 1);
  CHECK(table.rows[0] ==
        std::vector<std::string>{"it's, \"quoted\"", "s.e.", "band", "1", "", "0.5", "1.5", ""});
  CHECK(table.rows[1][5].empty());  // not finite
  CHECK(table.rows[3] ==
        std::vector<std::string>{"it's, \"quoted\"", "mean", "line", "2", "0.125", "", "", ""});
  CHECK(table.rows[4][1] == "empty");
  CHECK(table.rows[6] ==
        std::vector<std::string>{"panel 2", "value", "map", "1", "0", "", "", "2"});
  CHECK(table.rows[9][2] == "scatter");
}

TEST_CASE("the gnuplot script names the blocks of the CSV and skips empty ones",
          "[experiments][figures]") {
  const std::string script = to_gnuplot(two_panels());
  CHECK_THAT(script, ContainsSubstring("'it''s, \"quoted\"'"));
  CHECK_THAT(script, ContainsSubstring("index 1 using 4:6:7 with filledcurves"));
  CHECK_THAT(script, ContainsSubstring("index 2 using 4:($5) with lines"));
  CHECK(script.find("index 3 ") == std::string::npos);
  CHECK_THAT(script, ContainsSubstring("index 4 using 4:5:8 with image"));
  CHECK_THAT(script, ContainsSubstring("index 5 using 4:5 with points"));
  CHECK(to_gnuplot(two_panels()) == script);
}

TEST_CASE("a figure is written as three files, and an older PDF goes", "[experiments][figures]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "both.pdf") << "old";
  const std::string svg = write_figure(folder.path(), two_panels());
  CHECK(read_file(folder.path() / "both.svg") == svg);
  CHECK(read_file(folder.path() / "both.csv") == to_csv(two_panels()));
  CHECK(read_file(folder.path() / "both.gp") == to_gnuplot(two_panels()));
  CHECK_FALSE(fs::exists(folder.path() / "both.pdf"));
}

TEST_CASE("a figure that cannot be written is an error with its path", "[experiments][figures]") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(write_figure(folder.path() / "absent", two_panels()), pomlux::WriteError);
  CHECK_THROWS_WITH(write_figure(folder.path() / "absent", two_panels()),
                    ContainsSubstring("absent/both.svg"));
}

TEST_CASE("gnuplot makes the PDF without a word", "[experiments][figures]") {
  if (!has_gnuplot()) {
    WARN("gnuplot is not installed: not checked");
    return;
  }
  const TemporaryFolder folder;
  static_cast<void>(write_figure(folder.path(), two_panels()));
  const PdfResult result = make_pdf(folder.path(), "both", "gnuplot", 60.0);
  CHECK(result.warning.empty());
  CHECK(read_file(folder.path() / "both.pdf").starts_with("%PDF"));
  CHECK_FALSE(fs::exists(folder.path() / "both.pdf.partial"));
}

TEST_CASE("missing, failing and hanging gnuplots are warnings", "[experiments][figures]") {
  const TemporaryFolder folder;
  static_cast<void>(write_figure(folder.path(), two_panels()));
  const PdfResult missing = make_pdf(folder.path(), "both", "no-such-gnuplot", 5.0);
  CHECK(missing.is_program_missing);
  CHECK_THAT(missing.warning, ContainsSubstring("no-such-gnuplot"));

  const std::string failing = make_program(folder, "echo 'line 7: oops' >&2; exit 3");
  const PdfResult failed = make_pdf(folder.path(), "both", failing, 5.0);
  CHECK_FALSE(failed.is_program_missing);
  CHECK_THAT(failed.warning, ContainsSubstring("line 7: oops"));

  const std::string hanging = make_program(folder, "exec sleep 60");
  const auto begin = std::chrono::steady_clock::now();
  const PdfResult hung = make_pdf(folder.path(), "both", hanging, 0.2);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  CHECK_THAT(hung.warning, ContainsSubstring("0.2 s"));
  CHECK_FALSE(fs::exists(folder.path() / "both.pdf"));
}

TEST_CASE("the plotter finds nothing on its standard input", "[experiments][figures]") {
  const TemporaryFolder folder;
  // Ends only if standard input ends; the script's output is the "PDF".
  const std::string reader = make_program(folder, "cat > both.pdf.partial");
  CHECK(make_pdf(folder.path(), "both", reader, 5.0).warning.empty());
  CHECK(fs::exists(folder.path() / "both.pdf"));
  CHECK(fs::file_size(folder.path() / "both.pdf") == 0);
}
