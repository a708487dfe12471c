// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>  // pid_t

#include <atomic>      // the register of children
#include <functional>  // how a child is started
#include <optional>    // a status that may not be known
#include <pomlux/objectives/descendants.hpp>
#include <string>  // a name for messages

namespace pomlux {

/// A child process that leads a process group, from its start until its end is known. Its number,
/// and that of its group, are its own so long; afterwards no signal is sent. Ended with its group
/// when this object goes.
class RunningChild {
 public:
  /// `start` returns the number of the new child, or throws. No signal is handled by the calling
  /// thread meanwhile.
  /// @throws std::system_error if 1024 children run already; what `start` throws.
  explicit RunningChild(const std::function<pid_t()>& start);
  RunningChild(const RunningChild&) = delete;
  RunningChild& operator=(const RunningChild&) = delete;
  ~RunningChild();

  /// Also true once somebody else has waited for it (SIGCHLD is ignored, say).
  [[nodiscard]] bool has_ended();
  /// To its group, to the child itself if it has left that, and to its Descendants. 0, or the last
  /// error for the first two (errno).
  int send(int signal);
  /// Kills what is left of its group and, unless it has ended by itself, its Descendants; waits for
  /// the child. Its status as of waitpid; absent if somebody else has waited for it.
  /// @throws std::system_error naming `program` if it is there 10 s later: it belongs to another
  /// user, say. It is left alone then.
  std::optional<int> end(const std::string& program);

 private:
  /// The number is somebody else's from now on.
  void forget();
  int send_to_group(int signal);

  Descendants descendants_;
  pid_t number_ = -1;
  std::atomic<pid_t>* slot_ = nullptr;  // of the register; null once forgotten
};

/// Kills every child that a RunningChild stands for, with its group. For a program that is about to
/// end without destructors: async-signal-safe, takes no lock, and waits at most about a second, for
/// children that are just being started. Those that other threads start afterwards live on.
void kill_running_children() noexcept;

}  // namespace pomlux
