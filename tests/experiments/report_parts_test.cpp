// SPDX-License-Identifier: MIT
#include <cmath>  // logarithms
#include <pomlux/experiments/report_belief.hpp>
#include <pomlux/experiments/report_curves.hpp>
#include <pomlux/experiments/report_layout.hpp>
#include <pomlux/experiments/report_numbers.hpp>
#include <pomlux/experiments/report_posterior.hpp>

#include "catch.hpp"

using namespace pomlux;

namespace {
using Values = std::vector<double>;
}  // namespace

TEST_CASE("mean and standard error are those of the finite values", "[experiments][report]") {
  // 1, 2, 4: mean 7/3, sample variance 7/3, standard error sqrt(7)/3.
  const MeanAndError result = mean_and_error({1.0, kNaN, 2.0, 4.0});
  CHECK(result.count == 3);
  CHECK_THAT(result.mean, WithinRel(7.0 / 3.0, 1e-15));
  CHECK_THAT(result.error, WithinRel(std::sqrt(7.0) / 3.0, 1e-15));
  CHECK(std::isnan(mean_and_error({1.0}).error));
  CHECK(std::isnan(mean_and_error({kNaN}).mean));
}

TEST_CASE("curves are averaged as far as the shortest reaches", "[experiments][report]") {
  const MeanCurve curve = mean_curve({{1.0, 2.0, kNaN, 9.0}, {3.0, kNaN, kNaN}});
  REQUIRE(curve.mean.size() == 3);
  CHECK(curve.mean[0] == 2.0);
  CHECK(curve.low[0] == 1.0);
  CHECK(curve.high[0] == 3.0);
  CHECK(curve.mean[1] == 2.0);
  CHECK(std::isnan(curve.low[1]));
  CHECK(std::isnan(curve.mean[2]));
  CHECK(mean_curve({}).mean.empty());
}

TEST_CASE("values with errors show two digits of the error", "[experiments][report]") {
  CHECK(with_error({0.935512, 0.01234, 3}) == "0.936 \u00b1 0.012");
  CHECK(with_error({1234.5, 56.7, 3}) == "1234 \u00b1 57");
  CHECK(with_error({12345.0, 670.0, 3}) == "12345 \u00b1 670");
  CHECK(with_error({2.5, 0.0, 3}) == "2.5 \u00b1 0");
  CHECK(with_error({2.0, 2e-16, 3}) == "2 \u00b1 0");
  CHECK(with_error({1.5e-9, 2.5e-10, 3}) == "1.5e-9 \u00b1 2.5e-10");
  CHECK(with_error({3e8, 1e6, 2}) == "3e8 \u00b1 1e6");
  CHECK(with_error({2.5, kNaN, 1}) == "2.5");
  CHECK(with_error({kNaN, kNaN, 0}) == "\u2013");
}

TEST_CASE("the entropy of probabilities counts zeros as zero", "[experiments][report]") {
  CHECK_THAT(entropy_of({0.5, 0.5, 0.0}), WithinRel(std::log(2.0), 1e-15));
  CHECK(entropy_of({1.0, 0.0}) == 0.0);
  CHECK(std::isnan(entropy_of({0.5, kNaN})));
}

TEST_CASE("the top candidates are by PoM, else by mean in the user's sense",
          "[experiments][report]") {
  PosteriorData data;
  data.mean = {3.0, 1.0, 2.0, kNaN};
  CHECK(top_candidates(data, Sense::kMaximize, 2) == std::vector<std::size_t>{0, 2});
  CHECK(top_candidates(data, Sense::kMinimize, 9) == std::vector<std::size_t>{1, 2, 0, 3});
  data.estimators = {"f_lite"};
  data.pom = {{0.25, 0.25, 0.5, 0.0}};
  CHECK(top_candidates(data, Sense::kMaximize, 3) == std::vector<std::size_t>{2, 0, 1});
}

TEST_CASE("a grid is found in any order, with gaps, and joined when large",
          "[experiments][report]") {
  const Values x = {1.0, 0.0, 1.0};
  const Values y = {5.0, 5.0, 7.0};
  const auto grid = find_grid(x, y, 10);
  REQUIRE(grid);
  CHECK(grid->x == Values{0.0, 1.0});
  CHECK(grid->y == Values{5.0, 7.0});
  CHECK_FALSE(grid->is_binned);
  const figures::HeatMap map = grid->fill({10.0, 20.0, 30.0}, Reduce::kMean);
  CHECK(map.values[0] == 20.0);
  CHECK(map.values[1] == 10.0);
  CHECK(std::isnan(map.values[2]));
  CHECK(map.values[3] == 30.0);

  Values long_x;
  Values long_y;
  Values ones;
  for (int i = 0; i < 7 * 3; ++i) {
    long_x.push_back(i % 7);
    long_y.push_back(i / 7);
    ones.push_back(1.0);
  }
  const auto joined = find_grid(long_x, long_y, 3);
  REQUIRE(joined);
  CHECK(joined->is_binned);
  CHECK(joined->x == Values{1.0, 4.0, 6.0});
  CHECK(joined->fill(ones, Reduce::kSum).values == Values{3, 3, 1, 3, 3, 1, 3, 3, 1});
  CHECK(joined->fill(ones, Reduce::kMean).values == Values(9, 1.0));
}

TEST_CASE("scattered points are no grid, and bins keep their sum", "[experiments][report]") {
  const Values x = {0.0, 0.1, 0.35, 0.8, 1.0};
  const Values y = {0.3, 0.9, 0.1, 0.2, 1.0};
  CHECK_FALSE(find_grid(x, y, 10));
  const CellGrid bins = make_bins(x, y, 4);
  double sum = 0.0;
  for (const double value : bins.fill({1.0, 2.0, 3.0, 4.0, 5.0}, Reduce::kSum).values)
    sum += std::isnan(value) ? 0.0 : value;
  CHECK(sum == 15.0);
  CHECK_FALSE(find_grid({0.0, kNaN}, {0.0, 1.0}, 10));
  CHECK(make_bins({1.0, 1.0}, {2.0, 2.0}, 3).cell_of == std::vector<std::size_t>{0, 0});
}

TEST_CASE("points along a line are sorted and joined", "[experiments][report]") {
  const SortedGroups all = sort_groups({3.0, 1.0, 2.0}, 10);
  CHECK(all.x == Values{1.0, 2.0, 3.0});
  CHECK(all.fill({30.0, 10.0, 20.0}, Reduce::kMean) == Values{10.0, 20.0, 30.0});
  CHECK_FALSE(all.is_binned);
  const SortedGroups joined = sort_groups({3.0, 1.0, 2.0}, 2);
  CHECK(joined.x == Values{1.5, 3.0});
  CHECK(joined.fill({30.0, 10.0, 20.0}, Reduce::kSum) == Values{30.0, 30.0});
  CHECK(joined.is_binned);
}
