// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>  // array files
#include <iosfwd>      // streams
#include <pomlux/core/types.hpp>
#include <string>  // messages
#include <vector>  // field names

namespace pomlux {

/// A numeric array read from a NumPy .npy file, as doubles.
struct NpyArray {
  Points values;                    ///< [rows, columns]; a one-dimensional array is one column
  std::vector<std::string> fields;  ///< names of the columns if the file holds a structured array
  Index dimensions = 0;             ///< 1 or 2 (a structured array counts as 2)
};

/// Reads the .npy format, versions 1 to 3: little- or big-endian floating-point and integer types
/// of 1 to 8 bytes, C or Fortran order, one or two dimensions, or a one-dimensional structured
/// array of such fields. Nothing is executed or unpickled.
/// @throws InvalidArgument naming the source for anything else, for a truncated file and for one
/// with trailing bytes; MemoryLimitExceeded if the announced size is larger than `memory_limit`
/// bytes. A stream that can tell its size is found truncated before memory is taken; a pipe is
/// believed up to `memory_limit`.
[[nodiscard]] NpyArray read_npy(std::istream& input,
                                const std::string& source,
                                double memory_limit = 8e9);
[[nodiscard]] NpyArray read_npy_file(const std::filesystem::path& path, double memory_limit = 8e9);

/// True if the bytes at the stream's position are the magic of the format; the position is kept.
[[nodiscard]] bool is_npy(std::istream& input);

}  // namespace pomlux
