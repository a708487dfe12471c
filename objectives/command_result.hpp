// SPDX-License-Identifier: MIT
#pragma once

#include <optional>     // noise
#include <string_view>  // texts

namespace pomlux {

/// What a command found at a point.
struct CommandResult {
  double value = 0.0;
  std::optional<double> noise_stddev;
};

/// Reads standard output of a command: one number, or one JSON object {"value": number} that may
/// hold "noise_stddev" (a number >= 0) too; blanks and line ends around it do not count. Numbers as
/// parse_number reads them, of size <= kLargestObservation, whatever the locale. No other key and
/// no escape is accepted: a misspelt noise would be taken for none.
/// @throws EvaluationFailed with the text, quoted on one line, and what is allowed.
[[nodiscard]] CommandResult parse_command_result(std::string_view text);

}  // namespace pomlux
