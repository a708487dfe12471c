// SPDX-License-Identifier: MIT
#include <pomlux/experiments/make_optimizer.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

OptimizerOptions optimizer_options(const Json& config, std::uint64_t seed) {
  const Json& budget = config.at("budget");
  const Json& fit = config.at("model").at("fit");
  OptimizerOptions options;
  options.seed = seed;
  options.sense = to_sense(config.at("objective"));
  options.initial = budget.at("initial").get<Index>();
  options.initial_design =
      budget.at("initial_design") == "sobol" ? InitialDesign::kSobol : InitialDesign::kRandom;
  options.initial_candidates = budget.at("initial_candidates").get<std::vector<Index>>();
  options.repeats = budget.at("repeats").get<bool>();
  options.fit_every = fit.at("method") == "none" ? 0 : fit.at("every").get<Index>();
  if (is_box(config.at("domain"))) options.search = box_search(config.at("domain"));
  if (!fit.at("until").is_null()) options.fit_until = fit.at("until").get<Index>();
  return options;
}

}  // namespace

Index budget_of(const Json& config) {
  const Json& budget = config.at("budget");
  return budget.at("initial").get<Index>() + budget.at("steps").get<Index>();
}

Optimizer make_optimizer(const Json& config, const Domain& domain, std::uint64_t seed) {
  const Json& section = config.at("domain");
  auto model = make_model(config.at("model"), encoded_domain(section, domain));
  auto rule = make_acquisition(config.at("acquisition"), to_sense(config.at("objective")));
  const OptimizerOptions options = optimizer_options(config, seed);
  if (const std::optional<Box> box = box_of(section)) {
    return Optimizer(*box, std::move(model), std::move(rule), options);
  }
  return Optimizer(domain, std::move(model), std::move(rule), options);
}

}  // namespace pomlux
