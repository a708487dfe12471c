// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <cmath>      // std::sqrt
#include <limits>     // machine precision
#include <pomlux/core/linalg.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/estimators/joint_argmax.hpp>
#include <pomlux/estimators/marginals.hpp>
#include <vector>  // contending arms

namespace pomlux {
namespace {

/// Up to so many arms the normals of a chunk are drawn side by side, as a stream alone is hashed in
/// batches of some 200; more would not lie in the cache. The normals are the same.
constexpr Index kFewArms = 512;

constexpr std::string_view kSampleStreams = "ts_mc";
constexpr std::string_view kNoiseStreams = "ts_mc_noise";

VectorView view_of(const Vector& values) { return {values.data(), values.size()}; }

template <typename Dense>
auto entries_of(Dense& dense) {
  return std::span(dense.data(), static_cast<std::size_t>(dense.size()));
}

/// Index of the largest entry, the lowest one on ties.
template <typename Value>
Index first_largest(Index n, const Value& value) {
  Index best = 0;
  double largest = value(0);
  for (Index i = 1; i < n; ++i) {
    const double candidate = value(i);
    if (candidate > largest) {
      largest = candidate;
      best = i;
    }
  }
  return best;
}

}  // namespace

JointArgmax::JointArgmax(const GaussianVector& f, SamplePrecision precision, double memory_limit)
    : precision_(precision), has_covariance_(f.has_covariance()) {
  const Index n = f.size();
  // Common units: an argmax does not see them, and single precision neither over- nor underflows.
  const double largest = f.stddev().maxCoeff();
  unit_ = largest > 0.0 ? largest : 1.0;
  // Differences to the largest mean keep digits that a common shift would take.
  mean_ = (f.mean().array() - f.mean().maxCoeff()) / unit_;
  stddev_ = f.stddev() / unit_;
  if (!has_covariance_) {
    const auto rescaled = rescale_extremes(f.mean(), f.stddev(), summarise(f.mean(), f.stddev()));
    if (!rescaled) return;
    mean_ = rescaled->mean;
    stddev_ = rescaled->stddev;
    return;
  }
  // The matrix, its eigenvectors and the root exist at the same time.
  require_memory("ts_mc", 3 * n, n, memory_limit);
  const Matrix covariance = f.covariance_matrix();
  require_correlations("ts_mc", f, {}, {}, covariance);
  // Of all roots, which differ by a rotation of z, the trapezoidal one has half the products.
  root_ = turned_upper(semidefinite_root(covariance, f.covariance_reference()).transpose() / unit_);
  if (precision_ == SamplePrecision::kDouble) {
    packed_ = PackedMatrix<double>(root_);
    return;
  }
  packed_single_ = PackedMatrix<float>(root_);
  // |fl(a . z) - a . z| <= (r + 2) u |a| |z| by Cauchy and Schwarz, with the rounding of both
  // factors to single precision; and as much again for the higher orders and the double side.
  constexpr double unit_roundoff = 0.5 * std::numeric_limits<float>::epsilon();
  rounding_ = 2.0 * static_cast<double>(root_.rows() + 4) * unit_roundoff *
              root_.colwise().norm().transpose();
}

void JointArgmax::draw(std::uint64_t key, std::uint64_t first, std::span<Index> argmax) const {
  if (!has_covariance_) return draw_independent(key, first, argmax);
  if (precision_ == SamplePrecision::kSingle) return draw_single(key, first, argmax);
  draw_double(key, first, argmax);
}

void JointArgmax::draw_independent(std::uint64_t key,
                                   std::uint64_t first,
                                   std::span<Index> argmax) const {
  if (size() <= kFewArms) {
    PackedColumns<double> normals(size(), std::ssize(argmax));
    fill_normals(key, kSampleStreams, first, normals);
    const Index width = normals.width();
    for (Index j = 0; j < std::ssize(argmax); ++j) {
      const double* const z = normals.strip(j / width).data() + j % width;
      argmax[static_cast<std::size_t>(j)] =
          first_largest(size(), [&](Index i) { return mean_(i) + stddev_(i) * z[i * width]; });
    }
    return;
  }
  Vector z(size());
  for (std::size_t j = 0; j < argmax.size(); ++j) {
    fill_normals(key, kSampleStreams, first + j, entries_of(z));
    argmax[j] = first_largest(size(), [&](Index i) { return mean_(i) + stddev_(i) * z(i); });
  }
}

/// A block of samples that are to agree with an observation: what each adds to the means.
class JointArgmax::Given {
 public:
  Given(const JointArgmax& sampler,
        const JointObservation& observation,
        std::uint64_t key,
        std::uint64_t first,
        Index count)
      : sampler_(sampler),
        arm_(observation.arm),
        innovation_(observation.innovation / sampler.unit_),
        noise_(count) {
    const double stddev = sampler.unit_ * sampler.stddev_(arm_);
    const double noise_stddev = observation.noise_stddev;
    gain_ = observation.column / (stddev * stddev + noise_stddev * noise_stddev);
    if (sampler.rounding_.size() > 0) {
      rounding_ = sampler.rounding_ + sampler.rounding_(arm_) * gain_.cwiseAbs();
    }
    fill_normals(key, kNoiseStreams, first, entries_of(noise_));
    noise_ *= noise_stddev / sampler.unit_;
  }

  /// For sample j, whose part of the product at the observed arm is `product`.
  [[nodiscard]] Centre centre(Index j, double product) {
    const double rest = innovation_ - product - noise_(j);
    shift_ = sampler_.mean_ + rest * gain_;
    return {view_of(shift_), view_of(rounding_)};
  }
  [[nodiscard]] Centre exact_centre(Index j, const Vector& z) {
    return centre(j, sampler_.root_.col(arm_).dot(z));
  }
  [[nodiscard]] Index arm() const { return arm_; }

 private:
  const JointArgmax& sampler_;
  Index arm_;
  double innovation_;  // this and what follows in units of the sampler
  Vector noise_;
  Vector gain_;
  Vector rounding_;
  Vector shift_;
};

void JointArgmax::draw_given(const JointObservation& observation,
                             std::uint64_t key,
                             std::uint64_t first,
                             std::span<Index> argmax) const {
  POMLUX_ASSERT(has_covariance_);
  Given given(*this, observation, key, first, std::ssize(argmax));
  if (precision_ == SamplePrecision::kSingle) return draw_single(key, first, argmax, &given);
  draw_double(key, first, argmax, &given);
}

void JointArgmax::draw_double(std::uint64_t key,
                              std::uint64_t first,
                              std::span<Index> argmax,
                              Given* given) const {
  PackedColumns<double> normals(root_.rows(), std::ssize(argmax));
  fill_normals(key, kSampleStreams, first, normals);
  Matrix product(packed_.padded_cols(), normals.cols());
  packed_.transpose_multiply(normals, entries_of(product));
  for (std::size_t j = 0; j < argmax.size(); ++j) {
    const double* const column = product.col(static_cast<Index>(j)).data();
    const VectorView shift =
        given ? given->centre(static_cast<Index>(j), column[given->arm()]).shift : view_of(mean_);
    argmax[j] = first_largest(size(), [&](Index i) { return shift(i) + column[i]; });
  }
}

void JointArgmax::draw_single(std::uint64_t key,
                              std::uint64_t first,
                              std::span<Index> argmax,
                              Given* given) const {
  PackedColumns<float> normals(root_.rows(), std::ssize(argmax));
  fill_normals(key, kSampleStreams, first, normals);
  Eigen::MatrixXf product(packed_single_.padded_cols(), normals.cols());
  packed_single_.transpose_multiply(normals, entries_of(product));
  const Vector lengths = normals.norms();
  Vector z(root_.rows());
  std::vector<Index> arms;
  for (std::size_t j = 0; j < argmax.size(); ++j) {
    const float* const column = product.col(static_cast<Index>(j)).data();
    const double length = lengths(static_cast<Index>(j));
    const Index sample = static_cast<Index>(j);
    const Centre centre = given ? given->centre(sample, column[given->arm()])
                                : Centre{view_of(mean_), view_of(rounding_)};
    // No arm whose upper end is below the largest lower end can win.
    const Contenders contenders =
        find_contenders(entries_of(centre.shift),
                        std::span(column, static_cast<std::size_t>(size())),
                        entries_of(centre.rounding),
                        length);
    argmax[j] = contenders.last;
    if (contenders.count == 1) continue;
    fill_normals(key, kSampleStreams, first + j, entries_of(z));
    arms.clear();
    for (Index i = 0; i < size(); ++i) {
      if (centre.shift(i) + column[i] + centre.rounding(i) * length >= contenders.threshold) {
        arms.push_back(i);
      }
    }
    argmax[j] =
        decide_in_double(z, given ? given->exact_centre(sample, z).shift : view_of(mean_), arms);
  }
}

Index JointArgmax::decide_in_double(const Vector& z,
                                    const VectorView& shift,
                                    std::span<const Index> arms) const {
  Index best = -1;
  double largest = 0.0;
  for (const Index i : arms) {
    const double value = shift(i) + root_.col(i).dot(z);
    if (best < 0 || value > largest) {
      largest = value;
      best = i;
    }
  }
  return best;
}

}  // namespace pomlux
