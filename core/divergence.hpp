// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/errors.hpp>
#include <pomlux/core/types.hpp>

namespace pomlux {

/// Kullback-Leibler divergence sum p log(p / q) in nats of distributions, >= 0; 0 log 0 = 0,
/// infinite where q = 0 < p. Entries that do not sum to 1 give the generalised form, with + sum q -
/// sum p.
/// @throws InvalidArgument if the sizes differ or an entry is negative or NaN.
[[nodiscard]] double kl_divergence(const VectorRef& p, const VectorRef& q);

/// Jensen-Shannon divergence in nats: the mean of both divergences to (p + q) / 2, in [0, log 2].
/// @throws InvalidArgument as kl_divergence.
[[nodiscard]] double jensen_shannon_divergence(const VectorRef& p, const VectorRef& q);

struct SinkhornOptions {
  /// Weight of the entropy in the transport problem, in units of the coordinates. Positive.
  double regularization = 0.1;
  /// Stop when the marginals of the plans are met to this in total variation. In (0, 1).
  double tolerance = 1e-9;
  /// Iterations per transport problem. At least 1.
  int max_iterations = 10000;
  /// Largest memory for the distances between the arms, bytes.
  double memory_limit = kDefaultMemoryLimit;
};
void validate(const SinkhornOptions& options);

struct SinkhornResult {
  /// S(p, q) = T(p, q) - (T(p, p) + T(q, q)) / 2 >= 0, 0 for p = q.
  double divergence = 0.0;
  /// T(p, q) = min over plans P of sum P_ij |x_i - x_j| + regularization KL(P | p q^T), by its
  /// dual.
  double transport_cost = 0.0;
  int iterations = 0;  ///< of the slowest of the three problems
  Status status = Status::kNotRun;
};

/// Sinkhorn divergence over the coordinates [n, d] of the arms with Euclidean distances as cost; of
/// the order of a distance in the domain by which probability must move. In the log domain, so any
/// positive regularization works; the smaller, the more iterations. Arms of probability 0 in both
/// are left out. Cost: O(n^2) per iteration and n^2 doubles. Source: Feydy et al., AISTATS 2019.
/// @throws InvalidArgument if sizes differ, p or q does not sum to 1 within 1e-6, a coordinate is
/// not finite. @throws MemoryLimitExceeded before allocating beyond the limit.
[[nodiscard]] SinkhornResult sinkhorn_divergence(const VectorRef& p,
                                                 const VectorRef& q,
                                                 const PointsRef& coordinates,
                                                 const SinkhornOptions& options = {});

}  // namespace pomlux
