// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <catch.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <pomlux/core/dense.hpp>
#include <pomlux/core/dense_kernels.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/random_kernels.hpp>
#include <pomlux/core/rng.hpp>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace pomlux;
using detail::kRandomBatch;
using detail::RandomKernels;
using Word = std::uint32_t;
using Counter = std::array<Word, 4>;

std::vector<Isa> random_levels() {
  std::vector<Isa> levels;
  for (const Isa level : {Isa::kBaseline, Isa::kV3, Isa::kV4}) {
    if (is_available(level)) levels.push_back(level);
  }
  return levels;
}

std::uint64_t join(Word low, Word high) { return (std::uint64_t{high} << 32) | low; }

/// Philox4x32-10 of one counter, in each position of a batch in turn.
Counter philox(Isa level, std::uint64_t key, const Counter& c, std::size_t position) {
  std::array<std::uint64_t, kRandomBatch> block{}, stream{};
  std::array<std::uint64_t, 4 * kRandomBatch> words{};
  block.at(position) = join(c[0], c[1]);
  stream.at(position) = join(c[2], c[3]);
  detail::random_kernels(level).philox(key, block.data(), stream.data(), words.data());
  Counter result{};
  for (std::size_t w = 0; w < 4; ++w) {
    result.at(w) = static_cast<Word>(words.at(w * kRandomBatch + position));
  }
  return result;
}

/// The normals of two words as the header defines them.
std::array<double, 2> box_muller(Word word_0, Word word_1) {
  const long double u =
      (static_cast<long double>((std::uint64_t{word_0} << 8) | (word_1 & 0xff)) + 0.5L) * 0x1p-40L;
  const long double place = static_cast<long double>((word_1 >> 8) & 0x3fffff) + 0.5L - 0x1p21L;
  const long double x = place * 0x1p-23L * std::numbers::pi_v<long double>;
  const long double radius = std::sqrt(-2.0L * std::log(u));
  const auto cosine = static_cast<double>(radius * std::cos(x));
  const auto sine = static_cast<double>(radius * std::sin(x));
  switch (word_1 >> 30) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

double relative_difference(double value, double expected) {
  return std::abs(value - expected) / std::abs(expected);
}

std::vector<double> column(Isa level, std::uint64_t key, std::uint64_t stream, std::size_t n) {
  std::vector<double> result(n);
  detail::random_kernels(level).column(key, stream, result.data(), n);
  return result;
}

TEST_CASE("Philox4x32-10 gives the published known answers on every level", "[core][rng][isa]") {
  struct Answer {
    Counter counter;
    std::uint64_t key;
    Counter hash;
  };
  // kat_vectors of Random123, the authors' implementation.
  const std::array<Answer, 3> answers = {
      {{{0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
       {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
        0xffffffffffffffff,
        {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
       {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
        0x299f31d0a4093822,
        {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}}};
  for (const Isa level : random_levels()) {
    CAPTURE(to_string(level));
    for (const Answer& answer : answers) {
      for (std::size_t position = 0; position < kRandomBatch; ++position) {
        REQUIRE(philox(level, answer.key, answer.counter, position) == answer.hash);
      }
    }
  }
}

TEST_CASE("Normals are those of the words, out to both ends of the uniforms", "[core][rng][isa]") {
  const std::vector<Word> ends = {0,
                                  1,
                                  0x20000000,
                                  0x3fffffff,
                                  0x40000000,
                                  0x7fffff80,
                                  0x7fffffff,
                                  0x80000000,
                                  0xb504f333,
                                  0xbfffffff,
                                  0xc0000000,
                                  0xdfffffff,
                                  0xfffffffe,
                                  0xffffffff};
  Rng rng = make_stream(1, "fill_normals_test");
  std::vector<std::array<Word, 2>> pairs;
  for (const Word a : ends) {
    for (const Word b : ends) pairs.push_back({a, b});
    pairs.push_back({a, static_cast<Word>(rng())});
    pairs.push_back({static_cast<Word>(rng()), a});
  }
  while (pairs.size() % (2 * kRandomBatch) != 0 || pairs.size() < 5000) {
    pairs.push_back({static_cast<Word>(rng()), static_cast<Word>(rng())});
  }
  for (const Isa level : random_levels()) {
    CAPTURE(to_string(level));
    double largest = 0.0, worst = 0.0;
    for (std::size_t begin = 0; begin < pairs.size(); begin += 2 * kRandomBatch) {
      std::array<std::uint64_t, 4 * kRandomBatch> words{};
      std::array<double, 4 * kRandomBatch> normals{};
      const auto position = [](std::size_t i, std::size_t w) {
        return (i / kRandomBatch * 2 + w) * kRandomBatch + i % kRandomBatch;
      };
      for (std::size_t i = 0; i < 2 * kRandomBatch; ++i) {
        for (std::size_t w = 0; w < 2; ++w) words.at(position(i, w)) = pairs[begin + i].at(w);
      }
      detail::random_kernels(level).normals(words.data(), normals.data());
      for (std::size_t i = 0; i < 2 * kRandomBatch; ++i) {
        const std::array<double, 2> expected = box_muller(pairs[begin + i][0], pairs[begin + i][1]);
        for (std::size_t w = 0; w < 2; ++w) {
          const double normal = normals.at(position(i, w));
          largest = std::max(largest, std::abs(normal));
          worst = std::max(worst, relative_difference(normal, expected.at(w)));
        }
      }
    }
    CHECK(worst <= kFillNormalsRelativeError);
    CHECK(largest <= kLargestNormal);
    CHECK(largest > kLargestNormal * (1.0 - 1e-8));
  }
  CHECK(2.0 * normal_cdf(-kLargestNormal) < 5e-14);
}

TEST_CASE("The levels give the same normals", "[core][rng][isa]") {
  const std::vector<double> baseline = column(Isa::kBaseline, 5, 9, 1003);
  std::vector<double> fused;
  for (const Isa level : {Isa::kV3, Isa::kV4}) {
    if (!is_available(level)) continue;
    const std::vector<double> normals = column(level, 5, 9, 1003);
    if (fused.empty()) fused = normals;
    CHECK(normals == fused);
    double worst = 0.0;
    for (std::size_t i = 0; i < normals.size(); ++i) {
      worst = std::max(worst, relative_difference(normals[i], baseline[i]));
    }
    CHECK(worst <= 2.0 * kFillNormalsRelativeError);
  }
}

TEST_CASE("A strip of normals holds the streams side by side", "[core][rng][isa]") {
  constexpr std::uint64_t key = 3, last = ~std::uint64_t{0};
  for (const Isa level : random_levels()) {
    const std::size_t width = detail::dense_kernels(level).float32.count;
    REQUIRE(detail::dense_kernels(level).float64.count == width);
    for (const std::size_t n : {1u, 3u, 24u, 25u, 190u, 625u}) {
      std::vector<double> strip(n * width);
      std::vector<float> narrow(n * width);
      // Stream numbers wrap around within the strip.
      detail::random_kernels(level).strip_float64(key, last, strip.data(), n);
      detail::random_kernels(level).strip_float32(key, last, narrow.data(), n);
      bool is_same = true;
      for (std::size_t j = 0; j < width; ++j) {
        const std::vector<double> expected = column(level, key, last + j, n);
        for (std::size_t k = 0; k < n; ++k) {
          is_same = is_same && strip[k * width + j] == expected[k] &&
                    narrow[k * width + j] == static_cast<float>(expected[k]);
        }
      }
      CAPTURE(to_string(level), n);
      CHECK(is_same);
    }
  }
}

TEMPLATE_TEST_CASE("Packed columns are filled with consecutive streams",
                   "[core][rng]",
                   float,
                   double) {
  for (const Index m : {1, 5, 24, 31}) {
    PackedColumns<TestType> columns(50, m);
    fill_normals(7, "a", 100, columns);
    bool is_same = true;
    for (Index j = 0; j < m; ++j) {
      std::vector<double> expected(50);
      fill_normals(7, "a", 100 + static_cast<std::uint64_t>(j), expected);
      const Index width = columns.width();
      const std::span<const TestType> strip = std::as_const(columns).strip(j / width);
      for (std::size_t k = 0; k < 50; ++k) {
        const std::size_t at = k * static_cast<std::size_t>(width) + std::size_t(j % width);
        is_same = is_same && strip[at] == static_cast<TestType>(expected[k]);
      }
    }
    CAPTURE(m);
    CHECK(is_same);
  }
}

TEST_CASE("Normals in bulk are a pure function of seed, purpose, index and place", "[core][rng]") {
  std::vector<double> all(1000);
  fill_normals(7, "objective_noise", 3, all);
  for (const std::size_t n : {0u, 1u, 2u, 5u, 191u, 192u, 193u}) {
    std::vector<double> some(n);
    fill_normals(7, "objective_noise", 3, some);
    CHECK(std::equal(some.begin(), some.end(), all.begin()));
  }
  // Pinned, by a separate program from the published algorithms with libm's functions: a change
  // would silently give every stored experiment other random numbers.
  CHECK_THAT(all[0], WithinRel(1.0845948006458952, 4.0 * kFillNormalsRelativeError));
  CHECK_THAT(all[999], WithinRel(1.4239496743620639, 4.0 * kFillNormalsRelativeError));
  std::set<double> seen;
  std::size_t drawn = 0;
  for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 63}) {
    for (const std::string purpose : {"", "a", "b", "ab", "ts_mc"}) {
      for (const std::uint64_t index : {0ULL, 1ULL, 1ULL << 32, ~0ULL}) {
        fill_normals(seed, purpose, index, all);
        seen.insert(all.begin(), all.end());
        drawn += all.size();
      }
    }
  }
  CHECK(seen.size() == drawn);
}

}  // namespace
