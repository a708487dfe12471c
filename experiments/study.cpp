// SPDX-License-Identifier: MIT
#include <algorithm>      // std::find_if
#include <boost/crc.hpp>  // fingerprint of the candidates
#include <chrono>         // waiting for a lock
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/config_difference.hpp>
#include <pomlux/experiments/files.hpp>
#include <pomlux/experiments/make_optimizer.hpp>
#include <pomlux/experiments/point_columns.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/results_folder.hpp>
#include <pomlux/experiments/stopwatch.hpp>
#include <pomlux/experiments/study.hpp>
#include <thread>   // waiting for a lock
#include <utility>  // std::move

namespace pomlux {
namespace {

constexpr std::size_t kLargestConfig = std::size_t{1} << 28U;

std::unique_ptr<FolderLock> wait_for_lock(const std::filesystem::path& folder) {
  const Stopwatch watch;
  for (;;) {
    try {
      return std::make_unique<FolderLock>(folder);
    } catch (const InvalidArgument&) {
      if (watch.seconds() >= Study::kLockWait) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// CRC-32 of the coordinates' bytes, row by row: the journal names candidates by their numbers.
std::uint32_t fingerprint(const Domain& domain) {
  boost::crc_32_type crc;
  for (Index i = 0; i < domain.size(); ++i) {
    const Point point = domain.point(i);
    crc.process_bytes(point.data(), static_cast<std::size_t>(point.size()) * sizeof(double));
  }
  return crc.checksum();
}

}  // namespace

Study::Study(std::filesystem::path folder, Access access) : folder_(std::move(folder)) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(folder_ / kConfigName, error)) {
    fail(folder_.string(),
         std::string("is no study: it has no ") + kConfigName +
             "; make a folder and put a configuration of that name there");
  }
  if (access == Access::kWrite) lock_ = wait_for_lock(folder_);
  load();
  const std::filesystem::path path = folder_ / kJournalName;
  JournalText text = read_journal(path);
  const bool is_begun = std::filesystem::exists(folder_ / kResolvedName, error);
  if (is_begun && text.events.empty()) {
    fail(path.string(),
         std::string("is missing or empty, though ") + kResolvedName +
             " says that the study was begun; bring it back, or remove " + kResolvedName +
             " to begin anew");
  }
  if (!is_begun && text.events.size() == 1) text = {};  // it died before it had begun
  if (!text.events.empty()) require_same_beginning(text);
  if (text.torn > 0) {
    notes_.push_back("the last line of " + path.string() +
                     " was not written to its end and is left out");
  }
  optimizer_.emplace(make_optimizer(experiment_.config, domain_of(experiment_, seed()), seed()));
  replay(path, text, text.events.size(), log_);  // no more trials than events
  if (!log_.is_empty()) {
    try {
      optimizer_->restore(log_.state(*optimizer_));
    } catch (const InvalidArgument& reason) {
      fail(path.string(), reason.what());
    }
  }
  if (access == Access::kRead) return;
  journal_.emplace(path, text);
  if (!text.events.empty()) return;
  append(header());
  replace_file(folder_ / kResolvedName, experiment_text(experiment_));  // now it is begun
}

/// The configuration, with the seed that was drawn at the beginning if it gives none.
void Study::load() {
  // A study has no end of its own.
  const std::vector<Override> overrides{{"budget.steps", "0"}};
  experiment_ = load_experiment(folder_ / kConfigName, overrides, ObjectiveUse::kNone);
  require_optimization("a study", experiment_);
  if (experiment_.has_drawn_seed) {
    const std::vector<std::uint64_t> earlier = seeds_of_results(folder_);
    if (earlier.size() == 1) {
      experiment_.seeds = earlier;
      experiment_.config["seeds"] = earlier;
    }
  }
  if (experiment_.seeds.size() == 1) return;
  fail((folder_ / kConfigName).string(),
       "seeds: found " + std::to_string(experiment_.seeds.size()) +
           " seeds; allowed: one, as a study is one optimisation");
}

Json Study::header() const {
  const Domain domain = domain_of(experiment_, seed());
  Json event = header_event(seed());
  event["candidates"] = domain.size();
  event["candidates_crc32"] = fingerprint(domain);
  return event;
}

void Study::require_same_beginning(const JournalText& journal) {
  const Json& begun = journal.events.front();
  const std::filesystem::path resolved = folder_ / kResolvedName;
  const std::vector<ConfigDifference> differences =
      config_differences(read_text_file(resolved, kLargestConfig), experiment_text(experiment_));
  const bool is_same = std::all_of(differences.begin(), differences.end(), [](const auto& one) {
    return one.key.starts_with("track.");
  });
  if (!is_same) {
    fail((folder_ / kConfigName).string(),
         "was changed since the study was begun (" + differences_text(differences) +
             "); change it back, or begin another study and tell it what this one knows");
  }
  const Domain domain = domain_of(experiment_, seed());
  const bool has_same_candidates = begun.value("candidates", Json()) == domain.size() &&
                                   begun.value("candidates_crc32", Json()) == fingerprint(domain);
  if (!has_same_candidates) {
    fail(folder_.string(),
         "the candidates were changed since the study was begun: there were " +
             begun.value("candidates", Json()).dump() + ", now there are " +
             format_number(domain.size()) + ", or their coordinates differ");
  }
  const std::string difference = build_difference(begun);
  if (!difference.empty()) {
    notes_.push_back("begun by another build, so bits may differ: " + difference);
  }
}

void Study::append(const Json& event) {
  journal_->append(event);
  if (is_of_trial(event)) log_.apply(event);
}

std::vector<Suggestion> Study::ask(Index q) {
  if (q < 1) fail("ask", "q is " + format_number(q) + "; must be >= 1");
  std::vector<Suggestion> suggestions;
  try {
    while (static_cast<Index>(suggestions.size()) < q) {
      std::optional<Suggestion> suggestion = optimizer_->ask();
      if (!suggestion) break;
      append(log_.asked(*optimizer_, *suggestion));
      suggestions.push_back(std::move(*suggestion));
    }
    sync();
  } catch (const std::exception& error) {
    // What is in the journal is pending, and must reach the caller.
    if (suggestions.empty()) throw;
    notes_.push_back("no more than " + std::to_string(suggestions.size()) + " of " +
                     format_number(q) + " suggestions: " + error.what());
  }
  return suggestions;
}

Index Study::tell(const PointRef& point, double value, std::optional<double> noise_stddev) {
  optimizer_->tell(resolve(point), value, noise_stddev);
  const Index trial = optimizer_->told().back();
  append(OptimizerLog::told(*optimizer_, trial));
  return trial;
}

Index Study::tell_failed(const PointRef& point, const std::string& reason) {
  const Point resolved = resolve(point);
  const std::vector<Trial>& trials = optimizer_->trials();
  const auto found = std::find_if(trials.begin(), trials.end(), [&](const Trial& trial) {
    return trial.state == TrialState::kAsked && trial.point == resolved;
  });
  if (found == trials.end()) {
    fail("tell",
         "the point (" +
             coordinates_text(optimizer_->domain().names(), resolved, optimizer_->box()) +
             ") is not pending, so it cannot fail");
  }
  Suggestion suggestion;
  suggestion.trial = found - trials.begin();
  suggestion.candidate = found->candidate;
  optimizer_->tell_failed(suggestion);
  append(OptimizerLog::failed(*optimizer_, suggestion.trial, reason));
  return suggestion.trial;
}

Point Study::resolve(const PointRef& given) const {
  Point point = given;
  if (const Box* const box = optimizer_->box()) {
    // What rounding puts outside lies on the end of the axis.
    for (Index k = 0; k < std::min(point.size(), box->dimension()); ++k) {
      const BoxAxis& axis = box->axes()[static_cast<std::size_t>(k)];
      const double end = std::clamp(point(k), axis.lower, axis.upper);
      const double room = kPointTolerance * (axis.upper - axis.lower);
      if (axis.categories.empty() && std::abs(point(k) - end) <= room) point(k) = end;
    }
    box->require_inside("tell", point);
    const auto is_pending_there = [&](const Trial& trial) {
      return trial.state == TrialState::kAsked && trial.point == point;
    };
    const std::vector<Trial>& trials = optimizer_->trials();
    if (std::any_of(trials.begin(), trials.end(), is_pending_there)) return point;
    for (const Trial& trial : trials) {
      const bool is_close =
          trial.state == TrialState::kAsked &&
          (box->encode(trial.point) - box->encode(point)).cwiseAbs().maxCoeff() <= kPointTolerance;
      if (is_close) return trial.point;
    }
    return point;
  }
  const Domain& domain = optimizer_->domain();
  require_same_size(
      "tell", "the point", point.size(), "the domain's dimension", domain.dimension());
  const Index candidate = find_close(domain, point);
  if (candidate >= 0) return domain.point(candidate);
  fail("tell",
       "the point (" + coordinates_text(domain.names(), point) +
           ") is not a candidate; the nearest is (" +
           coordinates_text(domain.names(), domain.point(domain.nearest(point))) + ")");
}

Point Study::point_of_trial(Index trial) const {
  const std::vector<Trial>& trials = optimizer_->trials();
  if (trial < 0 || trial >= static_cast<Index>(trials.size())) {
    fail("--trial",
         "found " + format_number(trial) + "; " +
             (trials.empty()
                  ? std::string("nothing was asked yet")
                  : "allowed: 0 to " + format_number(static_cast<Index>(trials.size()) - 1)));
  }
  const Trial& found = trials[static_cast<std::size_t>(trial)];
  if (found.state != TrialState::kAsked) {
    fail("--trial",
         "trial " + format_number(trial) + " is not pending: it " +
             (found.state == TrialState::kTold ? "was told" : "has failed"));
  }
  return found.point;
}

Point Study::point_of_candidate(Index candidate) const {
  if (optimizer_->box() != nullptr) {  // others are renewed, and with them their numbers
    for (const Trial& trial : optimizer_->trials()) {
      if (trial.candidate == candidate) return trial.point;
    }
    fail("--candidate",
         "found " + format_number(candidate) +
             "; over a box only points that were asked or told have numbers: give the point");
  }
  const Domain& domain = optimizer_->domain();
  if (candidate >= 0 && candidate < domain.size()) return domain.point(candidate);
  fail("--candidate",
       "found " + format_number(candidate) + "; allowed: 0 to " + format_number(domain.size() - 1));
}

}  // namespace pomlux
