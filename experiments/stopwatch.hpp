// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>  // steady clock

namespace pomlux {

/// Seconds since it was made, or since the last lap.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  /// Seconds since the last lap; starts the next.
  double lap() {
    const double elapsed = seconds();
    start_ = Clock::now();
    return elapsed;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace pomlux
