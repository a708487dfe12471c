// SPDX-License-Identifier: MIT
#include <boost/random/normal_distribution.hpp>       // normals, the same on every platform
#include <boost/random/uniform_int_distribution.hpp>  // indices
#include <pomlux/core/errors.hpp>
#include <pomlux/core/rng.hpp>
#include <unordered_map>  // moved entries of a shuffle

namespace pomlux {
namespace {

/// One step of SplitMix64 (Steele, Lea and Flood, 2014): a bijection with full avalanche.
std::uint64_t mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Hash of everything absorbed before and one more word.
std::uint64_t absorb(std::uint64_t key, std::uint64_t word) {
  std::uint64_t state = key ^ word;
  return mix(state);
}

/// Seeds an engine with words of SplitMix64; Boost asks for 32-bit words.
class SplitMixSequence {
 public:
  explicit SplitMixSequence(std::uint64_t state) : state_(state) {}
  template <typename Iterator>
  void generate(Iterator begin, Iterator end) {
    for (; begin != end; ++begin) *begin = static_cast<std::uint32_t>(mix(state_) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace

Rng make_stream(std::uint64_t seed, std::string_view purpose, std::uint64_t index) {
  std::uint64_t key = absorb(0, seed);
  for (const char c : purpose) key = absorb(key, static_cast<unsigned char>(c));
  key =
      absorb(key, purpose.size());  // ends the text: no purpose and index read as a longer purpose
  SplitMixSequence sequence(absorb(key, index));
  return Rng(sequence);
}

double draw_uniform(Rng& rng) { return static_cast<double>(rng() >> 11) * 0x1.0p-53; }

Index draw_index(Rng& rng, Index n) {
  if (n < 1) fail("draw_index", "n is " + format_number(n) + "; must be >= 1");
  return boost::random::uniform_int_distribution<Index>(0, n - 1)(rng);
}

double draw_normal(Rng& rng) { return boost::random::normal_distribution<double>()(rng); }

Vector draw_normals(Rng& rng, Index n) {
  if (n < 0) fail("draw_normals", "n is " + format_number(n) + "; must be >= 0");
  Vector result(n);
  boost::random::normal_distribution<double> normal;
  for (Index i = 0; i < n; ++i) result(i) = normal(rng);
  return result;
}

std::vector<Index> draw_without_replacement(Rng& rng, Index n, Index k) {
  if (n < 0 || k < 0 || k > n) {
    fail("draw_without_replacement",
         "k is " + format_number(k) + "; must be in 0..n, n = " + format_number(n));
  }
  // Partial Fisher-Yates on 0, 1, ..., n - 1 of which only the entries moved so far are stored.
  std::unordered_map<Index, Index> moved;
  moved.reserve(static_cast<std::size_t>(k));
  std::vector<Index> drawn;
  drawn.reserve(static_cast<std::size_t>(k));
  const auto entry = [&](Index position) {
    const auto found = moved.find(position);
    return found == moved.end() ? position : found->second;
  };
  for (Index i = 0; i < k; ++i) {
    const Index chosen = i + draw_index(rng, n - i);
    drawn.push_back(entry(chosen));
    moved[chosen] = entry(i);
  }
  return drawn;
}

}  // namespace pomlux
