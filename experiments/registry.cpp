// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/acquisition/thompson_sampling.hpp>
#include <pomlux/acquisition/upper_confidence_bound.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

const Json& child(const Json& section, const char* name) { return section.at(name); }

Field incumbent_field() {
  return choice(
      "incumbent",
      "best_observed",
      {"best_observed", "best_mean"},
      "what an improvement is measured from: the best observation or the best posterior mean");
}

IncumbentRule to_incumbent_rule(const Json& options) {
  return child(options, "incumbent") == "best_mean" ? IncumbentRule::kBestMean
                                                    : IncumbentRule::kBestObserved;
}

std::unique_ptr<Acquisition> make_expected_improvement(const Json& options) {
  return std::make_unique<ExpectedImprovement>(to_incumbent_rule(options));
}

std::unique_ptr<Acquisition> make_probability_of_improvement(const Json& options) {
  return std::make_unique<ProbabilityOfImprovement>(to_incumbent_rule(options));
}

std::unique_ptr<Acquisition> make_upper_confidence_bound(const Json& options) {
  UpperConfidenceBoundOptions result;
  if (!child(options, "beta").is_null()) result.beta = child(options, "beta").get<double>();
  result.delta = child(options, "delta").get<double>();
  return std::make_unique<UpperConfidenceBound>(result);
}

std::unique_ptr<Acquisition> make_thompson_sampling(const Json& options) {
  return std::make_unique<ThompsonSampling>(child(options, "memory_limit").get<double>());
}

void check_thompson_sampling(const Json& options, const Domain& domain) {
  require_memory("ts", domain.size(), domain.size(), child(options, "memory_limit").get<double>());
}

template <class Plugins>
const auto& find_plugin(const Plugins& plugins, const Json& section) {
  const auto type = section.at("type").template get<std::string>();
  for (const auto& plugin : plugins) {
    if (plugin.variant.name == type) return plugin;
  }
  fail("registry", "no plug-in of type '" + type + "'");
}

template <class Plugins>
void check_plugin(const Plugins& plugins, const Json& section, const Domain& domain) {
  const auto& plugin = find_plugin(plugins, section);
  if (plugin.check) plugin.check(section, domain);
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

std::unique_ptr<Objective> make_objective(const Json& section,
                                          const Domain& domain,
                                          std::uint64_t seed) {
  return find_plugin(objective_plugins(), section).make(section, domain, seed);
}

std::unique_ptr<Acquisition> make_acquisition(const Json& section) {
  return find_plugin(acquisition_plugins(), section).make(section);
}

std::unique_ptr<PomEstimator> make_estimator(const Json& section) {
  return find_plugin(estimator_plugins(), section).make(section);
}

void check_objective(const Json& section, const Domain& domain) {
  check_plugin(objective_plugins(), section, domain);
}

void check_acquisition(const Json& section, const Domain& domain) {
  check_plugin(acquisition_plugins(), section, domain);
}

void check_estimator(const Json& section, const Domain& domain) {
  check_plugin(estimator_plugins(), section, domain);
}

Domain make_domain(const Json& section, std::uint64_t seed) {
  Domain domain = find_plugin(domain_plugins(), section).make(section, seed);
  const Json& subset = child(section, "subset");
  if (subset.is_null()) return domain;
  Rng rng = make_stream(
      child(subset, "seed").is_null() ? seed : child(subset, "seed").get<std::uint64_t>(),
      "domain",
      1);
  return domain.sample(child(subset, "size").get<Index>(), rng);
}

Domain domain_of(const Experiment& experiment, std::uint64_t seed) {
  if (experiment.fixed_domain) return *experiment.fixed_domain;
  return make_domain(experiment.config.at("domain"), seed);
}

bool depends_on_seed(const Json& domain_section) {
  const Json& subset = child(domain_section, "subset");
  const bool has_own_seed =
      !domain_section.contains("seed") || !domain_section.at("seed").is_null();
  return !has_own_seed || (!subset.is_null() && child(subset, "seed").is_null());
}

Vector to_vector(const Json& numbers) {
  Vector result(static_cast<Index>(numbers.size()));
  for (Index i = 0; i < result.size(); ++i) {
    result(i) = numbers.at(static_cast<std::size_t>(i)).get<double>();
  }
  return result;
}

Sense to_sense(const Json& objective_section) {
  return child(objective_section, "sense") == "minimize" ? Sense::kMinimize : Sense::kMaximize;
}

}  // namespace pomlux
