// SPDX-License-Identifier: MIT
#include <fcntl.h>     // O_RDONLY
#include <poll.h>      // output with a deadline
#include <signal.h>    // SIGTERM
#include <spawn.h>     // posix_spawn
#include <sys/mman.h>  // memfd_create
#include <sys/wait.h>  // WIFEXITED
#include <unistd.h>    // pipes

#include <algorithm>  // std::min
#include <array>      // buffers
#include <cerrno>     // reasons
#include <chrono>     // deadlines
#include <cmath>      // std::isfinite
#include <optional>   // a status
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/child_process.hpp>
#include <pomlux/objectives/running_child.hpp>
#include <string_view>   // variables
#include <system_error>  // reasons
#include <utility>       // std::exchange

namespace pomlux {
namespace {

[[noreturn]] void fail_with(int code, const std::string& what) {
  throw std::system_error(code, std::generic_category(), what);
}

/// An open file, closed when it goes. The standard three are what the child replaces, so that
/// others must be moved off their numbers.
class Descriptor {
 public:
  Descriptor() = default;
  /// Owns an open file; below zero: none.
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  /// @throws std::system_error with errno if there is none.
  void move_off_standard() {
    if (number_ > STDERR_FILENO) return;
    const int moved = number_ < 0 ? -1 : ::fcntl(number_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved < 0) fail_with(errno, "no file for a child process");
    ::close(std::exchange(number_, moved));
  }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor reader, writer;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_with(errno, "no pipe for a child process");
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  pipe.reader.move_off_standard();
  pipe.writer.move_off_standard();
  ::fcntl(pipe.reader.number(), F_SETFL, O_NONBLOCK);
  return pipe;
}

/// Standard input as a file in memory: nobody waits for a child that reads none of it, and a child
/// that closes it breaks no pipe.
Descriptor make_input(const std::string& text) {
  Descriptor file(text.empty() ? ::open("/dev/null", O_RDONLY | O_CLOEXEC)
                               : ::memfd_create("pomlux-input", MFD_CLOEXEC));
  file.move_off_standard();
  if (text.empty()) return file;
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t count = ::write(file.number(), rest.data(), rest.size());
    if (count < 0 && errno != EINTR) fail_with(errno, "cannot write a child's input");
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  }
  ::lseek(file.number(), 0, SEEK_SET);
  return file;
}

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, std::min(variable.find('='), variable.size()));
}

/// The caller's variables with those of `added` in their place.
std::vector<std::string> merged_environment(const std::vector<std::string>& added) {
  std::vector<std::string> variables = added;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const bool is_replaced = std::any_of(added.begin(), added.end(), [&](const std::string& one) {
      return name_of(one) == name_of(variable);
    });
    if (!is_replaced) variables.emplace_back(variable);
  }
  return variables;
}

/// PATH of the child; what POSIX programs are found by if there is none.
std::string search_path(const std::vector<std::string>& environment) {
  constexpr std::string_view kPath = "PATH=";
  for (const std::string& variable : merged_environment(environment)) {
    if (variable.starts_with(kPath)) return variable.substr(kPath.size());
  }
  return "/usr/bin:/bin";
}

bool is_program(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

/// Pointers as exec wants them.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// What posix_spawn does between fork and exec, freed when it goes.
struct SpawnPlan {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  int code = 0;  // the first error

  SpawnPlan() {
    keep(posix_spawn_file_actions_init(&actions));
    keep(posix_spawnattr_init(&attributes));
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  void keep(int result) {
    if (code == 0) code = result;
  }
};

void plan_spawn(const ChildOptions& options, int input, int output, int errors, SpawnPlan& plan) {
  if (!options.folder.empty()) {
    plan.keep(posix_spawn_file_actions_addchdir_np(&plan.actions, options.folder.c_str()));
  }
  plan.keep(posix_spawn_file_actions_adddup2(&plan.actions, input, STDIN_FILENO));
  plan.keep(posix_spawn_file_actions_adddup2(&plan.actions, output, STDOUT_FILENO));
  plan.keep(posix_spawn_file_actions_adddup2(&plan.actions, errors, STDERR_FILENO));
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
  plan.keep(posix_spawn_file_actions_addclosefrom_np(&plan.actions, STDERR_FILENO + 1));
#endif
#endif
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  plan.keep(posix_spawnattr_setsigdefault(&plan.attributes, &all));
  plan.keep(posix_spawnattr_setsigmask(&plan.attributes, &none));
  plan.keep(posix_spawnattr_setpgroup(&plan.attributes, 0));
  plan.keep(posix_spawnattr_setflags(
      &plan.attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP));
}

pid_t start_child(const ChildOptions& options, int input, int output, int errors) {
  SpawnPlan plan;
  plan_spawn(options, input, output, errors, plan);
  std::vector<std::string> arguments{options.program.string()};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  std::vector<std::string> variables = merged_environment(options.environment);
  pid_t child = -1;
  if (plan.code == 0) {
    plan.code = ::posix_spawn(&child,
                              options.program.c_str(),
                              &plan.actions,
                              &plan.attributes,
                              pointers_to(arguments).data(),
                              pointers_to(variables).data());
  }
  if (plan.code != 0) fail_with(plan.code, "'" + options.program.string() + "' cannot be started");
  return child;
}

/// Reads what is there, at most a bounded amount, and hands it to `use`. Closes at the end.
template <class Use>
bool drain(Descriptor& reader, Use&& use) {
  constexpr int kMostReads = 64;
  std::array<char, 16384> buffer;
  bool has_read = false;
  for (int i = 0; i < kMostReads && reader.is_open(); ++i) {
    const ssize_t count = ::read(reader.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) {
      reader.close();
      break;
    }
    has_read = true;
    use(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
  }
  return has_read;
}

/// The outputs of a child while they come.
class Outputs {
 public:
  Outputs(Descriptor output, Descriptor errors, const ChildOptions& options, ChildResult& result)
      : output_(std::move(output)),
        errors_(std::move(errors)),
        options_(options),
        result_(result) {}

  [[nodiscard]] bool are_closed() const { return !output_.is_open() && !errors_.is_open(); }
  [[nodiscard]] bool is_too_much() const { return result_.output.size() > options_.most_output; }
  /// Waits for something to read, not longer than `milliseconds`. True if something was read.
  bool wait(int milliseconds) {
    std::array<pollfd, 2> files{
        {{output_.number(), POLLIN, 0}, {errors_.number(), POLLIN, 0}}};  // -1 is left out
    return ::poll(files.data(), files.size(), milliseconds) > 0 && read();
  }
  bool read() {
    const bool has_output = drain(output_, [&](std::string_view text) {
      if (!is_too_much()) result_.output += text;
    });
    const bool has_errors = drain(errors_, [&](std::string_view text) {
      result_.errors += text;
      if (result_.errors.size() > options_.kept_errors) {
        result_.errors.erase(0, result_.errors.size() - options_.kept_errors);
      }
    });
    return has_output || has_errors;
  }

 private:
  Descriptor output_, errors_;
  const ChildOptions& options_;
  ChildResult& result_;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// When a child that runs is to be ended.
class Watch {
 public:
  explicit Watch(const ChildOptions& options) : options_(options) {}
  /// Why it is to be ended now; kExited if it is not.
  [[nodiscard]] ChildResult::End reason_to_end(const Outputs& outputs) {
    if (is_stopped()) return ChildResult::End::kStopped;
    if (outputs.is_too_much()) return ChildResult::End::kTooMuchOutput;
    return now() - start_ >= options_.timeout ? ChildResult::End::kTimedOut
                                              : ChildResult::End::kExited;
  }

 private:
  [[nodiscard]] bool is_stopped() {
    constexpr double kShortestInterval = 0.05;
    if (!options_.should_stop || now() < next_question_) return false;
    next_question_ = now() + kShortestInterval;
    return options_.should_stop();
  }

  const ChildOptions& options_;
  double start_ = now();
  double next_question_ = start_;
};

/// Waits until the child has ended, or is to be killed.
void watch(RunningChild& child,
           const ChildOptions& options,
           Outputs& outputs,
           ChildResult& result) {
  constexpr int kShortestWait = 1;
  constexpr int kLongestWait = 50;
  Watch clock(options);
  double killed_at = 0.0;
  int wait = kShortestWait;
  while (true) {
    wait = outputs.wait(wait) ? kShortestWait : std::min(2 * wait, kLongestWait);
    const bool is_ending = result.end != ChildResult::End::kExited;
    // One that was told to end may have members of its group that still tidy up.
    if (child.has_ended() && (!is_ending || outputs.are_closed())) return;
    if (is_ending) {
      if (now() >= killed_at) return;
      continue;
    }
    result.end = clock.reason_to_end(outputs);
    if (result.end == ChildResult::End::kExited) continue;
    static_cast<void>(child.send(SIGTERM));  // SIGKILL tells whether it can be ended
    killed_at = now() + options.grace;
    wait = kShortestWait;
  }
}

void require_options(const ChildOptions& options) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30U;
  const auto refuse = [](const std::string& found, const std::string& allowed) {
    fail("run_child", found + "; must be " + allowed);
  };
  if (!(options.timeout > 0.0)) refuse("timeout is " + format_number(options.timeout), "> 0");
  if (!(std::isfinite(options.grace) && options.grace >= 0.0)) {
    refuse("grace is " + format_number(options.grace), ">= 0 and finite");
  }
  const auto require_bytes = [&](const std::string& name, std::size_t bytes) {
    if (bytes >= 1 && bytes <= kMostBytes) return;
    refuse(name + " is " + format_number(bytes), "in [1, " + format_number(kMostBytes) + "]");
  };
  require_bytes("most_output", options.most_output);
  require_bytes("kept_errors", options.kept_errors);
}

}  // namespace

std::filesystem::path find_program(const std::string& name,
                                   const std::filesystem::path& folder,
                                   const std::vector<std::string>& environment) {
  const std::string quoted = "the program '" + name + "'";
  if (name.find('/') != std::string::npos) {
    const std::filesystem::path file = std::filesystem::absolute(folder / name).lexically_normal();
    std::error_code ignored;
    if (is_program(file)) return file;
    if (std::filesystem::is_regular_file(file, ignored)) {
      throw InvalidArgument(quoted + " (" + file.string() + ") is not executable; try chmod +x");
    }
    throw InvalidArgument(quoted + " is not there: " + file.string() + " is no file");
  }
  const std::string path = search_path(environment);
  std::size_t begin = 0;
  while (!name.empty() && begin <= path.size()) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::filesystem::path file =
        std::filesystem::absolute(folder / path.substr(begin, end - begin) / name);
    if (is_program(file)) return file;
    begin = end + 1;
  }
  throw InvalidArgument(quoted + " is not in PATH: " + path +
                        "; one that is elsewhere is named with its folder, ./" + name);
}

ChildResult run_child(const ChildOptions& options) {
  require_options(options);
  Pipe output = make_pipe();
  Pipe errors = make_pipe();
  Descriptor input = make_input(options.input);
  ChildResult result;
  RunningChild child([&] {
    return start_child(options, input.number(), output.writer.number(), errors.writer.number());
  });
  output.writer.close();
  errors.writer.close();
  Outputs outputs(std::move(output.reader), std::move(errors.reader), options, result);
  watch(child, options, outputs, result);
  const std::optional<int> ended = child.end(options.program.string());
  outputs.read();
  if (outputs.is_too_much() && result.end == ChildResult::End::kExited) {
    result.end = ChildResult::End::kTooMuchOutput;
  }
  if (result.end != ChildResult::End::kExited) return result;
  if (!ended) fail_with(ECHILD, "how '" + options.program.string() + "' ended is not known");
  if (WIFSIGNALED(*ended)) {
    result.end = ChildResult::End::kSignalled;
    result.code = WTERMSIG(*ended);
  } else {
    result.code = WEXITSTATUS(*ended);
  }
  return result;
}

}  // namespace pomlux
