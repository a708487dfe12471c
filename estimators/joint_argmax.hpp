// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/core/dense.hpp>
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <span>  // argmaxima

namespace pomlux {

/// Draws the largest arm of joint samples of a Gaussian vector, with a stream of normals for each
/// sample.
class JointArgmax {
 public:
  /// Samples per chunk: columns of one matrix product.
  static constexpr Index kChunk = 128;

  /// Takes the square root of the covariance: O(n^3). @throws MemoryLimitExceeded.
  JointArgmax(const GaussianVector& f, SamplePrecision precision, double memory_limit);

  /// argmax[j] for the first argmax.size() <= kChunk samples of chunk `index` of the stream `key`.
  void draw(std::uint64_t key, std::uint64_t index, std::span<Index> argmax) const;

  [[nodiscard]] Index size() const { return mean_.size(); }

 private:
  // Of the samples first, first + 1, ... of `key`.
  void draw_independent(std::uint64_t key, std::uint64_t first, std::span<Index> argmax) const;
  void draw_single(std::uint64_t key, std::uint64_t first, std::span<Index> argmax) const;
  void draw_double(std::uint64_t key, std::uint64_t first, std::span<Index> argmax) const;
  /// Among the arms whose upper end in single precision reaches the threshold.
  [[nodiscard]] Index decide_in_double(const Vector& z,
                                       double length,
                                       const float* product,
                                       double threshold) const;

  SamplePrecision precision_;
  bool has_covariance_;
  Vector mean_;                        // in units of the largest stddev
  Vector stddev_;                      // likewise
  Matrix root_;                        // [r, n]: one arm is contiguous
  PackedMatrix<double> packed_;        // root_, for kDouble
  PackedMatrix<float> packed_single_;  // root_, for kSingle
  Vector rounding_;                    // [n]: bound on the error of the single product over |z|
};

}  // namespace pomlux
