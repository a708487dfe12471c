// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/registry.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

const Json& child(const Json& section, const char* name) { return section.at(name); }

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

std::unique_ptr<Objective> make_objective(const Json& section,
                                          const Domain& domain,
                                          std::uint64_t seed) {
  return find_plugin(objective_plugins(), section).make(section, domain, seed);
}

std::unique_ptr<Acquisition> make_acquisition(const Json& section, Sense sense) {
  return find_plugin(acquisition_plugins(), section).make(section, sense);
}

std::unique_ptr<PomEstimator> make_estimator(const Json& section) {
  return find_plugin(estimator_plugins(), section).make(section);
}

void check_objective(const Json& section, const Domain& domain) {
  check_plugin(objective_plugins(), section, domain);
}

bool is_tied_to_candidates(const Json& objective_section) {
  return find_plugin(objective_plugins(), objective_section).is_tied_to_candidates;
}

std::optional<Corners> default_box(const Json& objective_section, Index dimension) {
  const ObjectivePlugin& plugin = find_plugin(objective_plugins(), objective_section);
  return plugin.box ? plugin.box(objective_section, dimension) : std::nullopt;
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
