// SPDX-License-Identifier: MIT
#include <array>  // parts
#include <cmath>  // std::isfinite
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/outcome_json.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

Json bound(double value) { return std::isfinite(value) ? Json(value) : Json(format_number(value)); }

double to_bound(const Json& json) {
  if (json.is_number()) return json.get<double>();
  return json.get<std::string>().starts_with('-') ? -kInfinity : kInfinity;
}

Json incumbent(const std::optional<Incumbent>& one) {
  if (!one) return {};
  return {{"candidate", one->candidate}, {"value", one->value}, {"stddev", one->stddev}};
}

std::optional<Incumbent> to_incumbent(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Incumbent{json.at("candidate").get<Index>(),
                   json.at("value").get<double>(),
                   json.at("stddev").get<double>()};
}

Json pairs(const std::vector<std::pair<std::string, double>>& values) {
  Json result = Json::object();
  for (const auto& [name, value] : values) result[name] = value;
  return result;
}

std::vector<std::pair<std::string, double>> to_pairs(const Json& json) {
  std::vector<std::pair<std::string, double>> result;
  for (const auto& [name, value] : json.items()) result.emplace_back(name, value.get<double>());
  return result;
}

SeedStatus to_status(const Json& json) {
  for (const SeedStatus status : {SeedStatus::kPending,
                                  SeedStatus::kRunning,
                                  SeedStatus::kDone,
                                  SeedStatus::kExhausted,
                                  SeedStatus::kFailed,
                                  SeedStatus::kInterrupted}) {
    if (json == to_string(status)) return status;
  }
  fail("outcome", "unknown status " + json.dump());
}

struct NamedPart {
  const char* name;
  double PartSeconds::*part;
};
constexpr std::array<NamedPart, 6> kParts{{{"fit", &PartSeconds::fit},
                                           {"posterior", &PartSeconds::posterior},
                                           {"acquisition", &PartSeconds::acquisition},
                                           {"estimator", &PartSeconds::estimator},
                                           {"writing", &PartSeconds::writing},
                                           {"total", &PartSeconds::total}}};

}  // namespace

Json to_json(const std::vector<FitBound>& bounds) {
  Json result = Json::object();
  for (const FitBound& one : bounds) {
    result[one.name] = Json::array({bound(one.range.lower), bound(one.range.upper)});
  }
  return result;
}

Json gathered_json(const SeedOutcome& outcome) {
  Json seconds = Json::object();
  for (const NamedPart& one : kParts) seconds[one.name] = outcome.seconds.*one.part;
  return {{"jitter", outcome.jitter},
          {"fit_bounds", to_json(outcome.fit_bounds)},
          {"seconds", std::move(seconds)}};
}

void restore_gathered(const Json& json, SeedOutcome& outcome) {
  outcome.jitter = json.at("jitter").get<double>();
  for (const auto& [name, range] : json.at("fit_bounds").items()) {
    outcome.fit_bounds.push_back({name, {to_bound(range.at(0)), to_bound(range.at(1))}});
  }
  for (const NamedPart& one : kParts) {
    outcome.seconds.*one.part = json.at("seconds").at(one.name).get<double>();
  }
}

Json to_json(const SeedOutcome& outcome) {
  Json hyperparameters = Json::object();
  for (const Hyperparameter& one : outcome.hyperparameters) hyperparameters[one.name] = one.value;
  return {{"seed", outcome.seed},
          {"status", to_string(outcome.status)},
          {"reason", outcome.reason},
          {"evaluations", outcome.evaluations},
          {"failed_evaluations", outcome.failed_evaluations},
          {"candidates", outcome.candidates},
          {"best_observed", incumbent(outcome.best_observed)},
          {"best_observed_point",
           outcome.best_observed_point ? list_of(*outcome.best_observed_point) : Json()},
          {"best_mean", incumbent(outcome.best_mean)},
          {"simple_regret", or_null(outcome.simple_regret)},
          {"inference_regret", or_null(outcome.inference_regret)},
          {"entropies", pairs(outcome.entropies)},
          {"total_variations", pairs(outcome.total_variations)},
          {"hyperparameters", std::move(hyperparameters)},
          {"log_likelihood", or_null(outcome.log_likelihood)},
          {"warnings", outcome.warnings},
          {"gathered", gathered_json(outcome)}};
}

SeedOutcome to_outcome(const Json& json) {
  SeedOutcome outcome;
  outcome.seed = json.at("seed").get<std::uint64_t>();
  outcome.status = to_status(json.at("status"));
  outcome.reason = json.at("reason").get<std::string>();
  outcome.evaluations = json.at("evaluations").get<Index>();
  outcome.failed_evaluations = json.at("failed_evaluations").get<Index>();
  outcome.candidates = json.at("candidates").get<Index>();
  outcome.best_observed = to_incumbent(json.at("best_observed"));
  if (const Json& point = json.at("best_observed_point"); !point.is_null()) {
    Point result(static_cast<Index>(point.size()));
    for (std::size_t k = 0; k < point.size(); ++k) {
      result(static_cast<Index>(k)) = point[k].get<double>();
    }
    outcome.best_observed_point = std::move(result);
  }
  outcome.best_mean = to_incumbent(json.at("best_mean"));
  outcome.simple_regret = optional_number(json.at("simple_regret"));
  outcome.inference_regret = optional_number(json.at("inference_regret"));
  outcome.entropies = to_pairs(json.at("entropies"));
  outcome.total_variations = to_pairs(json.at("total_variations"));
  for (const auto& [name, value] : json.at("hyperparameters").items()) {
    outcome.hyperparameters.push_back({name, value.get<double>()});
  }
  outcome.log_likelihood = optional_number(json.at("log_likelihood"));
  outcome.warnings = json.at("warnings").get<std::vector<std::string>>();
  restore_gathered(json.at("gathered"), outcome);
  return outcome;
}

}  // namespace pomlux
