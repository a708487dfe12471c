// SPDX-License-Identifier: MIT
#include <algorithm>  // std::all_of
#include <pomlux/experiments/outcome.hpp>

namespace pomlux {
namespace {

bool has_status(const std::vector<SeedOutcome>& seeds, SeedStatus status) {
  return std::any_of(
      seeds.begin(), seeds.end(), [&](const SeedOutcome& seed) { return seed.status == status; });
}

}  // namespace

std::string_view to_string(SeedStatus status) {
  switch (status) {
    case SeedStatus::kPending:
      return "pending";
    case SeedStatus::kRunning:
      return "running";
    case SeedStatus::kDone:
      return "done";
    case SeedStatus::kExhausted:
      return "exhausted";
    case SeedStatus::kFailed:
      return "failed";
    case SeedStatus::kInterrupted:
      return "interrupted";
  }
  return "";
}

bool RunOutcome::is_finished() const {
  return std::all_of(seeds.begin(), seeds.end(), [](const SeedOutcome& seed) {
    return seed.status == SeedStatus::kDone || seed.status == SeedStatus::kExhausted;
  });
}

bool RunOutcome::has_failed() const { return has_status(seeds, SeedStatus::kFailed); }

bool RunOutcome::is_interrupted() const { return has_status(seeds, SeedStatus::kInterrupted); }

}  // namespace pomlux
