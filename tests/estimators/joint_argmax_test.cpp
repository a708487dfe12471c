// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/estimators/joint_argmax.hpp>
#include <vector>

namespace {

using namespace pomlux;

constexpr std::uint64_t kKey = 11;

/// Smooth arms, each twice: the second copy is surely better by `lead`.
DenseGaussian twins(Index pairs, double lead) {
  const Index n = 2 * pairs;
  Vector mean(n);
  Matrix covariance(n, n);
  for (Index i = 0; i < n; ++i) {
    mean(i) = std::sin(0.3 * static_cast<double>(i / 2)) + (i % 2 == 1 ? lead : 0.0);
    for (Index j = 0; j < n; ++j) {
      const double d = 0.2 * static_cast<double>(i / 2 - j / 2);
      covariance(i, j) = std::exp(-0.5 * d * d);
    }
  }
  return {mean, covariance};
}

std::vector<Index> draw(const JointArgmax& sampler, std::uint64_t chunk, Index count) {
  std::vector<Index> argmax(static_cast<std::size_t>(count));
  sampler.draw(kKey, chunk * std::uint64_t{JointArgmax::kChunk}, argmax);
  return argmax;
}

/// The one root of a covariance that is trapezoidal: [n, r].
Matrix trapezoidal_root(const GaussianVector& f) {
  const Matrix any = semidefinite_root(f.covariance_matrix(), f.covariance_reference()).transpose();
  return turned_upper(any).transpose();
}

/// The definition, one sample at a time in double precision.
std::vector<Index> draw_plainly(const GaussianVector& f, std::uint64_t chunk, Index count) {
  const Matrix root = trapezoidal_root(f);
  std::vector<Index> result;
  std::vector<double> z(static_cast<std::size_t>(root.cols()));
  for (Index j = 0; j < count; ++j) {
    const std::uint64_t sample = chunk * std::uint64_t{JointArgmax::kChunk} + std::uint64_t(j);
    fill_normals(kKey, "ts_mc", sample, z);
    const Vector value = f.mean() + root * Eigen::Map<const Vector>(z.data(), root.cols());
    result.push_back(std::max_element(value.begin(), value.end()) - value.begin());
  }
  return result;
}

TEST_CASE("Argmaxima are those of mean + root z in double, near ties included",
          "[estimators][ts_mc]") {
  // With the second lead every sample has two contenders that single precision cannot tell apart.
  for (const double lead : {0.3, 1e-9}) {
    const DenseGaussian f = twins(35, lead);
    for (const SamplePrecision precision : {SamplePrecision::kSingle, SamplePrecision::kDouble}) {
      const JointArgmax sampler(f, precision, 1e9);
      for (const std::uint64_t chunk : {0u, 1u, 1000u}) {
        CAPTURE(lead, chunk);
        CHECK(draw(sampler, chunk, 128) == draw_plainly(f, chunk, 128));
      }
    }
  }
}

TEST_CASE("Argmaxima of independent arms are those of mean + stddev z, few arms or many",
          "[estimators][ts_mc]") {
  for (const Index n : {1, 7, 512, 513}) {
    CAPTURE(n);
    const Vector mean = Vector::LinSpaced(n, 0.0, 1.0);
    const Vector stddev = Vector::LinSpaced(n, 2.0, 0.5);
    const JointArgmax sampler(IndependentGaussian(mean, stddev), SamplePrecision::kSingle, 1e9);
    std::vector<Index> expected;
    std::vector<double> z(static_cast<std::size_t>(n));
    for (Index j = 0; j < 101; ++j) {
      const auto sample = std::uint64_t{3} * JointArgmax::kChunk + static_cast<std::uint64_t>(j);
      fill_normals(kKey, "ts_mc", sample, z);
      Index best = 0;
      (mean + stddev.cwiseProduct(Eigen::Map<const Vector>(z.data(), n))).maxCoeff(&best);
      expected.push_back(best);
    }
    CHECK(draw(sampler, 3, 101) == expected);
  }
}

TEST_CASE("A chunk, and a part of one, can be drawn on its own", "[estimators][ts_mc]") {
  const IndependentGaussian independent(Vector::LinSpaced(30, 0.0, 1.0), Vector::Ones(30));
  const DenseGaussian joint = twins(20, 0.01);
  for (const GaussianVector* const f : {static_cast<const GaussianVector*>(&independent),
                                        static_cast<const GaussianVector*>(&joint)}) {
    for (const SamplePrecision precision : {SamplePrecision::kSingle, SamplePrecision::kDouble}) {
      const JointArgmax sampler(*f, precision, 1e9);
      const std::vector<Index> whole = draw(sampler, 5, JointArgmax::kChunk);
      CHECK(draw(JointArgmax(*f, precision, 1e9), 5, JointArgmax::kChunk) == whole);
      CHECK(draw(sampler, 6, JointArgmax::kChunk) != whole);
      for (const Index count : {1, 7, 100}) {
        const std::vector<Index> part = draw(sampler, 5, count);
        CHECK(std::equal(part.begin(), part.end(), whole.begin()));
      }
    }
  }
}

/// Samples given an observation, by the definition, one at a time in double precision.
std::vector<Index> draw_plainly_given(const GaussianVector& f,
                                      const JointObservation& observation,
                                      std::uint64_t first,
                                      Index count) {
  const Matrix root = trapezoidal_root(f);
  const double variance =
      std::pow(f.stddev()(observation.arm), 2) + std::pow(observation.noise_stddev, 2);
  std::vector<double> noise(static_cast<std::size_t>(count));
  fill_normals(kKey, "ts_mc_noise", first, noise);
  Vector z(root.cols());
  std::vector<Index> result;
  for (Index j = 0; j < count; ++j) {
    fill_normals(kKey,
                 "ts_mc",
                 first + std::uint64_t(j),
                 std::span(z.data(), static_cast<std::size_t>(z.size())));
    const Vector deviation = root * z;
    const double rest = observation.innovation - deviation(observation.arm) -
                        observation.noise_stddev * noise[std::size_t(j)];
    const Vector value = f.mean() + deviation + observation.column * (rest / variance);
    result.push_back(std::max_element(value.begin(), value.end()) - value.begin());
  }
  return result;
}

TEST_CASE(
    "Argmaxima given an observation are those of Matheron's rule in double, near ties included",
    "[estimators][ts_mc]") {
  for (const double lead : {0.3, 1e-9}) {
    const DenseGaussian f = twins(35, lead);
    for (const SamplePrecision precision : {SamplePrecision::kSingle, SamplePrecision::kDouble}) {
      const JointArgmax sampler(f, precision, 1e9);
      for (const Index arm : {0, 41}) {
        const Vector column = f.covariance_column(arm);
        for (const double noise : {0.0, 0.2}) {
          CAPTURE(lead, arm, noise);
          const JointObservation observation{arm, {column.data(), column.size()}, noise, 1.7};
          std::vector<Index> argmax(100);
          sampler.draw_given(observation, kKey, 700, argmax);
          CHECK(argmax == draw_plainly_given(f, observation, 700, 100));
        }
      }
    }
  }
}

}  // namespace
