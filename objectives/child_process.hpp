// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>     // std::size_t
#include <filesystem>  // programs, folders
#include <functional>  // stop requests
#include <limits>      // no timeout
#include <string>      // texts
#include <vector>      // arguments

namespace pomlux {

/// A program to be run, and how long.
struct ChildOptions {
  /// A file, as from find_program.
  std::filesystem::path program;
  /// Behind the program's own name. No shell reads them.
  std::vector<std::string> arguments{};
  /// "NAME=value", in place of the caller's variable of that name or in addition.
  std::vector<std::string> environment{};
  /// Working directory; empty: the caller's.
  std::filesystem::path folder{};
  /// Standard input, whole, of which the child may read what it likes; empty: nothing.
  std::string input{};
  /// Seconds, > 0, until the child is ended.
  double timeout = std::numeric_limits<double>::infinity();
  /// Seconds, >= 0 and finite, from SIGTERM to SIGKILL.
  double grace = 1.0;
  /// Asked when the child runs, and then at most twenty times a second; yes ends the child. May be
  /// empty.
  std::function<bool()> should_stop{};
  /// Bytes of standard output beyond which the child is ended, 1 to 2^30.
  std::size_t most_output = std::size_t{1} << 16U;
  /// Bytes of standard error that are kept, the last ones, 1 to 2^30.
  std::size_t kept_errors = std::size_t{1} << 12U;
};

/// How the program ended, and what it said.
struct ChildResult {
  enum class End {
    kExited,         ///< by itself, with `code`
    kSignalled,      ///< by the signal `code` of somebody else
    kTimedOut,       ///< ended after the timeout
    kStopped,        ///< ended because should_stop said so
    kTooMuchOutput,  ///< ended because it printed more than most_output
  };
  End end = End::kExited;
  int code = 0;
  std::string output;  ///< standard output, at most about most_output
  std::string errors;  ///< the end of standard error
};

/// The program that a name stands for: a name with a '/' is a file, relative to `folder` (empty:
/// the caller's); another one is looked for in the folders of PATH, as `environment` or else the
/// caller has it. Absolute. @throws InvalidArgument naming the program and where it was looked for,
/// if there is none or it is not executable.
[[nodiscard]] std::filesystem::path find_program(const std::string& name,
                                                 const std::filesystem::path& folder,
                                                 const std::vector<std::string>& environment);

/// Runs the program to its end. The child has a process group of its own, default signal handling,
/// no signal blocked, and no open file but standard input, output and error (with a glibc before
/// 2.34 or another library, also those that the caller opened without close-on-exec). When it has
/// ended, whatever it left running in its group is killed; a child that is to be ended gets SIGTERM
/// with its group, and SIGKILL after the grace. So do, on Linux, its descendants outside of the
/// group (setsid), where all processes between it and them still run when it is to be ended; one
/// that was cut loose before, as daemons are, goes on, and so does every one outside of the group
/// of a child that ends by itself. Touches no signal handling of the caller, and waits
/// for no other child. May be called from several threads; about 1000 children may run at a time.
/// @throws InvalidArgument for a number out of range; std::system_error if the program cannot be
/// started, its end is not known (somebody else waits for all children), or it is still there 10 s
/// after SIGKILL. What should_stop throws passes through; the child is killed first.
[[nodiscard]] ChildResult run_child(const ChildOptions& options);

}  // namespace pomlux
