// SPDX-License-Identifier: MIT
#include <boost/random/sobol.hpp>  // direction numbers
#include <pomlux/core/errors.hpp>
#include <pomlux/core/sobol.hpp>
#include <vector>  // shifts

namespace pomlux {

Points sobol_points(Index n, Index d, Rng& rng) {
  constexpr Index largest = kMaxSobolDimension;
  static_assert(largest == boost::random::default_sobol_table::max_dimension);
  if (d < 1 || d > largest) {
    fail("sobol",
         "the dimension is " + format_number(d) + "; must be in 1.." + format_number(largest) +
             ", the dimensions of the tables");
  }
  if (n < 0) fail("sobol", "n is " + format_number(n) + "; must be >= 0");
  require_memory("sobol", n, d);
  std::vector<std::uint64_t> shift(static_cast<std::size_t>(d));
  for (std::uint64_t& word : shift) word = rng();
  boost::random::sobol sequence(static_cast<std::size_t>(d));
  Points points(n, d);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) {
      // Boost's sequence starts behind the origin.
      const std::uint64_t word = i == 0 ? 0 : sequence();
      points(i, k) =
          static_cast<double>((word ^ shift[static_cast<std::size_t>(k)]) >> 11) * 0x1.0p-53;
    }
  }
  return points;
}

}  // namespace pomlux
