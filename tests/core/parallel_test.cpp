// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <catch.hpp>
#include <cmath>
#include <limits>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <set>
#include <stdexcept>
#include <vector>

namespace {

using namespace pomlux;

TEST_CASE("Every index is visited once, in the promised chunks", "[core][parallel]") {
  for (const int threads : {1, 2, 8}) {
    with_threads(threads, [] {
      std::vector<std::atomic<int>> visits(1003);
      std::atomic<int> wrong_chunks = 0;
      parallel_for(1003, 10, [&](Index begin, Index end) {
        if (begin % 10 != 0 || end != std::min<Index>(1003, begin + 10)) ++wrong_chunks;
        for (Index i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      CHECK(wrong_chunks == 0);
      for (const auto& count : visits) REQUIRE(count == 1);
    });
  }
}

TEST_CASE("A sum has the same bits on any number of threads", "[core][parallel]") {
  const auto sum = [] {
    return parallel_sum(100'003, 64, [](Index begin, Index end) {
      double partial = 0.0;
      for (Index i = begin; i < end; ++i) partial += std::sin(static_cast<double>(i)) / 3.0;
      return partial;
    });
  };
  double reference = 0.0;
  with_threads(1, [&] { reference = sum(); });
  for (const int threads : {2, 3, 8}) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      double value = 0.0;
      with_threads(threads, [&] { value = sum(); });
      REQUIRE(value == reference);
    }
  }
}

TEST_CASE("Empty loops and single chunks work", "[core][parallel]") {
  int calls = 0;
  parallel_for(0, 5, [&](Index, Index) { ++calls; });
  CHECK(calls == 0);
  CHECK(parallel_sum(0, 5, [](Index, Index) { return 1.0; }) == 0.0);
  constexpr Index huge = std::numeric_limits<Index>::max();
  parallel_for(3, huge, [&](Index begin, Index end) {
    CHECK(begin == 0);
    CHECK(end == 3);
    ++calls;
  });
  CHECK(calls == 1);
  CHECK(parallel_sum(huge, huge, [](Index, Index end) { return static_cast<double>(end % 2); }) ==
        1.0);
}

TEST_CASE("An exception of the body reaches the caller as it was thrown", "[core][parallel]") {
  for (const int threads : {1, 4}) {
    const auto loop = [&] {
      with_threads(threads, [] {
        parallel_for(100, 1, [](Index begin, Index) {
          if (begin == 50) throw std::out_of_range("chunk 50");
        });
      });
    };
    CHECK_THROWS_AS(loop(), std::out_of_range);
    CHECK_THROWS_WITH(loop(), "chunk 50");
  }
}

TEST_CASE("The thread limit holds inside and ends with the call", "[core][parallel]") {
  const int before = available_threads();
  with_threads(1, [] { CHECK(available_threads() == 1); });
  const int two = std::min(2, before);
  with_threads(2, [two] {
    CHECK(available_threads() == two);
    with_threads(1, [] { CHECK(available_threads() == 1); });
    CHECK(available_threads() == two);
  });
  with_threads(kMaxThreads, [before] { CHECK(available_threads() <= before); });
  CHECK(available_threads() == before);
  CHECK_THROWS_WITH(with_threads(-1, [] {}), Catch::Contains("-1") && Catch::Contains("0..1024"));
  CHECK_THROWS_AS(with_threads(kMaxThreads + 1, [] {}), InvalidArgument);
}

TEST_CASE("Loops nest without one thread entering an outer chunk twice", "[core][parallel]") {
  with_threads(4, [] {
    std::atomic<int> entered_twice = 0;
    std::atomic<int> inner = 0;
    parallel_for(32, 1, [&](Index, Index) {
      static thread_local bool is_inside = false;
      if (is_inside) ++entered_twice;
      is_inside = true;
      parallel_for(64, 1, [&](Index, Index) { ++inner; });
      is_inside = false;
    });
    CHECK(entered_twice == 0);
    CHECK(inner == 32 * 64);
  });
}

TEST_CASE("Impossible loop sizes are refused with their value", "[core][parallel]") {
  CHECK_THROWS_WITH(parallel_for(-2, 1, [](Index, Index) {}), Catch::Contains("n is -2"));
  CHECK_THROWS_WITH(parallel_for(2, 0, [](Index, Index) {}), Catch::Contains("chunk is 0"));
  CHECK_THROWS_AS(parallel_sum(-2, 1, [](Index, Index) { return 0.0; }), InvalidArgument);
}

}  // namespace
