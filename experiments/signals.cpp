// SPDX-License-Identifier: MIT
#include <atomic>   // the signal that arrived
#include <csignal>  // SIGHUP, SIGINT, SIGTERM
#include <cstdlib>  // std::_Exit
#include <pomlux/experiments/cli.hpp>
#include <pomlux/experiments/signals.hpp>
#include <pomlux/objectives/running_child.hpp>

namespace pomlux {
namespace {

/// What a signal handler may touch: the one piece of global state, private to the program.
std::atomic<int> noted_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int signal) {
  int none = 0;
  if (noted_signal.compare_exchange_strong(none, signal)) return;
  // The second signal ends the program at once. Of hang-ups, a terminal and its shell send two.
  if (signal == SIGHUP) return;
  kill_running_children();
  std::_Exit(kExitInterrupted + signal);
}

}  // namespace

void catch_signals() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
  // Under nohup it is ignored, and stays so.
  if (std::signal(SIGHUP, note_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

int received_signal() { return noted_signal; }

}  // namespace pomlux
