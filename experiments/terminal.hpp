// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>    // std::runtime_error
#include <string>       // lines
#include <string_view>  // texts

namespace pomlux {

/// The reader of standard output has gone (`| head -1`): nothing is lost that somebody waits for.
class ReaderGone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes descriptors 0 to 2 valid, so that no file that is opened later takes the place of one that
/// was closed, and turns writes to a closed pipe into errors instead of a signal.
void prepare_streams();

/// Writes results to standard output, at once.
/// @throws WriteError if it takes no more (a full disk), ReaderGone if it is a closed pipe.
void print(std::string_view text);

/// An argument in the form that a POSIX shell reads back, in quotes if it needs them.
[[nodiscard]] std::string for_shell(const std::string& argument);

/// Writes a line for people to standard error: "pomlux: <text>". Cannot fail.
void say(std::string_view text);

/// A line on a terminal that is written over and over; nothing where standard error is not a
/// terminal.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  [[nodiscard]] bool is_visible() const { return is_terminal_; }
  /// At most ten times a second; cut to the terminal's width.
  void show(std::string text);
  void clear();

 private:
  bool is_terminal_ = false;
  bool is_shown_ = false;
  double last_ = -1.0;
};

}  // namespace pomlux
