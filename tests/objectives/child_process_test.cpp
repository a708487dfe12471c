// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <experiments/temporary_folder.hpp>
#include <iterator>
#include <pomlux/core/errors.hpp>
#include <pomlux/objectives/child_process.hpp>
#include <pomlux/objectives/running_child.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace {

using namespace pomlux;
using End = ChildResult::End;

ChildOptions shell_child(const std::string& script) { return {"/bin/sh", {"-c", script}}; }

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A killed process is gone, or waits for its parent to notice.
bool is_gone(const std::string& number) {
  for (int i = 0; i < 100; ++i) {
    if (::kill(static_cast<pid_t>(std::stol(number)), 0) != 0) return true;
    const std::string status = test::read_file("/proc/" + number + "/stat");
    if (status.empty() || status.find(") Z ") != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

}  // namespace

TEST_CASE("A child gets its arguments, input, folder and variables", "[objectives][child]") {
  const test::TemporaryFolder folder;
  ChildOptions options =
      shell_child("cat; printf '%s|' \"$0\" \"$@\" \"$FRUIT\"; pwd -P; echo no >&2; exit 7");
  options.arguments.insert(options.arguments.end(), {"name", "a b", "", "$(exit 1)"});
  options.environment = {"FRUIT=plum", "UNUSED=1"};
  options.folder = folder.path();
  options.input = "in\n";
  const ChildResult result = run_child(options);
  CHECK(result.end == End::kExited);
  CHECK(result.code == 7);
  CHECK(result.output == "in\nname|a b||$(exit 1)|plum|" +
                             std::filesystem::canonical(folder.path()).string() + "\n");
  CHECK(result.errors == "no\n");
}

TEST_CASE("A child has a group of its own, default signals and no other files",
          "[objectives][child]") {
  struct sigaction ignored {};
  struct sigaction before {};
  ignored.sa_handler = SIG_IGN;
  REQUIRE(::sigaction(SIGPIPE, &ignored, &before) == 0);
  const int open_file = ::dup(STDERR_FILENO);  // without close-on-exec
  const ChildOptions options = shell_child(
      "set -- $(cat /proc/self/stat); echo \"$5\"; ls /proc/self/fd | wc -l; kill -PIPE $$");
  const ChildResult result = run_child(options);
  ::close(open_file);
  CHECK(::sigaction(SIGPIPE, &before, nullptr) == 0);
  CHECK(result.end == End::kSignalled);
  CHECK(result.code == SIGPIPE);
  CHECK(std::stol(result.output) != ::getpgrp());
  CHECK(result.output.ends_with("\n4\n"));  // three, and the folder that ls reads
}

TEST_CASE("A child that is too slow is ended with all its group", "[objectives][child]") {
  ChildOptions options = shell_child("sleep 60 & echo $!; sleep 60");
  options.timeout = 0.3;
  ChildResult result;
  CHECK(seconds_of([&] { result = run_child(options); }) < 5.0);
  CHECK(result.end == End::kTimedOut);
  CHECK(is_gone(result.output));
}

TEST_CASE("What left the group of a child that is too slow ends with it", "[objectives][child]") {
  // One in a session of its own, and one behind a process that ends at SIGTERM; deaf to it both.
  const test::TemporaryFolder folder;
  test::make_file(folder.path() / "deaf", "trap '' TERM; echo $$; while :; do sleep 1; done");
  test::make_file(folder.path() / "middle", "setsid sh ./deaf & wait");
  ChildOptions options = shell_child("setsid sh ./deaf & setsid sh ./middle & sleep 60");
  options.folder = folder.path();
  options.timeout = 1.0;
  options.grace = 0.3;
  const ChildResult result = run_child(options);
  CHECK(result.end == End::kTimedOut);
  std::istringstream numbers(result.output);
  std::vector<std::string> found(std::istream_iterator<std::string>(numbers), {});
  REQUIRE(found.size() == 2);
  for (const std::string& number : found) CHECK(is_gone(number));
}

TEST_CASE("What a child that ends by itself sent into a session of its own goes on",
          "[objectives][child]") {
  const ChildResult result =
      run_child(shell_child("setsid sleep 61 >/dev/null 2>&1 & sleep 0.2; echo $!"));
  CHECK(result.end == End::kExited);
  const auto number = static_cast<pid_t>(std::stol(result.output));
  CHECK(::kill(number, 0) == 0);
  ::kill(number, SIGKILL);
}

TEST_CASE("SIGTERM comes first and SIGKILL after the grace", "[objectives][child]") {
  ChildOptions polite =
      shell_child("trap 'echo tidied; exit 0' TERM; while :; do sleep 0.05; done");
  polite.timeout = 0.3;
  polite.grace = 30.0;
  ChildResult result;
  CHECK(seconds_of([&] { result = run_child(polite); }) < 10.0);
  CHECK(result.end == End::kTimedOut);
  CHECK(result.output == "tidied\n");
  ChildOptions stubborn =
      shell_child("trap '' TERM; sleep 60 & echo $!; while :; do sleep 1; done");
  stubborn.timeout = 0.2;
  stubborn.grace = 0.3;
  CHECK(seconds_of([&] { result = run_child(stubborn); }) >= 0.5);
  CHECK(result.end == End::kTimedOut);
  CHECK(is_gone(result.output));
}

TEST_CASE("What a child leaves behind neither delays its end nor outlives it",
          "[objectives][child]") {
  ChildOptions options = shell_child("sleep 60 & echo $!");  // the sleep keeps both outputs open
  options.timeout = 30.0;
  ChildResult result;
  CHECK(seconds_of([&] { result = run_child(options); }) < 10.0);
  CHECK(result.end == End::kExited);
  CHECK(is_gone(result.output));
}

TEST_CASE("A child may close its outputs early and go on", "[objectives][child]") {
  const ChildResult result = run_child(shell_child("echo 3; exec >&- 2>&-; sleep 0.2; exit 5"));
  CHECK(result.output == "3\n");
  CHECK(result.code == 5);
  ChildOptions slow = shell_child("exec >&- 2>&-; sleep 60");
  slow.timeout = 0.2;
  CHECK(run_child(slow).end == End::kTimedOut);
}

TEST_CASE("A child may read nothing of a large input", "[objectives][child]") {
  ChildOptions options = shell_child("exec <&-; echo done");
  options.input.assign(std::size_t{1} << 20U, 'x');
  CHECK(run_child(options).output == "done\n");
  options.arguments.back() = "wc -c";
  CHECK(std::stol(run_child(options).output) == 1 << 20);
  options.arguments.back() = "wc -c </dev/stdin";
  CHECK(std::stol(run_child(options).output) == 1 << 20);
  options.arguments.back() = "wc -c";
  options.input.clear();
  CHECK(std::stol(run_child(options).output) == 0);
}

TEST_CASE("The end of a long standard error is kept", "[objectives][child]") {
  const ChildResult result =
      run_child(shell_child("head -c 1000000 /dev/zero | tr '\\0' e >&2; echo last >&2; echo 1"));
  CHECK(result.output == "1\n");
  CHECK(result.errors.size() == ChildOptions().kept_errors);
  CHECK(
      result.errors.ends_with("eee"
                              "last\n"));
}

TEST_CASE("Output beyond the bound ends a child", "[objectives][child]") {
  ChildOptions options{find_program("yes", {}, {})};
  ChildResult result = run_child(options);
  CHECK(result.end == End::kTooMuchOutput);
  CHECK(result.output.size() > options.most_output);
  CHECK(result.output.size() <= options.most_output + 16384);
  options = shell_child("head -c 70000 /dev/zero");  // has ended before it is read
  CHECK(run_child(options).end == End::kTooMuchOutput);
  options.most_output = 70000;
  result = run_child(options);
  CHECK(result.end == End::kExited);
  CHECK(result.output == std::string(70000, '\0'));
}

TEST_CASE("A child is ended on request, and when the question throws", "[objectives][child]") {
  ChildOptions options = shell_child("echo $$ >&2; sleep 60");
  int asked = 0;
  options.should_stop = [&] { return ++asked > 3; };
  const ChildResult result = run_child(options);
  CHECK(result.end == End::kStopped);
  CHECK(is_gone(result.errors));
  options.should_stop = []() -> bool { throw std::runtime_error("no answer"); };
  CHECK_THROWS_WITH(run_child(options), ContainsSubstring("no answer"));
}

TEST_CASE("Signals and codes that end a child are told apart", "[objectives][child]") {
  const ChildResult killed = run_child(shell_child("kill -SEGV $$"));
  CHECK(killed.end == End::kSignalled);
  CHECK(killed.code == SIGSEGV);
  CHECK(run_child(shell_child("exit 139")).end == End::kExited);
}

TEST_CASE("A program is found as a shell would, or refused with its name", "[objectives][child]") {
  const test::TemporaryFolder folder;
  test::make_file(folder.path() / "bin/tool", "#!/bin/sh\necho found\n");
  CHECK_THROWS_WITH(find_program("bin/tool", folder.path(), {}),
                    ContainsSubstring("'bin/tool'") && ContainsSubstring("not executable"));
  std::filesystem::permissions(folder.path() / "bin/tool", std::filesystem::perms::owner_all);
  const std::string path = "PATH=/nowhere:" + (folder.path() / "bin").string();
  CHECK(run_child({find_program("tool", {}, {path})}).output == "found\n");
  CHECK(run_child({find_program("./bin/tool", folder.path(), {})}).output == "found\n");
  CHECK(find_program("sh", {}, {}).is_absolute());
  CHECK_THROWS_WITH(find_program("tool", {}, {"PATH=/nowhere"}),
                    ContainsSubstring("'tool'") && ContainsSubstring("PATH: /nowhere"));
  CHECK_THROWS_AS(find_program("", {}, {}), InvalidArgument);
  CHECK_THROWS_AS(find_program("./bin", folder.path(), {}), InvalidArgument);
}

TEST_CASE("A file that is no program is an error with its reason", "[objectives][child]") {
  const test::TemporaryFolder folder;
  test::make_file(folder.path() / "text", "no first line for the kernel\n");
  std::filesystem::permissions(folder.path() / "text", std::filesystem::perms::owner_all);
  try {
    static_cast<void>(run_child({folder.path() / "text"}));
    FAIL("it was started");
  } catch (const std::system_error& error) {
    CHECK(error.code().value() == ENOEXEC);
    CHECK_THAT(error.what(), ContainsSubstring("text' cannot be started"));
  }
}

TEST_CASE("Children of several threads do not hold each other's files open",
          "[objectives][child]") {
  std::vector<std::thread> threads;
  std::vector<ChildResult> results(8);
  for (std::size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back(
        [&results, i] { results[i] = run_child(shell_child("echo " + std::to_string(i))); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < results.size(); ++i) {
    CHECK(results[i].output == std::to_string(i) + "\n");
  }
}

TEST_CASE("Every child is killed with its group where the program ends at once",
          "[objectives][child]") {
  ChildOptions options = shell_child("trap '' TERM; sleep 60 & echo $! >&2; sleep 60");
  bool has_killed = false;
  options.should_stop = [&] {
    if (!has_killed) kill_running_children();
    has_killed = true;
    return false;
  };
  const ChildResult result = run_child(options);
  CHECK(result.end == End::kSignalled);
  CHECK(result.code == SIGKILL);
  CHECK((result.errors.empty() || is_gone(result.errors)));
  CHECK(run_child(shell_child("exit 3")).code == 3);
}

TEST_CASE("A child that leaves its group is ended all the same", "[objectives][child]") {
  std::filesystem::path perl;
  try {
    perl = find_program("perl", {}, {});
  } catch (const InvalidArgument&) {
    WARN("there is no perl, which leaves its group");
    return;
  }
  ChildOptions options{perl, {"-e", "setpgrp(0, getpgrp(getppid())) or exit 3; sleep 60"}};
  options.timeout = 0.2;
  options.grace = 0.2;
  CHECK(run_child(options).end == End::kTimedOut);
}

TEST_CASE("A child that somebody else has waited for is sent nothing", "[objectives][child]") {
  RunningChild child([] {
    const pid_t number = ::fork();
    if (number == 0) ::_exit(0);
    return number;
  });
  while (!child.has_ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  REQUIRE(::waitpid(-1, nullptr, 0) > 0);
  CHECK(child.send(SIGKILL) == 0);
  CHECK(child.has_ended());
  CHECK(!child.end("child"));

  struct sigaction ignored {};
  struct sigaction before {};
  ignored.sa_handler = SIG_IGN;
  REQUIRE(::sigaction(SIGCHLD, &ignored, &before) == 0);
  try {
    static_cast<void>(run_child(shell_child("echo 1")));
    FAIL_CHECK("its end is known");
  } catch (const std::system_error& error) {
    CHECK(error.code().value() == ECHILD);
  }
  CHECK(::sigaction(SIGCHLD, &before, nullptr) == 0);
}

TEST_CASE("No file stays open where another cannot be opened", "[objectives][child]") {
  const pid_t number = ::fork();
  REQUIRE(number >= 0);
  if (number == 0) {  // says by its code what went wrong
    ::close(STDIN_FILENO);
    ::close(STDOUT_FILENO);
    const rlimit none_but_standard{3, 3};
    if (::setrlimit(RLIMIT_NOFILE, &none_but_standard) != 0) ::_exit(1);
    try {
      static_cast<void>(run_child({"/bin/true"}));
      ::_exit(2);
    } catch (const std::system_error&) {
      const bool is_open =
          ::fcntl(STDIN_FILENO, F_GETFD) >= 0 || ::fcntl(STDOUT_FILENO, F_GETFD) >= 0;
      ::_exit(is_open ? 3 : 0);
    }
  }
  int status = -1;
  REQUIRE(::waitpid(number, &status, 0) == number);
  CHECK(status == 0);
}

TEST_CASE("The question whether to stop is asked at most twenty times a second",
          "[objectives][child]") {
  ChildOptions options =
      shell_child("i=0; while [ $i -lt 20000 ]; do echo $i >&2; i=$((i+1)); done");
  int asked = 0;
  options.should_stop = [&] { return ++asked < 0; };
  const double seconds = seconds_of([&] { CHECK(run_child(options).code == 0); });
  CHECK(asked <= 1.0 + 20.0 * seconds);
}

TEST_CASE("Numbers out of range are refused before a child is started", "[objectives][child]") {
  const auto refused = [](const std::function<void(ChildOptions&)>& change,
                          const std::string& message) {
    ChildOptions options = shell_child("exit 0");
    change(options);
    CAPTURE(message);
    CHECK_THROWS_AS(run_child(options), InvalidArgument);
    CHECK_THROWS_WITH(run_child(options), ContainsSubstring(message));
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  refused([](ChildOptions& options) { options.timeout = 0.0; }, "timeout is 0; must be > 0");
  refused([&](ChildOptions& options) { options.timeout = nan; }, "timeout is nan");
  refused([](ChildOptions& options) { options.grace = -1.0; }, "grace is -1; must be >= 0");
  refused([&](ChildOptions& options) { options.grace = infinity; }, "grace is inf");
  refused([](ChildOptions& options) { options.most_output = 0; },
          "most_output is 0; must be in [1, 1073741824]");
  refused([](ChildOptions& options) { --(options.most_output = 0); }, "most_output is 1844");
  refused([](ChildOptions& options) { options.kept_errors = 0; }, "kept_errors is 0");
}
