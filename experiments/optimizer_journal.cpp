// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/build_info.hpp>
#include <pomlux/experiments/optimizer_journal.hpp>

namespace pomlux {
namespace {

Json trial_event(const char* event, const Optimizer& optimizer, Index trial) {
  const Trial& one = optimizer.trials()[static_cast<std::size_t>(trial)];
  return {{"event", event},
          {"trial", trial},
          {"candidate", one.candidate},
          {"point", list_of(one.point)}};
}

}  // namespace

Json header_event(std::uint64_t seed) {
  const BuildInfo& build = build_info();
  return {{"event", "journal"},
          {"format", kJournalFormat},
          {"seed", seed},
          {"pomlux_version", build.version},
          {"compiler", build.compiler},
          {"isa", build.isa}};
}

std::string build_difference(const Json& header) {
  const Json here = header_event(0);
  std::string text;
  for (const char* key : {"pomlux_version", "compiler", "isa"}) {
    const Json there = header.value(key, Json());
    if (there == here.at(key)) continue;
    text += (text.empty() ? "" : ", ") + std::string(key) + " was " + there.dump() + " and is " +
            here.at(key).dump();
  }
  return text;
}

Json OptimizerLog::asked(const Optimizer& optimizer, const Suggestion& suggestion) {
  const std::optional<Index> told_at_fit = optimizer.told_at_fit();
  Json event = trial_event("asked", optimizer, suggestion.trial);
  event["initial"] = suggestion.is_initial;
  event["initial_asked"] = optimizer.initial_asked();
  event["asked"] = optimizer.asked();
  event["told_at_fit"] = or_null(told_at_fit);
  if (told_at_fit != state_.told_at_fit) {
    event["parameters"] = list_of(optimizer.surrogate().exact_parameters());
  }
  return event;
}

Json OptimizerLog::told(const Optimizer& optimizer, Index trial) {
  const Trial& told = optimizer.trials()[static_cast<std::size_t>(trial)];
  Json event = trial_event("told", optimizer, trial);
  event["value"] = or_null(told.value);
  event["noise_stddev"] = or_null(told.noise_stddev);
  event["foreign"] = told.is_foreign;
  return event;
}

Json OptimizerLog::failed(const Optimizer& optimizer, Index trial, const std::string& reason) {
  Json event = trial_event("failed", optimizer, trial);
  event["reason"] = reason;
  return event;
}

void OptimizerLog::apply(const Json& event) {
  const auto kind = event.at("event").get<std::string>();
  const auto index = event.at("trial").get<std::size_t>();
  std::vector<Trial>& trials = state_.trials;
  const bool is_new = kind == "asked" || (kind == "told" && event.at("foreign").get<bool>());
  const bool follows = is_new
                           ? index == trials.size()
                           : index < trials.size() && trials[index].state == TrialState::kAsked &&
                                 trials[index].candidate == event.at("candidate").get<Index>();
  if (!follows) {
    fail("trial " + format_number(static_cast<Index>(index)),
         "the event \"" + kind + "\" does not follow from those before");
  }
  if (is_new) {
    Trial trial;
    trial.candidate = event.at("candidate").get<Index>();
    trial.is_foreign = kind == "told";
    const auto point = event.at("point").get<std::vector<double>>();
    trial.point = Eigen::Map<const Point>(point.data(), static_cast<Index>(point.size()));
    trials.push_back(trial);
  }
  Trial& trial = trials[index];
  if (kind == "failed") trial.state = TrialState::kFailed;
  if (kind == "told") {
    trial.state = TrialState::kTold;
    trial.value = event.at("value").get<double>();
    trial.noise_stddev = optional_number(event.at("noise_stddev"));
    state_.told.push_back(static_cast<Index>(index));
  }
  if (kind != "asked") return;
  trial.is_initial = event.at("initial").get<bool>();
  state_.initial_asked = event.at("initial_asked").get<Index>();
  state_.asked = event.at("asked").get<Index>();
  if (!event.at("told_at_fit").is_null()) state_.told_at_fit = event.at("told_at_fit").get<Index>();
  if (event.contains("parameters")) {
    const auto values = event.at("parameters").get<std::vector<double>>();
    state_.parameters = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
  }
}

OptimizerState OptimizerLog::state(const Optimizer& fresh) const {
  OptimizerState result = state_;
  if (result.parameters.size() == 0) result.parameters = fresh.surrogate().exact_parameters();
  return result;
}

bool is_of_trial(const Json& event) {
  const Json& kind = event.at("event");
  return kind == "asked" || kind == "told" || kind == "failed";
}

void replay(const std::filesystem::path& path,
            const JournalText& journal,
            std::size_t num_trials,
            OptimizerLog& log) {
  for (std::size_t i = 0; i < journal.events.size(); ++i) {
    const std::string where = path.string() + ":" + std::to_string(i + 1);
    const Json& event = journal.events[i];
    try {
      if (is_of_trial(event) && event.at("trial").get<std::size_t>() < num_trials) log.apply(event);
    } catch (const InvalidArgument& error) {
      fail(where, error.what());
    } catch (const Json::exception& error) {
      fail(where, std::string("is not an event of this version: ") + error.what());
    }
  }
}

}  // namespace pomlux
