// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/acquisition/thompson_sampling.hpp>
#include <pomlux/acquisition/upper_confidence_bound.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry.hpp>

namespace pomlux {
namespace {

Field incumbent_field() {
  return choice(
      "incumbent",
      "best_observed",
      {"best_observed", "best_mean"},
      "what an improvement is measured from: the best observation or the best posterior mean");
}

IncumbentRule to_incumbent_rule(const Json& options) {
  return options.at("incumbent") == "best_mean" ? IncumbentRule::kBestMean
                                                : IncumbentRule::kBestObserved;
}

std::unique_ptr<Acquisition> make_expected_improvement(const Json& options, Sense) {
  return std::make_unique<ExpectedImprovement>(to_incumbent_rule(options));
}

std::unique_ptr<Acquisition> make_probability_of_improvement(const Json& options, Sense) {
  return std::make_unique<ProbabilityOfImprovement>(to_incumbent_rule(options));
}

std::unique_ptr<Acquisition> make_upper_confidence_bound(const Json& options, Sense) {
  UpperConfidenceBoundOptions result;
  if (!options.at("beta").is_null()) result.beta = options.at("beta").get<double>();
  result.delta = options.at("delta").get<double>();
  return std::make_unique<UpperConfidenceBound>(result);
}

std::unique_ptr<Acquisition> make_thompson_sampling(const Json& options, Sense) {
  return std::make_unique<ThompsonSampling>(options.at("memory_limit").get<double>());
}

void check_thompson_sampling(const Json& options, const Domain& domain) {
  require_memory("ts", domain.size(), domain.size(), options.at("memory_limit").get<double>());
}

}  // namespace

const std::vector<AcquisitionPlugin>& acquisition_plugins() {
  static const std::vector<AcquisitionPlugin> table{
      {{"ei", "expected improvement, ranked by its logarithm", {incumbent_field()}},
       make_expected_improvement},
      {{"log_ei", "log expected improvement; the same ranking as ei", {incumbent_field()}},
       make_expected_improvement},
      {{"pi", "probability of improvement, ranked by its logarithm", {incumbent_field()}},
       make_probability_of_improvement},
      {{"ucb",
        "upper confidence bound, mean + sqrt(beta) stddev",
        {nullable(field("beta",
                        FieldType::kNumber,
                        "fixed beta; null: 2 log(n t^2 pi^2 / (6 delta)) at acquisition step t",
                        at_least(0))),
         number("delta",
                UpperConfidenceBoundOptions{}.delta,
                strictly_between(0, 1),
                "failure probability of that schedule")}},
       make_upper_confidence_bound},
      {{"ts",
        "Thompson sampling: the best candidate of one joint posterior sample; n^2 memory",
        {memory_limit_field()}},
       make_thompson_sampling,
       check_thompson_sampling},
  };
  return table;
}

}  // namespace pomlux
