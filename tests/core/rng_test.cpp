// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/rng.hpp>
#include <set>
#include <string>

namespace {

using namespace pomlux;

TEST_CASE("A stream is a pure function of seed, purpose and index", "[core][rng]") {
  Rng a = make_stream(7, "objective_noise", 3);
  Rng b = make_stream(7, "objective_noise", 3);
  CHECK(a == b);
  // Pinned: a change would silently give every stored experiment other random numbers.
  CHECK(a() == 18429923893285182087ULL);
}

TEST_CASE("Streams with different keys share no number", "[core][rng]") {
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  for (const std::uint64_t seed : {0ULL, 1ULL, 2ULL, 1ULL << 63, ~0ULL}) {
    for (const std::string purpose : {"", "a", "b", "ab", "ba", "aa", "track:f_lite", "fit"}) {
      for (const std::uint64_t index : {0ULL, 1ULL, 97ULL, 98ULL, 256ULL, ~0ULL}) {
        Rng rng = make_stream(seed, purpose, index);
        for (int i = 0; i < 10; ++i, ++drawn) seen.insert(rng());
      }
    }
  }
  CHECK(seen.size() == drawn);
}

TEST_CASE("Neighbouring streams are uncorrelated", "[core][rng]") {
  // The mean of m products of independent uniforms on [-1/2, 1/2] has standard error 1/12/sqrt(m).
  constexpr int m = 20'000;
  for (const int draw : {0, 1, 400}) {
    double sum = 0.0;
    double previous = 0.0;
    for (int i = 0; i <= m; ++i) {
      Rng rng = make_stream(0, "neighbours", static_cast<std::uint64_t>(i));
      rng.discard(static_cast<unsigned>(draw));
      const double value = draw_uniform(rng) - 0.5;
      sum += i > 0 ? previous * value : 0.0;
      previous = value;
    }
    CAPTURE(draw);
    CHECK(std::abs(sum / m) < 4.0 / 12.0 / std::sqrt(double{m}));  // 4 standard errors
  }
}

TEST_CASE("Uniform draws stay below 1 and have the right moments", "[core][rng]") {
  Rng rng = make_stream(1, "uniform");
  constexpr int m = 100'000;
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < m; ++i) {
    const double u = draw_uniform(rng);
    REQUIRE((u >= 0.0 && u < 1.0));
    sum += u;
    squares += u * u;
  }
  CHECK(std::abs(sum / m - 0.5) < 4.0 * std::sqrt(1.0 / 12.0 / m));
  CHECK(std::abs(squares / m - 1.0 / 3.0) < 4.0 * std::sqrt(4.0 / 45.0 / m));
}

TEST_CASE("Normal draws have the moments of N(0, 1)", "[core][rng]") {
  Rng rng = make_stream(1, "normal");
  constexpr Index m = 100'000;
  const Vector z = draw_normals(rng, m);
  const double n = static_cast<double>(m);
  CHECK(std::abs(z.mean()) < 4.0 / std::sqrt(n));
  CHECK(std::abs(z.squaredNorm() / n - 1.0) < 4.0 * std::sqrt(2.0 / n));
  CHECK(std::abs(z.array().cube().mean()) < 4.0 * std::sqrt(15.0 / n));
  CHECK(std::abs(z.array().pow(4).mean() - 3.0) < 4.0 * std::sqrt(96.0 / n));
}

TEST_CASE("Many normals are the same as one at a time", "[core][rng]") {
  Rng a = make_stream(3, "normals");
  Rng b = a;
  const Vector many = draw_normals(a, 50);
  for (Index i = 0; i < 50; ++i) REQUIRE(many(i) == draw_normal(b));
  CHECK(a == b);
}

TEST_CASE("Indices are uniform and in range", "[core][rng]") {
  Rng rng = make_stream(1, "index");
  std::array<int, 7> counts{};
  constexpr int m = 70'000;
  for (int i = 0; i < m; ++i) ++counts.at(static_cast<std::size_t>(draw_index(rng, 7)));
  double chi_squared = 0.0;
  for (const int count : counts) chi_squared += std::pow(count - m / 7.0, 2) / (m / 7.0);
  CHECK(chi_squared < 22.46);  // 0.999 quantile with 6 degrees of freedom
  CHECK(draw_index(rng, 1) == 0);
  CHECK_THROWS_AS(draw_index(rng, 0), InvalidArgument);
  CHECK_THROWS_AS(draw_normals(rng, -1), InvalidArgument);
}

TEST_CASE("Drawing without replacement gives distinct indices, all of them if asked",
          "[core][rng]") {
  Rng rng = make_stream(5, "subset");
  const std::vector<Index> some = draw_without_replacement(rng, 1000, 400);
  CHECK(std::set<Index>(some.begin(), some.end()).size() == 400);
  CHECK(*std::min_element(some.begin(), some.end()) >= 0);
  CHECK(*std::max_element(some.begin(), some.end()) < 1000);
  std::vector<Index> all = draw_without_replacement(rng, 100, 100);
  CHECK_FALSE(std::is_sorted(all.begin(), all.end()));
  std::sort(all.begin(), all.end());
  for (Index i = 0; i < 100; ++i) REQUIRE(all[static_cast<std::size_t>(i)] == i);
  CHECK(draw_without_replacement(rng, 0, 0).empty());
  CHECK(draw_without_replacement(rng, Index{1} << 60, 2).size() == 2);  // no array of n entries
  CHECK_THROWS_AS(draw_without_replacement(rng, 1000, 1001), InvalidArgument);
  CHECK_THROWS_AS(draw_without_replacement(rng, 10, -1), InvalidArgument);
}

TEST_CASE("Every ordered pair is equally likely without replacement", "[core][rng]") {
  Rng rng = make_stream(6, "pairs");
  std::array<int, 16> counts{};
  constexpr int m = 24'000;
  for (int i = 0; i < m; ++i) {
    const std::vector<Index> pair = draw_without_replacement(rng, 4, 2);
    ++counts.at(static_cast<std::size_t>(4 * pair[0] + pair[1]));
  }
  double chi_squared = 0.0;
  for (std::size_t cell = 0; cell < 16; ++cell) {
    if (cell % 5 == 0) {
      CHECK(counts.at(cell) == 0);
    } else {
      chi_squared += std::pow(counts.at(cell) - m / 12.0, 2) / (m / 12.0);
    }
  }
  CHECK(chi_squared < 31.26);  // 0.999 quantile with 11 degrees of freedom
}

}  // namespace
