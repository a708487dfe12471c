// SPDX-License-Identifier: MIT
#include <algorithm>  // std::binary_search
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/stopwatch.hpp>
#include <pomlux/experiments/tracker.hpp>
#include <utility>  // std::move

namespace pomlux {

Tracker::Tracker(const Json& track, std::uint64_t seed)
    : seed_(seed),
      has_entropy_(track.at("entropy").get<bool>()),
      has_recall_(track.at("recall").get<bool>()) {
  for (const Json& section : track.at("estimators")) {
    names_.push_back(section.at("name").get<std::string>());
    estimators_.push_back(make_estimator(section));
  }
  if (!track.at("truth").is_null()) truth_ = track.at("truth").get<std::string>();
  if (!track.at("steps").is_null()) {
    steps_ = track.at("steps").get<std::vector<Index>>();
    std::sort(steps_->begin(), steps_->end());
  }
}

bool Tracker::looks_at(Index query) const {
  return !steps_ || std::binary_search(steps_->begin(), steps_->end(), query);
}

bool Tracker::is_final(const std::string& name) const { return !steps_ || name != truth_; }

std::vector<PomRecord> Tracker::estimate(Index step,
                                         const Estimate& answer,
                                         const std::function<bool(const std::string&)>& wants) {
  std::vector<PomRecord> records;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (wants && !wants(names_[i])) continue;
    Rng rng = make_stream(seed_, "track:" + names_[i], static_cast<std::uint64_t>(step));
    const Stopwatch watch;
    Pom pom = answer(*estimators_[i], rng);
    const double seconds = watch.seconds();
    if (pom.status != Status::kConverged && pom.status != Status::kRoundingLimited) ++unconverged_;
    records.push_back({names_[i], std::move(pom), seconds});
  }
  return records;
}

double estimate_seconds(const std::vector<PomRecord>& records) {
  double sum = 0.0;
  for (const PomRecord& one : records) sum += one.seconds;
  return sum;
}

}  // namespace pomlux
