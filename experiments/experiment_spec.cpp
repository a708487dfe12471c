// SPDX-License-Identifier: MIT
#include <algorithm>  // std::any_of
#include <pomlux/core/optimizer.hpp>
#include <pomlux/experiments/estimation_spec.hpp>
#include <pomlux/experiments/experiment_spec.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

Field with_fallback(Field field, Json fallback) {
  field.fallback = std::move(fallback);
  return field;
}

Section objective_section() {
  Section section;
  section.doc = "what is optimised";
  section.variants = variants_of(objective_plugins());
  for (Variant& variant : section.variants) {
    const bool has_sense = std::any_of(variant.fields.begin(),
                                       variant.fields.end(),
                                       [](const Field& own) { return own.name == "sense"; });
    if (!has_sense) variant.fields.push_back(sense_field(Sense::kMaximize));
  }
  section.fields = {
      choice("on_failure",
             "stop",
             {"stop", "skip", "penalise"},
             "an evaluation without a value: end the seed; go on without it; tell the penalty"),
      nullable(field("penalty", FieldType::kNumber, "value of a failed evaluation, to penalise"))};
  return section;
}

Section subset_section() {
  Section section;
  section.doc = "distinct candidates drawn at random from the domain";
  section.fields = {
      required(field("size", FieldType::kInteger, "how many", between(1, kLargestCount))),
      seed_field()};
  return section;
}

Section domain_section() {
  Section section;
  section.doc = "the finite set of candidates";
  section.variants = variants_of(domain_plugins());
  section.fields = {nullable(
      section_field("subset", subset_section(), "keep only some candidates; null: all of them"))};
  return section;
}

Field fit_bound(std::string name) {
  return nullable(field(std::move(name),
                        FieldType::kNumberList,
                        "[lower, upper] of the fit; null: from the data",
                        at_least(0)));
}

Field fit_prior(std::string name) {
  return nullable(field(std::move(name),
                        FieldType::kNumberList,
                        "[median, log_stddev] of a log-normal prior; null: as others says",
                        at_least(0)));
}

Section fit_section() {
  const FitOptions defaults;
  Section bounds;
  bounds.doc = "ranges of the fitted hyper-parameters, in the units of the model";
  bounds.fields = {fit_bound("length_scale"), fit_bound("amplitude"), fit_bound("noise_stddev")};

  Section priors;
  priors.doc =
      "what is believed about hyper-parameters before the data: the fit maximises likelihood times "
      "prior";
  priors.fields = {fit_prior("length_scale"),
                   fit_prior("amplitude"),
                   fit_prior("noise_stddev"),
                   choice("others",
                          "none",
                          {"none", "from_data"},
                          "of those without: maximum likelihood, or weak priors about the scale of "
                          "the data")};

  Field parameters =
      field("parameters", FieldType::kChoiceList, "which are fitted; the others keep their value");
  parameters.choices = defaults.parameters;
  parameters.fallback = defaults.parameters;

  Section section;
  section.doc =
      "hyper-parameters by maximum marginal likelihood, weighted by priors if there are any";
  section.fields = {
      choice("method",
             "lbfgs",
             {"lbfgs", "adam", "none"},
             "bounded L-BFGS; the paper's Adam, without bounds, priors and restarts; or keep the "
             "values given above"),
      std::move(parameters),
      integer("every", 1, between(1, kLargestCount), "observations between two fits"),
      nullable(field(
          "until",
          FieldType::kInteger,
          "no refit beyond this many observations (the first fit is always made); null: always",
          between(1, kLargestCount))),
      integer("restarts", defaults.restarts, between(0, 1e4), "further starts, drawn at random"),
      boolean("warm_start", defaults.warm_start, "start from the values of the last fit"),
      nullable(field("max_iterations",
                     FieldType::kInteger,
                     "iterations per start; null: " + std::to_string(defaults.iteration_limit()) +
                         " of lbfgs, " + std::to_string(AdamOptions{}.max_iterations) + " of adam",
                     between(1, 1e6))),
      number("learning_rate", defaults.learning_rate, above(0), "of adam"),
      section_field("bounds", std::move(bounds), "ranges during the fit"),
      section_field("priors", std::move(priors), "beliefs before the data")};
  return section;
}

Section model_section() {
  const GaussianProcessOptions defaults;
  Section section;
  section.doc =
      "Gaussian process with a constant mean; the values are starts where they are fitted";
  section.fields = {
      section_field("kernel", kernel_section(), "covariance function"),
      number("mean", defaults.mean, {}, "prior mean"),
      noise_field(defaults.noise_stddev, "standard deviation of the observation noise"),
      boolean("standardize",
              defaults.standardizes,
              "model (value - average) / stddev of the values; mean, amplitudes, noise and their "
              "bounds and priors above and below are then in these units, results never"),
      nullable(field("scale_inputs",
                     FieldType::kBoolean,
                     "a length scale given as one number is the geometric mean of length scales in "
                     "proportion to the extents of the domain, unless these agree within a factor "
                     "of 2; null: if length scales are fitted")),
      memory_limit_field(),
      section_field("fit", fit_section(), "how the hyper-parameters are found")};
  return section;
}

Section acquisition_section() {
  Section section;
  section.doc = "which candidate is asked for next";
  section.variants = variants_of(acquisition_plugins());
  section.fallback_variant = "ei";
  return section;
}

Section budget_section() {
  const OptimizerOptions defaults;
  Section section;
  section.doc = "how much is evaluated";
  section.fields = {
      integer("initial",
              defaults.initial,
              between(0, kLargestCount),
              "evaluations before the acquisition takes over"),
      choice("initial_design",
             "random",
             {"random", "sobol"},
             "drawn uniformly, or Sobol points snapped to candidates"),
      with_fallback(field("initial_candidates",
                          FieldType::kIntegerList,
                          "the initial design by index; initial is then left out or their number",
                          between(0, kLargestCount)),
                    Json::array()),
      required(field("steps",
                     FieldType::kInteger,
                     "evaluations chosen by the acquisition",
                     between(0, kLargestCount))),
      boolean("repeats", defaults.repeats, "may a candidate be evaluated again")};
  return section;
}

Section tracked_estimator_section() {
  Section section = estimator_section();
  section.fields = {nullable(field("name", FieldType::kText, "in result files; null: its type"))};
  return section;
}

Section track_section() {
  Section section;
  section.doc = "what is computed at every step without changing the path";
  Field estimators = field("estimators", FieldType::kSectionList, "evaluated before each query");
  estimators.section = std::make_shared<const Section>(tracked_estimator_section());
  estimators.fallback = Json::array({"f_lite"});
  section.fields = {
      std::move(estimators),
      boolean("entropy", true, "columns entropy_<estimator> in steps.csv"),
      nullable(
          field("truth",
                FieldType::kText,
                "name of the estimator that the others are compared with in pom.csv; needed for "
                "type estimation")),
      nullable(field("steps",
                     FieldType::kIntegerList,
                     "queries of the acquisition, from 0, before which the estimators run; null: "
                     "all; the truth is then not estimated at the end",
                     between(0, kLargestCount))),
      boolean("recall", false, "recall.csv: expected recall of the best candidates by the truth")};
  return section;
}

Variant optimization_variant() {
  return {"optimization",
          "Bayesian optimisation of an objective",
          {section_field("objective", objective_section(), "what is optimised"),
           section_field("domain", domain_section(), "the finite set of candidates"),
           section_field("model", model_section(), "the surrogate"),
           section_field("acquisition", acquisition_section(), "which candidate is asked for next"),
           section_field("budget", budget_section(), "how much is evaluated")}};
}

Section make_experiment_section() {
  Section section;
  section.doc = "an experiment";
  section.variants = {optimization_variant(), estimation_variant()};
  section.fallback_variant = "optimization";
  section.fields = {
      integer(
          "schema", kConfigSchema, between(kConfigSchema, kConfigSchema), "format of this file"),
      nullable(field("name", FieldType::kText, "of the experiment; null: the file's name")),
      section_field("track", track_section(), "what is computed at every step"),
      nullable(field("seeds", FieldType::kSeeds, "one run each; null: one is drawn and recorded")),
      nullable(field("output", FieldType::kText, "results folder; null: results/<name>"))};
  return section;
}

}  // namespace

const Section& experiment_section() {
  static const Section section = make_experiment_section();
  return section;
}

}  // namespace pomlux
