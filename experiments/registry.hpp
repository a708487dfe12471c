// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>     // seeds
#include <functional>  // factories
#include <memory>      // plug-ins
#include <optional>    // boxes
#include <pomlux/core/acquisition.hpp>
#include <pomlux/core/box.hpp>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/objective.hpp>
#include <pomlux/core/pom_estimator.hpp>
#include <pomlux/core/surrogate.hpp>
#include <pomlux/experiments/spec.hpp>
#include <string>  // names
#include <vector>  // tables

namespace pomlux {

class GaussianProcess;
struct Experiment;

/// Corners [d] of the box that an objective is usually optimised on.
struct Corners {
  Vector lower;
  Vector upper;
};

/// A plug-in that configurations can name: its options and how it is made from them. `options` is
/// its section of a resolved configuration. Adding a plug-in is adding a row to one of the tables.
template <class Make>
struct Plugin {
  Variant variant;
  std::function<Make> make;
  /// Refuses, before anything runs, what this domain makes impossible. May be empty.
  std::function<void(const Json& options, const Domain& domain)> check{};
  /// Of an objective: known at the candidates of a finite domain alone.
  bool is_tied_to_candidates = false;
  /// Of an objective: its box, in the dimension that `options` fix, else in `dimension` (0: none is
  /// known); nothing if it has none in that. May be empty.
  std::function<std::optional<Corners>(const Json& options, Index dimension)> box{};
};

using DomainPlugin = Plugin<Domain(const Json& options, std::uint64_t seed)>;
using ObjectivePlugin = Plugin<std::unique_ptr<Objective>(
    const Json& options, const Domain& domain, std::uint64_t seed)>;
/// Values among its options are in the user's sign, which `sense` turns.
using AcquisitionPlugin = Plugin<std::unique_ptr<Acquisition>(const Json& options, Sense sense)>;
using EstimatorPlugin = Plugin<std::unique_ptr<PomEstimator>(const Json& options)>;

[[nodiscard]] const std::vector<DomainPlugin>& domain_plugins();
[[nodiscard]] const std::vector<ObjectivePlugin>& objective_plugins();
[[nodiscard]] const std::vector<AcquisitionPlugin>& acquisition_plugins();
[[nodiscard]] const std::vector<EstimatorPlugin>& estimator_plugins();

/// A row of acquisition_plugins().
[[nodiscard]] AcquisitionPlugin entropy_search_plugin();

/// The kernels, each with length_scale, amplitude and ard.
[[nodiscard]] Section kernel_section();
/// The estimators with their options.
[[nodiscard]] Section estimator_section();
/// The key `estimator` of a plug-in that asks one, F-LITE unless told otherwise. Its value goes to
/// make_estimator and check_estimator.
[[nodiscard]] Field estimator_field();

template <class Plugins>
[[nodiscard]] std::vector<Variant> variants_of(const Plugins& plugins) {
  std::vector<Variant> variants;
  for (const auto& plugin : plugins) variants.push_back(plugin.variant);
  return variants;
}

// From sections of a resolved configuration to objects. Each throws InvalidArgument for what only
// shows when the object is built.

/// With its subset taken, if the section asks for one.
[[nodiscard]] Domain make_domain(const Json& section, std::uint64_t seed);
/// The candidates of one seed.
[[nodiscard]] Domain domain_of(const Experiment& experiment, std::uint64_t seed);
/// True if two seeds may have different candidates.
[[nodiscard]] bool depends_on_seed(const Json& domain_section);
/// Of a domain of type box; the others have none.
[[nodiscard]] bool is_box(const Json& domain_section);
[[nodiscard]] std::optional<Box> box_of(const Json& domain_section);
[[nodiscard]] BoxSearchOptions box_search(const Json& domain_section);
/// The candidates as a model sees them: those of a box are encoded.
[[nodiscard]] Domain encoded_domain(const Json& domain_section, const Domain& domain);
/// The objective of a resolved configuration; a command learns the labels of a box's categories.
[[nodiscard]] Json objective_section(const Json& config);
[[nodiscard]] bool is_tied_to_candidates(const Json& objective_section);
/// The optimum of a test function, if one of its optimisers lies in the box.
[[nodiscard]] std::optional<double> known_optimum(const Json& objective_section, const Box& box);

/// The box of a resolved objective section as its plug-in has it; nothing if it has none.
[[nodiscard]] std::optional<Corners> default_box(const Json& objective_section, Index dimension);
[[nodiscard]] std::unique_ptr<Objective> make_objective(const Json& section,
                                                        const Domain& domain,
                                                        std::uint64_t seed);
/// @param domain  candidates as the model sees them.
[[nodiscard]] std::unique_ptr<GaussianProcess> make_model(const Json& section,
                                                          const Domain& domain);
/// True if length scales given as one number are in proportion to the domain's extents: as
/// `scale_inputs` says, or, if it is null, if length scales are fitted.
[[nodiscard]] bool scales_inputs(const Json& model_section);
[[nodiscard]] std::unique_ptr<Acquisition> make_acquisition(const Json& section, Sense sense);
[[nodiscard]] std::unique_ptr<PomEstimator> make_estimator(const Json& section);
void check_objective(const Json& section, const Domain& domain);
void check_acquisition(const Json& section, const Domain& domain);
void check_estimator(const Json& section, const Domain& domain);

[[nodiscard]] Vector to_vector(const Json& numbers);
[[nodiscard]] Sense to_sense(const Json& objective_section);

}  // namespace pomlux
