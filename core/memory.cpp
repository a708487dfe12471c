// SPDX-License-Identifier: MIT
#include <pomlux/core/memory.hpp>
#ifdef __linux__
#include <sys/mman.h>  // madvise

#include <cstdint>  // addresses
#endif

namespace pomlux {

Vector make_large_vector(Index n) {
  Vector result(n);
#ifdef __linux__
  constexpr std::uintptr_t kHugePage = std::uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<std::uintptr_t>(result.data());
  const std::uintptr_t end = begin + static_cast<std::uintptr_t>(n) * sizeof(double);
  const std::uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t last = end / kHugePage * kHugePage;
  // A refusal costs speed alone.
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
  return result;
}

}  // namespace pomlux
