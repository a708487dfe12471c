// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>  // names

namespace pomlux {

/// Instruction-set levels that the inner loops are compiled for. A result may differ between the
/// baseline and the others in its last bits; v3 and v4 give the same bits.
enum class Isa : int {
  kBaseline,  ///< "baseline": what every processor of the architecture has
  kV3,        ///< "v3": x86-64-v3, AVX2 and fused multiply-add
  kV4,        ///< "v4": x86-64-v4, AVX-512
};

[[nodiscard]] std::string_view to_string(Isa level);
/// Whether this build holds the level and this processor runs it.
[[nodiscard]] bool is_available(Isa level);
/// The level in use: the best available one, or the one that the environment variable POMLUX_ISA
/// names. Decided at the first call, fixed from then on. @throws InvalidArgument if POMLUX_ISA is
/// set to something else or to a level that is not available.
[[nodiscard]] Isa active_isa_level();
/// Its name, as written in manifests.
[[nodiscard]] std::string_view active_isa();

}  // namespace pomlux
