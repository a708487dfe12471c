// SPDX-License-Identifier: MIT
#include <dirent.h>       // folders of processes
#include <fcntl.h>        // openat
#include <signal.h>       // SIGSTOP
#include <sys/syscall.h>  // pidfd_send_signal
#include <unistd.h>       // read

#include <algorithm>  // std::any_of
#include <array>      // buffers
#include <charconv>   // numbers
#include <optional>   // processes that have gone
#include <pomlux/objectives/descendants.hpp>
#include <string>         // paths
#include <string_view>    // fields
#include <unordered_set>  // numbers

namespace pomlux {
namespace {

struct Entry {
  pid_t number = 0;
  pid_t parent = 0;
  pid_t group = 0;
};

std::optional<pid_t> parse_number(std::string_view text) {
  pid_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [position, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || position != end || number <= 0) return std::nullopt;
  return number;
}

/// Parent and group out of "number (name) state parent group ..."; the name may hold anything.
std::optional<Entry> read_entry(int folder, pid_t number) {
  const int file = ::openat(folder, "stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::array<char, 512> buffer{};
  const ssize_t size = ::read(file, buffer.data(), buffer.size());
  ::close(file);
  if (size <= 0) return std::nullopt;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(size));
  const std::size_t end = text.rfind(") ");
  if (end == std::string_view::npos) return std::nullopt;
  std::array<std::string_view, 3> fields;  // state, parent, group
  std::size_t begin = end + 2;
  for (std::string_view& field : fields) {
    const std::size_t blank = text.find(' ', begin);
    if (blank == std::string_view::npos) return std::nullopt;
    field = text.substr(begin, blank - begin);
    begin = blank + 1;
  }
  const std::optional<pid_t> parent = parse_number(fields[1]);
  const std::optional<pid_t> group = parse_number(fields[2]);
  if (!parent || !group) return std::nullopt;  // those of the kernel have none
  return Entry{number, *parent, *group};
}

int open_process(pid_t number) {
  const std::string path = "/proc/" + std::to_string(number);
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

std::vector<Entry> read_processes() {
  std::vector<Entry> entries;
  DIR* const folder = ::opendir("/proc");
  if (folder == nullptr) return entries;
  while (const dirent* const item = ::readdir(folder)) {
    const std::optional<pid_t> number = parse_number(item->d_name);
    if (!number) continue;
    const int process = open_process(*number);
    if (process < 0) continue;
    if (const std::optional<Entry> entry = read_entry(process, *number)) entries.push_back(*entry);
    ::close(process);
  }
  ::closedir(folder);
  return entries;
}

void send_to(int folder, int signal) {
#ifdef SYS_pidfd_send_signal
  static_cast<void>(::syscall(SYS_pidfd_send_signal, folder, signal, nullptr, 0U));
#else
  static_cast<void>(folder);
  static_cast<void>(signal);
#endif
}

}  // namespace

Descendants::~Descendants() {
  for (const Process& process : found_) ::close(process.folder);
}

std::size_t Descendants::search(pid_t root, int signal) noexcept try {
  const std::vector<Entry> entries = read_processes();
  std::unordered_set<pid_t> family;
  if (root > 0) family.insert(root);
  for (const Process& process : found_) {
    if (read_entry(process.folder, process.number)) family.insert(process.number);
  }
  std::size_t count = 0;
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (const Entry& entry : entries) {
      if (!family.contains(entry.parent) || !family.insert(entry.number).second) continue;
      has_grown = true;
      if (entry.group == root) continue;
      const int folder = open_process(entry.number);
      // Is it still what it was? A process that got the number since has another parent.
      const std::optional<Entry> now = read_entry(folder, entry.number);
      if (!now || now->parent != entry.parent) {
        if (folder >= 0) ::close(folder);
        continue;
      }
      found_.push_back({entry.number, folder});
      if (signal != 0) send_to(folder, signal);
      ++count;
    }
  }
  return count;
} catch (const std::exception&) {  // no memory
  return 0;
}

void Descendants::send(pid_t root, int signal) {
  static_cast<void>(search(root, 0));
  for (const Process& process : found_) send_to(process.folder, signal);
}

void Descendants::kill(pid_t root) {
  constexpr int kMostSearches = 10;
  for (const Process& process : found_) send_to(process.folder, SIGSTOP);
  for (int i = 0; i < kMostSearches && search(root, SIGSTOP) > 0; ++i) {
  }
  for (const Process& process : found_) send_to(process.folder, SIGKILL);
}

}  // namespace pomlux
