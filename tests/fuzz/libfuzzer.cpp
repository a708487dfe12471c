// SPDX-License-Identifier: MIT
// One target as libFuzzer calls it; POMLUX_FUZZ_TARGET is its name.
#include <cstddef>
#include <cstdint>

#include "fuzz_targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pomlux::fuzz::POMLUX_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
