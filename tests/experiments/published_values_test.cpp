// SPDX-License-Identifier: MIT
// The file of published numbers, whole and damaged.
#include <catch.hpp>
#include <experiments/temporary_folder.hpp>
#include <fstream>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/published_values.hpp>
#include <string>

namespace {

using namespace pomlux;
using Catch::Matchers::Contains;
using test::TemporaryFolder;
namespace fs = std::filesystem;

const fs::path kPublishedFile =
    fs::path(POMLUX_SOURCE_DIR) / "configs" / "paper" / "published.json";

}  // namespace

TEST_CASE("The published numbers are whole", "[experiments][reproduce]") {
  const Json published = read_published(kPublishedFile);
  CHECK(published.at("/table1/f_lite/1/mean"_json_pointer) == 13.7);
}

TEST_CASE("What is missing of the published numbers is named", "[experiments][reproduce]") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "published.json";
  const auto damaged = [&](const std::string& key, const Json& value) {
    Json whole = Json::parse(std::ifstream(kPublishedFile));
    const Json::json_pointer place(key);
    if (value.is_discarded()) {
      whole.at(place.parent_pointer()).erase(place.back());
    } else {
      whole.at(place) = value;
    }
    std::ofstream(file) << whole;
  };
  const Json gone = Json::parse("[", nullptr, false);
  for (const char* key : {"/table1",
                          "/table1/est",
                          "/table2/a_lite",
                          "/auc/means",
                          "/runtime_vs_size/ts_mc",
                          "/entropy_search/steps",
                          "/large_scale/ucb/se"}) {
    CAPTURE(key);
    damaged(key, gone);
    CHECK_THROWS_WITH(read_published(file),
                      Contains(file.string() + ": key " + key) && Contains("found nothing"));
  }
  damaged("/table1/columns/1", "gp2");
  CHECK_THROWS_WITH(read_published(file),
                    Contains("key /table1/columns/1: found \"gp2\"; allowed: gp1"));
  damaged("/table2/est/0", Json::array({1, 2}));
  CHECK_THROWS_WITH(read_published(file), Contains("key /table2/est/0/value: found nothing"));
  damaged("/auc/est/se", "3.4");
  CHECK_THROWS_WITH(read_published(file), Contains("found \"3.4\"; allowed: a number"));
  damaged("/runtime_vs_size/est/7", "slow");
  CHECK_THROWS_WITH(read_published(file), Contains("allowed: a number or null"));
  damaged("/large_scale/ei/mean", Json::array({1.0}));
  CHECK_THROWS_WITH(read_published(file), Contains("key /large_scale/ei/mean/1: found nothing"));
  for (const char* text : {"", "{", "[]", "null", "1", "{\"table1\": []}", "\xff"}) {
    CAPTURE(text);
    std::ofstream(file) << text;
    CHECK_THROWS_AS(read_published(file), InvalidArgument);
  }
  CHECK_THROWS_WITH(read_published(folder.path() / "none.json"), Contains("none.json"));
}
