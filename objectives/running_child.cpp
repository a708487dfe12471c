// SPDX-License-Identifier: MIT
#include <signal.h>    // kill
#include <sys/wait.h>  // waitid
#include <time.h>      // nanosleep
#include <unistd.h>    // getpgid

#include <algorithm>  // std::min
#include <array>      // the register
#include <cerrno>     // reasons
#include <chrono>     // deadlines
#include <pomlux/objectives/running_child.hpp>
#include <system_error>  // reasons
#include <thread>        // std::this_thread
#include <utility>       // std::exchange

namespace pomlux {
namespace {

constexpr std::size_t kMostChildren = 1024;
constexpr pid_t kFree = 0;
constexpr pid_t kStarting = -1;

/// The children that run. What a signal handler reads is neither locked nor allocated.
constinit std::array<std::atomic<pid_t>, kMostChildren> register_of_children{};
static_assert(std::atomic<pid_t>::is_always_lock_free);

/// A slot of the register, taken.
std::atomic<pid_t>& take_slot() {
  for (std::atomic<pid_t>& slot : register_of_children) {
    pid_t expected = kFree;
    if (slot.compare_exchange_strong(expected, kStarting)) return slot;
  }
  throw std::system_error(EAGAIN,
                          std::generic_category(),
                          std::to_string(kMostChildren) + " child processes run already");
}

/// Keeps signals from this thread: a handler that waits for a child to be started must not have
/// interrupted the thread that starts it.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

RunningChild::RunningChild(const std::function<pid_t()>& start) {
  const BlockedSignals blocked;
  slot_ = &take_slot();
  try {
    number_ = start();
  } catch (...) {
    forget();
    throw;
  }
  slot_->store(number_);
}

RunningChild::~RunningChild() {
  try {
    static_cast<void>(end(""));
  } catch (const std::system_error&) {  // nobody is there to be told
  }
}

void RunningChild::forget() {
  number_ = -1;
  if (slot_ != nullptr) std::exchange(slot_, nullptr)->store(kFree);
}

bool RunningChild::has_ended() {
  if (number_ <= 0) return true;
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(number_), &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
    return info.si_pid == number_;
  }
  if (errno == ECHILD) forget();
  return number_ <= 0;
}

int RunningChild::send(int signal) {
  if (!has_ended()) descendants_.send(number_, signal);
  return send_to_group(signal);
}

int RunningChild::send_to_group(int signal) {
  static_cast<void>(has_ended());  // is the number still its own?
  if (number_ <= 0) return 0;
  int error = ::kill(-number_, signal) == 0 ? 0 : errno;
  // Not twice: a child that tidies up at the first signal would be disturbed by the second.
  if (::getpgid(number_) != number_) error = ::kill(number_, signal) == 0 ? 0 : errno;
  return error;
}

std::optional<int> RunningChild::end(const std::string& program) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kLongestWait{10};
  constexpr std::chrono::milliseconds kLongestPause{50};
  // Before their parents end, as those of one that has ended cannot be found.
  if (!has_ended() || !descendants_.empty()) descendants_.kill(number_);
  const int error = send_to_group(SIGKILL);
  const Clock::time_point deadline = Clock::now() + kLongestWait;
  std::chrono::milliseconds pause{1};
  while (!has_ended() && Clock::now() < deadline) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
  const pid_t number = number_;
  if (number <= 0) return std::nullopt;
  forget();  // before the number can be given to another process
  int status = 0;
  const pid_t found = ::waitpid(number, &status, WNOHANG);
  if (found == number) return status;
  if (found < 0) return std::nullopt;
  throw std::system_error(
      error == 0 ? ETIME : error,
      std::generic_category(),
      "'" + program + "' (process " + std::to_string(number) + ") does not end when it is killed");
}

void kill_running_children() noexcept {
  constexpr int kMostPauses = 1000;
  constexpr timespec kPause{0, 1000000};  // 1 ms
  int pauses = 0;
  for (const std::atomic<pid_t>& slot : register_of_children) {
    pid_t number = slot.load();
    for (; number == kStarting && pauses < kMostPauses; ++pauses) {
      ::nanosleep(&kPause, nullptr);
      number = slot.load();
    }
    if (number <= 0) continue;
    ::kill(-number, SIGKILL);
    ::kill(number, SIGKILL);
  }
}

}  // namespace pomlux
