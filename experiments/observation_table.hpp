// SPDX-License-Identifier: MIT
#pragma once

#include <optional>  // noise per observation
#include <pomlux/core/box.hpp>
#include <pomlux/core/csv.hpp>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/surrogate.hpp>
#include <vector>  // rows

namespace pomlux {

/// One observation of a table.
struct ObservedRow {
  std::size_t row = 0;  ///< of the table
  Point point;          ///< [d]
  double value = 0.0;
  std::optional<double> noise_stddev;
};

/// The observations of a CSV table: coordinates (columns as point_columns finds them), `value` and,
/// if there is one, `noise_stddev`, of which an empty cell means the model's noise. Other columns
/// are ignored if the domain's names are in the header, so that steps.csv of a run can be read:
/// there the noise is `value_noise_stddev`, and rows whose `state` is failed are left out.
/// @param box  Whose categories cells may name, as read_points reads them; may be null.
/// @throws InvalidArgument naming file, line and column.
[[nodiscard]] std::vector<ObservedRow> read_observations(const CsvTable& table,
                                                         const Domain& domain,
                                                         const Box* box,
                                                         const Surrogate& model);
/// The points of a CSV table, whose columns of observations, if it has some, are ignored, [n, d].
[[nodiscard]] Points read_prediction_points(const CsvTable& table,
                                            const Domain& domain,
                                            const Box* box);

}  // namespace pomlux
