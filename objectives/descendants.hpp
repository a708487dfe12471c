// SPDX-License-Identifier: MIT
#pragma once
// What a child has started outside of its process group.

#include <sys/types.h>  // pid_t

#include <vector>  // processes

namespace pomlux {

/// The processes that descend from one and left its group (setsid, setpgid). They are found in
/// /proc by their parents, so that one whose parent has ended before the search, as a daemon's has,
/// is none of them. Without /proc or pidfd_send_signal (Linux before 5.1) there are none. A process
/// that was found is signalled as itself: never another one that got its number. Cost of a search:
/// some microseconds for every process of the machine.
class Descendants {
 public:
  Descendants() = default;
  Descendants(const Descendants&) = delete;
  Descendants& operator=(const Descendants&) = delete;
  ~Descendants();

  /// Searches, and sends the signal to all that were found so far.
  void send(pid_t root, int signal);
  /// Stops them, so that they start no others, until a search finds no more; then kills them.
  void kill(pid_t root);
  [[nodiscard]] bool empty() const { return found_.empty(); }

 private:
  struct Process {
    pid_t number;
    int folder;  // of /proc, open: it stands for this process alone
  };
  /// Adds those that are new, and sends them the signal, if any. The number of them.
  std::size_t search(pid_t root, int signal) noexcept;

  std::vector<Process> found_;
};

}  // namespace pomlux
