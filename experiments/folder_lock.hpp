// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // folders

namespace pomlux {

/// Marks a folder as being written to, for as long as this object lives: at most one process holds
/// it. The file `.lock` names process and host; it is released by the system too when the process
/// dies.
class FolderLock {
 public:
  /// @throws InvalidArgument naming process and host if another process holds the lock; WriteError
  /// if the lock cannot be made.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  static constexpr const char* kFileName = ".lock";

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace pomlux
