// SPDX-License-Identifier: MIT
#pragma once

namespace pomlux {

/// How the scalar equations of F-LITE, A-LITE and F-VAPOR are solved.
enum class RootMethod {
  kNewton,     ///< safeguarded Newton steps; same guarantee, fewer passes
  kBisection,  ///< the algorithm as printed: window, stopping rule, mid-point
};

}  // namespace pomlux
