// SPDX-License-Identifier: MIT
#include <pomlux/core/linalg.hpp>
#include <pomlux/estimators/a_lite.hpp>
#include <pomlux/estimators/est.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/local_hazard.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <pomlux/estimators/vapor.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

// Fields that several estimators share. Their defaults come from the option structs alone.

template <class Options>
std::vector<Field> accuracy_fields() {
  const Options defaults;
  return {
      number("epsilon", defaults.epsilon, strictly_between(0, 1), "accuracy of each probability"),
      number("alpha",
             defaults.alpha,
             at_least(0),
             "if > 0, epsilon is 1 / (alpha n), as in the paper")};
}

template <class Options>
std::vector<Field> root_fields() {
  std::vector<Field> fields = accuracy_fields<Options>();
  fields.push_back(choice("root",
                          "newton",
                          {"newton", "bisection"},
                          "how the equation is solved; bisection is the algorithm as printed"));
  fields.push_back(integer("max_iterations",
                           Options{}.max_iterations,
                           between(1, kLargestCount),
                           "passes over the candidates"));
  return fields;
}

template <class Options>
Options accuracy_options(const Json& options) {
  Options result;
  result.epsilon = options.at("epsilon").get<double>();
  result.alpha = options.at("alpha").get<double>();
  return result;
}

template <class Options>
Options root_options(const Json& options) {
  auto result = accuracy_options<Options>(options);
  result.root = options.at("root") == "bisection" ? RootMethod::kBisection : RootMethod::kNewton;
  result.max_iterations = options.at("max_iterations").get<int>();
  return result;
}

std::unique_ptr<PomEstimator> make_f_lite(const Json& options) {
  return std::make_unique<FLite>(root_options<FLiteOptions>(options));
}

std::unique_ptr<PomEstimator> make_vapor(const Json& options) {
  return std::make_unique<Vapor>(root_options<VaporOptions>(options));
}

std::vector<Field> a_lite_fields() {
  std::vector<Field> fields = root_fields<ALiteOptions>();
  fields.push_back(
      choice("variant", "both", {"both", "one", "two"}, "A-LITE-I, A-LITE-II or their maximum"));
  return fields;
}

std::unique_ptr<PomEstimator> make_a_lite(const Json& options) {
  auto result = root_options<ALiteOptions>(options);
  const Json& variant = options.at("variant");
  result.variant = variant == "one"   ? ALiteVariant::kOne
                   : variant == "two" ? ALiteVariant::kTwo
                                      : ALiteVariant::kBoth;
  return std::make_unique<ALite>(result);
}

template <class Options>
std::vector<Field> quadrature_fields() {
  std::vector<Field> fields = accuracy_fields<Options>();
  fields.push_back(integer(
      "max_nodes", Options{}.max_nodes, between(64, kLargestCount), "quadrature nodes at most"));
  return fields;
}

std::unique_ptr<PomEstimator> make_est(const Json& options) {
  auto result = accuracy_options<EstOptions>(options);
  result.max_nodes = options.at("max_nodes").get<int>();
  return std::make_unique<Est>(result);
}

std::unique_ptr<PomEstimator> make_est_positive_part(const Json& options) {
  auto result = accuracy_options<EstOptions>(options);
  result.max_nodes = options.at("max_nodes").get<int>();
  result.positive_part = true;
  return std::make_unique<Est>(result);
}

std::vector<Field> independence_fields() {
  std::vector<Field> fields = quadrature_fields<IndependenceOptions>();
  fields.push_back(
      choice("quadrature",
             "spectral",
             {"spectral", "guaranteed"},
             "trapezoid on the density form, or the nodes of the paper's Proposition 1"));
  return fields;
}

std::unique_ptr<PomEstimator> make_independence(const Json& options) {
  auto result = accuracy_options<IndependenceOptions>(options);
  result.max_nodes = options.at("max_nodes").get<int>();
  result.quadrature =
      options.at("quadrature") == "guaranteed" ? Quadrature::kGuaranteed : Quadrature::kSpectral;
  return std::make_unique<Independence>(result);
}

std::vector<Field> ts_mc_fields() {
  const TsMcOptions defaults;
  return {integer("samples",
                  static_cast<std::int64_t>(defaults.samples),
                  between(1, 1e15),
                  "joint samples"),
          number("alpha",
                 defaults.alpha,
                 at_least(0),
                 "if > 0, floor(alpha^2 n^2) samples, as in the paper"),
          number("target_error",
                 defaults.target_error,
                 at_least(0),
                 "if > 0, stop at this sampling error"),
          integer("batches",
                  defaults.batches,
                  between(0, TsMcOptions::kMostBatches),
                  "if > 1, pom.csv also has the distances to this many parts of the samples"),
          memory_limit_field()};
}

std::unique_ptr<PomEstimator> make_ts_mc(const Json& options) {
  TsMcOptions result;
  result.samples = options.at("samples").get<std::uint64_t>();
  result.alpha = options.at("alpha").get<double>();
  result.target_error = options.at("target_error").get<double>();
  result.batches = options.at("batches").get<int>();
  result.memory_limit = options.at("memory_limit").get<double>();
  return std::make_unique<TsMc>(result);
}

std::vector<Field> local_hazard_fields() {
  const LocalHazardOptions defaults;
  return {
      integer(
          "neighbours", defaults.neighbours, between(0, 64), "of each candidate; 0: none count"),
      choice("regime",
             "auto",
             {"auto", "local", "factors", "sampling"},
             "neighbours alone, given common factors, or joint samples"),
      integer("factors", defaults.factors, between(1, kMostFactors), "common factors at most"),
      choice("moments",
             "auto",
             {"auto", "sequential", "propagation"},
             "how the joint law of neighbours is approximated"),
      number("strong_correlation",
             defaults.strong_correlation,
             between(0.01, 1),
             "neighbours beyond it are propagated by auto"),
      boolean("allow_sampling", defaults.allow_sampling, "whether auto may draw joint samples"),
      number(
          "max_error", defaults.max_error, above(0), "model error beyond which it is inaccurate"),
      number("prune_mass",
             defaults.prune_mass,
             between(1e-9, 0.1),
             "probability that may be left out in all")};
}

std::unique_ptr<PomEstimator> make_local_hazard(const Json& options) {
  LocalHazardOptions result;
  const Json& regime = options.at("regime");
  const Json& moments = options.at("moments");
  result.neighbours = options.at("neighbours").get<Index>();
  result.regime = regime == "local"      ? HazardRegime::kLocal
                  : regime == "factors"  ? HazardRegime::kFactors
                  : regime == "sampling" ? HazardRegime::kSampling
                                         : HazardRegime::kAuto;
  result.factors = options.at("factors").get<Index>();
  result.moments = moments == "sequential"    ? HazardMoments::kSequential
                   : moments == "propagation" ? HazardMoments::kPropagation
                                              : HazardMoments::kAuto;
  result.strong_correlation = options.at("strong_correlation").get<double>();
  result.allow_sampling = options.at("allow_sampling").get<bool>();
  result.max_error = options.at("max_error").get<double>();
  result.prune_mass = options.at("prune_mass").get<double>();
  return std::make_unique<LocalHazard>(result);
}

/// The covariance, its eigenvectors and its root exist at the same time.
void check_ts_mc(const Json& options, const Domain& domain) {
  require_memory(
      "ts_mc", 3 * domain.size(), domain.size(), options.at("memory_limit").get<double>());
}

}  // namespace

const std::vector<EstimatorPlugin>& estimator_plugins() {
  static const std::vector<EstimatorPlugin> table{
      {{"f_lite",
        "F-LITE, almost linear time (Menet et al., 2025, Algorithm 1)",
        root_fields<FLiteOptions>()},
       make_f_lite},
      {{"a_lite",
        "A-LITE, quartiles of the competing maximum matched (appendix C)",
        a_lite_fields()},
       make_a_lite},
      {{"vapor", "F-VAPOR, the variational baseline of the paper", root_fields<VaporOptions>()},
       make_vapor},
      {{"est", "EST, against the expected maximum, normalised", quadrature_fields<EstOptions>()},
       make_est},
      {{"est_positive_part",
        "EST against E[max(F*, 0)], as the public code of the paper has it",
        quadrature_fields<EstOptions>()},
       make_est_positive_part},
      {{"independence", "exact if the arms are independent", independence_fields()},
       make_independence},
      {{"local_hazard",
        "correlation by neighbours and common factors; O(n m^3) for m neighbours",
        local_hazard_fields()},
       make_local_hazard},
      {{"ts_mc", "shares of joint samples; uses the covariance, n^2 memory", ts_mc_fields()},
       make_ts_mc,
       check_ts_mc},
  };
  return table;
}

Section estimator_section() {
  Section section;
  section.doc = "estimators of the probability of maximality";
  section.variants = variants_of(estimator_plugins());
  return section;
}

Field estimator_field() {
  Section section = estimator_section();
  section.fallback_variant = "f_lite";
  return section_field(
      "estimator", std::move(section), "where the probability of maximality comes from");
}

}  // namespace pomlux
