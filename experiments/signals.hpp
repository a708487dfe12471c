// SPDX-License-Identifier: MIT
#pragma once

namespace pomlux {

/// From now on SIGINT, SIGTERM and SIGHUP are noted, so that work can end in good order; the second
/// one ends the program at once, and kills the children that run_child has started. A hang-up that
/// is ignored, as under nohup, stays so.
void catch_signals();
/// The first signal that was noted; 0 before.
[[nodiscard]] int received_signal();

}  // namespace pomlux
