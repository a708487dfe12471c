// SPDX-License-Identifier: MIT
#include <algorithm>  // std::any_of
#include <array>      // names of files
#include <fstream>    // whether they can be read
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/outcome_json.hpp>
#include <pomlux/experiments/seed_journal.hpp>
#include <string_view>  // blocks of a file

namespace pomlux {
namespace {

bool is_kind(const Json& event, const char* kind) { return event.at("event") == kind; }

JournalText read_earlier(const std::filesystem::path& path, std::uint64_t seed, bool resumes) {
  JournalText text = resumes ? read_journal(path) : JournalText();
  if (text.events.empty() || text.events.front().value("seed", Json()) == seed) return text;
  fail(path.string() + ":1",
       "is the journal of seed " + text.events.front().value("seed", Json()).dump() +
           "; expected " + format_number(seed));
}

constexpr std::array kFiles{"steps.csv", "pom.csv", "recall.csv"};

/// Bytes of a CSV file up to its first line that is not whole or has not as many cells as the
/// header; 0 if there is no file.
std::uintmax_t readable_size(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 16U);
  std::uintmax_t at = 0, whole = 0;
  std::size_t commas = 0, width = 0;
  bool is_quoted = false;
  while (file.read(block.data(), std::ssize(block)), file.gcount() > 0) {
    for (const char c : std::string_view(block.data(), static_cast<std::size_t>(file.gcount()))) {
      ++at;
      if (c == '"') is_quoted = !is_quoted;
      if (is_quoted) continue;
      if (c == ',') ++commas;
      if (c != '\n') continue;
      if (whole == 0) width = commas;
      if (commas != width) return whole;
      commas = 0;
      whole = at;
    }
  }
  return whole;
}

/// True if the rows of this step are still in the other files. After a power cut they may not be.
bool is_in_files(const Json& done, const std::vector<std::uintmax_t>& sizes) {
  for (std::size_t k = 0; k < kFiles.size(); ++k) {
    if (sizes[k] < done.value(kFiles[k], std::uintmax_t{0})) return false;
  }
  return true;
}

std::vector<std::uintmax_t> readable_sizes(const std::filesystem::path& folder) {
  std::vector<std::uintmax_t> sizes;
  for (const char* name : kFiles) sizes.push_back(readable_size(folder / name));
  return sizes;
}

/// True if there is such a file, and nothing in it that cannot be read.
bool is_whole(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return !error && readable_size(path) == size;
}

/// Results that the journal does not know would be evaluated again, and overwritten.
void require_answers(const std::filesystem::path& folder, const std::vector<Json>& events) {
  const bool has_answers = std::any_of(events.begin(), events.end(), [](const Json& event) {
    return is_kind(event, "told") || is_kind(event, "failed") || is_kind(event, "finished");
  });
  std::error_code error;
  const std::filesystem::path steps = folder / "steps.csv";
  if (has_answers || !std::filesystem::exists(steps, error)) return;
  if (read_csv_file(steps).rows.empty()) return;
  fail(steps.string(),
       std::string("has results, but ") + SeedJournal::kFileName +
           " beside it, from which they would be continued, is missing or was cut; put it back, or "
           "begin anew with --overwrite");
}

std::string text_or_empty(const Json& event, const char* key) {
  return event.value(key, std::string());
}

}  // namespace

SeedJournal::SeedJournal(const std::filesystem::path& folder, std::uint64_t seed, bool resumes)
    : path_(folder / kFileName),
      earlier_(read_earlier(path_, seed, resumes)),
      journal_(path_, earlier_) {
  if (earlier_.events.empty()) journal_.append(header_event(seed));
  const std::vector<Json>& events = earlier_.events;
  if (resumes) require_answers(folder, events);
  const std::vector<std::uintmax_t> sizes = readable_sizes(folder);
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (is_kind(events[i], "done") && is_in_files(events[i], sizes)) num_done_ = i + 1;
  }
  for (const Json& event : events) {
    const bool is_ahead =
        is_of_trial(event) && event.at("trial").get<std::size_t>() >= num_whole_steps();
    if (is_ahead) ahead_.push_back(event);
  }
}

/// Every step asks for one trial.
std::size_t SeedJournal::num_whole_steps() const {
  return num_done_ == 0 ? 0 : earlier_.events[num_done_ - 1].at("step").get<std::size_t>() + 1;
}

std::optional<SeedOutcome> SeedJournal::finished() const {
  if (earlier_.events.empty() || !is_kind(earlier_.events.back(), "finished")) return std::nullopt;
  const std::filesystem::path folder = path_.parent_path();
  std::error_code missing;
  // Of type estimation there are no steps in the journal, and no posterior.
  const bool has_steps = std::any_of(earlier_.events.begin(),
                                     earlier_.events.end(),
                                     [](const Json& event) { return is_kind(event, "done"); });
  const bool has_files = has_steps ? num_done_ + 1 == earlier_.events.size() &&
                                         std::filesystem::exists(folder / "posterior.csv", missing)
                                   : is_whole(folder / "steps.csv") && is_whole(folder / "pom.csv");
  if (!has_files) return std::nullopt;
  try {
    return to_outcome(earlier_.events.back().at("outcome"));
  } catch (const Json::exception& error) {
    fail(path_.string() + ":" + format_number(static_cast<Index>(earlier_.events.size())),
         std::string("is not an outcome of this version: ") + error.what());
  }
}

std::string SeedJournal::note() const {
  if (earlier_.events.empty() && earlier_.torn == 0) return "";
  std::string text = "goes on after " + std::to_string(num_whole_steps()) + " evaluations";
  if (!ahead_.empty()) {
    text += ahead_.size() == 1 ? "; the one under way is made again"
                               : "; later answers are taken from the journal";
  }
  if (earlier_.torn > 0) {
    text += "; the last line of " + path_.string() + " was not written to its end and is left out";
  }
  return text;
}

std::string SeedJournal::build_difference() const {
  return earlier_.events.empty() ? "" : pomlux::build_difference(earlier_.events.front());
}

std::optional<SeedJournal::Restored> SeedJournal::restore(Optimizer& optimizer) {
  if (num_done_ == 0) return std::nullopt;
  replay(path_, earlier_, num_whole_steps(), log_);
  const Json& done = earlier_.events[num_done_ - 1];
  const std::string where = path_.string() + ":" + format_number(static_cast<Index>(num_done_));
  try {
    optimizer.restore(log_.state(optimizer));
    Restored result;
    result.counters.steps = static_cast<Index>(num_whole_steps());
    result.counters.failed_steps = done.at("failed_steps").get<Index>();
    result.counters.first_failure = done.at("first_failure").get<std::string>();
    result.counters.simple_regret = optional_number(done.at("simple_regret"));
    result.counters.fallen_back_fits = done.at("fallen_back_fits").get<Index>();
    result.counters.unconverged_poms = done.at("unconverged_poms").get<Index>();
    restore_gathered(done.at("gathered"), result.gathered);
    result.files.steps = done.at("steps.csv").get<std::uintmax_t>();
    result.files.pom = done.at("pom.csv").get<std::uintmax_t>();
    result.files.recall = done.value("recall.csv", std::uintmax_t{0});
    return result;
  } catch (const InvalidArgument& error) {
    fail(where, error.what());
  } catch (const Json::exception& error) {
    fail(where, std::string("is not an event of this version: ") + error.what());
  }
}

void SeedJournal::note_event(const Json& event) {
  if (ahead_.empty()) {
    journal_.append(event);
  } else {
    ahead_.pop_front();
  }
  log_.apply(event);
}

void SeedJournal::asked(const Optimizer& optimizer, const Suggestion& suggestion) {
  const Json event = log_.asked(optimizer, suggestion);
  if (!ahead_.empty() && ahead_.front() != event) {
    const std::string build = build_difference();
    fail(path_.string(),
         "has " + ahead_.front().dump() + " where this run has " + event.dump() +
             "; the run cannot go on" +
             (build.empty() ? "" : ", as it was begun by another build: " + build));
  }
  note_event(event);
}

std::optional<Evaluation> SeedJournal::answer() const {
  if (ahead_.empty()) return std::nullopt;
  const Json& event = ahead_.front();
  Evaluation found;
  if (is_kind(event, "failed")) {
    found.failure = text_or_empty(event, "reason");
    return found;
  }
  found.failure = text_or_empty(event, "failure");
  if (!found.failure.empty()) return found;
  found.value = event.at("value").get<double>();
  found.noise_stddev = optional_number(event.at("noise_stddev"));
  return found;
}

void SeedJournal::answered(const Optimizer& optimizer, Index trial, const std::string& failure) {
  const bool is_told =
      optimizer.trials()[static_cast<std::size_t>(trial)].state == TrialState::kTold;
  Json event = is_told ? OptimizerLog::told(optimizer, trial)
                       : OptimizerLog::failed(optimizer, trial, failure);
  if (is_told && !failure.empty()) event["failure"] = failure;
  note_event(event);
}

void SeedJournal::done(const SeedCounters& counters,
                       const SeedOutcome& outcome,
                       SeedFileSizes files) {
  journal_.append({{"event", "done"},
                   {"step", counters.steps - 1},
                   {"steps.csv", files.steps},
                   {"pom.csv", files.pom},
                   {"recall.csv", files.recall},
                   {"failed_steps", counters.failed_steps},
                   {"first_failure", counters.first_failure},
                   {"simple_regret", or_null(counters.simple_regret)},
                   {"fallen_back_fits", counters.fallen_back_fits},
                   {"unconverged_poms", counters.unconverged_poms},
                   {"gathered", gathered_json(outcome)}});
}

void SeedJournal::finish(const SeedOutcome& outcome) {
  journal_.append({{"event", "finished"}, {"outcome", to_json(outcome)}});
  journal_.sync();
}

}  // namespace pomlux
