// SPDX-License-Identifier: MIT
// The fuzz targets on a fixed set of inputs: the corpus, and mutations of it that are the same in
// every run. libFuzzer, where there is clang, goes on from here (see CMakeLists.txt).
#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <pomlux/core/rng.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "fuzz_targets.hpp"

namespace {

using namespace pomlux;

/// A reader that takes memory without end gets std::bad_alloc before the machine runs out of it.
void limit_memory() {
#ifdef POMLUX_LIMIT_MEMORY
  constexpr rlim_t kLargest = rlim_t{4} << 30;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::min(limit.rlim_max, kLargest);
  setrlimit(RLIMIT_AS, &limit);
#endif
}

std::vector<std::string> corpus(const std::vector<std::string>& folders) {
  std::vector<std::filesystem::path> files;
  for (const std::string& folder : folders) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(POMLUX_SOURCE_DIR) + "/" + folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

/// Pieces that readers trip over.
const std::vector<std::string>& pieces() {
  static const std::vector<std::string> list{
      "\n",  "\r",   "\t",   "\"", "'",  "#",    ",",         ";",  ":",     ": ",   "- ",  "[",
      "]",   "{",    "}",    "&a", "*a", "<<: ", "---\n",     "!!", "|",     "nan",  "inf", "-",
      "1e9", "1e99", "0x10", "~",  "%",  "(",    "(((((((((", "[[", "{{{{{", "type", "=",   ".."};
  return list;
}

std::string changed(std::string text, const std::vector<std::string>& seeds, Rng& rng) {
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(draw_index(rng, static_cast<Index>(n)));
  };
  const std::size_t at = below(text.size() + 1);
  const std::size_t length = std::min(below(16) + 1, text.size() - at);
  switch (below(7)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(below(256));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(at, text.substr(at, length));
      break;
    case 4:
      text.insert(at, pieces()[below(pieces().size())]);
      break;
    case 5:
      text.resize(at);
      break;
    default: {
      const std::string& other = seeds[below(seeds.size())];
      text = text.substr(0, at) + other.substr(below(other.size() + 1));
    }
  }
  return text;
}

/// Runs the target on the corpus and on `count` mutations of it; fails with the input's text.
void try_out(void (*target)(std::string_view), const std::vector<std::string>& seeds, int count) {
  limit_memory();
  REQUIRE_FALSE(seeds.empty());
  const auto run = [&](const std::string& input) {
    try {
      target(input);
    } catch (const std::exception& error) {
      CAPTURE(input);
      FAIL_CHECK("left the reader: " << error.what());
    }
  };
  for (const std::string& seed : seeds) run(seed);
  for (int i = 0; i < count; ++i) {
    Rng rng = make_stream(0, "fuzz", static_cast<std::uint64_t>(i));
    std::string input = seeds[static_cast<std::size_t>(i) % seeds.size()];
    const Index changes = 1 + draw_index(rng, 4);
    for (Index k = 0; k < changes; ++k) input = changed(std::move(input), seeds, rng);
    run(input);
  }
}

}  // namespace

TEST_CASE("A configuration of any text is read or refused", "[fuzz]") {
  try_out(fuzz::read_config, corpus({"configs", "tests/fuzz/corpus/config"}), 3000);
}

TEST_CASE("A table of any bytes is read or refused", "[fuzz]") {
  try_out(fuzz::read_csv_table, corpus({"tests/fuzz/corpus/csv"}), 20000);
}

TEST_CASE("An array file of any bytes is read or refused", "[fuzz]") {
  try_out(fuzz::read_npy_file, corpus({"tests/fuzz/corpus/npy"}), 20000);
}

TEST_CASE("What a command printed is a number or a failure", "[fuzz]") {
  try_out(fuzz::read_command_result, corpus({"tests/fuzz/corpus/command"}), 20000);
}
