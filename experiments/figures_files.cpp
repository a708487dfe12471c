// SPDX-License-Identifier: MIT
#include <fcntl.h>     // O_RDONLY
#include <poll.h>      // output with a deadline
#include <signal.h>    // kill
#include <spawn.h>     // posix_spawnp
#include <sys/wait.h>  // waitpid
#include <unistd.h>    // pipes

#include <array>      // buffers
#include <cerrno>     // reasons
#include <chrono>     // deadlines
#include <exception>  // std::exception
#include <fstream>    // files
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/figures_export.hpp>
#include <pomlux/experiments/figures_files.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/svg.hpp>
#include <system_error>  // texts of reasons
#include <vector>        // arguments

namespace pomlux::figures {
namespace {

using Clock = std::chrono::steady_clock;

std::string reason(int code) { return std::generic_category().message(code); }

/// The two ends of a pipe, closed when it goes.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_writer();
    if (ends[0] >= 0) close(ends[0]);
  }
  void close_writer() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
};

/// Starts a program in `folder`: nothing to read, both outputs into the pipe. 0 or an error code.
int spawn(std::vector<std::string>& arguments,
          const std::string& folder,
          const Pipe& output,
          pid_t& child) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int code = posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  if (code == 0)
    code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDOUT_FILENO);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDERR_FILENO);
  if (code == 0) code = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

/// Reads until the writers close or the deadline passes; false in the latter case.
bool read_until(int file, Clock::time_point deadline, std::string& text) {
  constexpr std::size_t kLongest = 2000;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wait{file, POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::min<long long>(left, 1000)));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    std::array<char, 4096> buffer{};
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    if (text.size() < kLongest) text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

PdfResult run_gnuplot(const std::filesystem::path& folder,
                      const std::string& name,
                      const std::string& gnuplot,
                      double timeout_seconds) {
  const std::string partial = name + ".pdf.partial";
  // The child works in `folder`; a path to the program is relative to where the caller works.
  const bool is_path = gnuplot.find('/') != std::string::npos;
  const std::string program = is_path ? std::filesystem::absolute(gnuplot).string() : gnuplot;
  // -d: the user's own gnuplot settings must not change the figure.
  std::vector<std::string> arguments = {
      program, "-d", "-e", "output_file = '" + partial + "'", name + ".gp"};
  Pipe output;
  if (output.ends[0] < 0) return {false, "no pipe for gnuplot: " + reason(errno)};
  pid_t child = -1;
  const int code = spawn(arguments, folder.string(), output, child);
  if (code == ENOENT) return {true, "'" + gnuplot + "' is not installed; there are no PDF figures"};
  if (code != 0) return {true, "'" + gnuplot + "' cannot be started: " + reason(code)};
  output.close_writer();
  const auto timeout =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_seconds));
  std::string words;
  const bool is_in_time = read_until(output.ends[0], Clock::now() + timeout, words);
  if (!is_in_time) kill(child, SIGKILL);
  const int status = wait_for(child);
  std::error_code ignored;
  if (is_in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    std::error_code error;
    std::filesystem::rename(folder / partial, folder / (name + ".pdf"), error);
    if (!error) return {};
    words = error.message();
  }
  std::filesystem::remove(folder / partial, ignored);
  if (!is_in_time)
    return {false,
            name + ".pdf: gnuplot took more than " + format_number(timeout_seconds) +
                " s and was stopped"};
  return {false, name + ".pdf was not made by gnuplot: " + words.substr(0, 300)};
}

}  // namespace

std::string write_figure(const std::filesystem::path& folder, const Figure& figure) {
  std::string svg = to_svg(figure);
  replace_file(folder / (figure.name + ".svg"), svg);
  replace_file(folder / (figure.name + ".csv"), to_csv(figure));
  replace_file(folder / (figure.name + ".gp"), to_gnuplot(figure));
  std::error_code ignored;
  std::filesystem::remove(folder / (figure.name + ".pdf"), ignored);
  return svg;
}

PdfResult make_pdf(const std::filesystem::path& folder,
                   const std::string& name,
                   const std::string& gnuplot,
                   double timeout_seconds) noexcept {
  try {
    return run_gnuplot(folder, name, gnuplot, timeout_seconds);
  } catch (const std::exception& error) {
    return {false, name + ".pdf: " + error.what()};
  }
}

}  // namespace pomlux::figures
