// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/dense.hpp>
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <span>  // argmaxima

namespace pomlux {

/// A noisy observation y of an arm that joint samples F are made to agree with, by Matheron's rule:
///   F + column / variance (y - F_arm - noise),  variance = stddev_arm^2 + noise_stddev^2,
/// is distributed as F given y. No factorisation but that of F's covariance.
struct JointObservation {
  Index arm;
  VectorView column;  ///< [n] covariance of F with the arm
  double noise_stddev;
  double innovation;  ///< y - mean_arm
};

/// Draws the largest arm of joint samples of a Gaussian vector, with a stream of normals for each
/// sample.
class JointArgmax {
 public:
  /// Samples per chunk: columns of one matrix product.
  static constexpr Index kChunk = 128;

  /// Takes a square root of the covariance: O(n^3). @throws MemoryLimitExceeded.
  JointArgmax(const GaussianVector& f, SamplePrecision precision, double memory_limit);

  /// argmax[j] for sample first + j of the stream `key`, argmax.size() <= kChunk.
  void draw(std::uint64_t key, std::uint64_t first, std::span<Index> argmax) const;
  /// The same given an observation of positive variance. Needs a covariance.
  void draw_given(const JointObservation& observation,
                  std::uint64_t key,
                  std::uint64_t first,
                  std::span<Index> argmax) const;

  [[nodiscard]] Index size() const { return mean_.size(); }

 private:
  class Given;
  /// Where the arms of one sample are, but for their part of the product.
  struct Centre {
    VectorView shift;     // [n]
    VectorView rounding;  // [n] bound on the error of an arm in single precision over |z|
  };
  // Of the samples first, first + 1, ... of `key`.
  void draw_independent(std::uint64_t key, std::uint64_t first, std::span<Index> argmax) const;
  void draw_single(std::uint64_t key,
                   std::uint64_t first,
                   std::span<Index> argmax,
                   Given* given = nullptr) const;
  void draw_double(std::uint64_t key,
                   std::uint64_t first,
                   std::span<Index> argmax,
                   Given* given = nullptr) const;
  /// Of `arms`, ascending, at `shift` plus their part of the product in double precision.
  [[nodiscard]] Index decide_in_double(const Vector& z,
                                       const VectorView& shift,
                                       std::span<const Index> arms) const;

  SamplePrecision precision_;
  bool has_covariance_;
  double unit_;                        // the largest stddev
  Vector mean_;                        // in units of the largest stddev
  Vector stddev_;                      // likewise
  Matrix root_;                        // [r, n], upper trapezoidal: one arm is contiguous
  PackedMatrix<double> packed_;        // root_, for kDouble
  PackedMatrix<float> packed_single_;  // root_, for kSingle
  Vector rounding_;                    // [n]: bound on the error of the single product over |z|
};

}  // namespace pomlux
