// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>      // sizes
#include <filesystem>   // paths
#include <optional>     // empty cells
#include <stdexcept>    // std::runtime_error
#include <string>       // contents
#include <string_view>  // contents
#include <utility>      // std::move
#include <vector>       // rows

namespace pomlux {

/// A file or folder that could not be written; the message has its path and the system's reason.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file open for appending, closed by its destructor. Everything written is handed to the system
/// at once; what could not be written whole is taken back, so the file never ends within a record.
class OutputFile {
 public:
  /// Creates it, or empties it. @throws WriteError.
  explicit OutputFile(std::filesystem::path path) : OutputFile(std::move(path), 0) {}
  /// Creates it, or keeps its first bytes and goes on after them. @throws WriteError, also if it
  /// has fewer.
  OutputFile(std::filesystem::path path, std::uintmax_t kept);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// @throws WriteError.
  void append(std::string_view text);
  /// Hands what was written to the disk itself. @throws WriteError.
  void sync();
  [[nodiscard]] std::uintmax_t size() const { return size_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::uintmax_t size_ = 0;
  int descriptor_ = -1;
};

/// Writes the whole text to the descriptor. @return 0 or the error number.
[[nodiscard]] int write_all(int descriptor, std::string_view text);

/// Replaces a file as a whole: a reader, or a crash, sees the old content or the new one.
/// @throws WriteError.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Creates a folder and those above it. @throws WriteError.
void make_folder(const std::filesystem::path& path);

/// Rows of text cells under named columns, written one by one.
class CsvWriter {
 public:
  /// @param kept bytes of an earlier file with the same columns to go on after; 0: a new file.
  CsvWriter(const std::filesystem::path& path,
            std::vector<std::string> columns,
            std::uintmax_t kept = 0);
  /// @throws WriteError; InvalidArgument unless there is one cell per column.
  void append(const std::vector<std::string>& cells);
  [[nodiscard]] std::uintmax_t size() const { return file_.size(); }
  void sync() { file_.sync(); }

 private:
  std::size_t width_;
  OutputFile file_;
};

/// One line of CSV, with its line end.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);
/// A number; nothing where there is none.
[[nodiscard]] std::string number_cell(const std::optional<double>& value);

}  // namespace pomlux
