// SPDX-License-Identifier: MIT
#include <fcntl.h>      // open
#include <sys/ioctl.h>  // terminal width
#include <unistd.h>     // isatty

#include <cerrno>   // errno
#include <chrono>   // rate of the status line
#include <csignal>  // SIGPIPE
#include <cstring>  // std::strerror
#include <pomlux/core/utf8.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/terminal.hpp>

namespace pomlux {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::size_t terminal_width() {
  winsize size{};
  const bool is_known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return is_known ? size.ws_col : 80;
}

}  // namespace

void prepare_streams() {
  for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free number is this one. Read-only, so that writing to it is still an error.
    static_cast<void>(::open("/dev/null", O_RDONLY));
  }
  std::signal(SIGPIPE, SIG_IGN);
}

std::string for_shell(const std::string& argument) {
  constexpr const char* kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!argument.empty() && argument.find_first_not_of(kSafe) == std::string::npos) return argument;
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void print(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) throw ReaderGone("the reader of standard output has gone");
  if (error != 0) {
    throw WriteError(std::string("cannot write to standard output: ") + std::strerror(error));
  }
}

void say(std::string_view text) {
  static_cast<void>(write_all(STDERR_FILENO, "pomlux: " + std::string(text) + "\n"));
}

StatusLine::StatusLine() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}

void StatusLine::show(std::string text) {
  constexpr double kInterval = 0.1;
  if (!is_terminal_ || now() - last_ < kInterval) return;
  last_ = now();
  is_shown_ = true;
  const std::size_t width = terminal_width() - 1;
  if (text.size() > width) text.resize(width);
  static_cast<void>(write_all(STDERR_FILENO, "\r\x1b[K" + text));
}

void StatusLine::clear() {
  if (!is_shown_) return;
  is_shown_ = false;
  static_cast<void>(write_all(STDERR_FILENO, "\r\x1b[K"));
}

}  // namespace pomlux
