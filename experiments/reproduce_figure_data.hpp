// SPDX-License-Identifier: MIT
#pragma once

#include <array>     // methods
#include <optional>  // published values
#include <pomlux/experiments/json.hpp>
#include <pomlux/experiments/reproduce_tables.hpp>
#include <string>  // names
#include <vector>  // curves

namespace pomlux {

// What figures show and the cells of the same numbers have in common.

/// A method and its label; its place gives its colour in every figure.
struct FigureMethod {
  const char* method;
  const char* label;
};
inline constexpr std::array<FigureMethod, 6> kFigureMethods{{{"est", "EST"},
                                                             {"vapor", "F-VAPOR"},
                                                             {"f_lite", "F-LITE"},
                                                             {"a_lite", "A-LITE"},
                                                             {"independence", "IA"},
                                                             {"ts_mc", "TS-MC"}}};

/// Seconds of one estimate as published, at kRuntimeSizes[i]; nothing where there is none.
[[nodiscard]] std::optional<double> published_seconds(const Json& published,
                                                      const std::string& method,
                                                      std::size_t i);
/// What the figures of time have: kFigureMethods, and local_hazard without published values.
[[nodiscard]] std::vector<FigureMethod> timed_methods();

/// Numbers of candidates of fig-runtime, as the published figure has them; recipes "runtime_<n>".
inline constexpr std::array<int, 8> kRuntimeSizes{4, 16, 64, 256, 1024, 4096, 16384, 65536};

/// An entropy curve: a recipe, and the published one's key.
struct EntropyCurve {
  const char* recipe;
  const char* key;
  const char* label;
};
/// Of fig-entropy-search and fig-large-scale; empty for the others.
[[nodiscard]] const std::vector<EntropyCurve>& entropy_curves(const std::string& name);
/// What is published of such a figure.
[[nodiscard]] const Json& entropy_values(const std::string& name, const Json& published);

/// The results of this recipe if there is a finished seed, or nullptr.
[[nodiscard]] const RecipeResults* find_results(const std::vector<RecipeResults>& results,
                                                const std::string& recipe);

}  // namespace pomlux
