// SPDX-License-Identifier: MIT
#include <fcntl.h>     // open
#include <sys/file.h>  // flock
#include <sys/stat.h>  // the file behind a path
#include <unistd.h>    // getpid

#include <array>    // buffers
#include <cerrno>   // errno
#include <cstring>  // std::strerror
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/build_info.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/folder_lock.hpp>
#include <string>  // messages

namespace pomlux {
namespace {

constexpr int kLockMode = 0666;

/// "process 12 on host a", as the owner wrote it.
std::string read_owner(int descriptor) {
  std::array<char, 400> buffer{};
  const ssize_t size = ::pread(descriptor, buffer.data(), buffer.size(), 0);
  std::string text(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// False if the path was removed or replaced since the descriptor was opened.
bool is_same_file(int descriptor, const std::filesystem::path& path) {
  struct stat open_file {};
  struct stat named_file {};
  return ::fstat(descriptor, &open_file) == 0 && ::stat(path.c_str(), &named_file) == 0 &&
         open_file.st_ino == named_file.st_ino && open_file.st_dev == named_file.st_dev;
}

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& owner) {
  fail(folder.string(), "is being written to by " + (owner.empty() ? "another process" : owner));
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : path_(folder / kFileName) {
  for (;;) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kLockMode);
    if (descriptor_ < 0) {
      throw WriteError("cannot write " + path_.string() + ": " + std::strerror(errno));
    }
    const bool is_locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    const int error = errno;
    const std::string owner = read_owner(descriptor_);
    if (!is_locked && error == EWOULDBLOCK) {
      ::close(descriptor_);
      refuse(folder, owner);
    }
    // A lock left on another machine may be alive there: not every shared file system shares flock.
    const bool is_elsewhere = !owner.empty() && !owner.ends_with(" on host " + host_name());
    if (is_elsewhere) {
      ::close(descriptor_);
      refuse(folder, owner + "; if that process is gone, remove " + path_.string());
    }
    if (is_same_file(descriptor_, path_)) break;
    ::close(descriptor_);
  }
  const std::string owner =
      "process " + std::to_string(::getpid()) + " on host " + host_name() + "\n";
  const bool is_written = ::ftruncate(descriptor_, 0) == 0 && write_all(descriptor_, owner) == 0;
  if (is_written) return;
  const int error = errno;
  ::close(descriptor_);
  throw WriteError("cannot write " + path_.string() + ": " + std::strerror(error));
}

FolderLock::~FolderLock() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace pomlux
