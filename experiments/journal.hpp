// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>     // numbers of lines
#include <filesystem>  // paths
#include <optional>    // the open file
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/json.hpp>
#include <pomlux/experiments/stopwatch.hpp>
#include <string>  // lines
#include <vector>  // events

namespace pomlux {

/// A journal: JSON lines that are only ever appended, each `{"n":3,"event":"told",...,
/// "crc32":"89abcdef"}` with its number from 0 and, last, the CRC-32 (that of zlib, as eight
/// hexadecimal digits) of the bytes of its line before `,"crc32"`. Documented for other languages
/// in docs/journal.md.
inline constexpr int kJournalFormat = 1;

/// What a journal holds.
struct JournalText {
  std::vector<Json> events;  ///< without n and crc32
  std::uintmax_t size = 0;   ///< bytes of the whole lines
  std::uintmax_t torn = 0;   ///< bytes of a last line that was not written to its end
};

/// Reads a journal; a file that is not there has no events. A last line without its line end is
/// torn, and counts as not written.
/// @throws InvalidArgument naming file and line for a line that was changed, left out or is not of
/// this format.
[[nodiscard]] JournalText read_journal(const std::filesystem::path& path);

/// A journal open for appending.
class Journal {
 public:
  /// Creates the file, or goes on after the events of `known`, of which the rest of the file is cut
  /// off. @throws WriteError.
  Journal(const std::filesystem::path& path, const JournalText& known);

  /// @param event an object with "event" first. On disk against a crash of this process when it
  /// returns; against a power cut if a second has passed since the last such write, or after
  /// sync(). A line that could not be written whole is taken back. @throws WriteError.
  void append(const Json& event);
  void sync();
  /// Will the next append sync?
  [[nodiscard]] bool is_sync_due() const { return since_sync_.seconds() >= kSyncInterval; }
  static constexpr double kSyncInterval = 1.0;  ///< seconds

 private:
  OutputFile file_;
  std::uint64_t next_ = 0;
  Stopwatch since_sync_;
};

}  // namespace pomlux
