// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <experiments/temporary_folder.hpp>
#include <fstream>
#include <optional>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/folder_lock.hpp>
#include <pomlux/experiments/progress.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <pomlux/experiments/seed_files.hpp>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using test::TemporaryFolder;

std::string content(const std::filesystem::path& path) { return read_text_file(path, 1 << 20); }

TEST_CASE("A file that cannot be written is an error with its path", "[experiments][files]") {
  const TemporaryFolder folder;
  const std::filesystem::path missing = folder.path() / "none" / "a.csv";
  CHECK_THROWS_WITH(OutputFile(missing), Contains(missing.string()));
  CHECK_THROWS_WITH(replace_file(missing, "x"), Contains(missing.string()));
  OutputFile full("/dev/full");
  CHECK_THROWS_WITH(full.append("x"), Contains("/dev/full: No space left"));
}

TEST_CASE("A row is on disk when append returns, and has a cell per column",
          "[experiments][files]") {
  const TemporaryFolder folder;
  CsvWriter writer(folder.path() / "a.csv", {"a", "b"});
  writer.append({"1", "x,y"});
  CHECK(content(folder.path() / "a.csv") == "a,b\n1,\"x,y\"\n");
  CHECK_THROWS_AS(writer.append({"1"}), InvalidArgument);
  CHECK(content(folder.path() / "a.csv") == "a,b\n1,\"x,y\"\n");
}

TEST_CASE("A replaced file has the new content and leaves nothing beside it",
          "[experiments][files]") {
  const TemporaryFolder folder;
  replace_file(folder.path() / "a", "old, and longer");
  replace_file(folder.path() / "a", "new");
  CHECK(content(folder.path() / "a") == "new");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("A locked folder refuses a second writer by name", "[experiments][files]") {
  const TemporaryFolder folder;
  std::optional<FolderLock> first(std::in_place, folder.path());
  CHECK_THROWS_WITH(FolderLock(folder.path()), Contains("process ") && Contains(" on host "));
  first.reset();
  CHECK_FALSE(std::filesystem::exists(folder.path() / FolderLock::kFileName));
  CHECK_NOTHROW(FolderLock(folder.path()));
  // Left by a process on another machine: it may be alive there.
  std::ofstream(folder.path() / FolderLock::kFileName) << "process 1 on host elsewhere\n";
  CHECK_THROWS_WITH(FolderLock(folder.path()), Contains("elsewhere") && Contains("remove"));
}

TEST_CASE("Seed folders are numbered with four digits or more", "[experiments][files]") {
  CHECK(seed_folder_name(7) == "seed-0007");
  CHECK(seed_folder_name(18446744073709551615U) == "seed-18446744073709551615");
}

TEST_CASE("Coordinates never share a column name with something else", "[experiments][files]") {
  const Domain domain(Points::Zero(1, 4), {"mean", "x_mean", "width", "entropy_a"});
  CHECK(coordinate_columns(domain, {"mean"}) ==
        std::vector<std::string>{"x_x_mean", "x_mean", "width", "x_entropy_a"});
}

TEST_CASE("Times left are short to read", "[experiments][progress]") {
  CHECK(clock_text(0.2) == "0:01");
  CHECK(clock_text(61.0) == "1:01");
  CHECK(clock_text(3723.0) == "1:02:03");
}

}  // namespace
