// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/types.hpp>
#include <pomlux/estimators/marginals.hpp>
#include <span>    // batches of nodes
#include <vector>  // nodes

namespace pomlux {

/// Nodes evaluated at once.
inline constexpr int kNodeBatch = 8;

/// The error at half the step in terms of the error before: 2 for one component of width w, C
/// exp(-c w / h), with C = 1; less where C is small, as for a narrow and a wide part together.
inline constexpr double kMixedHalving = 1.5;

/// A node f = base + offset of a quadrature over the value of the maximum; the pair resolves what
/// one double cannot next to a narrow arm.
struct QuadratureNode {
  double base = 0.0;
  double offset = 0.0;
  double weight = 0.0;  ///< df/dt, times the step in t once it is part of a rule
};

/// Increasing map t(f) in which equally spaced nodes resolve every arm that matters:
///
///   t(f) = (f - centre) / scale + sum_k a asinh((f - mean_k) / (b stddev_k)),   a = b / 2 = 2,
///
/// with k over the narrow arms. The spacing near arm k is 2 stddev_k per unit of t and grows in
/// proportion to the distance from it. Analytic, so the trapezoid rule keeps its spectral
/// convergence.
class NodeMap {
 public:
  struct NarrowArm {
    double mean = 0.0;
    double stddev = 0.0;
  };
  NodeMap() = default;
  /// Takes of `candidates` those that the map does not resolve already, narrowest first, at most
  /// kMaxNarrow.
  NodeMap(double centre, double scale, std::vector<NarrowArm> candidates);

  /// t(centre).
  [[nodiscard]] double origin() const;
  /// The node with t(f) = t, weight df/dt.
  [[nodiscard]] QuadratureNode at(double t) const;
  /// Whether the node is less than `scale` from the centre.
  [[nodiscard]] bool is_near(const QuadratureNode& node) const;
  /// Whether an arm with nodes of its own is less than a tenth as wide as `scale`.
  [[nodiscard]] bool is_mixed() const;

  static constexpr std::size_t kMaxNarrow = 512;

 private:
  [[nodiscard]] double value(double base, double offset) const;
  [[nodiscard]] double slope(double base, double offset) const;

  double centre_ = 0.0;
  double scale_ = 1.0;
  std::vector<NarrowArm> narrow_;  // by mean
  std::vector<double> narrow_at_;  // t of their means
};

/// log G(f) = sum_z log Phi((f - mean_z) / stddev_z) and its derivative H(f), at some nodes.
struct MaxDistribution {
  std::vector<double> log_cdf;
  std::vector<double> log_cdf_slope;  ///< only where asked for
};

/// What becomes of certain arms in an integrand.
enum class CertainArms {
  kKeepBest,  ///< only the first of the best ones counts, with a small standard deviation of its
              ///< own
  kLeaveOut,
};

/// The independent Gaussians behind the estimators that integrate over the value of the maximum.
/// Keeps views.
class MaxIntegrand {
 public:
  MaxIntegrand(const VectorRef& mean,
               const VectorRef& stddev,
               const MarginalSummary& summary,
               CertainArms certain = CertainArms::kKeepBest);
  /// Of the uncertain arms but `left_out`: what the maximum of the others adds to that one.
  [[nodiscard]] static MaxIntegrand without(Index left_out,
                                            const VectorRef& mean,
                                            const VectorRef& stddev,
                                            const MarginalSummary& summary);

  [[nodiscard]] MaxDistribution distribution(std::span<const QuadratureNode> nodes,
                                             bool with_slope) const;
  /// Adds sum_i weight_i G(f_i) h_x(f_i), h_x = phi / Phi ((f - mean_x) / stddev_x) / stddev_x, to
  /// p[x] for every arm. Returns for how many arms the tail beyond the last node still matters,
  /// nodes being ordered outwards: `is_left` towards lower values.
  Index accumulate(std::span<const QuadratureNode> nodes,
                   std::span<const double> log_cdf,
                   bool is_left,
                   double* p) const;

  /// A map suited to these arms, made in a few dozen passes.
  [[nodiscard]] NodeMap make_map() const;
  [[nodiscard]] Index size() const { return n_; }
  /// The certain arm that counts, -1 if there is none.
  [[nodiscard]] Index best_certain() const { return best_certain_; }

 private:
  struct Block;
  [[nodiscard]] double log_cdf_at(double f) const;
  /// How far above `centre`, at least every mean, an entry above 1e-300 gets contributions.
  [[nodiscard]] double reach_above(double centre) const;

  const double* mean_;
  const double* stddev_;
  Index n_;
  MarginalSummary summary_;
  double certain_stddev_;
  Index best_certain_ = -1;
  Index left_out_ = -1;
};

}  // namespace pomlux
