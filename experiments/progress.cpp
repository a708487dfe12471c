// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // std::round
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/progress.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

std::string two_digits(std::int64_t value) {
  return (value < 10 ? "0" : "") + format_number(value);
}

/// Three decimals: enough to see a value move.
std::string three_decimals(double value) {
  return format_number(std::round(value * 1000.0) / 1000.0);
}

}  // namespace

std::string clock_text(double seconds) {
  const auto total = static_cast<std::int64_t>(std::max(0.0, std::ceil(seconds)));
  const std::int64_t hours = total / 3600;
  const std::int64_t minutes = total / 60 % 60;
  const std::string tail = ":" + two_digits(total % 60);
  if (hours == 0) return format_number(minutes) + tail;
  return format_number(hours) + ":" + two_digits(minutes) + tail;
}

double Progress::fraction_done(Index budget) const {
  double evaluations = 0.0;
  for (const auto& [seed, count] : evaluations_) evaluations += static_cast<double>(count);
  const double of_seeds = static_cast<double>(ended_) + evaluations / static_cast<double>(budget);
  return of_seeds / static_cast<double>(seeds_);
}

std::string Progress::step_text(const StepProgress& progress, double elapsed) const {
  std::string text = name_ + "  seed " + format_number(progress.seed) + " (" +
                     std::to_string(ended_ + 1) + "/" + std::to_string(seeds_) + ")  step " +
                     std::to_string(progress.evaluations) + "/" + std::to_string(progress.budget);
  if (progress.best_observed) text += "  best " + three_decimals(*progress.best_observed);
  if (progress.entropy) text += "  entropy " + three_decimals(*progress.entropy);
  const double done = fraction_done(progress.budget);
  if (done > 0.0) text += "  left " + clock_text(elapsed * (1.0 - done) / done);
  return text;
}

void Progress::step(const StepProgress& progress) {
  evaluations_[progress.seed] = progress.evaluations;
  if (line_.is_visible()) line_.show(step_text(progress, watch_.seconds()));
}

void Progress::note(const std::string& text) {
  line_.clear();
  say(name_ + ": " + text);
}

void Progress::seed(const SeedOutcome& outcome) {
  evaluations_.erase(outcome.seed);
  ++ended_;
  line_.clear();
  std::string text = name_ + ": seed " + format_number(outcome.seed) + " (" +
                     std::to_string(ended_) + "/" + std::to_string(seeds_) + ") " +
                     std::string(to_string(outcome.status)) + ": " + outcome.reason;
  if (outcome.best_observed) text += "; best " + three_decimals(outcome.best_observed->value);
  say(text + "; " + clock_text(outcome.seconds.total));
}

}  // namespace pomlux
