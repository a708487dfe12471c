// SPDX-License-Identifier: MIT
#pragma once

namespace pomlux {

/// Exit codes of the program.
enum ExitCode : int {
  kExitDone = 0,
  kExitFailed = 1,
  kExitUsage = 2,         ///< usage, configuration, or refused
  kExitInterrupted = 128  ///< plus the number of the signal: 129, 130, 143
};

/// The program `pomlux`. Never throws.
[[nodiscard]] int run_program(int argc, const char* const* argv);

}  // namespace pomlux
