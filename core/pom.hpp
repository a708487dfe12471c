// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>   // sample counts
#include <optional>  // what an estimator does not know
#include <pomlux/core/errors.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/core/types.hpp>
#include <span>    // sets of arms
#include <vector>  // index lists

namespace pomlux {

/// A probability of maximality over n arms, and what is known of its error. Absent means "not
/// known" or "not applicable".
struct Pom {
  Vector probabilities;  ///< [n], each in [0, 1]; sums to 1 within 4 n eps
  Status status = Status::kNotRun;
  int iterations = 0;           ///< passes over the arms
  std::optional<double> kappa;  ///< threshold of F-LITE, nu of F-VAPOR, kappa~ of EST
  std::optional<double>
      numerical_error;  ///< largest distance of an entry to the estimator's own definition
  std::optional<double>
      sampling_error;  ///< standard error of the total variation, Monte Carlo only
  std::optional<double>
      model_error;  ///< estimated total variation to the true PoM; most estimators have none
  std::optional<std::uint64_t> samples;  ///< Monte Carlo only
  /// [n, b] the same estimate from each of b parts of the samples, where that was asked for; else
  /// [0, 0]. Monte Carlo only.
  Matrix batches;

  [[nodiscard]] Index size() const { return probabilities.size(); }
  /// Shannon entropy in nats, in [0, log n]; 0 log 0 = 0.
  [[nodiscard]] double entropy() const;
  /// The k most probable arms, descending, lower index first on ties: the set of size k with the
  /// largest expected recall.
  [[nodiscard]] std::vector<Index> top(Index k) const;
  /// P[the maximiser is in `arms`]: the sum over its distinct members.
  [[nodiscard]] double expected_recall(std::span<const Index> arms) const;
  /// 1/2 sum |p - q|. @throws InvalidArgument if the sizes differ.
  [[nodiscard]] double total_variation(const Pom& other) const;
  /// One arm drawn from the distribution.
  [[nodiscard]] Index draw(Rng& rng) const;
};

/// The same for plain vectors. @throws InvalidArgument for an entry that is negative or NaN.
[[nodiscard]] double entropy(const VectorRef& probabilities);
[[nodiscard]] double total_variation(const VectorRef& p, const VectorRef& q);

/// Expected recall of the first k arms of `order`, k = 0 ... order.size(): [order.size() + 1], from
/// 0 up. With `order` by some score and `probabilities` the truth, this is the recall curve of that
/// score; no order is above the one by the probabilities themselves (Pom::top(n)).
/// @throws InvalidArgument for an index out of range or a repeated one.
[[nodiscard]] Vector recall_curve(const VectorRef& probabilities, std::span<const Index> order);
/// Area under a recall curve against the fraction k / (size - 1), by the trapezoid rule, in [0, 1].
/// @throws InvalidArgument for fewer than two values.
[[nodiscard]] double recall_area(const VectorRef& curve);

}  // namespace pomlux
