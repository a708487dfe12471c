// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/entropy_search.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

Section hypotheses_section() {
  const EntropySearchOptions defaults;
  Section section;
  section.doc = "observations that a candidate's expected entropy is an average over";
  section.variants = {{"quadrature",
                       "equally spaced values, weighted",
                       {integer("nodes", defaults.nodes, between(2, 1e6), "number of values")}},
                      {"draws",
                       "random values, new ones for each candidate, as in the paper",
                       {integer("draws", defaults.draws, between(1, 1e6), "number of values")}}};
  section.fallback_variant = "quadrature";
  return section;
}

std::unique_ptr<Acquisition> make_entropy_search(const Json& options, Sense) {
  const Json& hypotheses = options.at("hypotheses");
  EntropySearchOptions result;
  if (hypotheses.at("type") == "draws") {
    result.hypotheses = HypothesisRule::kDraws;
    result.draws = hypotheses.at("draws").get<int>();
  } else {
    result.nodes = hypotheses.at("nodes").get<int>();
  }
  const Json& shortlist = options.at("shortlist");
  result.shortlist = shortlist.is_null() ? 0 : shortlist.get<Index>();
  return std::make_unique<EntropySearch>(make_estimator(options.at("estimator")), result);
}

void check_entropy_search(const Json& options, const Domain& domain) {
  static_cast<void>(make_entropy_search(options, Sense::kMaximize));
  check_estimator(options.at("estimator"), domain);
}

}  // namespace

AcquisitionPlugin entropy_search_plugin() {
  return {{"entropy_search",
           "what an observation is expected to tell about where the maximum is",
           {estimator_field(),
            section_field("hypotheses", hypotheses_section(), "hypothetical observations"),
            nullable(field("shortlist",
                           FieldType::kInteger,
                           "score only this many candidates, those with the largest PoM stddev / "
                           "sqrt(stddev^2 + noise^2); null: all",
                           between(1, kLargestCount)))}},
          make_entropy_search,
          check_entropy_search};
}

}  // namespace pomlux
