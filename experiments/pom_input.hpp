// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>   // offsets
#include <iosfwd>    // streams
#include <memory>    // Gaussian vector
#include <optional>  // covariance
#include <pomlux/core/gaussian_vector.hpp>
#include <string>       // paths, names
#include <string_view>  // names of arms
#include <vector>       // columns

namespace pomlux {

/// Names of arms in one block of text: 10^7 of them take their letters and 8 bytes each. Without
/// names, arm i is called "i".
class ArmNames {
 public:
  void add(std::string_view name);
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  [[nodiscard]] std::string name(Index arm) const;

 private:
  std::string text_;
  std::vector<std::uint64_t> ends_;
};

/// What `pomlux pom` was given.
struct PomInput {
  ArmNames names;
  std::vector<double> mean;
  std::vector<double> stddev;
  std::optional<Matrix> covariance;

  /// The belief over the arms. Without a covariance it views this object, which must outlive it.
  [[nodiscard]] std::unique_ptr<GaussianVector> gaussian() const;
};

/// Reads arms from a path or, for "-", from `standard_input`: CSV with the columns `mean`, `stddev`
/// and, if present, `id` (others are ignored; without a header the columns are mean, stddev), or a
/// .npy array [n, 2] of mean and stddev or with fields of those names. With a covariance (path or
/// "-"; n x n CSV without header, or .npy), `stddev` may be absent; if present it must agree with
/// the root of the diagonal to 1e-6, relative for values above 1.
/// @throws InvalidArgument naming file, line and column.
[[nodiscard]] PomInput read_pom_input(const std::string& path,
                                      const std::string& covariance_path,
                                      std::istream& standard_input,
                                      double memory_limit);

}  // namespace pomlux
