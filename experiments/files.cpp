// SPDX-License-Identifier: MIT
#include <fcntl.h>   // open
#include <unistd.h>  // write, fsync

#include <cerrno>   // errno
#include <cstring>  // std::strerror
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/files.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr int kMode = 0666;  // less the user's mask

[[noreturn]] void refuse(const std::filesystem::path& path, int error) {
  throw WriteError("cannot write " + path.string() + ": " + std::strerror(error));
}

int open_file(const std::filesystem::path& path, int mode = O_TRUNC) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | mode | O_CLOEXEC, kMode);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) refuse(path, errno);
  return descriptor;
}

}  // namespace

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

OutputFile::OutputFile(std::filesystem::path path, std::uintmax_t kept)
    : path_(std::move(path)), size_(kept), descriptor_(open_file(path_, kept == 0 ? O_TRUNC : 0)) {
  if (kept == 0) return;
  const auto end = static_cast<off_t>(kept);
  const off_t found = ::lseek(descriptor_, 0, SEEK_END);
  int error = found < 0 ? errno : 0;
  const bool is_short = error == 0 && found < end;
  if (error == 0 && !is_short && ::ftruncate(descriptor_, end) != 0) error = errno;
  if (error == 0 && !is_short && ::lseek(descriptor_, end, SEEK_SET) < 0) error = errno;
  if (error == 0 && !is_short) return;
  ::close(descriptor_);
  if (error != 0) refuse(path_, error);
  throw WriteError("cannot go on with " + path_.string() + ": it has " + std::to_string(found) +
                   " bytes, and had " + std::to_string(kept) + "; it was changed since");
}

OutputFile::~OutputFile() { ::close(descriptor_); }

void OutputFile::append(std::string_view text) {
  const int error = write_all(descriptor_, text);
  if (error == 0) {
    size_ += text.size();
    return;
  }
  const auto begin = static_cast<off_t>(size_);
  if (::ftruncate(descriptor_, begin) == 0) ::lseek(descriptor_, begin, SEEK_SET);
  refuse(path_, error);
}

void OutputFile::sync() {
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL) refuse(path_, errno);
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::path part = path;
  part += ".part";
  const int descriptor = open_file(part);
  int error = write_all(descriptor, text);
  if (error == 0 && ::fsync(descriptor) != 0 && errno != EINVAL) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(part.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(part.c_str());
  refuse(path, error);
}

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && !std::filesystem::is_directory(path, error)) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) throw WriteError("cannot make the folder " + path.string() + ": " + error.message());
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return line + "\n";
}

CsvWriter::CsvWriter(const std::filesystem::path& path,
                     std::vector<std::string> columns,
                     std::uintmax_t kept)
    : width_(columns.size()), file_(path, kept) {
  if (kept == 0) file_.append(csv_line(columns));
}

void CsvWriter::append(const std::vector<std::string>& cells) {
  require_same_size("CsvWriter " + file_.path().string(),
                    "cells",
                    static_cast<Index>(cells.size()),
                    "columns",
                    static_cast<Index>(width_));
  file_.append(csv_line(cells));
}

std::string number_cell(const std::optional<double>& value) {
  return value ? format_number(*value) : "";
}

}  // namespace pomlux
