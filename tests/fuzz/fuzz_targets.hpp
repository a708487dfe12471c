// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>  // inputs

namespace pomlux::fuzz {

// What reads text and bytes from outside. Each takes any input; InvalidArgument is an answer, and
// whatever else leaves is a fault of the reader.

/// A configuration, from its text to a checked experiment that resolves to itself; a single line
/// with "=" is a --set instead.
void read_config(std::string_view input);
/// A CSV table with all its numbers, written again and read back.
void read_csv_table(std::string_view input);
/// A .npy file.
void read_npy_file(std::string_view input);
/// What a command printed: a finite value that reads back, or EvaluationFailed.
void read_command_result(std::string_view input);

}  // namespace pomlux::fuzz
