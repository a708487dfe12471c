// SPDX-License-Identifier: MIT
#pragma once

#include <map>  // progress by seed
#include <pomlux/experiments/runner.hpp>
#include <pomlux/experiments/stopwatch.hpp>
#include <pomlux/experiments/terminal.hpp>
#include <string>  // lines

namespace pomlux {

/// "0:07", "12:34", "1:02:03".
[[nodiscard]] std::string clock_text(double seconds);

/// Says on standard error how a run goes: a line that is written over on a terminal, and a plain
/// line per seed everywhere.
class Progress {
 public:
  Progress(std::string name, std::size_t seeds) : name_(std::move(name)), seeds_(seeds) {}
  void step(const StepProgress& progress);
  void seed(const SeedOutcome& outcome);
  void note(const std::string& text);
  void clear() { line_.clear(); }
  /// The line for a terminal after this step: "drop_wave  seed 1 (2/3)  step 40/110  best 0.93
  /// ...".
  [[nodiscard]] std::string step_text(const StepProgress& progress, double elapsed) const;

 private:
  [[nodiscard]] double fraction_done(Index budget) const;

  std::string name_;
  std::size_t seeds_;
  std::size_t ended_ = 0;
  std::map<std::uint64_t, Index> evaluations_;  // of seeds under way
  StatusLine line_;
  Stopwatch watch_;
};

}  // namespace pomlux
