// SPDX-License-Identifier: MIT
#include <optional>  // incumbents
#include <pomlux/acquisition/est_acquisition.hpp>
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/acquisition/information_gain.hpp>
#include <pomlux/acquisition/max_value_entropy_search.hpp>
#include <pomlux/acquisition/pom_acquisition.hpp>
#include <pomlux/acquisition/thompson_sampling.hpp>
#include <pomlux/acquisition/upper_confidence_bound.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

std::vector<Field> incumbent_fields() {
  return {choice("incumbent",
                 "best_observed",
                 {"best_observed", "best_mean", "given"},
                 "what an improvement is measured from: the best observation, the best posterior "
                 "mean, or incumbent_value"),
          nullable(field("incumbent_value",
                         FieldType::kNumber,
                         "in the units and direction of the objective, with incumbent: given",
                         between(-kLargestObservation, kLargestObservation)))};
}

IncumbentRule to_incumbent_rule(const Json& options) {
  const Json& incumbent = options.at("incumbent");
  return incumbent == "given"       ? IncumbentRule::kGiven
         : incumbent == "best_mean" ? IncumbentRule::kBestMean
                                    : IncumbentRule::kBestObserved;
}

template <class Rule, auto... kOptions>
std::unique_ptr<Acquisition> make_improvement(const Json& options, Sense sense) {
  std::optional<double> given;
  const Json& value = options.at("incumbent_value");
  if (!value.is_null()) given = sign_of(sense) * value.get<double>();
  return std::make_unique<Rule>(to_incumbent_rule(options), given, kOptions...);
}

std::unique_ptr<Acquisition> make_upper_confidence_bound(const Json& options, Sense) {
  UpperConfidenceBoundOptions result;
  if (!options.at("beta").is_null()) result.beta = options.at("beta").get<double>();
  result.delta = options.at("delta").get<double>();
  return std::make_unique<UpperConfidenceBound>(result);
}

std::vector<Field> sampler_fields() {
  const JointSamplerOptions defaults;
  return {
      choice("method",
             "automatic",
             {"automatic", "exact", "low_rank"},
             "joint samples from the Cholesky factor of the covariance (n^2 memory, automatic up "
             "to " +
                 format_number(JointSamplerOptions::kExactArms) +
                 " candidates), or from at most max_rank columns of it, the rest independent"),
      integer("max_rank",
              defaults.max_rank,
              between(1, kLargestCount),
              "columns of low_rank at most; fewer where they leave nothing"),
      memory_limit_field()};
}

JointSamplerOptions sampler_options(const Json& options) {
  JointSamplerOptions result;
  const Json& method = options.at("method");
  result.method = method == "exact"      ? SamplingMethod::kExact
                  : method == "low_rank" ? SamplingMethod::kLowRank
                                         : SamplingMethod::kAutomatic;
  result.max_rank = options.at("max_rank").get<Index>();
  result.memory_limit = options.at("memory_limit").get<double>();
  return result;
}

std::unique_ptr<Acquisition> make_thompson_sampling(const Json& options, Sense) {
  return std::make_unique<ThompsonSampling>(sampler_options(options));
}

void check_thompson_sampling(const Json& options, const Domain& domain) {
  require_sampler_memory("ts", domain.size(), sampler_options(options));
}

std::vector<Field> max_value_fields() {
  std::vector<Field> fields = {
      choice("maximum",
             "joint",
             {"joint", "independent", "gumbel"},
             "where values of the maximum come from: joint samples; the law of the maximum of "
             "independent candidates; a Gumbel law with its median and interquartile range"),
      integer("samples",
              static_cast<std::int64_t>(MaxValueOptions{}.samples),
              between(1, kLargestCount),
              "values of the maximum")};
  for (Field& own : sampler_fields()) fields.push_back(std::move(own));
  return fields;
}

std::unique_ptr<Acquisition> make_max_value_entropy_search(const Json& options, Sense) {
  MaxValueOptions result;
  const Json& maximum = options.at("maximum");
  result.maximum = maximum == "independent" ? MaximumSource::kIndependent
                   : maximum == "gumbel"    ? MaximumSource::kGumbel
                                            : MaximumSource::kJoint;
  result.samples = options.at("samples").get<Index>();
  result.sampler = sampler_options(options);
  return std::make_unique<MaxValueEntropySearch>(result);
}

void check_max_value_entropy_search(const Json& options, const Domain& domain) {
  if (options.at("maximum") != "joint") return;
  require_sampler_memory("mes", domain.size(), sampler_options(options));
}

std::unique_ptr<Acquisition> make_pom_acquisition(const Json& options, Sense) {
  return std::make_unique<PomAcquisition>(
      make_estimator(options.at("estimator")),
      options.at("rule") == "sample" ? PomRule::kSample : PomRule::kArgmax);
}

void check_pom_acquisition(const Json& options, const Domain& domain) {
  static_cast<void>(make_pom_acquisition(options, Sense::kMaximize));
  check_estimator(options.at("estimator"), domain);
}

std::vector<Field> est_acquisition_fields() {
  const EstOptions defaults;
  return {
      number("epsilon",
             defaults.epsilon,
             strictly_between(0, 1),
             "accuracy of the expected maximum, in units of the maximum's spread"),
      integer(
          "max_nodes", defaults.max_nodes, between(64, kLargestCount), "quadrature nodes at most")};
}

std::unique_ptr<Acquisition> make_est_acquisition(const Json& options, Sense) {
  EstOptions result;
  result.epsilon = options.at("epsilon").get<double>();
  result.max_nodes = options.at("max_nodes").get<int>();
  return std::make_unique<EstAcquisition>(result);
}

std::unique_ptr<Acquisition> make_information_gain(const Json&, Sense) {
  return std::make_unique<InformationGain>();
}

}  // namespace

const std::vector<AcquisitionPlugin>& acquisition_plugins() {
  static const std::vector<AcquisitionPlugin> table{
      {{"ei", "expected improvement, ranked by its logarithm", incumbent_fields()},
       make_improvement<ExpectedImprovement>},
      {{"log_ei", "log expected improvement; the same ranking as ei", incumbent_fields()},
       make_improvement<ExpectedImprovement>},
      {{"ei_by_value",
        "expected improvement itself, as most programs rank it: where it underflows everywhere, "
        "the first candidate",
        incumbent_fields()},
       make_improvement<ExpectedImprovement, ImprovementScale::kValue>},
      {{"pi", "probability of improvement, ranked by its logarithm", incumbent_fields()},
       make_improvement<ProbabilityOfImprovement>},
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
        "Thompson sampling: the best candidate of one joint posterior sample",
        sampler_fields()},
       make_thompson_sampling,
       check_thompson_sampling},
      entropy_search_plugin(),
      {{"mes",
        "max-value entropy search (Wang and Jegelka, 2017): information about the largest value",
        max_value_fields()},
       make_max_value_entropy_search,
       check_max_value_entropy_search},
      {{"pom",
        "the candidate most probable to be the optimum, or one drawn from that distribution",
        {estimator_field(),
         choice("rule",
                "argmax",
                {"argmax", "sample"},
                "the most probable candidates (largest expected recall), or draws")}},
       make_pom_acquisition,
       check_pom_acquisition},
      {{"est",
        "fewest standard deviations below the expected maximum (Wang et al., 2016)",
        est_acquisition_fields()},
       make_est_acquisition},
      {{"information_gain", "pure exploration, 0.5 log(1 + (stddev / noise_stddev)^2)", {}},
       make_information_gain},
  };
  return table;
}

}  // namespace pomlux
