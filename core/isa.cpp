// SPDX-License-Identifier: MIT
#include <array>    // all levels
#include <cstdlib>  // std::getenv
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#ifdef POMLUX_X86_LEVELS
#include <cpuid.h>  // one feature
#endif

namespace pomlux {
namespace {

constexpr std::array<Isa, 3> kLevels = {Isa::kBaseline, Isa::kV3, Isa::kV4};

Isa choose_level() {
  Isa best = Isa::kBaseline;
  std::string choices;
  const char* const wanted = std::getenv("POMLUX_ISA");
  for (const Isa level : kLevels) {
    if (!is_available(level)) continue;
    if (wanted != nullptr && wanted == to_string(level)) return level;
    best = level;
    choices += (choices.empty() ? "" : ", ") + std::string(to_string(level));
  }
  if (wanted == nullptr || *wanted == '\0') return best;
  fail("POMLUX_ISA", "is '" + std::string(wanted) + "'; this machine can do: " + choices);
}

#ifdef POMLUX_X86_LEVELS
/// The compiler's own question, __builtin_cpu_supports("lzcnt"), is not known to clang 14.
bool has_lzcnt() {
  constexpr unsigned kExtendedFeatures = 0x80000001U;
  constexpr unsigned kLzcnt = 1U << 5U;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(kExtendedFeatures, &a, &b, &c, &d) != 0 && (c & kLzcnt) != 0;
}
#endif

}  // namespace

std::string_view to_string(Isa level) {
  switch (level) {
    case Isa::kBaseline:
      return "baseline";
    case Isa::kV3:
      return "v3";
    case Isa::kV4:
      return "v4";
  }
  return "unknown";
}

bool is_available(Isa level) {
#ifdef POMLUX_X86_LEVELS
  // The bits of x86-64-v3 and v4 that leaf files may use; includes the operating system's consent.
  static const bool has_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                             has_lzcnt() && __builtin_cpu_supports("popcnt");
  static const bool has_v4 =
      has_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl");
  if (level == Isa::kV3) return has_v3;
  if (level == Isa::kV4) return has_v4;
#endif
  return level == Isa::kBaseline;
}

Isa active_isa_level() {
  static const Isa level = choose_level();
  return level;
}

std::string_view active_isa() { return to_string(active_isa_level()); }

}  // namespace pomlux
