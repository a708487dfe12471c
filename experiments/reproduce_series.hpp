// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // what cannot be compared
#include <pomlux/experiments/reproduce_data.hpp>
#include <string>  // names
#include <vector>  // seeds

namespace pomlux {

// What tables and figures take from the results of a recipe.

/// [seed][posterior]
using SeriesValues = std::vector<std::vector<double>>;

/// A field of one method's series, of every seed that has the method; nothing is left out.
[[nodiscard]] SeriesValues series_of(const RecipeResults& results,
                                     const std::string& method,
                                     std::vector<double> MethodSeries::*field);
/// Of series, the posteriors that count in averages: from a query on, and not those looked at for
/// their recall alone.
[[nodiscard]] SeriesValues counted(const SeriesValues& values,
                                   const RecipeResults& results,
                                   Index first_query);

/// What a total variation to n samples would be to `published` samples, given the one to n / 4:
///   tv(N)^2 = tv(n)^2 - (tv(n / 4)^2 - tv(n)^2) (1 - n / N) / 3,
/// as if sampling noise, of a variance in proportion to 1 / n, added in quadrature. What that
/// leaves is within 0.15 of the expected total variation by noise alone. The root keeps the sign of
/// the square, so that noise averages out where the distance is smaller than it.
[[nodiscard]] double at_published_samples(double tv, double tv_quarter, double n, double published);

/// Total variations at the samples of the published truth; as they are if the truth is not sampled.
[[nodiscard]] SeriesValues distances_of(const RecipeResults& results,
                                        const TableColumn& column,
                                        const std::string& method);
/// Squares of the relative errors of the entropy.
[[nodiscard]] SeriesValues squared_errors_of(const RecipeResults& results,
                                             const std::string& method);
/// Recall curves of the last posterior, by seed: [seed][point].
[[nodiscard]] SeriesValues last_recalls_of(const RecipeResults& results, const std::string& method);

/// "lbfgs" of "gp1.lbfgs", else empty.
[[nodiscard]] std::string variant_of(const RecipeResults& results);
/// (value - other) / combined standard error; nothing without errors.
[[nodiscard]] std::optional<double> z_score(double value,
                                            double error,
                                            double other,
                                            double other_error);

}  // namespace pomlux
