// SPDX-License-Identifier: MIT
#include <pomlux/core/sobol.hpp>

#include <boost/random/sobol.hpp>  // direction numbers
#include <vector>                  // shifts

#include <pomlux/core/errors.hpp>

namespace pomlux {

Points sobol_points(Index n, Index d, Rng& rng) {
  constexpr Index largest = boost::random::default_sobol_table::max_dimension;
  if (d < 1 || d > largest) {
    fail("sobol", "dimension is " + std::to_string(d) + "; the tables hold 1 to " + std::to_string(largest));
  }
  std::vector<std::uint64_t> shift(static_cast<std::size_t>(d));
  for (std::uint64_t& word : shift) word = rng();
  boost::random::sobol sequence(static_cast<std::size_t>(d));
  Points points(n, d);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) {
      const std::uint64_t word = i == 0 ? 0 : sequence();  // Boost's sequence starts behind the origin
      points(i, k) = static_cast<double>((word ^ shift[static_cast<std::size_t>(k)]) >> 11) * 0x1.0p-53;
    }
  }
  return points;
}

}  // namespace pomlux
