// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <pomlux/core/memory.hpp>

TEST_CASE("A large vector has its size and can be written to the end", "[core][memory]") {
  for (const pomlux::Index n : {0, 1, 262'143, 1'000'003}) {
    pomlux::Vector vector = pomlux::make_large_vector(n);
    REQUIRE(vector.size() == n);
    vector.setLinSpaced(n, 0.0, static_cast<double>(n - 1));
    if (n > 0) CHECK(vector(n - 1) == static_cast<double>(n - 1));
  }
}
