// SPDX-License-Identifier: MIT
#include <boost/random/normal_distribution.hpp>       // normals, the same on every platform
#include <boost/random/uniform_int_distribution.hpp>  // indices
#include <pomlux/core/dense.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/level_tables.hpp>
#include <pomlux/core/random_kernels.hpp>
#include <pomlux/core/rng.hpp>
#include <string>         // messages
#include <type_traits>    // std::is_same_v
#include <unordered_map>  // moved entries of a shuffle

namespace pomlux {

const detail::RandomKernels& detail::random_kernels(Isa level) {
  return POMLUX_LEVEL_TABLES(kRandomKernels).at(level, "random_kernels");
}

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

/// Hash of both; the length ends the text: no purpose and index read as a longer purpose.
std::uint64_t purpose_key(std::uint64_t seed, std::string_view purpose) {
  std::uint64_t key = absorb(0, seed);
  for (const char c : purpose) key = absorb(key, static_cast<unsigned char>(c));
  return absorb(key, purpose.size());
}

const detail::RandomKernels& active_random_kernels() {
  static const detail::RandomKernels& kernels = detail::random_kernels(active_isa_level());
  return kernels;
}

}  // namespace

Rng make_stream(std::uint64_t seed, std::string_view purpose, std::uint64_t index) {
  SplitMixSequence sequence(absorb(purpose_key(seed, purpose), index));
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

void fill_normals(std::uint64_t seed,
                  std::string_view purpose,
                  std::uint64_t index,
                  std::span<double> out) {
  active_random_kernels().column(purpose_key(seed, purpose), index, out.data(), out.size());
}

template <typename Scalar>
void fill_normals(std::uint64_t seed,
                  std::string_view purpose,
                  std::uint64_t first,
                  PackedColumns<Scalar>& columns) {
  const std::uint64_t key = purpose_key(seed, purpose);
  const detail::RandomKernels& kernels = active_random_kernels();
  for (Index strip = 0; strip < columns.strips(); ++strip) {
    const std::uint64_t stream = first + static_cast<std::uint64_t>(strip * columns.width());
    const auto rows = static_cast<std::size_t>(columns.rows());
    if constexpr (std::is_same_v<Scalar, float>) {
      kernels.strip_float32(key, stream, columns.strip(strip).data(), rows);
    } else {
      kernels.strip_float64(key, stream, columns.strip(strip).data(), rows);
    }
  }
}

template void fill_normals(std::uint64_t, std::string_view, std::uint64_t, PackedColumns<float>&);
template void fill_normals(std::uint64_t, std::string_view, std::uint64_t, PackedColumns<double>&);

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
