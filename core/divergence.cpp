// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <cmath>      // std::log
#include <pomlux/core/divergence.hpp>
#include <pomlux/core/parallel.hpp>
#include <vector>  // supports

namespace pomlux {
namespace {

/// Rows of the cost matrix per parallel chunk.
constexpr Index kRowChunk = 16;

void require_distributions(std::string_view where, const VectorRef& p, const VectorRef& q) {
  require_same_size(where, "p", p.size(), "q", q.size());
  require_nonnegative(where, "p", p);
  require_nonnegative(where, "q", q);
}

void require_sum(std::string_view where, std::string_view name, const VectorRef& p) {
  if (std::abs(p.sum() - 1.0) <= 1e-6) return;
  fail(where, std::string(name) + " sums to " + format_number(p.sum()) + "; must sum to 1");
}

/// Distances between two sets of points, [n, m].
Matrix distances(const Points& a, const Points& b) {
  Matrix cost(a.rows(), b.rows());
  parallel_for(b.rows(), kRowChunk, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) cost.col(j) = (a.rowwise() - b.row(j)).rowwise().norm();
  });
  return cost;
}

/// A distribution on its support.
struct Support {
  Vector log_weight;
  Vector weight;
  Points points;
};

Support restrict_to_support(const VectorRef& p, const PointsRef& coordinates) {
  std::vector<Index> members;
  for (Index i = 0; i < p.size(); ++i) {
    if (p(i) > 0.0) members.push_back(i);
  }
  Support result;
  result.weight = p(members) / p.sum();
  result.log_weight = result.weight.array().log();
  result.points = coordinates(members, Eigen::all);
  return result;
}

/// Smooth minimum over j of cost_ij - potential_j: -r log sum_j exp(log w_j + (potential_j -
/// cost_ij) / r), for each i. `cost` has i in columns.
Vector soft_minimum(const Matrix& cost,
                    const Vector& log_weight,
                    const Vector& potential,
                    double regularization) {
  Vector result(cost.cols());
  parallel_for(cost.cols(), kRowChunk, [&](Index begin, Index end) {
    Vector exponent(cost.rows());
    for (Index i = begin; i < end; ++i) {
      exponent = log_weight + (potential - cost.col(i)) / regularization;
      const double largest = exponent.maxCoeff();
      double sum = 0.0;
      for (Index j = 0; j < exponent.size(); ++j) sum += std::exp(exponent(j) - largest);
      result(i) = -regularization * (largest + std::log(sum));
    }
  });
  return result;
}

struct Transport {
  double cost = 0.0;
  int iterations = 0;
  bool is_converged = false;
};

/// Alternating updates of both potentials; after one of them, the row marginal of the plan is off
/// by |p (exp((f_old - f_new) / r) - 1)|.
Transport transport(const Support& p, const Support& q, const SinkhornOptions& options) {
  const Matrix cost = distances(q.points, p.points);  // columns: arms of p
  const Matrix transposed = cost.transpose();
  const double r = options.regularization;
  Vector f = Vector::Zero(p.weight.size());
  Vector g = Vector::Zero(q.weight.size());
  Transport result;
  while (result.iterations < options.max_iterations && !result.is_converged) {
    g = soft_minimum(transposed, p.log_weight, f, r);
    const Vector next = soft_minimum(cost, q.log_weight, g, r);
    const double gap =
        0.5 * (p.weight.array() * (((f - next) / r).array().exp() - 1.0).abs()).sum();
    f = next;
    ++result.iterations;
    result.is_converged = gap <= options.tolerance;
  }
  result.cost = p.weight.dot(f) + q.weight.dot(g);
  return result;
}

/// T(p, p): one potential for both sides, averaged, which converges in a few dozen steps.
Transport self_transport(const Support& p, const SinkhornOptions& options) {
  const Matrix cost = distances(p.points, p.points);
  const double r = options.regularization;
  Vector f = Vector::Zero(p.weight.size());
  Transport result;
  while (result.iterations < options.max_iterations && !result.is_converged) {
    const Vector next = soft_minimum(cost, p.log_weight, f, r);
    const double gap =
        0.5 * (p.weight.array() * (((f - next) / r).array().exp() - 1.0).abs()).sum();
    f = 0.5 * (f + next);
    ++result.iterations;
    result.is_converged = gap <= options.tolerance;
  }
  result.cost = 2.0 * p.weight.dot(f);
  return result;
}

}  // namespace

double kl_divergence(const VectorRef& p, const VectorRef& q) {
  require_distributions("kl_divergence", p, q);
  double sum = 0.0;
  for (Index i = 0; i < p.size(); ++i) {
    if (p(i) > 0.0 && q(i) == 0.0) return kInfinity;
    // With q - p, which sums to 0, every term is >= 0 and nothing cancels between terms.
    sum += q(i) - p(i);
    if (p(i) > 0.0) sum += p(i) * std::log(p(i) / q(i));
  }
  return std::max(sum, 0.0);
}

double jensen_shannon_divergence(const VectorRef& p, const VectorRef& q) {
  require_distributions("jensen_shannon_divergence", p, q);
  const Vector middle = 0.5 * (p + q);
  return std::min(0.5 * (kl_divergence(p, middle) + kl_divergence(q, middle)), std::log(2.0));
}

void validate(const SinkhornOptions& options) {
  constexpr std::string_view where = "sinkhorn_divergence";
  if (!(options.regularization > 0.0 && std::isfinite(options.regularization))) {
    fail(where,
         "regularization is " + format_number(options.regularization) + "; must be > 0 and finite");
  }
  if (!(options.tolerance > 0.0 && options.tolerance < 1.0)) {
    fail(where, "tolerance is " + format_number(options.tolerance) + "; must be in (0, 1)");
  }
  if (options.max_iterations < 1) {
    fail(where, "max_iterations is " + format_number(options.max_iterations) + "; must be >= 1");
  }
}

SinkhornResult sinkhorn_divergence(const VectorRef& p,
                                   const VectorRef& q,
                                   const PointsRef& coordinates,
                                   const SinkhornOptions& options) {
  constexpr std::string_view where = "sinkhorn_divergence";
  validate(options);
  require_distributions(where, p, q);
  require_sum(where, "p", p);
  require_sum(where, "q", q);
  require_same_size(where, "p", p.size(), "coordinates", coordinates.rows());
  require_finite(where, "coordinates", Vector(coordinates.reshaped()));
  const Support a = restrict_to_support(p, coordinates);
  const Support b = restrict_to_support(q, coordinates);
  const Index largest = std::max(a.weight.size(), b.weight.size());
  require_memory(where, 2 * largest, largest, options.memory_limit);
  const Transport both = transport(a, b, options);
  const Transport alone_p = self_transport(a, options);
  const Transport alone_q = self_transport(b, options);
  SinkhornResult result;
  result.transport_cost = both.cost;
  result.divergence = std::max(both.cost - 0.5 * (alone_p.cost + alone_q.cost), 0.0);
  result.iterations = std::max({both.iterations, alone_p.iterations, alone_q.iterations});
  result.status = both.is_converged && alone_p.is_converged && alone_q.is_converged
                      ? Status::kConverged
                      : Status::kIterationLimit;
  return result;
}

}  // namespace pomlux
